// Ctrl-\ (SIGQUIT) before main(). The constructors of libraries, and all that
// registers itself, take longer than most graphs take to be read; in that time
// the signal would end a program that answers it from main() on (QuitSignal).
// So a program that links this catches it before any of them runs. While the
// system still loads the program, the signal ends it.
//
// With a sanitizer, whose own functions work only later, nothing is caught.
//
// Thread rule: any thread.
// Tested by run_graph_signals_test.

#ifndef SYNCLINE_TOOLS_EARLY_QUIT_H_
#define SYNCLINE_TOOLS_EARLY_QUIT_H_

namespace syncline {

// The signal came before somebody else began to catch it.
bool CameQuitEarly();

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_EARLY_QUIT_H_
