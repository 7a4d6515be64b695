#include "framework/trace/fatal_signals.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
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
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/fatal_signal_hook.h"
#include "framework/base/mutex.h"
#include "framework/base/no_destructor.h"
#include "framework/trace/file_beside.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_file.h"
#include "framework/trace/trace_lane.h"
#include "framework/trace/trace_ring.h"

namespace syncline {

bool trace_internal::makes_no_nameless_files = false;

struct FatalSignalDump::Content {
  ~Content() {
    if (fd >= 0) close(fd);
    // A file without a name disappears by itself.
    if (!beside.empty() && !is_nameless && !is_written.load()) {
      unlink(beside.c_str());
    }
  }

  std::shared_ptr<const TraceRecorder> recorder;
  std::string head;
  TraceClockPoint start;
  std::string path;
  // What standard error says then, where not all could be written, and where
  // the path has become that of something else.
  std::string told;
  std::string told_of_part;
  std::string told_of_other;
  // "/proc/self/fd/N", by which the file gets its name.
  std::array<char, 32> link = {};
  int fd = -1;
  // The name that the file has until it takes its place.
  std::string beside;
  // It gets that only at the signal. Some file systems make no such files.
  bool is_nameless = false;
  std::atomic<bool> is_written{false};
};

namespace {

// What the hook reads, without a lock.
std::array<std::atomic<FatalSignalDump::Content*>, FatalSignalDump::kMostDumps>
    contents{};
// Handlers that may be reading one of them.
std::atomic<int> handlers_inside{0};

// Which of them are in use.
struct Slots {
  Mutex mutex;
  int used ABSL_GUARDED_BY(mutex) = 0;
  // There while one is used.
  absl::optional<FatalSignalHook> hook ABSL_GUARDED_BY(mutex);
};
Slots& TheSlots() {
  static NoDestructor<Slots> slots;
  return *slots;
}

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
  const bool is_of_thread = ring.first_tid() != 0;
  if (is_of_thread && syscall(SYS_tgkill, getpid(), ring.first_tid(), 0) != 0) {
    return true;
  }
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
  if (!WriteChunkHead(fd, TraceChunk::Kind::kPackedEvents, thread,
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

// False: the disk is full.
bool WriteContent(FatalSignalDump::Content* content) {
  const int fd = content->fd;
  if (!WriteAll(fd, content->head.data(), content->head.size())) return false;
  WriteClockPoint(fd, content->start);
  // A clock that was given may do anything when it is read.
  if (!content->recorder->has_given_clock()) {
    WriteClockPoint(fd, content->recorder->ClockPoint());
  }
  for (int i = 0; i < content->recorder->num_lanes(); ++i) {
    const TraceLane* const lane = content->recorder->lane(i);
    if (lane != nullptr && !WriteLane(fd, i, lane->ring())) return false;
  }
  return WriteChunkHead(fd, TraceChunk::Kind::kEnd, 0, 0, 0);
}

enum class AtPath { kNothing, kFile, kOther };

AtPath WhatIsAt(const char* path) {
  struct stat about = {};
  if (fstatat(AT_FDCWD, path, &about, AT_SYMLINK_NOFOLLOW) != 0) {
    return AtPath::kNothing;
  }
  return S_ISREG(about.st_mode) ? AtPath::kFile : AtPath::kOther;
}

// Gives the file its name, in place of a file of an earlier run, or of one that
// another thread is about to put there. On a full disk an older one stays.
bool PutInPlace(const FatalSignalDump::Content& content, bool is_whole) {
  const char* const path = content.path.c_str();
  const char* const beside = content.beside.c_str();
  if (!is_whole && WhatIsAt(path) == AtPath::kFile) {
    if (!content.is_nameless) unlink(beside);
    return false;
  }
  if (content.is_nameless && linkat(AT_FDCWD, content.link.data(), AT_FDCWD,
                                    beside, AT_SYMLINK_FOLLOW) != 0) {
    return false;
  }
  return rename(beside, path) == 0;
}

void WriteDump(FatalSignalDump::Content* content) {
  // A device or a pipe may have come there since the path was looked at.
  if (WhatIsAt(content->path.c_str()) == AtPath::kOther) {
    WriteAll(STDERR_FILENO, content->told_of_other.data(),
             content->told_of_other.size());
    return;
  }
  const bool is_whole = WriteContent(content);
  const bool has_name = PutInPlace(*content, is_whole);
  content->is_written.store(has_name);
  const std::string& told =
      has_name && is_whole ? content->told : content->told_of_part;
  WriteAll(STDERR_FILENO, told.data(), told.size());
}

void WriteDumps(int, siginfo_t*) {
  // Before any of them is read: see ~FatalSignalDump.
  handlers_inside.fetch_add(1);
  for (auto& content : contents) {
    FatalSignalDump::Content* const dump = content.load();
    if (dump != nullptr) WriteDump(dump);
  }
  handlers_inside.fetch_sub(1);
}

// --- What follows does not.

std::string FolderOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// What a path leads to that is no ordinary file.
absl::string_view KindOf(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISLNK(mode)) return "a symbolic link";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

// The file takes the place of what is at the path, and only a file may be
// replaced.
absl::Status CheckPath(const std::string& path) {
  struct stat about = {};
  if (lstat(path.c_str(), &about) != 0 || S_ISREG(about.st_mode)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("The events before a crash cannot be saved at \"", path,
                   "\", which is ", KindOf(about.st_mode),
                   ": name an ordinary file, or one that does not exist."));
}

absl::Status OpenFile(FatalSignalDump::Content* content) {
  if (!trace_internal::makes_no_nameless_files) {
    content->fd = open(FolderOf(content->path).c_str(),
                       O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  }
  // Its name is nobody else's.
  absl::StatusOr<std::string> beside = MakeFileBeside(content->path);
  if (!beside.ok()) return beside.status();
  content->beside = *std::move(beside);
  content->is_nameless = content->fd >= 0;
  if (content->is_nameless) {
    unlink(content->beside.c_str());
  } else {
    content->fd =
        open(content->beside.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
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
  const absl::Status fits = CheckPath(path);
  if (!fits.ok()) return fits;
  std::unique_ptr<FatalSignalDump> dump(new FatalSignalDump);
  dump->content_ = std::make_unique<Content>();
  dump->content_->start = recorder->ClockPoint();
  dump->content_->recorder = std::move(recorder);
  dump->content_->head = TraceFileHead(header);
  dump->content_->path = path;
  dump->content_->told =
      absl::StrCat("The last events before the crash are in ", path, "\n");
  dump->content_->told_of_part = absl::StrCat(
      "Not all of the last events before the crash could be "
      "written into ",
      path, ": is the disk full?\n");
  dump->content_->told_of_other = absl::StrCat(
      "The last events before the crash are lost: ", path,
      " was replaced by something that is no ordinary file, and stays\n");
  const absl::Status opened = OpenFile(dump->content_.get());
  if (!opened.ok()) return opened;
  MutexLock lock(&TheSlots().mutex);
  for (int slot = 0; slot < kMostDumps; ++slot) {
    if (contents[slot].load() != nullptr) continue;
    contents[slot].store(dump->content_.get());
    dump->slot_ = slot;
    if (TheSlots().used++ == 0) {
      TheSlots().hook.emplace(FatalSignalHook::Stage::kFile, WriteDumps);
    }
    return dump;
  }
  return absl::ResourceExhaustedError(
      absl::StrCat("More than ", kMostDumps,
                   " graphs of this process want their events saved at a "
                   "crash: turn that off for some of them."));
}

FatalSignalDump::~FatalSignalDump() {
  if (slot_ < 0) return;
  {
    MutexLock lock(&TheSlots().mutex);
    contents[slot_].store(nullptr);
    if (--TheSlots().used == 0) TheSlots().hook.reset();
  }
  // A handler that came before has the content, and one that comes now finds
  // none. The process ends after a handler, so that little is lost if one that
  // does not get on keeps the content for good.
  constexpr int kMostWaits = 200;
  constexpr timespec kWait = {.tv_sec = 0, .tv_nsec = 10'000'000};
  for (int i = 0; i < kMostWaits && handlers_inside.load() > 0; ++i) {
    nanosleep(&kWait, nullptr);
  }
  if (handlers_inside.load() > 0) static_cast<void>(content_.release());
}

}  // namespace syncline
