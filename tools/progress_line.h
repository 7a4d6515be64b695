// ProgressLine: one line on a terminal that says how far long work is.
//
//   {
//     const ProgressLine progress([] { return "reading run.trace"; });
//     trace = ReadAnyTrace("run.trace");
//   }                                       // and the line is gone
//
// Written to standard error twice a second, by a thread of its own, which asks
// for the text; the work does not notice. Where standard error is no terminal
// nothing is written, and there is no thread. Nothing else may be written to
// the terminal meanwhile.
//
// Thread rule: made and destroyed by one thread; the text is asked for on
// another one.
// Tested by progress_line_test.

#ifndef SYNCLINE_TOOLS_PROGRESS_LINE_H_
#define SYNCLINE_TOOLS_PROGRESS_LINE_H_

#include <functional>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"

namespace syncline {

class ProgressLine {
 public:
  // The line is "3 s, " and what `text` returns.
  explicit ProgressLine(std::function<std::string()> text);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

 private:
  void Write();

  const std::function<std::string()> text_;
  Mutex mutex_;
  CondVar ended_cv_;
  bool ended_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread writer_;
};

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_PROGRESS_LINE_H_
