// WorkLog: the last work of each stream of a device.
//
// Idea: a CUDA device that fails says so at some later call, and does not say
// which work it was. What its streams were given last is the best that can be
// told; the error of the device has it, whichever node meets the error first.
//
// The streams that were given work last are kept, also when they are gone: a
// stream may end before its work has.
//
// Thread rule: any thread. Its lock is the last that a thread takes.
// Tested by work_log_test.

#ifndef SYNCLINE_GPU_WORK_LOG_H_
#define SYNCLINE_GPU_WORK_LOG_H_

#include <cstdint>
#include <list>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "framework/base/mutex.h"
#include "gpu/work_owner.h"

namespace syncline::gpu {

class WorkLog {
 public:
  // A stream of the log. Only the log looks inside.
  struct Entry {
    std::string stream;
    const char* work = "";
    WorkOwner owner;
    // Counts the work of all streams; 0: none yet.
    std::uint64_t number = 0;
    bool has_ended = false;
  };
  // So many streams are in the text, and so many are kept of those that ended.
  static constexpr int kMostStreams = 8;

  WorkLog() = default;
  WorkLog(const WorkLog&) = delete;
  WorkLog& operator=(const WorkLog&) = delete;

  // The pointer is good until EndStream().
  Entry* AddStream(absl::string_view name) ABSL_LOCKS_EXCLUDED(mutex_);
  void EndStream(Entry* stream) ABSL_LOCKS_EXCLUDED(mutex_);
  // `work` is a constant.
  void Note(Entry* stream, const char* work, const WorkOwner& owner)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // `"blur" of node "blur" at 40 on stream "blur/0", ...`, the newest first;
  // "" if there was no work.
  std::string ToText() const ABSL_LOCKS_EXCLUDED(mutex_);
  // That are kept. For tests.
  int num_streams() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  mutable Mutex mutex_;
  std::list<Entry> entries_ ABSL_GUARDED_BY(mutex_);
  std::uint64_t last_number_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_WORK_LOG_H_
