#include "framework/trace/fatal_signals.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/mutex.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_file.h"
#include "framework/trace/trace_ring.h"

namespace syncline {

struct FatalSignalDump::Content {
  ~Content() {
    if (fd >= 0) close(fd);
    // A file without a name disappears by itself.
    if (has_name && !is_written.load()) unlink(path.c_str());
  }

  std::shared_ptr<const TraceRecorder> recorder;
  std::string head;
  TraceClockPoint start;
  std::string path;
  // What standard error says then.
  std::string told;
  // "/proc/self/fd/N", by which the file gets its name.
  std::array<char, 32> link = {};
  int fd = -1;
  // The file system makes no files without names, so it has one already.
  bool has_name = false;
  std::atomic<bool> is_written{false};
};

namespace {

constexpr std::array<int, 6> kSignals = {SIGSEGV, SIGBUS,  SIGFPE,
                                         SIGILL,  SIGABRT, SIGSYS};

// What handlers read, without a lock.
struct Installed {
  std::array<std::atomic<FatalSignalDump::Content*>,
             FatalSignalDump::kMostDumps>
      contents{};
  // The handlers that were there before, as in kSignals.
  std::array<struct sigaction, kSignals.size()> before{};
  // The thread that writes; 0: none.
  std::atomic<std::int64_t> writer{0};
  std::atomic<bool> is_written{false};
};
Installed installed;

Mutex& InstallMutex() {
  static Mutex* const mutex = new Mutex;
  return *mutex;
}
int num_installed = 0;  // guarded by InstallMutex()

// --- What follows runs in a signal handler.

bool WriteAll(int fd, const void* bytes, std::size_t size) {
  const char* next = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t written = write(fd, next, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    next += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

bool WriteChunkHead(int fd, TraceChunk::Kind kind, std::uint32_t thread,
                    std::size_t size, std::uint64_t value) {
  TraceChunk chunk;
  chunk.kind = kind;
  chunk.thread = thread;
  chunk.size = static_cast<std::uint32_t>(size);
  chunk.value = value;
  return WriteAll(fd, &chunk, sizeof(chunk));
}

// Nothing where the thread has ended: another one may have followed it.
bool WriteThread(int fd, int index, const TraceRing& ring) {
  if (syscall(SYS_tgkill, getpid(), ring.first_tid(), 0) != 0) return true;
  std::size_t size = 0;
  while (size < TraceRing::kNameSize && ring.first_name()[size] != 0) ++size;
  return WriteChunkHead(fd, TraceChunk::Kind::kThread,
                        static_cast<std::uint32_t>(index), size,
                        static_cast<std::uint64_t>(ring.first_tid())) &&
         WriteAll(fd, ring.first_name(), (size + 7) / 8 * 8);
}

bool WriteLane(int fd, int index, const TraceRing& ring) {
  if (!WriteThread(fd, index, ring)) return false;
  const std::uint64_t end = ring.written();
  const std::uint64_t capacity = ring.capacity();
  // The oldest one may be written over just now.
  const std::uint64_t begin = end >= capacity ? end - capacity + 1 : 0;
  const std::uint64_t count = end - begin;
  const auto thread = static_cast<std::uint32_t>(index);
  if (!WriteChunkHead(fd, TraceChunk::Kind::kEvents, thread,
                      count * sizeof(TraceEvent), begin)) {
    return false;
  }
  const auto* const events = static_cast<const char*>(ring.memory());
  const std::uint64_t first = begin & (capacity - 1);
  const std::uint64_t to_the_end = std::min(count, capacity - first);
  return WriteAll(fd, events + first * sizeof(TraceEvent),
                  to_the_end * sizeof(TraceEvent)) &&
         WriteAll(fd, events, (count - to_the_end) * sizeof(TraceEvent));
}

void WriteClockPoint(int fd, const TraceClockPoint& point) {
  WriteChunkHead(fd, TraceChunk::Kind::kClockPoint, 0, sizeof(point), 0);
  WriteAll(fd, &point, sizeof(point));
}

void WriteDump(FatalSignalDump::Content* content) {
  const int fd = content->fd;
  if (!WriteAll(fd, content->head.data(), content->head.size())) return;
  WriteClockPoint(fd, content->start);
  // A clock that was given may do anything when it is read.
  if (!content->recorder->has_given_clock()) {
    WriteClockPoint(fd, content->recorder->ClockPoint());
  }
  for (int i = 0; i < content->recorder->num_lanes(); ++i) {
    const TraceLane* const lane = content->recorder->lane(i);
    if (lane != nullptr && !WriteLane(fd, i, lane->ring())) return;
  }
  WriteChunkHead(fd, TraceChunk::Kind::kEnd, 0, 0, 0);
  // A file of an earlier run gives way.
  if (!content->has_name) unlink(content->path.c_str());
  const bool has_name = content->has_name ||
                        linkat(AT_FDCWD, content->link.data(), AT_FDCWD,
                               content->path.c_str(), AT_SYMLINK_FOLLOW) == 0;
  content->is_written.store(has_name);
  if (has_name) {
    WriteAll(STDERR_FILENO, content->told.data(), content->told.size());
  }
}

void CallFormer(int signal, siginfo_t* info, void* context) {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    if (kSignals[i] != signal) continue;
    const struct sigaction& before = installed.before[i];
    if ((before.sa_flags & SA_SIGINFO) != 0) {
      return before.sa_sigaction(signal, info, context);
    }
    if (before.sa_handler == SIG_IGN) return;
    if (before.sa_handler != SIG_DFL) return before.sa_handler(signal);
    // The signal comes again when this handler returns, and ends the process.
    sigaction(signal, &before, nullptr);
    raise(signal);
  }
}

void HandleFatalSignal(int signal, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  const auto self = static_cast<std::int64_t>(syscall(SYS_gettid));
  std::int64_t writer = 0;
  if (installed.writer.compare_exchange_strong(writer, self)) {
    for (auto& content : installed.contents) {
      FatalSignalDump::Content* const dump = content.load();
      if (dump != nullptr) WriteDump(dump);
    }
    installed.is_written.store(true);
  } else if (writer != self) {
    constexpr int kMostWaits = 100;
    constexpr timespec kWait = {.tv_sec = 0, .tv_nsec = 10'000'000};
    for (int i = 0; i < kMostWaits && !installed.is_written.load(); ++i) {
      nanosleep(&kWait, nullptr);
    }
  }
  errno = saved_errno;
  CallFormer(signal, info, context);
}

// --- What follows does not.

bool IsOurs(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 &&
         action.sa_sigaction == HandleFatalSignal;
}

void InstallHandlers() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction action = {};
    action.sa_sigaction = HandleFatalSignal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    struct sigaction before = {};
    sigaction(kSignals[i], &action, &before);
    // Ours has stayed, behind a handler that has been removed since.
    if (IsOurs(before)) continue;
    installed.before[i] = before;
  }
}

// A handler that was installed later may call ours, so ours stays then.
void RemoveHandlers() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    struct sigaction now = {};
    sigaction(kSignals[i], nullptr, &now);
    if (IsOurs(now)) sigaction(kSignals[i], &installed.before[i], nullptr);
  }
}

std::string FolderOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

absl::Status OpenFile(FatalSignalDump::Content* content) {
  content->fd = open(FolderOf(content->path).c_str(),
                     O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (content->fd < 0) {
    content->has_name = true;
    content->fd = open(content->path.c_str(),
                       O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  }
  if (content->fd < 0) {
    return absl::ErrnoToStatus(
        errno, absl::StrCat("No file can be made at \"", content->path,
                            "\" for the events before a crash"));
  }
  std::snprintf(content->link.data(), content->link.size(), "/proc/self/fd/%d",
                content->fd);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<FatalSignalDump>> FatalSignalDump::Install(
    std::shared_ptr<const TraceRecorder> recorder,
    const TraceFileHeader& header, const std::string& path) {
  std::unique_ptr<FatalSignalDump> dump(new FatalSignalDump);
  dump->content_ = std::make_unique<Content>();
  dump->content_->start = recorder->ClockPoint();
  dump->content_->recorder = std::move(recorder);
  dump->content_->head = TraceFileHead(header);
  dump->content_->path = path;
  dump->content_->told =
      absl::StrCat("The last events before the crash are in ", path, "\n");
  const absl::Status opened = OpenFile(dump->content_.get());
  if (!opened.ok()) return opened;
  MutexLock lock(&InstallMutex());
  for (int slot = 0; slot < kMostDumps; ++slot) {
    if (installed.contents[slot].load() != nullptr) continue;
    installed.contents[slot].store(dump->content_.get());
    dump->slot_ = slot;
    if (num_installed++ == 0) InstallHandlers();
    return dump;
  }
  return absl::ResourceExhaustedError(
      absl::StrCat("More than ", kMostDumps,
                   " graphs of this process want their events saved at a "
                   "crash: turn that off for some of them."));
}

FatalSignalDump::~FatalSignalDump() {
  if (slot_ < 0) return;
  MutexLock lock(&InstallMutex());
  installed.contents[slot_].store(nullptr);
  if (--num_installed == 0) RemoveHandlers();
}

}  // namespace syncline
