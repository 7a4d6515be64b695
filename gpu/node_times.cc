#include "gpu/node_times.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "gpu/device_clock.h"

namespace syncline::gpu {
namespace {

// Of a measurement that has ended. The length is the device's own. The place is
// as exact as the clocks were compared, and never before the host told the
// device; nor after the host saw the end, unless both cannot be.
absl::StatusOr<DeviceTimes::Work> WorkOf(const Measurement& measured,
                                         std::int64_t seen_ns, int node_id) {
  SYNCLINE_ASSIGN_OR_RETURN(const std::int64_t length,
                            measured.begin.NanosecondsUntil(measured.end));
  SYNCLINE_ASSIGN_OR_RETURN(
      std::int64_t begin, measured.device->clock().HostTimeOf(measured.begin));
  begin = std::max(std::min(begin, seen_ns - length), measured.told_ns);
  return DeviceTimes::Work{.node_id = node_id,
                           .timestamp = measured.timestamp,
                           .stream = measured.stream,
                           .begin_ns = begin,
                           .end_ns = begin + length};
}

}  // namespace

// --- The life of a measurement

bool NodeTimes::Begin() {
  MutexLock lock(&mutex_);
  if (num_begun_ < kMaxPending) {
    ++num_begun_;
    return true;
  }
  ++num_left_out_;
  return false;
}

void NodeTimes::Add(Measurement measurement) {
  MutexLock lock(&mutex_);
  pending_.push_back(std::move(measurement));
}

void NodeTimes::LeaveOut() {
  MutexLock lock(&mutex_);
  --num_begun_;
  ++num_left_out_;
}

std::int64_t NodeTimes::num_left_out() const {
  MutexLock lock(&mutex_);
  return num_left_out_;
}

// --- Reports

int NodeTimes::TakeEnded(int node_id, DeviceTimes* to,
                         std::vector<Measurement>* pending) {
  int num_left_out = 0;
  // Streams whose oldest measurement has not ended: the rest has not, either.
  absl::InlinedVector<std::uint32_t, 4> busy;
  const auto is_over = [&](const Measurement& measured) {
    if (std::find(busy.begin(), busy.end(), measured.stream) != busy.end()) {
      return false;
    }
    const absl::StatusOr<bool> has_ended = measured.end.HasEnded();
    if (has_ended.ok() && !*has_ended) {
      busy.push_back(measured.stream);
      return false;
    }
    const absl::StatusOr<DeviceTimes::Work> work =
        has_ended.ok() ? WorkOf(measured, DeviceClock::HostNow(), node_id)
                       : has_ended.status();
    // The first comparison of the clocks takes a moment.
    if (absl::IsUnavailable(work.status())) {
      busy.push_back(measured.stream);
      return false;
    }
    if (work.ok()) {
      to->Add(*work);
    } else {
      ++num_left_out;
    }
    return true;
  };
  std::erase_if(*pending, is_over);
  return num_left_out;
}

void NodeTimes::Report(int node_id, DeviceTimes* to) {
  {
    MutexLock lock(&mutex_);
    if (is_reporting_ || pending_.empty()) return;
    is_reporting_ = true;
    reported_.swap(pending_);
  }
  const std::size_t num_before = reported_.size();
  const int num_left_out = TakeEnded(node_id, to, &reported_);
  MutexLock lock(&mutex_);
  num_begun_ -= static_cast<int>(num_before - reported_.size());
  num_left_out_ += num_left_out;
  // What came meanwhile is younger.
  reported_.insert(reported_.end(), std::make_move_iterator(pending_.begin()),
                   std::make_move_iterator(pending_.end()));
  pending_.clear();
  pending_.swap(reported_);
  is_reporting_ = false;
}

std::int64_t NodeTimes::ReportLast(int node_id,
                                   absl::Span<const std::uint32_t> streams,
                                   DeviceTimes* to) {
  std::vector<Measurement> last;
  std::int64_t num_left_out = 0;
  {
    MutexLock lock(&mutex_);
    last.swap(pending_);
    num_begun_ = 0;
    num_left_out = std::exchange(num_left_out_, 0);
  }
  if (to != nullptr) {
    for (const Measurement& measured : last) {
      if (std::find(streams.begin(), streams.end(), measured.stream) ==
          streams.end()) {
        continue;
      }
      // An error shows again when the times are asked for.
      measured.device->clock().WaitForFirst().IgnoreError();
      measured.end.HostWait().IgnoreError();
    }
    num_left_out += TakeEnded(node_id, to, &last);
  }
  return num_left_out + static_cast<std::int64_t>(last.size());
}

}  // namespace syncline::gpu
