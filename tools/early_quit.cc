#include "tools/early_quit.h"

#include <signal.h>

#include <atomic>

namespace syncline {
namespace {

// There before any constructor.
constinit std::atomic<bool> came{false};

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

void NoteQuit(int) { came.store(true); }

// What was ignored stays so.
void CatchQuit(int, char**, char**) {
  struct sigaction action = {};
  sigaction(SIGQUIT, nullptr, &action);
  if (action.sa_handler != SIG_DFL) return;
  action.sa_handler = NoteQuit;
  action.sa_flags = SA_RESTART;
  sigaction(SIGQUIT, &action, nullptr);
}

// The system calls what is in this section once all libraries are there, and
// before their constructors.
using EarlyFunction = void (*)(int, char**, char**);
[[gnu::section(".preinit_array"), gnu::used]] const EarlyFunction catch_quit =
    CatchQuit;

#endif

}  // namespace

bool CameQuitEarly() { return came.load(); }

}  // namespace syncline
