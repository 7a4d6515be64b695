#include "framework/trace/convert/graph_profile_form.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "framework/base/hash_map.h"
#include "framework/base/status_macros.h"
#include "framework/trace/convert/graph_profile_builder.h"
#include "framework/trace/convert/profile_names.h"
#include "framework/trace/convert/profile_ready.h"
#include "framework/trace/convert/profile_steps.h"
#include "framework/trace/trace_event.h"

namespace syncline {
namespace {

using CalculatorTrace = GraphTrace::CalculatorTrace;
using StreamTrace = GraphTrace::StreamTrace;

// The year 2100.
constexpr std::int64_t kMaxTimeUs = 4'102'444'800'000'000;
constexpr std::int64_t kMaxThreads = 100'000;

std::int64_t WrappingSum(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) +
                                   static_cast<std::uint64_t>(b));
}

TraceKind EndOf(TraceKind begin) {
  return begin == TraceKind::kOpenBegin    ? TraceKind::kOpenEnd
         : begin == TraceKind::kCloseBegin ? TraceKind::kCloseEnd
                                           : TraceKind::kProcessEnd;
}

// The events of one thread out of its steps.
class ThreadEvents {
 public:
  // How often calls start, and end apart from their starts, in the profile.
  using Counts = HashMap<ProfileCallKey, int>;

  ThreadEvents(std::int64_t base_us, const Counts& starts)
      : base_us_(base_us), starts_(starts) {}

  std::vector<TraceEvent> Make(std::vector<ProfileStep> steps) {
    for (std::size_t i = 0; i < steps.size(); ++i) steps[i].number = i;
    std::sort(steps.begin(), steps.end(),
              [](const ProfileStep& a, const ProfileStep& b) {
                return a.IsBefore(b);
              });
    for (const ProfileStep& step : steps) {
      if (step.kind == ProfileStep::kFinish) ++finishes_left_[step.call];
    }
    for (ProfileStep& step : steps) Add(&step);
    return std::move(events_);
  }
  // Positions of ends before which the begin of the call is missing.
  const std::vector<std::size_t>& lone_ends() const { return lone_ends_; }

 private:
  struct Open {
    ProfileCallKey call;
    bool is_whole = false;
  };

  void Add(ProfileStep* step) {
    us_ = step->us;
    switch (step->kind) {
      case ProfileStep::kStart:
        return Start(step);
      case ProfileStep::kFinish:
        return Finish(*step);
      case ProfileStep::kSend:
        return Send(step);
      case ProfileStep::kOther:
        EndForgotten();
        return Note(step->event);
    }
  }

  void Note(TraceEvent event) {
    event.tick = static_cast<std::uint64_t>(us_ - base_us_) * 1000;
    events_.push_back(event);
  }
  void Note(TraceKind kind, const ProfileCallKey& call) {
    Note({.timestamp = call.timestamp,
          .kind_and_id = TraceEvent::KindAndId(
              kind, static_cast<std::uint32_t>(call.node))});
  }

  void Start(ProfileStep* step) {
    const bool goes_on = !step->is_whole && !open_.empty() &&
                         !open_.back().is_whole &&
                         open_.back().call == step->call;
    if (!goes_on) {
      EndForgotten();
      Note(step->call.begin, step->call);
      open_.push_back({step->call, step->is_whole});
      ended_.reset();
    }
    for (const TraceEvent& taken : step->taken) Note(taken);
  }

  void Finish(const ProfileStep& step) {
    --finishes_left_[step.call];
    const auto found = std::find_if(
        open_.rbegin(), open_.rend(),
        [&step](const Open& open) { return open.call == step.call; });
    if (found != open_.rend()) {
      open_.erase(std::prev(found.base()), open_.end());
    } else if (ended_ == step.call ||
               (!step.is_whole && starts_.count(step.call) != 0)) {
      // More results of a call that has ended, here or on another thread.
      return;
    } else {
      EndForgotten();
      if (open_.empty()) lone_ends_.push_back(events_.size());
    }
    Note(EndOf(step.call.begin), step.call);
    ended_ = step.call;
  }

  void Send(ProfileStep* step) {
    if (ended_ != step->call) {
      Note(TraceKind::kResults, step->call);
      ended_ = step->call;
    }
    Note(step->event);
  }

  // A call of which no end is told has ended when its thread does something
  // else.
  void EndForgotten() {
    while (!open_.empty() && !open_.back().is_whole &&
           finishes_left_[open_.back().call] <= 0) {
      Note(EndOf(open_.back().call.begin), open_.back().call);
      ended_ = open_.back().call;
      open_.pop_back();
    }
  }

  const std::int64_t base_us_;
  const Counts& starts_;
  Counts finishes_left_;
  std::vector<TraceEvent> events_;
  std::vector<std::size_t> lone_ends_;
  std::vector<Open> open_;
  absl::optional<ProfileCallKey> ended_;
  std::int64_t us_ = 0;
};

// A gap before each position: what begins there is known to begin there.
TraceEvents WithGaps(absl::Span<const TraceEvent> events,
                     const std::vector<std::size_t>& positions) {
  TraceEvents pieces;
  std::size_t begin = 0;
  std::int64_t lost = 0;
  for (const std::size_t position : positions) {
    pieces.Append(events.subspan(begin, position - begin), lost);
    begin = position;
    lost = 1;
  }
  pieces.Append(events.subspan(begin), lost);
  return pieces;
}

class Reader {
 public:
  explicit Reader(const GraphProfile& profile)
      : profile_(profile), names_(profile) {}

  absl::StatusOr<Trace> Read() {
    for (int i = 0; i < profile_.graph_trace_size(); ++i) {
      part_ = &profile_.graph_trace(i);
      names_.BeginPart(*part_);
      for (int j = 0; j < part_->calculator_trace_size(); ++j) {
        absl::Status status = AddEvent(part_->calculator_trace(j));
        if (status.ok()) continue;
        return absl::DataLossError(
            absl::StrCat("event ", j, " of part ", i,
                         " of the profile: ", status.message()));
      }
    }
    return Finish();
  }

 private:
  absl::StatusOr<std::int64_t> TimeUs(std::int64_t relative_us) const {
    const __int128 us = static_cast<__int128>(part_->base_time()) + relative_us;
    if (us >= 0 && us <= kMaxTimeUs) return static_cast<std::int64_t>(us);
    return absl::DataLossError(
        absl::StrCat("the time ", relative_us, " us after the base time ",
                     part_->base_time(), " us is out of range"));
  }
  std::int64_t Timestamp(std::int64_t relative) const {
    return WrappingSum(relative, part_->base_timestamp());
  }

  absl::Status AddEvent(const CalculatorTrace& event) {
    if (event.thread_id() < 0 || event.thread_id() >= kMaxThreads) {
      return absl::DataLossError(
          absl::StrCat("there is no thread ", event.thread_id()));
    }
    const auto thread = static_cast<std::size_t>(event.thread_id());
    if (thread >= steps_.size()) steps_.resize(thread + 1);
    thread_ = &steps_[thread];
    switch (event.event_type()) {
      case GraphTrace::OPEN:
        return AddCall(event, TraceKind::kOpenBegin);
      case GraphTrace::PROCESS:
        return event.node_id() == -1 ? AddAdded(event)
                                     : AddCall(event, TraceKind::kProcessBegin);
      case GraphTrace::CLOSE:
        return AddCall(event, TraceKind::kCloseBegin);
      case GraphTrace::NOT_READY:
        return AddOfNode(event, TraceKind::kNotReady, 0);
      case GraphTrace::READY_FOR_PROCESS:
        return AddOfNode(event, TraceKind::kReady, 0);
      case GraphTrace::READY_FOR_CLOSE:
        return AddOfNode(event, TraceKind::kReady, 2);
      case GraphTrace::THROTTLED:
        return AddThrottled(event, TraceKind::kThrottled);
      case GraphTrace::UNTHROTTLED:
        return AddThrottled(event, TraceKind::kUnthrottled);
      case GraphTrace::GPU_TASK:
        return AddWork(event, 0);
      case GraphTrace::DSP_TASK:
        return AddWork(event, 1);
      case GraphTrace::TPU_TASK:
        return AddWork(event, 2);
      default:
        // PACKET_QUEUED follows from what is sent; the others are of no node.
        return absl::OkStatus();
    }
  }

  void AddOther(std::int64_t us, TraceKind kind, std::uint32_t id,
                std::int64_t timestamp, std::uint32_t extra) {
    ProfileStep& step = thread_->emplace_back();
    step.us = us;
    step.event = {.timestamp = timestamp,
                  .kind_and_id = TraceEvent::KindAndId(kind, id),
                  .extra = extra};
    SeeTime(us);
  }
  void SeeTime(std::int64_t us) {
    first_us_ = std::min(first_us_.value_or(us), us);
  }

  absl::Status AddOfNode(const CalculatorTrace& event, TraceKind kind,
                         std::uint32_t extra) {
    SYNCLINE_ASSIGN_OR_RETURN(const std::int32_t node,
                              names_.Node(event.node_id()));
    SYNCLINE_ASSIGN_OR_RETURN(const std::int64_t us,
                              TimeUs(event.start_time()));
    AddOther(
        us, kind, static_cast<std::uint32_t>(node),
        event.has_input_timestamp() ? Timestamp(event.input_timestamp()) : 0,
        extra);
    return absl::OkStatus();
  }

  absl::Status AddThrottled(const CalculatorTrace& event, TraceKind kind) {
    if (event.node_id() != -1) return AddOfNode(event, kind, 0);
    SYNCLINE_ASSIGN_OR_RETURN(const std::int64_t us,
                              TimeUs(event.start_time()));
    std::int32_t stream = 0;
    if (event.input_trace_size() > 0) {
      SYNCLINE_ASSIGN_OR_RETURN(
          stream, names_.Stream(event.input_trace(0).stream_id()));
    } else {
      stream = names_.UnknownStream();
    }
    AddOther(us, kind, TraceEvent::kNoNode, 0,
             static_cast<std::uint32_t>(stream));
    return absl::OkStatus();
  }

  absl::Status AddWork(const CalculatorTrace& event,
                       std::uint32_t device_stream) {
    SYNCLINE_ASSIGN_OR_RETURN(const std::int32_t node,
                              names_.Node(event.node_id()));
    const std::int64_t timestamp = Timestamp(event.input_timestamp());
    const auto id = static_cast<std::uint32_t>(node);
    if (event.has_start_time()) {
      SYNCLINE_ASSIGN_OR_RETURN(const std::int64_t us,
                                TimeUs(event.start_time()));
      AddOther(us, TraceKind::kDeviceBegin, id, timestamp, device_stream);
    }
    if (event.has_finish_time()) {
      SYNCLINE_ASSIGN_OR_RETURN(const std::int64_t us,
                                TimeUs(event.finish_time()));
      AddOther(us, TraceKind::kDeviceEnd, id, timestamp, device_stream);
    }
    return absl::OkStatus();
  }

  // Packets that the application has sent.
  absl::Status AddAdded(const CalculatorTrace& event) {
    SYNCLINE_ASSIGN_OR_RETURN(
        const std::int64_t us,
        TimeUs(event.has_finish_time() ? event.finish_time()
                                       : event.start_time()));
    for (const StreamTrace& sent : event.output_trace()) {
      SYNCLINE_ASSIGN_OR_RETURN(const std::int32_t stream,
                                names_.Stream(sent.stream_id()));
      AddOther(us, TraceKind::kSent, static_cast<std::uint32_t>(stream),
               Timestamp(sent.packet_timestamp()), 0);
    }
    return absl::OkStatus();
  }

  absl::Status AddCall(const CalculatorTrace& event, TraceKind begin) {
    ProfileCallKey call;
    call.begin = begin;
    SYNCLINE_ASSIGN_OR_RETURN(call.node, names_.Node(event.node_id()));
    if (event.has_input_timestamp()) {
      call.timestamp = Timestamp(event.input_timestamp());
    }
    absl::optional<std::int64_t> start_us;
    if (event.has_start_time()) {
      SYNCLINE_ASSIGN_OR_RETURN(start_us, TimeUs(event.start_time()));
      SYNCLINE_RETURN_IF_ERROR(AddStart(event, call, *start_us));
    }
    if (!event.has_finish_time()) return absl::OkStatus();
    SYNCLINE_ASSIGN_OR_RETURN(std::int64_t us, TimeUs(event.finish_time()));
    us = std::max(us, start_us.value_or(us));
    SeeTime(us);
    ProfileStep& finish = thread_->emplace_back();
    finish.kind = ProfileStep::kFinish;
    finish.us = us;
    finish.call = call;
    finish.is_whole = start_us.has_value();
    if (start_us.has_value() && *start_us < us) finish.started_us = *start_us;
    return AddSends(event, call, us);
  }

  absl::Status AddStart(const CalculatorTrace& event,
                        const ProfileCallKey& call, std::int64_t us) {
    SeeTime(us);
    ++starts_[call];
    ProfileStep step;
    step.kind = ProfileStep::kStart;
    step.us = us;
    step.call = call;
    step.is_whole = event.has_finish_time();
    HashMap<std::int32_t, int> before;  // ports of one stream
    for (const StreamTrace& taken : event.input_trace()) {
      SYNCLINE_ASSIGN_OR_RETURN(const std::int32_t stream,
                                names_.Stream(taken.stream_id()));
      step.taken.push_back(
          {.timestamp = Timestamp(taken.packet_timestamp()),
           .kind_and_id = TraceEvent::KindAndId(
               TraceKind::kTaken, static_cast<std::uint32_t>(stream)),
           .extra = static_cast<std::uint32_t>(
               names_.Port(call.node, stream, before[stream]++))});
    }
    thread_->push_back(std::move(step));
    return absl::OkStatus();
  }

  absl::Status AddSends(const CalculatorTrace& event,
                        const ProfileCallKey& call, std::int64_t finish_us) {
    for (const StreamTrace& sent : event.output_trace()) {
      SYNCLINE_ASSIGN_OR_RETURN(const std::int32_t stream,
                                names_.Stream(sent.stream_id()));
      std::int64_t us = finish_us;
      if (sent.has_start_time()) {
        SYNCLINE_ASSIGN_OR_RETURN(us, TimeUs(sent.start_time()));
      }
      names_.AddProducer(call.node, stream);
      AddOther(std::max(us, finish_us), TraceKind::kSent,
               static_cast<std::uint32_t>(stream),
               Timestamp(sent.packet_timestamp()), 0);
      thread_->back().kind = ProfileStep::kSend;
      thread_->back().call = call;
    }
    return absl::OkStatus();
  }

  absl::StatusOr<Trace> Finish() {
    const std::int64_t base_us = first_us_.value_or(
        profile_.graph_trace_size() == 0 ? 0
                                         : profile_.graph_trace(0).base_time());
    if (base_us < 0 || base_us > kMaxTimeUs) {
      return absl::DataLossError(absl::StrCat("the base time of the profile, ",
                                              base_us, " us, is out of range"));
    }
    TellWhichWereReady(names_.header().node_size(), &steps_);
    const auto events = std::make_shared<std::deque<std::vector<TraceEvent>>>();
    Trace trace;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      ThreadEvents of_thread(base_us, starts_);
      events->push_back(of_thread.Make(std::move(steps_[i])));
      TraceThread thread;
      thread.name = absl::StrCat("thread ", i);
      thread.events = WithGaps(events->back(), of_thread.lone_ends());
      trace.threads.push_back(std::move(thread));
    }
    trace.header = names_.header();
    trace.clock_points = {{0, base_us * 1000, base_us * 1000}};
    trace.storage = events;
    SYNCLINE_RETURN_IF_ERROR(CheckTrace(trace));
    return trace;
  }

  const GraphProfile& profile_;
  ProfileNames names_;
  ThreadEvents::Counts starts_;
  std::vector<std::vector<ProfileStep>> steps_;  // by thread
  absl::optional<std::int64_t> first_us_;

  // Of the current event.
  const GraphTrace* part_ = nullptr;
  std::vector<ProfileStep>* thread_ = nullptr;
};

}  // namespace

absl::StatusOr<GraphProfile> ToGraphProfile(
    const Trace& trace, const GraphProfileOptions& options) {
  SYNCLINE_RETURN_IF_ERROR(CheckTrace(trace));
  GraphProfileBuilder builder(trace.header, options);
  SYNCLINE_RETURN_IF_ERROR(builder.Add(trace));
  return builder.Capture(GraphProfileBuilder::kLast);
}

absl::StatusOr<Trace> FromGraphProfile(const GraphProfile& profile) {
  return Reader(profile).Read();
}

}  // namespace syncline
