// FatalSignalHook: what is done when a signal is about to end the process
// because of a mistake of its own: SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT,
// SIGSYS.
//
//   void SayWhichBuffer(int signal, siginfo_t* info) { ... write(2, ...) ... }
//   FatalSignalHook hook(FatalSignalHook::Stage::kMessage, SayWhichBuffer);
//
// This is the only file that installs handlers for such signals. Its handler
// calls the hooks in two stages, and then the handler that was installed
// before, or lets the signal end the process as it would have.
//
// A stack that has run over is a SIGSEGV as well. Then the hooks are called if
// the thread has an AlternateSignalStack, as the threads of the framework's
// pools have; the main thread gets one when it makes a hook.
//
// A hook may do almost nothing: it calls functions that are safe in a signal
// handler only, and reads only what was there before. Hooks are called once in
// a process: a signal that comes while they run goes to the former handler at
// once, if it comes on the same thread; one on another thread waits until they
// are done, a second at most.
//
// Thread rule: the constructor and the destructor any thread; one hook of a
// stage at a time.
// Tested by fatal_signal_hook_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_FATAL_SIGNAL_HOOK_H_
#define SYNCLINE_FRAMEWORK_BASE_FATAL_SIGNAL_HOOK_H_

#include <signal.h>

#include <cstddef>

namespace syncline {

class FatalSignalHook {
 public:
  // First those that say what is wrong, then those that save something.
  enum class Stage { kMessage, kFile };
  using Function = void (*)(int signal, siginfo_t* info);

  FatalSignalHook(Stage stage, Function function);
  // A handler that was installed later may call ours, which stays then, and
  // does nothing more.
  ~FatalSignalHook();
  FatalSignalHook(const FatalSignalHook&) = delete;
  FatalSignalHook& operator=(const FatalSignalHook&) = delete;

 private:
  const Stage stage_;
};

// Room for the handler of a signal that comes because the stack of a thread has
// run over. Where the thread has such a stack already, or there is no memory
// for one, nothing is done: signals are handled as before. Made and destroyed
// by the thread that it is for.
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

#endif  // SYNCLINE_FRAMEWORK_BASE_FATAL_SIGNAL_HOOK_H_
