#include "tools/interruption.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <iostream>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"

namespace syncline {
namespace {

constexpr std::int64_t kSameSignalNs = 200'000'000;

// What the handler uses. It finds no object of ours otherwise.
std::atomic<std::int64_t> first_time_ns{0};
// When the first signal before ArmAgain came: those that belong to it may come
// after that.
std::atomic<std::int64_t> time_before_ns{-kSameSignalNs};
std::atomic<int> first_signal{0};
std::atomic<int> write_end{-1};
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

// Async-signal-safe, as all of this has to be.
void OnSignal(int signal) {
  const int errno_before = errno;
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const std::int64_t now_ns = now.tv_sec * 1'000'000'000LL + now.tv_nsec;
  std::int64_t first_ns = 0;
  if (now_ns - time_before_ns.load() <= kSameSignalNs) {
    errno = errno_before;
    return;
  }
  if (first_time_ns.compare_exchange_strong(first_ns, now_ns)) {
    first_signal.store(signal);
    // The pipe is empty: this cannot wait, and cannot fail.
    [[maybe_unused]] const ssize_t written = write(write_end.load(), "!", 1);
  } else if (now_ns - first_ns > kSameSignalNs) {
    ::signal(signal, SIG_DFL);
    raise(signal);  // comes as soon as this function returns
  }
  errno = errno_before;
}

void Handle(int signal, struct sigaction* before) {
  sigaction(signal, nullptr, before);
  if (before->sa_handler == SIG_IGN) return;
  struct sigaction action = {};
  action.sa_handler = OnSignal;
  action.sa_flags = SA_RESTART;  // calculators may be reading something
  sigemptyset(&action.sa_mask);
  sigaction(signal, &action, nullptr);
}

}  // namespace

Interruption::Interruption(std::string program, std::function<void()> on_signal)
    : program_(std::move(program)), on_signal_(std::move(on_signal)) {
  if (pipe2(pipe_, O_CLOEXEC) != 0) return;  // then signals end the process
  write_end.store(pipe_[1]);
  first_time_ns.store(0);
  time_before_ns.store(-kSameSignalNs);
  first_signal.store(0);
  try {
    watcher_ = std::thread([this] { Watch(); });
  } catch (const std::system_error& error) {
    std::cerr << absl::StrCat(program_,
                              ": warning: there is no thread that "
                              "could wait for signals (",
                              error.what(),
                              "): one of them ends the program at once, "
                              "without closing the graph\n");
    write_end.store(-1);
    for (int& end : pipe_) close(std::exchange(end, -1));
    return;
  }
  Handle(SIGINT, &before_interrupt_);
  Handle(SIGTERM, &before_terminate_);
}

Interruption::~Interruption() {
  if (!watcher_.joinable()) return;
  // Whoever comes first writes the byte: this, or a signal. After a signal the
  // handler stays, for those that belong to it.
  std::int64_t none = 0;
  if (first_time_ns.compare_exchange_strong(none, 1)) {
    sigaction(SIGINT, &before_interrupt_, nullptr);
    sigaction(SIGTERM, &before_terminate_, nullptr);
    [[maybe_unused]] const ssize_t written = write(pipe_[1], ".", 1);
  }
  watcher_.join();
  close(pipe_[0]);
  close(pipe_[1]);  // nobody writes a second byte
}

void Interruption::ArmAgain(std::function<void()> on_signal,
                            std::string what_it_does) {
  {
    MutexLock lock(&mutex_);
    on_signal_ = std::move(on_signal);
    what_it_does_ = std::move(what_it_does);
  }
  if (first_signal.load() == 0 || !watcher_.joinable()) return;
  watcher_.join();
  char byte = 0;
  [[maybe_unused]] const ssize_t size = read(pipe_[0], &byte, 1);
  time_before_ns.store(first_time_ns.load());
  first_signal.store(0);
  try {
    watcher_ = std::thread([this] { Watch(); });
  } catch (const std::system_error&) {
    return;  // then the next signal ends the process
  }
  first_time_ns.store(0);
}

int Interruption::signal() const { return first_signal.load(); }

void Interruption::Watch() {
  pollfd pipe = {.fd = pipe_[0], .events = POLLIN, .revents = 0};
  while (poll(&pipe, 1, -1) < 0 && errno == EINTR) {
  }
  const int signal = first_signal.load();
  if (signal == 0) return;  // the object is being destroyed
  std::function<void()> on_signal;
  std::string what_it_does;
  {
    MutexLock lock(&mutex_);
    on_signal = on_signal_;
    what_it_does = what_it_does_;
  }
  const bool is_terminal = isatty(STDERR_FILENO) != 0;
  std::cerr << absl::StrCat(is_terminal ? "\n" : "", program_, ": interrupted",
                            signal == SIGTERM ? " by SIGTERM" : "", "; ",
                            what_it_does,
                            " (a second signal ends the program at once)\n")
            << std::flush;
  on_signal();
}

}  // namespace syncline
