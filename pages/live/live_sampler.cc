#include "pages/live/live_sampler.h"

#include <pthread.h>

#include <algorithm>
#include <ctime>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "framework/base/misuse.h"
#include "framework/packet/packet_looks.h"
#include "framework/plan/graph_plan.h"
#include "glog/logging.h"
#include "pages/model/picture_state.h"

namespace syncline {
namespace {

// Latencies go over many events, and change slowly: two seconds from one look
// to the next, and longer where a look takes much time.
constexpr absl::Duration kBetweenLatencies = absl::Seconds(2);
constexpr absl::Duration kLongestBetweenLatencies = absl::Seconds(10);
constexpr int kLatenciesPause = 1000;
// The time of a sample, and so many times that until the next one.
constexpr int kPause = 9;

// What this thread has used of a core.
absl::Duration ThreadTime() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return absl::DurationFromTimespec(time);
}

}  // namespace

LiveSampler::LiveSampler(CalculatorGraph* graph, Forms forms)
    : graph_(graph), forms_(std::move(forms)), meter_(graph) {}

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
    for (auto& [stream, looked_at] : streams_) {
      looked_at.asked = absl::InfinitePast();
    }
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
  const absl::Time now = absl::Now();
  LookedAt& looked_at = streams_[stream];
  looked_at.asked = now;
  const Seen seen = looked_at.seen;
  if (streams_.size() > kMostStreams) {
    // The sampler lets go of it.
    auto oldest = streams_.begin();
    for (auto it = streams_.begin(); it != streams_.end(); ++it) {
      if (it->second.asked < oldest->second.asked) oldest = it;
    }
    oldest->second.asked = absl::InfinitePast();
  }
  wants_packets_ = true;
  asked_cv_.Signal();
  return seen;
}

// --- The thread

LiveSampler::Job LiveSampler::WaitForJob() {
  MutexLock lock(&mutex_);
  while (!is_over_ && !wants_sample_ && !wants_metrics_ && !wants_packets_) {
    if (streams_.empty()) {
      asked_cv_.Wait(&mutex_);
    } else if (asked_cv_.WaitWithTimeout(&mutex_, kStreamPatience)) {
      break;
    }
  }
  Job job;
  job.is_last = is_over_;
  wants_packets_ = false;
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
      LookAtPackets();
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
      auto sample = std::make_shared<const LiveSample>(MakeSample());
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
      period_ = std::clamp(kPause * cost, kPeriod, kLongestPeriod);
      num_done_ = num_begun_;
      taken_cv_.SignalAll();
    }
  }
  if (is_waited_for && forms_.on_taken) forms_.on_taken();
}

LiveSample LiveSampler::MakeSample() {
  LiveSample sample;
  sample.number = ++num_samples_;
  sample.unix_us = absl::ToUnixMicros(absl::Now());
  // Before what it has counted, so that the counts of a run that is over are
  // its last ones.
  sample.run = graph_->GetRunProgress();
  if (sample.run.number != last_run_) {
    last_run_ = sample.run.number;
    meter_.Forget();
    latencies_.clear();
    has_last_latencies_ = false;
  }
  if (sample.run.number > 0) {
    absl::StatusOr<GraphRuntimeInfo> info = graph_->GetGraphRuntimeInfo();
    if (info.ok()) sample.info = *std::move(info);
  }
  // Who waits is shown while nothing moves; else it changes all the time.
  std::vector<NodeWait> waits;
  if (!sample.info.standstill().empty()) waits = graph_->GetWaits();
  sample.state = MakePictureState(graph_->plan(), sample.info, waits);
  FindPhase(&sample);
  meter_.Read();
  if (!meter_.has_events()) return sample;
  sample.calls = meter_.Calls();
  for (const int node : meter_.NodesInCalls()) {
    if (node < static_cast<int>(sample.state.nodes.size())) {
      sample.state.nodes[node].is_in_call = !sample.run.is_over;
    }
  }
  const absl::Time now = absl::Now();
  const bool is_last = sample.run.is_over && !has_last_latencies_;
  if (now >= latencies_due_ || is_last) {
    has_last_latencies_ = sample.run.is_over;
    const absl::Duration before = ThreadTime();
    latencies_ = meter_.SinkLatencies();
    latencies_due_ =
        now + std::clamp(kLatenciesPause * (ThreadTime() - before),
                         kBetweenLatencies, kLongestBetweenLatencies);
  }
  sample.latencies = latencies_;
  return sample;
}

void LiveSampler::FindPhase(LiveSample* sample) const {
  PictureState& state = sample->state;
  state.elapsed_us = absl::ToInt64Microseconds(sample->run.elapsed);
  absl::Status error;
  // Also of a run that is over, which HasError() is not.
  const bool has_error =
      sample->run.number > 0 && graph_->GetCombinedErrors(&error);
  if (has_error && !absl::IsCancelled(error)) {
    state.error = std::string(error.message());
  }
  if (sample->run.number == 0) {
    state.phase = "not started";
  } else if (!sample->run.is_over) {
    state.phase = "running";
  } else if (!has_error) {
    state.phase = "ended";
  } else {
    state.phase = absl::IsCancelled(error) ? "interrupted" : "failed";
  }
}

void LiveSampler::LookAtPackets() {
  std::vector<int> streams;
  {
    MutexLock lock(&mutex_);
    for (const auto& [stream, looked_at] : streams_) streams.push_back(stream);
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
    const auto found = streams_.find(stream);
    if (found == streams_.end()) continue;
    std::swap(found->second.seen.view, view);
    found->second.seen.number = ++num_seen_;
  }
}

void LiveSampler::StopLookingAtOld() {
  std::vector<int> old;
  {
    MutexLock lock(&mutex_);
    const absl::Time now = absl::Now();
    for (const auto& [stream, looked_at] : streams_) {
      if (now - looked_at.asked >= kStreamPatience) old.push_back(stream);
    }
    for (const int stream : old) streams_.erase(stream);
  }
  for (const int stream : old) {
    graph_
        ->StopLookingAtStream(
            std::string(graph_->plan().streams()[stream].name))
        .IgnoreError();
  }
}

}  // namespace syncline
