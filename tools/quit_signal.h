// QuitSignal: Ctrl-\, a SIGQUIT, asks a program what it is doing, and does not
// end it.
//
//   const QuitSignal quit([&graph] { Print(graph.Explain()); });
//   status = graph.WaitUntilDone();
//
// Each signal calls the function once, on a thread of its own, one call after
// the other. Signals that come while many others wait may be lost, as the
// kernel counts no signals; so are those that still wait when the object goes.
//
// A signal that is ignored when the object is made stays ignored. After the
// object has gone, the signal does what it did before.
//
// Thread rule: made and destroyed by one thread, one object at a time in the
// process.
// Tested by quit_signal_test and run_graph_standstill_test.

#ifndef SYNCLINE_TOOLS_QUIT_SIGNAL_H_
#define SYNCLINE_TOOLS_QUIT_SIGNAL_H_

#include <signal.h>

#include <atomic>
#include <functional>
#include <thread>

namespace syncline {

class QuitSignal {
 public:
  // Without a thread or a pipe for it, the signal is left as it is.
  explicit QuitSignal(std::function<void()> on_signal);
  // Waits for a call of the function that goes on.
  ~QuitSignal();
  QuitSignal(const QuitSignal&) = delete;
  QuitSignal& operator=(const QuitSignal&) = delete;

 private:
  void Watch();

  const std::function<void()> on_signal_;
  int pipe_[2] = {-1, -1};
  struct sigaction before_ = {};
  std::atomic<bool> ends_{false};
  std::thread watcher_;
};

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_QUIT_SIGNAL_H_
