// Interruption: Ctrl-C, or a SIGTERM, ends a run in good order.
//
//   const Interruption interruption("run_graph", [&graph] { graph.Cancel(); });
//   status = graph.WaitUntilDone();        // nodes are closed
//   if (interruption.signal() != 0) ...    // flush, sum up, exit
//
// The first SIGINT or SIGTERM is announced on standard error and calls the
// function, on a thread of its own. A later one ends the process at once, as it
// would without this class, because some calculators do not return. A signal
// within a fifth of a second of the first counts as the same one: terminals,
// `timeout` and service managers often signal a process, and then its group.
//
// A signal that comes so shortly after the one that an object before this one
// has had counts as that, too, and is not this object's.
//
// A signal that is ignored when the object is made stays ignored, as in
// background jobs of scripts.
//
// Idea: a signal handler may do almost nothing, so it writes a byte into a pipe
// that a thread waits for. The byte stays in the pipe, so that code which waits
// for something else can wait for fd() at the same time.
//
// Thread rule: made, armed again and destroyed by one thread, one object at a
// time in the process; signal() and fd() on any thread.
// Tested by interruption_test and run_graph_signals_test.

#ifndef SYNCLINE_TOOLS_INTERRUPTION_H_
#define SYNCLINE_TOOLS_INTERRUPTION_H_

#include <signal.h>

#include <functional>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "framework/base/mutex.h"

namespace syncline {

class Interruption {
 public:
  // `program` is who says that it was interrupted, and what it does then.
  Interruption(std::string program, std::function<void()> on_signal);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  // The first signal that came, since ArmAgain; 0 for none.
  int signal() const;
  // For what the program does next: the first signal from now on calls this
  // function. `what_it_does` is what the program does then, as "closing the
  // graph". Waits for a call of the function before that goes on.
  void ArmAgain(std::function<void()> on_signal, std::string what_it_does);
  // Readable once a signal came; -1, which poll() passes over, where nothing
  // waits for signals.
  int fd() const { return pipe_[0]; }

 private:
  void Watch();

  const std::string program_;
  Mutex mutex_;
  std::function<void()> on_signal_ ABSL_GUARDED_BY(mutex_);
  std::string what_it_does_ ABSL_GUARDED_BY(mutex_) = "closing the graph";
  int pipe_[2] = {-1, -1};
  struct sigaction before_interrupt_ = {};
  struct sigaction before_terminate_ = {};
  std::thread watcher_;
};

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_INTERRUPTION_H_
