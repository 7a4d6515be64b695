// RemoveOnSignal: a file that is not whole so far, and that nobody else knows
// of, is gone if a signal ends the program meanwhile (Ctrl-C, SIGTERM, SIGHUP).
//
//   const RemoveOnSignal unfinished(beside);
//   ... write `beside`, and rename it
//
// Thread rule: one at a time in a program. Signals come on any thread.
// Tested by replace_file_test.

#ifndef SYNCLINE_TOOLS_REMOVE_ON_SIGNAL_H_
#define SYNCLINE_TOOLS_REMOVE_ON_SIGNAL_H_

#include <signal.h>

#include <array>
#include <string>

namespace syncline {

class RemoveOnSignal {
 public:
  // A signal that the program handles or ignores is left alone. `path` outlives
  // this object.
  explicit RemoveOnSignal(const std::string& path);
  ~RemoveOnSignal();
  RemoveOnSignal(const RemoveOnSignal&) = delete;
  RemoveOnSignal& operator=(const RemoveOnSignal&) = delete;

 private:
  static constexpr std::array<int, 3> kSignals = {SIGINT, SIGTERM, SIGHUP};

  std::array<bool, kSignals.size()> is_ours_ = {};
};

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_REMOVE_ON_SIGNAL_H_
