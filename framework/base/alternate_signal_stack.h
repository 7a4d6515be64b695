// AlternateSignalStack: room for the handler of a signal that comes because the
// stack of a thread has run over.
//
//   void* ThreadMain(void* argument) {
//     const AlternateSignalStack signal_stack;
//     ...
//
// A handler runs there only if it was installed with SA_ONSTACK, as those of
// fatal_signal_hook.h are. Where the thread has such a stack already, or there
// is no memory for one, nothing is done: signals are handled as before.
//
// Thread rule: made and destroyed by the thread that it is for.
// Tested by fatal_signal_hook_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_ALTERNATE_SIGNAL_STACK_H_
#define SYNCLINE_FRAMEWORK_BASE_ALTERNATE_SIGNAL_STACK_H_

#include <cstddef>

namespace syncline {

class AlternateSignalStack {
 public:
  AlternateSignalStack();
  ~AlternateSignalStack();
  AlternateSignalStack(const AlternateSignalStack&) = delete;
  AlternateSignalStack& operator=(const AlternateSignalStack&) = delete;

  // Gives one to the main thread of the process, for good. On other threads,
  // which may end, it does nothing.
  static void ForMainThread();

 private:
  // Null where nothing was done.
  void* memory_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_ALTERNATE_SIGNAL_STACK_H_
