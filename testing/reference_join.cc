#include "testing/reference_join.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/port_layout.h"
#include "framework/calculator/port_name.h"
#include "framework/config/approximate_time_input_stream_handler.pb.h"
#include "framework/config/default_input_stream_handler.pb.h"
#include "framework/config/latest_input_stream_handler.pb.h"
#include "framework/config/sync_set_input_stream_handler.pb.h"
#include "framework/config/timestamp_align_input_stream_handler.pb.h"

namespace syncline {
namespace {

absl::StatusOr<int> PortOf(const PlanNode& node, const std::string& tag_index) {
  std::string tag;
  int index = 0;
  SYNCLINE_RETURN_IF_ERROR(tool::ParseTagIndex(tag_index, &tag, &index));
  return node.contract->Inputs().layout().GetId(tag, index).value();
}

// What leads from one time to the other; 0 from and to special times.
__int128 Distance(Timestamp from, Timestamp to) {
  if (!from.IsRangeValue() || !to.IsRangeValue()) return 0;
  return static_cast<__int128>(to.Value()) - from.Value();
}

}  // namespace

Timestamp ReferenceJoin::Port::Shifted(Timestamp timestamp) const {
  if (!timestamp.IsRangeValue()) return std::max(timestamp, not_before);
  const auto shifted = Timestamp::CreateNoErrorChecking(
      static_cast<std::int64_t>(std::clamp<__int128>(
          timestamp.Value() + shift, Timestamp::Min().Value(),
          Timestamp::Max().Value())));
  return std::max(shifted, not_before);
}

Timestamp ReferenceJoin::Port::Earliest() const {
  return Shifted(IsEmpty() ? stream->bound : Head().Timestamp());
}

bool ReferenceJoin::Port::IsFinished() const {
  return IsEmpty() && stream->bound >= Timestamp::OneOverPostStream();
}

absl::StatusOr<ReferenceJoin> ReferenceJoin::Create(
    const PlanNode& node, const std::vector<ReferenceStream>& streams) {
  ReferenceJoin join;
  for (const PlanInput& input : node.inputs) {
    if (input.idle_after_port >= 0) {
      return absl::UnimplementedError(absl::StrCat(
          "The reference run does not know idle_after, which node \"",
          node.name, "\" has: what is late depends on what arrives first."));
    }
    if (input.queue_policy != InputStreamInfo::BLOCK) {
      return absl::UnimplementedError(absl::StrCat(
          "The reference run does not know queue_policy, which node \"",
          node.name, "\" has: what is dropped depends on how fast it is."));
    }
    if (input.message_times) {
      return absl::UnimplementedError(absl::StrCat(
          "The reference run does not know message_times, which node \"",
          node.name, "\" has: they are those of a clock."));
    }
    join.ports_.push_back({&streams[input.stream]});
  }
  join.process_timestamp_bounds_ = node.bounds.are_processed;
  SYNCLINE_RETURN_IF_ERROR(join.ReadOptions(node));
  return join;
}

absl::Status ReferenceJoin::ReadOptions(const PlanNode& node) {
  const absl::string_view handler = node.handlers.input;
  const SynclineOptions& options = *node.handlers.input_options;
  std::set<int> others;  // ports in no sync set
  for (size_t port = 0; port < ports_.size(); ++port) {
    others.insert(static_cast<int>(port));
  }
  if (handler == "DefaultInputStreamHandler") {
    batch_size_ = options.GetExtension(DefaultInputStreamHandlerOptions::ext)
                      .batch_size();
  } else if (handler == "SyncSetInputStreamHandler") {
    for (const auto& set :
         options.GetExtension(SyncSetInputStreamHandlerOptions::ext)
             .sync_set()) {
      sets_.emplace_back();
      for (const std::string& tag_index : set.tag_index()) {
        SYNCLINE_ASSIGN_OR_RETURN(const int port, PortOf(node, tag_index));
        sets_.back().ports.push_back(port);
        others.erase(port);
      }
    }
  } else if (handler == "TimestampAlignInputStreamHandler") {
    rule_ = Rule::kTimestampAlign;
    SYNCLINE_ASSIGN_OR_RETURN(
        base_,
        PortOf(
            node,
            options.GetExtension(TimestampAlignInputStreamHandlerOptions::ext)
                .timestamp_base_tag_index()));
  } else if (handler == "BarrierInputStreamHandler") {
    rule_ = Rule::kBarrier;
  } else if (handler == "MuxInputStreamHandler") {
    rule_ = Rule::kMux;
  } else if (handler == "LatestInputStreamHandler" &&
             !node.bounds.are_processed) {
    SYNCLINE_RETURN_IF_ERROR(ReadLatestOptions(node));
  } else if (handler == "ApproximateTimeInputStreamHandler" &&
             !node.bounds.are_processed) {
    SYNCLINE_RETURN_IF_ERROR(ReadApproximateTimeOptions(node));
  } else if (handler == "ImmediateInputStreamHandler" && ports_.size() == 1 &&
             !node.bounds.are_processed) {
    // One stream has one order of arrival: that of its timestamps.
  } else {
    return absl::UnimplementedError(
        absl::StrCat("The reference run does not know \"", handler,
                     "\" of node \"", node.name, "\"."));
  }
  if (!others.empty()) sets_.push_back({{others.begin(), others.end()}});
  return absl::OkStatus();
}

absl::Status ReferenceJoin::ReadLatestOptions(const PlanNode& node) {
  const auto& options = node.handlers.input_options->GetExtension(
      LatestInputStreamHandlerOptions::ext);
  rule_ = Rule::kLatest;
  SYNCLINE_ASSIGN_OR_RETURN(latest_.main,
                            PortOf(node, options.main_tag_index()));
  if (options.has_max_age()) latest_.max_age = options.max_age();
  latest_.requires_all = options.requires_all();
  return absl::OkStatus();
}

absl::Status ReferenceJoin::ReadApproximateTimeOptions(const PlanNode& node) {
  const auto& options = node.handlers.input_options->GetExtension(
      ApproximateTimeInputStreamHandlerOptions::ext);
  constexpr std::int64_t kAny = std::numeric_limits<std::int64_t>::max();
  rule_ = Rule::kApproximateTime;
  approximate_time_.tolerance.assign(
      ports_.size(), options.has_tolerance() ? options.tolerance() : kAny);
  for (const auto& stream : options.stream()) {
    SYNCLINE_ASSIGN_OR_RETURN(const int port, PortOf(node, stream.tag_index()));
    if (stream.has_tolerance()) {
      approximate_time_.tolerance[port] = stream.tolerance();
    }
  }
  if (options.has_max_interval()) {
    approximate_time_.max_interval = options.max_interval();
  }
  approximate_time_.close_enough = options.close_enough();
  if (options.has_timestamp_base_tag_index()) {
    SYNCLINE_ASSIGN_OR_RETURN(approximate_time_base_,
                              PortOf(node, options.timestamp_base_tag_index()));
  }
  return absl::OkStatus();
}

absl::StatusOr<ReferenceJoin::Decision> ReferenceJoin::Decide() {
  switch (rule_) {
    case Rule::kSyncSets:
      return DecideSyncSets();
    case Rule::kTimestampAlign:
      return DecideTimestampAlign();
    case Rule::kBarrier:
      return DecideBarrier();
    case Rule::kMux:
      return DecideMux();
    case Rule::kLatest:
      return DecideLatest();
    case Rule::kApproximateTime:
      return DecideApproximateTime();
  }
  return absl::InternalError("no rule");
}

// A call at T is due when T is settled on all streams and some packet is at T.
// With process_timestamp_bounds also at the newest T that is settled.
ReferenceJoin::Decision ReferenceJoin::DecideSet(const Set& set) const {
  Timestamp packet = Timestamp::Done();
  Timestamp bound = Timestamp::Done();
  for (const int port : set.ports) {
    Timestamp& earliest = ports_[port].IsEmpty() ? bound : packet;
    earliest = std::min(earliest, ports_[port].Earliest());
  }
  const Timestamp earliest = std::min(packet, bound);
  if (earliest >= Timestamp::OneOverPostStream()) {
    return {State::kClose, Timestamp::Done()};
  }
  if (packet < bound) return {State::kCall, packet};
  if (process_timestamp_bounds_) {
    const Timestamp settled = bound.PreviousAllowedInStream();
    if (settled > set.last_call) return {State::kCall, settled};
  }
  return {State::kWait, earliest};
}

// Of the sets that are due the earliest, then the first; those that are over do
// not count.
ReferenceJoin::Decision ReferenceJoin::DecideSyncSets() const {
  Decision due = {State::kClose, Timestamp::Done()};
  Decision waiting = {State::kClose, Timestamp::Done()};
  for (size_t i = 0; i < sets_.size(); ++i) {
    Decision one = DecideSet(sets_[i]);
    one.set = static_cast<int>(i);
    if (one.state == State::kCall && one.time < due.time) due = one;
    if (one.state == State::kWait && one.time < waiting.time) waiting = one;
  }
  return due.state == State::kCall ? due : waiting;
}

// Until every stream has a packet or is finished, packets of the base go alone.
// Then the first packets that wait are at one time, and the rest is shifted by
// as much; special times are not, but nothing is before the first packet of the
// base. What saturates onto a time that is past is dropped.
ReferenceJoin::Decision ReferenceJoin::DecideTimestampAlign() {
  const bool have_all_begun = std::none_of(
      ports_.begin(), ports_.end(),
      [](const Port& port) { return port.IsEmpty() && !port.IsFinished(); });
  if (!is_aligned_ && have_all_begun && !ports_[base_].IsEmpty()) {
    is_aligned_ = true;
    const Timestamp base = ports_[base_].Head().Timestamp();
    for (Port& port : ports_) {
      port.not_before = base;
      if (port.IsEmpty()) continue;
      const Timestamp first = port.Head().Timestamp();
      port.shift = Distance(first, base);
    }
  }
  Set& set = sets_.front();
  if (!is_aligned_) {
    Set base_only;
    base_only.ports = {base_};
    base_only.last_call = set.last_call;
    return DecideSet(base_only);
  }
  for (Port& port : ports_) {
    while (!port.IsEmpty() && port.Earliest() <= set.last_call) ++port.taken;
    // All that is still to come here would be where the last call was.
    if (port.Earliest() <= set.last_call) {
      port.not_before = set.last_call.NextAllowedInStream();
    }
  }
  return DecideSet(set);
}

// One packet of each stream, whatever the time: also after Max, so that only
// the close of a stream is its end.
ReferenceJoin::Decision ReferenceJoin::DecideBarrier() const {
  Timestamp earliest = Timestamp::Done();
  bool is_complete = true;
  for (const Port& port : ports_) {
    if (port.IsEmpty() && port.stream->IsClosed()) {
      return {State::kClose, Timestamp::Done()};
    }
    if (port.IsEmpty()) {
      is_complete = false;
    } else {
      earliest = std::min(earliest, port.Earliest());
    }
  }
  if (is_complete) return {State::kCall, earliest};
  return {State::kWait, Timestamp::PreStream()};
}

// The last stream says which of the others counts; what is older than the time
// of its first packet, or its bound, is dropped.
absl::StatusOr<ReferenceJoin::Decision> ReferenceJoin::DecideMux() {
  const Port& control = ports_.back();
  if (control.IsFinished()) return Decision{State::kClose, Timestamp::Done()};
  const Timestamp time = control.Earliest();
  for (size_t i = 0; i + 1 < ports_.size(); ++i) {
    Port& data = ports_[i];
    while (!data.IsEmpty() && data.Earliest() < time) ++data.taken;
  }
  if (control.IsEmpty()) return Decision{State::kWait, time};
  SYNCLINE_RETURN_IF_ERROR(control.Head().ValidateAsType<int>());
  const int chosen = control.Head().Get<int>();
  if (chosen < 0 || chosen + 1 >= static_cast<int>(ports_.size())) {
    return absl::InvalidArgumentError(
        absl::StrCat("Mux chooses stream ", chosen));
  }
  const Port& data = ports_[chosen];
  const bool is_known = !data.IsEmpty() || data.stream->bound > time;
  return Decision{is_known ? State::kCall : State::kWait, time};
}

Packet ReferenceJoin::LatestOf(const Port& port, Timestamp now) const {
  Packet newest;
  for (const Packet& packet : port.stream->packets) {
    if (packet.Timestamp() <= now) newest = packet;
  }
  if (newest.IsEmpty() || !latest_.max_age) return newest;
  const __int128 age =
      static_cast<__int128>(now.Value()) - newest.Timestamp().Value();
  return age <= *latest_.max_age ? newest : Packet();
}

// A call for each packet of the main stream, once all others are settled at its
// time; with requires_all only where each of them has a packet to show.
ReferenceJoin::Decision ReferenceJoin::DecideLatest() {
  Port& main = ports_[latest_.main];
  for (;;) {
    if (main.IsFinished()) return {State::kClose, Timestamp::Done()};
    const Timestamp now = main.Earliest();
    bool is_settled = !main.IsEmpty();
    bool has_all = true;
    for (const Port& port : ports_) {
      if (&port == &main) continue;
      is_settled = is_settled && port.stream->bound > now;
      has_all = has_all && !LatestOf(port, now).IsEmpty();
    }
    if (!is_settled) return {State::kWait, now};
    if (has_all || !latest_.requires_all) return {State::kCall, now};
    ++main.taken;
  }
}

// What the sets are does not depend on when they are known. So they are all
// made at the end.
absl::StatusOr<ReferenceJoin::Decision> ReferenceJoin::DecideApproximateTime() {
  if (!approximate_sets_) {
    std::vector<std::vector<std::int64_t>> times(ports_.size());
    for (std::size_t i = 0; i < ports_.size(); ++i) {
      const ReferenceStream& stream = *ports_[i].stream;
      if (!stream.IsClosed()) {
        return Decision{State::kWait, Timestamp::PreStream()};
      }
      for (const Packet& packet : stream.packets) {
        if (!packet.Timestamp().IsRangeValue()) {
          return absl::UnimplementedError(
              "The reference run knows approximate time for ordinary "
              "timestamps only.");
        }
        times[i].push_back(packet.Timestamp().Value());
      }
    }
    approximate_sets_ = ApproximateTimeSets(times, approximate_time_);
  }
  if (next_set_ == approximate_sets_->size()) {
    return Decision{State::kClose, Timestamp::Done()};
  }
  const std::vector<std::int64_t>& set = (*approximate_sets_)[next_set_];
  return Decision{State::kCall,
                  Timestamp(approximate_time_base_ >= 0
                                ? set[approximate_time_base_]
                                : *std::max_element(set.begin(), set.end()))};
}

bool ReferenceJoin::PassesBoundsOn() const {
  return rule_ != Rule::kBarrier && rule_ != Rule::kApproximateTime &&
         sets_.size() == 1;
}

void ReferenceJoin::Take(const Decision& decision, InputStreamSet* inputs) {
  std::set<int> taking;  // ports
  if (rule_ == Rule::kMux) {
    const int control = static_cast<int>(ports_.size()) - 1;
    taking = {control, ports_[control].Head().Get<int>()};
  } else {
    Set& set = sets_[decision.set];
    taking = {set.ports.begin(), set.ports.end()};
    set.last_call = decision.time;
  }
  if (rule_ == Rule::kTimestampAlign && !is_aligned_) taking = {base_};
  for (size_t i = 0; i < ports_.size(); ++i) {
    Port& port = ports_[i];
    Packet packet;
    if (taking.count(static_cast<int>(i)) > 0 && !port.IsEmpty()) {
      if (rule_ == Rule::kBarrier) {
        packet = port.stream->packets[port.taken++];
      } else if (rule_ == Rule::kApproximateTime) {
        const Timestamp time((*approximate_sets_)[next_set_][i]);
        while (port.Head().Timestamp() < time) ++port.taken;
        packet = port.stream->packets[port.taken++];
      } else if (rule_ == Rule::kLatest &&
                 static_cast<int>(i) != latest_.main) {
        while (!port.IsEmpty() && port.Head().Timestamp() <= decision.time) {
          ++port.taken;
        }
      } else if (port.Earliest() == decision.time) {
        packet = port.stream->packets[port.taken++].At(decision.time);
      }
    }
    if (rule_ == Rule::kLatest && static_cast<int>(i) != latest_.main) {
      packet = LatestOf(port, decision.time);
    }
    if (packet.IsEmpty()) {
      packet = Packet().At(port.Earliest().PreviousAllowedInStream());
    }
    inputs->Get(CollectionItemId(static_cast<int>(i)))
        .Fill(std::move(packet), port.IsEmpty() && port.stream->IsClosed());
  }
  if (rule_ == Rule::kApproximateTime) ++next_set_;
}

}  // namespace syncline
