// CallTimer: how long devices take for what one call of a node gives them.
//
//   CallTimer timer(&node_times, wanted_by, node_id, timestamp);
//   WorkOwnerScope scope(owner, timer.watcher());
//   stream.Launch(...);
//
// Idea: the work of the call on a stream is between two events that measure
// time. The first is recorded before the first piece of work, so after the
// waits before it: that the stream waits for others is not the node's time. The
// second one is recorded after each piece of work anew, and not at the end of
// the call, or a call that goes on on the host would seem to keep the device
// busy.
//
// What the stream does between the first and the last piece of work counts as
// the call's: waits in between, and work that others give to the same stream
// meanwhile. On the default stream of a device, an event waits for other
// streams like any work there.
//
// Where nobody wants to know, there is no watcher, and no event.
//
// Thread rule: for the thread that made it.
// Tested by call_timer_test.

#ifndef SYNCLINE_GPU_CALL_TIMER_H_
#define SYNCLINE_GPU_CALL_TIMER_H_

#include <memory>

#include "absl/container/inlined_vector.h"
#include "framework/packet/timestamp.h"
#include "framework/trace/device_times.h"
#include "gpu/node_times.h"
#include "gpu/stream_core.h"
#include "gpu/work_owner.h"

namespace syncline::gpu {

class CallTimer : public WorkWatcher {
 public:
  // `node` and `wanted_by` outlive the timer. `wanted_by` may be null.
  CallTimer(NodeTimes* node, DeviceTimes* wanted_by, int node_id,
            Timestamp timestamp);
  // Reports what has ended of this call and those before.
  ~CallTimer() override;
  CallTimer(const CallTimer&) = delete;
  CallTimer& operator=(const CallTimer&) = delete;

  // Null if nobody wants to know.
  WorkWatcher* watcher() { return wanted_by_ == nullptr ? nullptr : this; }

  // --- WorkWatcher
  void BeforeWork(StreamCore* stream) override;
  void AfterWork(StreamCore* stream) override;

 private:
  struct Begun {
    // Destroyed last: it keeps the stream's device.
    Measurement measured;
    std::shared_ptr<StreamCore> stream;
    // False: it is left out.
    bool is_measured = false;
    // Whether the last piece of work has an event after it.
    bool has_end = false;
  };

  Begun* Find(const StreamCore* stream);
  static absl::Status RecordBegin(StreamCore* stream, Measurement* measured);
  void LeaveOut(Begun* begun);

  NodeTimes* const node_;
  DeviceTimes* const wanted_by_;
  const int node_id_;
  const Timestamp timestamp_;
  absl::InlinedVector<Begun, 1> begun_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_CALL_TIMER_H_
