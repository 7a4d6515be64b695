// DeviceTimes: who wants to know how long devices take for what nodes give
// them.
//
// The framework knows no device. What gives work to one reports it here, when
// it is done: the times are for the runtime information of the graph and for
// its trace.
//
// Thread rule: any thread.
// Tested by run_device_times_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_DEVICE_TIMES_H_
#define SYNCLINE_FRAMEWORK_TRACE_DEVICE_TIMES_H_

#include <cstdint>

namespace syncline {

class DeviceTimes {
 public:
  // What one call of a node gave to one stream of a device.
  struct Work {
    int node_id = 0;
    // The value of that of the call.
    std::int64_t timestamp = 0;
    // A number of the stream, the same for all its work.
    std::uint32_t stream = 0;
    // When the stream came to the work, and when it was done, in nanoseconds of
    // CLOCK_MONOTONIC.
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = 0;
  };

  virtual ~DeviceTimes() = default;

  // Whether work is to be measured now. To measure costs events of the device:
  // one before the first piece of work of a call, and one after each.
  virtual bool wants_times() const = 0;
  // The work may have ended some time ago.
  virtual void Add(const Work& work) = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_DEVICE_TIMES_H_
