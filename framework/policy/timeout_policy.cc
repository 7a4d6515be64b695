#include "framework/policy/timeout_policy.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>

#include "framework/base/graph_clock.h"
#include "framework/config/timeout_input_stream_handler.pb.h"

namespace syncline {
namespace {

using TimeoutOptions = TimeoutInputStreamHandlerOptions;

const TimeoutOptions& OptionsOf(const PolicyPorts& ports) {
  return ports.options->GetExtension(TimeoutOptions::ext);
}

// The bound of a stream that is settled at `timestamp` without having ended.
Timestamp BoundPast(Timestamp timestamp) {
  if (timestamp == Timestamp::PreStream()) return Timestamp::Min();
  if (timestamp == Timestamp::Max()) return Timestamp::PostStream();
  return timestamp.NextAllowedInStream();
}

// The number of packets of `queue` that are below `limit`.
std::int64_t CountBelow(const InputQueue& queue, Timestamp limit) {
  std::int64_t begin = 0;
  for (std::int64_t end = queue.size(); begin < end;) {
    const std::int64_t middle = begin + (end - begin) / 2;
    const bool is_below = queue.at(middle).Timestamp() < limit;
    (is_below ? begin : end) = is_below ? middle + 1 : middle;
  }
  return begin;
}

}  // namespace

TimeoutPolicy::TimeoutPolicy(const PolicyPorts& ports)
    : queues_(ports.queues),
      timeout_ns_(OptionsOf(ports).timeout_ns()),
      needs_arrivals_(OptionsOf(ports).since() ==
                      TimeoutOptions::OLDEST_PACKET),
      all_(ports.queues, ports.process_timestamp_bounds),
      has_packet_(ports.queues.size()),
      settled_(ports.queues.size()) {
  LookAtAll();
}

void TimeoutPolicy::Look(int port) {
  const InputQueue& queue = queues_[port];
  const bool has_packet =
      !queue.empty() && queue.front().Timestamp() < Timestamp::PostStream();
  num_with_packet_ += (has_packet ? 1 : 0) - has_packet_[port];
  has_packet_[port] = has_packet ? 1 : 0;
}

void TimeoutPolicy::LookAtAll() {
  for (int port = 0; port < static_cast<int>(queues_.size()); ++port) {
    Look(port);
  }
}

void TimeoutPolicy::OnChange(int port) {
  all_.OnChange(port);
  Look(port);
}

Readiness TimeoutPolicy::Evaluate() const {
  const Readiness readiness = all_.Evaluate();
  if (readiness.state != Readiness::State::kWait || !empty_call_is_due_) {
    return readiness;
  }
  const Timestamp bound = readiness.timestamp;
  return {Readiness::State::kProcess, bound == Timestamp::PostStream()
                                          ? Timestamp::Max()
                                          : bound.PreviousAllowedInStream()};
}

Timestamp TimeoutPolicy::Take(Timestamp timestamp, InputStreamSet* inputs) {
  empty_call_is_due_ = false;
  all_.Take(timestamp, inputs);
  LookAtAll();
  return timestamp;
}

TimeoutPolicy::AtTimeout TimeoutPolicy::at_timeout() const {
  if (num_with_packet_ > 0) return AtTimeout::kPackets;
  return needs_arrivals_ ? AtTimeout::kNothing : AtTimeout::kEmptyCall;
}

std::int64_t TimeoutPolicy::Deadline(std::int64_t now_ns,
                                     Arrivals arrivals) const {
  if (!needs_arrivals_) return SaturatingAddNs(now_ns, timeout_ns_);
  std::int64_t oldest_ns = std::numeric_limits<std::int64_t>::max();
  for (int port = 0; port < static_cast<int>(queues_.size()); ++port) {
    if (has_packet_[port] != 0) {
      oldest_ns = std::min(oldest_ns, arrivals[port].front());
    }
  }
  return SaturatingAddNs(oldest_ns, timeout_ns_);
}

void TimeoutPolicy::TimeIsUp(std::int64_t now_ns, Arrivals arrivals) {
  const Timestamp newest =
      needs_arrivals_ ? NewestDue(now_ns, arrivals) : NewestKept();
  if (newest != Timestamp::Unset()) return SettleUpTo(newest);
  empty_call_is_due_ = !needs_arrivals_;
}

Timestamp TimeoutPolicy::NewestDue(std::int64_t now_ns,
                                   Arrivals arrivals) const {
  Timestamp newest = Timestamp::Unset();
  for (int port = 0; port < static_cast<int>(queues_.size()); ++port) {
    if (has_packet_[port] == 0) continue;
    const std::deque<std::int64_t>& times = arrivals[port];
    const auto first_early = std::partition_point(
        times.begin(), times.end(), [&](std::int64_t arrival_ns) {
          return SaturatingAddNs(arrival_ns, timeout_ns_) <= now_ns;
        });
    const std::int64_t num_due =
        std::min(first_early - times.begin(),
                 CountBelow(queues_[port], Timestamp::PostStream()));
    if (num_due == 0) continue;
    newest = std::max(newest, queues_[port].at(num_due - 1).Timestamp());
  }
  return newest;
}

Timestamp TimeoutPolicy::NewestKept() const {
  Timestamp limit = Timestamp::PostStream();
  for (int port = 0; port < static_cast<int>(queues_.size()); ++port) {
    if (has_packet_[port] != 0) limit = std::min(limit, queues_[port].bound());
  }
  Timestamp newest = Timestamp::Unset();
  for (const InputQueue& queue : queues_) {
    const std::int64_t below = CountBelow(queue, limit);
    if (below == 0) continue;
    newest = std::max(newest, queue.at(below - 1).Timestamp());
  }
  return newest;
}

void TimeoutPolicy::SettleUpTo(Timestamp timestamp) {
  for (int port = 0; port < static_cast<int>(queues_.size()); ++port) {
    InputQueue& queue = queues_[port];
    if (queue.bound() > timestamp) continue;
    settled_[port] = BoundPast(timestamp);
    queue.RaiseBound(settled_[port]);
    all_.OnChange(port);
  }
}

std::unique_ptr<InputPolicy> MakeTimeoutPolicy(const PolicyPorts& ports) {
  return std::make_unique<TimeoutPolicy>(ports);
}

}  // namespace syncline
