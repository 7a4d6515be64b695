// A library for LD_PRELOAD: Ctrl-\ comes while the constructors of a program's
// libraries run.
//
// Thread rule: before any thread.
#include <signal.h>

namespace {

struct RaisesQuit {
  RaisesQuit() { raise(SIGQUIT); }
} raises_quit;

}  // namespace
