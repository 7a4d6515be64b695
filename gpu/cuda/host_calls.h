// HostCalls: functions of the host that wait for their turn on a CUDA stream.
//
// CUDA carries a pointer to the callback. Here it is a number, under which the
// function is kept until it is taken, once: by the callback, or by who drops
// all functions of a device that failed. So a function cannot run twice, is
// never lost, and a callback that comes late finds nothing.
//
// What a function holds may use devices as it is destroyed. Neither a callback
// of CUDA may do that, nor a thread that gives work to a stream; so functions
// are destroyed on the notice thread (gpu/notice_thread.h).
//
// Thread rule: any thread.
// Tested by host_calls_test.

#ifndef SYNCLINE_GPU_CUDA_HOST_CALLS_H_
#define SYNCLINE_GPU_CUDA_HOST_CALLS_H_

#include <cstdint>
#include <functional>
#include <map>

#include "absl/base/thread_annotations.h"
#include "framework/base/mutex.h"

namespace syncline::gpu::internal {

class HostCalls {
 public:
  // Of the process. It is never destroyed: a callback may come at any time.
  static HostCalls& Global();

  // `owner` is whose device it is for.
  void* Keep(const void* owner, std::function<void()> function);
  // Null if it is gone.
  std::function<void()> Take(void* token);
  // Calls the function unless it is gone. It is destroyed elsewhere.
  void Run(void* token);
  void Drop(void* token);
  void DropAllOf(const void* owner);

 private:
  struct Call {
    const void* owner;
    std::function<void()> function;
  };

  Mutex mutex_;
  std::uintptr_t last_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<std::uintptr_t, Call> calls_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace syncline::gpu::internal

#endif  // SYNCLINE_GPU_CUDA_HOST_CALLS_H_
