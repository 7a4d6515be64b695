#include "pages/live/live_sampler.h"

#include <pthread.h>

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "framework/base/misuse.h"
#include "framework/packet/packet_looks.h"
#include "framework/plan/graph_plan.h"
#include "glog/logging.h"
#include "pages/live/packet_view.h"
#include "pages/live/sample_maker.h"
#include "pages/live/watched_streams.h"

namespace syncline {
namespace {

// What a look at the graph has cost, and so many times that until the next one.
constexpr int kPause = 9;

absl::Duration PauseAfter(absl::Duration cost, absl::Duration shortest) {
  return std::clamp(kPause * cost, shortest, LiveSampler::kLongestPeriod);
}

// Where a look has found no packet: the one that it could have seen may live
// for a moment only, if its reader takes it.
constexpr absl::Duration kShortestPause = absl::Milliseconds(10);

}  // namespace

LiveSampler::LiveSampler(CalculatorGraph* graph, Forms forms)
    : graph_(graph), forms_(std::move(forms)), maker_(graph) {}

absl::StatusOr<std::unique_ptr<LiveSampler>> LiveSampler::Start(
    CalculatorGraph* graph, Forms forms) {
  auto sampler =
      std::unique_ptr<LiveSampler>(new LiveSampler(graph, std::move(forms)));
  try {
    sampler->thread_ = std::thread([self = sampler.get()] { self->Work(); });
  } catch (const std::system_error&) {
    return absl::ResourceExhaustedError(
        "The machine has no thread that could look at the graph for its page.");
  }
  pthread_setname_np(sampler->thread_.native_handle(), "page");
  return sampler;
}

LiveSampler::~LiveSampler() {
  {
    MutexLock lock(&mutex_);
    is_over_ = true;
  }
  asked_cv_.Signal();
  if (thread_.joinable()) thread_.join();
  {
    MutexLock lock(&mutex_);
    streams_.StopAsking();
  }
  // The graph keeps no packet for it any more.
  CatchExceptions([this] { StopLookingAtOld(); }).IgnoreError();
}

// --- Who asks

LiveSampler::Reply LiveSampler::Ask(Form form, absl::Duration patience,
                                    std::int64_t knows) {
  MutexLock lock(&mutex_);
  last_asked_ = absl::Now();
  const bool has_form = form == Form::kState || taken_.metrics != nullptr;
  const bool is_new =
      taken_.sample != nullptr && last_asked_ - taken_.time < period_;
  if ((is_new && has_form) || patience <= absl::ZeroDuration()) {
    return {taken_, absl::ZeroDuration()};
  }
  // There is nothing else to show before the first one.
  if (taken_.sample == nullptr) patience = std::max(patience, kFirstPatience);
  // A graph that does not answer is not waited for again and again.
  if (last_asked_ - busy_since_ > patience) {
    return {taken_, absl::ZeroDuration()};
  }
  // One that was begun will do.
  if (!is_new && num_begun_ == num_done_) wants_sample_ = true;
  if (form == Form::kMetrics) wants_metrics_ = true;
  asked_cv_.Signal();
  const bool is_next = knows > 0 && has_form && taken_.sample != nullptr &&
                       taken_.sample->number > knows &&
                       last_asked_ - taken_.time < kStillNew;
  if (is_next) return {taken_, absl::ZeroDuration()};
  is_waited_for_ = true;
  return {taken_, patience};
}

LiveSampler::Taken LiveSampler::AskNew(absl::Duration patience) {
  MutexLock lock(&mutex_);
  // One that was begun may know less.
  const std::int64_t wanted = num_begun_ + 1;
  wants_sample_ = true;
  asked_cv_.Signal();
  const absl::Time deadline = absl::Now() + patience;
  while (num_done_ < wanted) {
    const absl::Duration left = deadline - absl::Now();
    if (left <= absl::ZeroDuration()) return {};
    taken_cv_.WaitWithTimeout(&mutex_, left);
  }
  return taken_;
}

absl::Time LiveSampler::last_asked() const {
  MutexLock lock(&mutex_);
  return last_asked_;
}

LiveSampler::Seen LiveSampler::AskPacket(int stream) {
  MutexLock lock(&mutex_);
  // Who has asked so far has woken the thread.
  if (!std::exchange(wants_packets_, true)) asked_cv_.Signal();
  return streams_.Ask(stream, absl::Now());
}

// --- The thread

LiveSampler::Job LiveSampler::WaitForJob() {
  MutexLock lock(&mutex_);
  while (!is_over_ && !wants_sample_ && !wants_metrics_) {
    if (wants_packets_) {
      const absl::Duration left = packets_due_ - absl::Now();
      if (left <= absl::ZeroDuration()) break;
      asked_cv_.WaitWithTimeout(&mutex_, left);
    } else if (streams_.empty()) {
      asked_cv_.Wait(&mutex_);
    } else if (asked_cv_.WaitWithTimeout(&mutex_, WatchedStreams::kPatience)) {
      break;
    }
  }
  Job job;
  job.is_last = is_over_;
  job.looks_at_packets = wants_packets_ && packets_due_ <= absl::Now();
  if (job.looks_at_packets) wants_packets_ = false;
  job.takes_sample = std::exchange(wants_sample_, false);
  job.makes_metrics = std::exchange(wants_metrics_, false);
  if (job.takes_sample) {
    ++num_begun_;
  } else {
    job.taken = taken_;
  }
  busy_since_ = absl::Now();
  return job;
}

void LiveSampler::Work() {
  for (Job job = WaitForJob(); !job.is_last; job = WaitForJob()) {
    const absl::Status worked = CatchExceptions([&] {
      StopLookingAtOld();
      if (job.looks_at_packets) LookAtPackets();
      if (job.takes_sample || job.makes_metrics) Take(std::move(job));
    });
    LOG_IF_EVERY_N(WARNING, !worked.ok(), 100) << "The page: " << worked;
    MutexLock lock(&mutex_);
    busy_since_ = absl::InfiniteFuture();
  }
}

void LiveSampler::Take(Job job) {
  const absl::Duration before = ThreadTime();
  Taken taken = std::move(job.taken);
  const absl::Status made = CatchExceptions([&] {
    if (job.takes_sample) {
      auto sample = std::make_shared<const LiveSample>(maker_.Make());
      taken.state = std::make_shared<const std::string>(forms_.state(*sample));
      taken.sample = std::move(sample);
      taken.time = absl::Now();
    }
    if (job.makes_metrics && taken.sample != nullptr) {
      taken.metrics =
          std::make_shared<const std::string>(forms_.metrics(*taken.sample));
    }
  });
  if (!made.ok()) {
    LOG_EVERY_N(WARNING, 100) << "The page cannot show the graph: " << made;
  }
  const absl::Duration cost = ThreadTime() - before;
  bool is_waited_for = false;
  {
    MutexLock lock(&mutex_);
    is_waited_for = std::exchange(is_waited_for_, false);
    if (made.ok()) std::swap(taken_, taken);
    if (job.takes_sample) {
      period_ = PauseAfter(cost, kPeriod);
      num_done_ = num_begun_;
      taken_cv_.SignalAll();
    }
  }
  if (is_waited_for && forms_.on_taken) forms_.on_taken();
}

void LiveSampler::LookAtPackets() {
  const absl::Duration before = ThreadTime();
  std::vector<int> streams;
  {
    MutexLock lock(&mutex_);
    streams = streams_.NotSeenSince(absl::Now() - kPeriod);
  }
  for (const int stream : streams) {
    std::shared_ptr<const PacketView> view;
    const absl::Status looked = CatchExceptions([&]() -> absl::Status {
      // A reader that takes the value waits until the packet is gone.
      const PacketLook look;
      const absl::StatusOr<Packet> packet = graph_->LookAtStream(
          std::string(graph_->plan().streams()[stream].name));
      if (!packet.ok()) return packet.status();
      if (!packet->IsEmpty()) {
        view = std::make_shared<const PacketView>(MakePacketView(*packet));
      }
      return absl::OkStatus();
    });
    if (!looked.ok()) {
      LOG_EVERY_N(WARNING, 100) << "The page cannot show a packet: " << looked;
    }
    if (view == nullptr) continue;
    MutexLock lock(&mutex_);
    view = streams_.See(stream, std::move(view), absl::Now());
  }
  MutexLock lock(&mutex_);
  packets_due_ =
      absl::Now() + PauseAfter(ThreadTime() - before, kShortestPause);
}

void LiveSampler::StopLookingAtOld() {
  std::vector<int> old;
  {
    MutexLock lock(&mutex_);
    old = streams_.TakeOld(absl::Now());
  }
  for (const int stream : old) {
    graph_
        ->StopLookingAtStream(
            std::string(graph_->plan().streams()[stream].name))
        .IgnoreError();
  }
}

}  // namespace syncline
