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
// A signal that is ignored when the object is made stays ignored, as in
// background jobs of scripts.
//
// Idea: a signal handler may do almost nothing, so it writes a byte into a pipe
// that a thread waits for. The byte stays in the pipe, so that code which waits
// for something else can wait for fd() at the same time.
//
// Thread rule: made and destroyed by one thread, one object at a time in the
// process; signal() and fd() on any thread.
// Tested by interruption_test and run_graph_signals_test.

#ifndef SYNCLINE_TOOLS_INTERRUPTION_H_
#define SYNCLINE_TOOLS_INTERRUPTION_H_

#include <signal.h>

#include <functional>
#include <string>
#include <thread>

namespace syncline {

class Interruption {
 public:
  // `program` is who says that it was interrupted.
  Interruption(std::string program, std::function<void()> on_signal);
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  // The first signal that came; 0 for none.
  int signal() const;
  // Readable once a signal came; -1, which poll() passes over, where nothing
  // waits for signals.
  int fd() const { return pipe_[0]; }

 private:
  void Watch();

  const std::string program_;
  const std::function<void()> on_signal_;
  int pipe_[2] = {-1, -1};
  struct sigaction before_interrupt_ = {};
  struct sigaction before_terminate_ = {};
  std::thread watcher_;
};

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_INTERRUPTION_H_
