#include "pages/server/micro_loop.h"

#include <poll.h>
#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <system_error>

#include "absl/time/clock.h"

namespace syncline {
namespace {

// Where no connection can be closed, the next try is after this time.
constexpr absl::Duration kNoRoom = absl::Milliseconds(100);

bool IsReadable(int fd) {
  pollfd about = {.fd = fd, .events = POLLIN, .revents = 0};
  return poll(&about, 1, /*timeout=*/0) == 1;
}

// A client that goes while it is sent something is no reason to end.
void IgnoreBrokenPipes() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

}  // namespace

absl::Status MicroLoop::Start(MHD_Daemon* daemon, int listening_fd) {
  const MHD_DaemonInfo* const info =
      MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
  if (info == nullptr || event_->fd() < 0) {
    return absl::ResourceExhaustedError(
        "The machine has no file descriptor for a server of pages.");
  }
  daemon_ = daemon;
  epoll_fd_ = info->epoll_fd;
  listening_fd_ = listening_fd;
  try {
    thread_ = std::thread([this] { Work(); });
  } catch (const std::system_error&) {
    return absl::ResourceExhaustedError(
        "The machine has no thread for a server of pages.");
  }
  pthread_setname_np(thread_.native_handle(), "page_server");
  return absl::OkStatus();
}

void MicroLoop::Stop() {
  if (!thread_.joinable()) return;
  is_over_ = true;
  event_->Wake();
  thread_.join();
  Resume(absl::InfiniteFuture());
}

bool MicroLoop::MayWait(MHD_Connection* connection) const {
  const auto found = waiting_.find(connection);
  return found == waiting_.end() || absl::Now() < found->second.deadline;
}

void MicroLoop::Park(MHD_Connection* connection, absl::Duration patience) {
  const auto [entry, is_new] = waiting_.try_emplace(connection);
  if (is_new) entry->second.deadline = absl::Now() + patience;
  entry->second.is_parked = true;
  MHD_suspend_connection(connection);
}

void MicroLoop::Work() {
  IgnoreBrokenPipes();
  while (!is_over_) {
    const absl::Time start = absl::Now();
    const bool has_no_room = start < no_room_until_;
    pollfd fds[] = {{.fd = epoll_fd_, .events = POLLIN, .revents = 0},
                    {.fd = event_->fd(), .events = POLLIN, .revents = 0},
                    {.fd = has_no_room ? -1 : listening_fd_,
                     .events = POLLIN,
                     .revents = 0}};
    poll(fds, std::size(fds), Timeout(start));
    if (fds[1].revents != 0) {
      event_->Clear();
      Resume(absl::InfiniteFuture());
    } else {
      Resume(absl::Now());
    }
    const std::int64_t before = connections_->num_opened();
    MHD_run(daemon_);
    if (fds[2].revents != 0 && connections_->num_opened() == before &&
        IsReadable(listening_fd_)) {
      MakeRoom();
    }
  }
}

int MicroLoop::Timeout(absl::Time now) const {
  absl::Time next = absl::InfiniteFuture();
  MHD_UNSIGNED_LONG_LONG milliseconds = 0;
  if (MHD_get_timeout(daemon_, &milliseconds) == MHD_YES) {
    next = now + absl::Milliseconds(milliseconds);
  }
  if (now < no_room_until_) next = std::min(next, no_room_until_);
  for (const auto& [connection, waiting] : waiting_) {
    if (waiting.is_parked) next = std::min(next, waiting.deadline);
  }
  if (next == absl::InfiniteFuture()) return -1;
  const absl::Duration left = absl::Ceil(next - now, absl::Milliseconds(1));
  return static_cast<int>(
      std::clamp<std::int64_t>(absl::ToInt64Milliseconds(left), 0, 60'000));
}

void MicroLoop::Resume(absl::Time deadline) {
  for (auto& [connection, waiting] : waiting_) {
    if (!waiting.is_parked || waiting.deadline > deadline) continue;
    waiting.is_parked = false;
    MHD_resume_connection(connection);
  }
}

void MicroLoop::MakeRoom() {
  if (!connections_->CloseOne()) no_room_until_ = absl::Now() + kNoRoom;
}

}  // namespace syncline
