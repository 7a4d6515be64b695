// InsideRun: marks what a thread does as a part of a run.
//
// A run waits for the calls that it makes, such as that of an observer. If such
// a call waited for the end of the run, it would wait for ever. So functions
// that wait ask first. Runs can be nested, because a calculator may run a
// graph.
//
// Thread rule: an object belongs to the scope and the thread that made it.
// Tested by inside_run_test and, in graphs, by waiting_inside_run_test.

#ifndef SYNCLINE_FRAMEWORK_RUN_INSIDE_RUN_H_
#define SYNCLINE_FRAMEWORK_RUN_INSIDE_RUN_H_

namespace syncline {

class InsideRun {
 public:
  // `run` is only compared.
  explicit InsideRun(const void* run) : run_(run), outer_(innermost_) {
    innermost_ = this;
  }
  ~InsideRun() { innermost_ = outer_; }
  InsideRun(const InsideRun&) = delete;
  InsideRun& operator=(const InsideRun&) = delete;

  // Whether this thread is inside of any.
  static bool IsAny() { return innermost_ != nullptr; }
  // Whether this thread is inside of `run`.
  static bool Is(const void* run) {
    for (const InsideRun* i = innermost_; i != nullptr; i = i->outer_) {
      if (i->run_ == run) return true;
    }
    return false;
  }

 private:
  inline static thread_local const InsideRun* innermost_ = nullptr;

  const void* const run_;
  const InsideRun* const outer_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RUN_INSIDE_RUN_H_
