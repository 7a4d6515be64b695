// DeviceWork: what the calls of a trace gave to devices, put together from the
// events kDeviceBegin and kDeviceEnd.
//
// Work belongs to the call of its node with its timestamp. Work whose begin is
// lost begins where the work before it on its device stream ended. Work whose
// end is not known ends with the trace.
//
// Thread rule: a value; const functions any thread.
// Tested by device_work_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_DEVICE_WORK_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_DEVICE_WORK_H_

#include <cstdint>
#include <vector>

#include "framework/trace/convert/call_lanes.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_calls.h"

namespace syncline {

class DeviceWork {
 public:
  struct Work {
    std::uint32_t device_stream = 0;
    std::int32_t node = 0;
    std::int64_t timestamp = 0;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    bool begin_is_known = true;
    bool end_is_known = true;
    // The position of its call; -1 if there is none.
    std::int32_t call = -1;
    // Among the tracks of its device stream: work of one lane is apart.
    std::int32_t lane = 0;
  };

  DeviceWork(const Trace& trace, const TraceCalls& calls);

  const std::vector<Work>& work() const { return work_; }
  // In the order of time; an item is a position in work().
  const std::vector<LaneEnd>& ends() const { return ends_; }

 private:
  void Pair(const Trace& trace);
  void FindCalls(const TraceCalls& calls);
  void ChooseLanes();

  std::vector<Work> work_;
  std::vector<LaneEnd> ends_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_DEVICE_WORK_H_
