// NodeTimes: measurements of the work that a node gave to devices, until the
// devices have done it.
//
//   begun ──> pending ──> reported       by Report(), at later calls of the
//   node
//     │          └──────> left out       its device failed
//     └─────────────────> left out       too many are pending; no event was had
//
// A call_timer.h makes them. Nothing waits for them: each call reports what has
// ended by then. Close of the node, which waits for its work anyway, reports
// the rest; what it gave to streams that Close does not wait for, and that are
// not done by then, is left out.
//
// Where a node is far ahead of its device, the events of all its calls would be
// many. So there are at most kMaxPending measurements; calls that come
// meanwhile are left out, and counted.
//
// Thread rule: any thread.
// Tested by call_timer_test.

#ifndef SYNCLINE_GPU_NODE_TIMES_H_
#define SYNCLINE_GPU_NODE_TIMES_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/trace/device_times.h"
#include "gpu/device.h"
#include "gpu/time_event.h"

namespace syncline::gpu {

// What a call gave to a stream, between two events.
struct Measurement {
  // Destroyed last: the events are of it.
  std::shared_ptr<Device> device;
  TimeEvent begin;
  TimeEvent end;
  // When the host told the device of `begin`, in nanoseconds of
  // CLOCK_MONOTONIC. The device did not come to it earlier.
  std::int64_t told_ns = 0;
  // StreamCore::number().
  std::uint32_t stream = 0;
  // The value of that of the call.
  std::int64_t timestamp = 0;
};

class NodeTimes {
 public:
  static constexpr int kMaxPending = 256;

  NodeTimes() = default;
  NodeTimes(const NodeTimes&) = delete;
  NodeTimes& operator=(const NodeTimes&) = delete;

  // Whether one more may begin. If so, Add() or LeaveOut() comes after it.
  bool Begin() ABSL_LOCKS_EXCLUDED(mutex_);
  void Add(Measurement measurement) ABSL_LOCKS_EXCLUDED(mutex_);
  void LeaveOut() ABSL_LOCKS_EXCLUDED(mutex_);

  // Reports what has ended, of each stream in order, without waiting. Nothing
  // if another thread is at it.
  void Report(int node_id, DeviceTimes* to) ABSL_LOCKS_EXCLUDED(mutex_);
  // The same at the end of the node. `streams` are the numbers of those whose
  // work the host has waited for: their last events may be a moment behind and
  // are waited for. Leaves out what is left, and returns how many were left out
  // in all; they are counted from 0 again. `to` may be null.
  // REQUIRES: no call of the node runs.
  std::int64_t ReportLast(int node_id, absl::Span<const std::uint32_t> streams,
                          DeviceTimes* to) ABSL_LOCKS_EXCLUDED(mutex_);

  // Until now.
  std::int64_t num_left_out() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  // Reports and takes away what has ended. Returns how many were left out.
  static int TakeEnded(int node_id, DeviceTimes* to,
                       std::vector<Measurement>* pending);

  mutable Mutex mutex_;
  // Begun, pending and being reported.
  int num_begun_ ABSL_GUARDED_BY(mutex_) = 0;
  std::int64_t num_left_out_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_reporting_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<Measurement> pending_ ABSL_GUARDED_BY(mutex_);
  // Of the thread that reports. A member so that its memory is kept.
  std::vector<Measurement> reported_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_NODE_TIMES_H_
