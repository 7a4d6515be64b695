#include "tools/quit_signal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <system_error>
#include <thread>
#include <utility>

namespace syncline {
namespace {

constexpr char kSignal = '!';
constexpr char kEnd = '.';

// What the handler uses. It finds no object of ours otherwise.
std::atomic<int> quit_write_end{-1};
// Handlers that are running, on any thread.
std::atomic<int> quit_handlers{0};
static_assert(std::atomic<int>::is_always_lock_free);

// Async-signal-safe, as all of this has to be.
void OnQuitSignal(int) {
  const int errno_before = errno;
  quit_handlers.fetch_add(1);
  const int end = quit_write_end.load();
  if (end >= 0) {
    // A full pipe asks for many calls already. The write does not wait.
    [[maybe_unused]] const ssize_t written = write(end, &kSignal, 1);
  }
  quit_handlers.fetch_sub(1);
  errno = errno_before;
}

}  // namespace

QuitSignal::QuitSignal(std::function<void()> on_signal)
    : on_signal_(std::move(on_signal)) {
  sigaction(SIGQUIT, nullptr, &before_);
  if (before_.sa_handler == SIG_IGN || pipe2(pipe_, O_CLOEXEC) != 0) return;
  try {
    watcher_ = std::thread([this] { Watch(); });
  } catch (const std::system_error&) {
    for (int& end : pipe_) close(std::exchange(end, -1));
    return;
  }
  fcntl(pipe_[1], F_SETFL, O_NONBLOCK);
  quit_write_end.store(pipe_[1]);
  struct sigaction action = {};
  action.sa_handler = OnQuitSignal;
  action.sa_flags = SA_RESTART;  // calculators may be reading something
  sigemptyset(&action.sa_mask);
  sigaction(SIGQUIT, &action, nullptr);
}

QuitSignal::~QuitSignal() {
  if (!watcher_.joinable()) return;
  sigaction(SIGQUIT, &before_, nullptr);
  quit_write_end.store(-1);
  ends_.store(true);
  // A handler that began before that may still be about to write.
  while (quit_handlers.load() > 0) std::this_thread::yield();
  // A pipe that is full has room as soon as the watcher has read from it.
  while (write(pipe_[1], &kEnd, 1) != 1) std::this_thread::yield();
  watcher_.join();
  for (const int end : pipe_) close(end);
}

void QuitSignal::Watch() {
  while (true) {
    char what = kEnd;
    const ssize_t size = read(pipe_[0], &what, 1);
    if (size < 0 && errno == EINTR) continue;
    if (size != 1 || what == kEnd) return;
    if (ends_.load()) continue;
    Call();
  }
}

void QuitSignal::Call() {
  std::function<void()> on_signal;
  {
    MutexLock lock(&mutex_);
    on_signal = on_signal_;
    is_called_ = true;
  }
  on_signal();
  {
    MutexLock lock(&mutex_);
    is_called_ = false;
  }
  has_returned_.Signal();
}

void QuitSignal::Answer(std::function<void()> on_signal) {
  MutexLock lock(&mutex_);
  while (is_called_) has_returned_.Wait(&mutex_);
  on_signal_ = std::move(on_signal);
}

}  // namespace syncline
