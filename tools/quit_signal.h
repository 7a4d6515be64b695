// QuitSignal: Ctrl-\, a SIGQUIT, asks a program what it is doing, and does not
// end it.
//
//   QuitSignal quit([] { Print("The run has not begun."); });
//   ...
//   quit.Answer([&graph] { Print(graph.Explain()); });
//   status = graph.WaitUntilDone();
//   quit.Answer([] { Print("The run is over."); });
//
// Each signal calls the function of that time once, on a thread of its own, one
// call after the other. Signals that come while many others wait may be lost,
// as the kernel counts no signals; so are those that still wait when the object
// goes.
//
// A signal that is ignored when the object is made stays ignored. After the
// object has gone, the signal does what it did before.
//
// Thread rule: made and destroyed by one thread, one object at a time in the
// process; Answer on any thread but that of the calls.
// Tested by quit_signal_test and run_graph_standstill_test.

#ifndef SYNCLINE_TOOLS_QUIT_SIGNAL_H_
#define SYNCLINE_TOOLS_QUIT_SIGNAL_H_

#include <signal.h>

#include <atomic>
#include <functional>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"

namespace syncline {

class QuitSignal {
 public:
  // Without a thread or a pipe for it, the signal is left as it is.
  explicit QuitSignal(std::function<void()> on_signal);
  // Waits for a call of the function that goes on.
  ~QuitSignal();
  QuitSignal(const QuitSignal&) = delete;
  QuitSignal& operator=(const QuitSignal&) = delete;

  // From now on signals call this function. Waits for a call of the one before
  // that goes on: what it uses may go then.
  void Answer(std::function<void()> on_signal);

 private:
  void Watch();
  void Call();

  Mutex mutex_;
  CondVar has_returned_;
  std::function<void()> on_signal_ ABSL_GUARDED_BY(mutex_);
  bool is_called_ ABSL_GUARDED_BY(mutex_) = false;
  int pipe_[2] = {-1, -1};
  struct sigaction before_ = {};
  std::atomic<bool> ends_{false};
  std::thread watcher_;
};

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_QUIT_SIGNAL_H_
