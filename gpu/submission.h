// Submission: this thread gives work to a stream just now.
//
//   if (Submission::Current() != nullptr) return an error;
//   MutexLock lock(&submit_mutex_);
//   const Submission submission(work, name_);
//   ...                     the driver takes the work
//
// Idea: a stream is locked while its driver takes work, and code that is not
// the stream's own may run in that time: the CUDA form of a kernel, and what
// such a form destroys. So a thread that has the lock of one stream never asks
// for that of any stream: what it asks for is an error at once, and no thread
// can wait for itself, or for one that waits for it. A driver may ask whose
// work it is told, for its messages.
//
// Thread rule: a value of the thread that made it.
// Tested by submission_test and stream_end_test.

#ifndef SYNCLINE_GPU_SUBMISSION_H_
#define SYNCLINE_GPU_SUBMISSION_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace syncline::gpu {

class Submission {
 public:
  // Both outlive it. REQUIRES: Current() == nullptr.
  Submission(const char* work, const std::string& stream);
  ~Submission();
  Submission(const Submission&) = delete;
  Submission& operator=(const Submission&) = delete;

  // That of this thread; null if it gives no work to any stream.
  static const Submission* Current();

  // FAILED_PRECONDITION, for `work` on `stream`, as messages call it, that is
  // asked for meanwhile.
  absl::Status Refuse(absl::string_view work, absl::string_view stream) const;
  // `node "blur" at 40 gave it to stream "blur/0"`. The node is that of the
  // innermost WorkOwnerScope.
  std::string ToText() const;

 private:
  const char* const work_;
  const std::string& stream_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_SUBMISSION_H_
