// StandInDriver::Stream: a stream of a stand-in device, behind its handle.
//
// Thread rule: any thread.
// Tested by stand_in_test.

#ifndef SYNCLINE_GPU_STAND_IN_STAND_IN_STREAM_H_
#define SYNCLINE_GPU_STAND_IN_STAND_IN_STREAM_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "gpu/driver.h"
#include "gpu/stand_in/stand_in_driver.h"
#include "gpu/stand_in/work_queues.h"

namespace syncline::gpu {

struct StandInDriver::Stream {
  Stream(WorkQueues* all_queues, StreamOptions stream_options,
         std::uint64_t stream_number)
      : queues(all_queues), options(stream_options), number(stream_number) {}
  ~Stream() {
    if (queue != nullptr) queues->DropQueue(queue);
  }
  bool waits_for_default() const { return (options.flags & 1u) == 0; }

  WorkQueues* const queues;
  const StreamOptions options;
  // In the order in which the streams of the device were made.
  const std::uint64_t number;
  WorkQueues::Queue* queue = nullptr;
  // Of stream-ordered memory whose end was submitted and has not come.
  std::atomic<std::size_t> returning_bytes{0};
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_STAND_IN_STAND_IN_STREAM_H_
