#include "tools/remove_on_signal.h"

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <string>

namespace syncline {
namespace {

// Null: no file.
std::atomic<const char*> file_to_remove{nullptr};
static_assert(std::atomic<const char*>::is_always_lock_free);

// The signal then ends the program as it does without this handler.
void RemoveAndEnd(int number) {
  const char* const path = file_to_remove.exchange(nullptr);
  if (path != nullptr) unlink(path);
  signal(number, SIG_DFL);
  raise(number);
}

}  // namespace

RemoveOnSignal::RemoveOnSignal(const std::string& path) {
  file_to_remove = path.c_str();
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction now = {};
    sigaction(kSignals[i], nullptr, &now);
    is_ours_[i] = (now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_DFL;
    if (is_ours_[i]) signal(kSignals[i], RemoveAndEnd);
  }
}

RemoveOnSignal::~RemoveOnSignal() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    if (is_ours_[i]) signal(kSignals[i], SIG_DFL);
  }
  file_to_remove = nullptr;
}

}  // namespace syncline
