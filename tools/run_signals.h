// RunSignals: what Ctrl-C and Ctrl-\ do to a run of run_graph.
//
//                 Ctrl-C (or a SIGTERM)          Ctrl-\ (SIGQUIT)
//   before        ends the program               says that there is no run yet
//   the run       says what the run waits for,   says what the run waits for,
//                 and cancels it                 writes flight recorder and
//                                                picture
//   after it      skips the slow parts of the    says that the run is over
//                 report
//
// Thread rule: one thread.
// Tested by run_graph_standstill_test, run_graph_signals_test and
// run_graph_trace_test.

#ifndef SYNCLINE_TOOLS_RUN_SIGNALS_H_
#define SYNCLINE_TOOLS_RUN_SIGNALS_H_

#include <atomic>

#include "absl/strings/string_view.h"
#include "absl/synchronization/notification.h"
#include "absl/time/time.h"
#include "framework/graph/calculator_graph.h"
#include "tools/interruption.h"
#include "tools/quit_signal.h"
#include "tools/run_picture.h"
#include "tools/run_tracing.h"

namespace syncline {

// Says something about a run that goes on, on standard error. Where there is a
// line of progress, it begins on a line of its own.
void TellOfRun(absl::string_view text);

// That the run has not begun, and why.
void TellThatRunHasNotBegun(absl::string_view why);
// Ctrl-\ gets that answer. `why` stays.
void SayThatRunHasNotBegun(absl::string_view why, QuitSignal* quit);

class RunSignals {
 public:
  // Before the run. All are borrowed. `is_interrupted` becomes true with an
  // interruption.
  RunSignals(CalculatorGraph* graph, RunTracing* tracing,
             const RunPicture* picture, QuitSignal* quit,
             std::atomic<bool>* is_interrupted);
  ~RunSignals();
  RunSignals(const RunSignals&) = delete;
  RunSignals& operator=(const RunSignals&) = delete;

  // The run is over, and what it leaves is to be written. Returns the signal
  // that interrupted it, or 0.
  int EndRun();

  const Interruption& interruption() const { return interruption_; }
  // Before the run is cancelled for another reason than by the signal: waits
  // until it was said what the run waits for.
  void WaitUntilExplained();

 private:
  // How long a run has not moved that stands still.
  static constexpr absl::Duration kStill = absl::Milliseconds(100);

  void OnInterruption();
  void OnQuit();
  void SayThatRunIsOver();

  CalculatorGraph* const graph_;
  RunTracing* const tracing_;
  const RunPicture* const picture_;
  QuitSignal* const quit_;
  std::atomic<bool>* const is_interrupted_;
  absl::Notification is_explained_;
  Interruption interruption_{"run_graph", [this] { OnInterruption(); }};
};

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_RUN_SIGNALS_H_
