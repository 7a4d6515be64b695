#include "framework/trace/trace_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <deque>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "framework/base/status_macros.h"
#include "framework/trace/trace_packing.h"

namespace syncline {
namespace {

// Numbers are copied to and from memory as they are.
static_assert(std::endian::native == std::endian::little);
static_assert(sizeof(TraceClockPoint) == 24);

constexpr std::size_t kAlignment = 8;
constexpr std::size_t kMagicSize = sizeof(kTraceFileMagic) - 1;
constexpr std::size_t kHeadSize = kMagicSize + 2 * sizeof(std::uint32_t);
constexpr std::uint64_t kMaxLost = std::uint64_t{1} << 40;
// Events in one chunk that TraceFileContent writes.
constexpr std::size_t kChunkEvents = 1 << 20;
// Files from this size on are mapped.
constexpr std::size_t kMappedSize = 1 << 20;

constexpr std::size_t Filled(std::size_t size) {
  return (size + kAlignment - 1) / kAlignment * kAlignment;
}

void AppendNumber(std::uint32_t number, std::string* to) {
  to->append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void AppendChunk(TraceChunk chunk, absl::string_view content, std::string* to) {
  chunk.size = static_cast<std::uint32_t>(content.size());
  to->append(reinterpret_cast<const char*>(&chunk), sizeof(chunk));
  to->append(content.data(), content.size());
  to->append(Filled(content.size()) - content.size(), '\0');
}

template <typename T>
absl::string_view BytesOf(const T* values, std::size_t count) {
  return {reinterpret_cast<const char*>(values), count * sizeof(T)};
}

void AppendThread(const TraceThread& thread, std::uint32_t number,
                  std::string* to) {
  AppendChunk({.kind = TraceChunk::Kind::kThread,
               .thread = number,
               .value = static_cast<std::uint64_t>(thread.tid)},
              thread.name, to);
  std::int64_t lost_after = thread.num_lost;
  for (const TraceEvents::Piece& piece : thread.events.pieces()) {
    std::int64_t lost = piece.lost_before;
    lost_after -= lost;
    for (std::size_t i = 0; i < piece.events.size(); i += kChunkEvents) {
      const auto part = piece.events.subspan(i, kChunkEvents);
      AppendChunk({.kind = TraceChunk::Kind::kEvents,
                   .thread = number,
                   .value = static_cast<std::uint64_t>(lost)},
                  BytesOf(part.data(), part.size()), to);
      lost = 0;
    }
  }
  if (lost_after <= 0) return;
  AppendChunk({.kind = TraceChunk::Kind::kEvents,
               .thread = number,
               .value = static_cast<std::uint64_t>(lost_after)},
              "", to);
}

// What the events of a trace lie in.
struct Storage {
  // The file.
  std::shared_ptr<const void> content;
  // Events that are not there as they are in the file.
  std::deque<std::vector<TraceEvent>> made;
};

// Reads a file whose bytes are in memory that `storage` keeps.
class Reader {
 public:
  // `content` is aligned as events are.
  Reader(absl::string_view content, absl::string_view name,
         std::shared_ptr<const void> storage)
      : content_(content), name_(name) {
    storage_->content = std::move(storage);
    trace_.storage = storage_;
  }

  absl::StatusOr<Trace> Read() {
    SYNCLINE_RETURN_IF_ERROR(ReadHead());
    SYNCLINE_RETURN_IF_ERROR(ReadChunks());
    AddClockPoint();
    for (TraceThread& thread : trace_.threads) {
      if (thread.name == kDevicesThreadName && thread.tid == 0) Sort(&thread);
    }
    const absl::Status checked = CheckTrace(trace_);
    if (!checked.ok()) return Damaged(checked.message());
    return std::move(trace_);
  }

 private:
  absl::Status Damaged(absl::string_view what) const {
    return absl::DataLossError(absl::StrCat("the trace \"", name_,
                                            "\" is damaged: ", what,
                                            "; record the run once more"));
  }
  absl::Status DamagedAt(absl::string_view what) const {
    return Damaged(absl::StrCat("at byte ", position_, ", ", what));
  }

  template <typename T>
  absl::optional<T> ReadValue(std::size_t position) const {
    if (position > content_.size() || content_.size() - position < sizeof(T)) {
      return absl::nullopt;
    }
    T value;
    std::memcpy(&value, content_.data() + position, sizeof(T));
    return value;
  }

  absl::Status ReadHead() {
    if (content_.substr(0, kMagicSize) != kTraceFileMagic) {
      return absl::InvalidArgumentError(absl::StrCat(
          "\"", name_, "\" is no trace",
          content_.empty() ? ": the file is empty"
                           : absl::StrCat(": it does not begin with \"",
                                          kTraceFileMagic, "\"")));
    }
    const auto version = ReadValue<std::uint32_t>(kMagicSize);
    if (version.has_value() && *version != kTraceFileVersion) {
      return absl::UnimplementedError(
          absl::StrCat("the trace \"", name_, "\" is of version ", *version,
                       ", and this program reads version ", kTraceFileVersion,
                       "; read it with the version of Syncline that wrote it"));
    }
    const auto size =
        ReadValue<std::uint32_t>(kMagicSize + sizeof(std::uint32_t));
    if (!size.has_value() || content_.size() - kHeadSize < *size) {
      return Damaged("it ends before the names of nodes and streams do");
    }
    if (*size > static_cast<std::uint32_t>(std::numeric_limits<int>::max()) ||
        !trace_.header.ParseFromArray(content_.data() + kHeadSize,
                                      static_cast<int>(*size))) {
      return Damaged("the names of nodes and streams cannot be read");
    }
    position_ = kHeadSize + Filled(*size);
    return absl::OkStatus();
  }

  // Up to the end, or to the last chunk that is whole.
  absl::Status ReadChunks() {
    while (true) {
      const auto chunk = ReadValue<TraceChunk>(position_);
      if (!chunk.has_value() || chunk->magic != TraceChunk::kMagic) break;
      const std::size_t content = position_ + sizeof(TraceChunk);
      if (content_.size() - content < chunk->size) break;
      if (chunk->kind == TraceChunk::Kind::kEnd) {
        SYNCLINE_RETURN_IF_ERROR(ReadEnd(*chunk));
        return CheckIsAtEnd(content + Filled(chunk->size));
      }
      SYNCLINE_RETURN_IF_ERROR(
          ReadChunk(*chunk, content_.substr(content, chunk->size)));
      position_ = content + Filled(chunk->size);
    }
    trace_.is_cut_off = true;
    return absl::OkStatus();
  }

  absl::Status ReadChunk(const TraceChunk& chunk, absl::string_view content) {
    switch (chunk.kind) {
      case TraceChunk::Kind::kEvents:
      case TraceChunk::Kind::kPackedEvents:
        return ReadEvents(chunk, content);
      case TraceChunk::Kind::kClockPoint:
        if (content.size() != sizeof(TraceClockPoint)) {
          return DamagedAt(
              absl::StrCat("a clock point has ", content.size(), " bytes"));
        }
        trace_.clock_points.push_back(
            *ReadValue<TraceClockPoint>(position_ + sizeof(TraceChunk)));
        return absl::OkStatus();
      case TraceChunk::Kind::kThread: {
        SYNCLINE_ASSIGN_OR_RETURN(TraceThread* const thread, ThreadOf(chunk));
        thread->tid = static_cast<std::int64_t>(chunk.value);
        thread->name = std::string(content);
        return absl::OkStatus();
      }
      case TraceChunk::Kind::kEnd:
        break;
    }
    return absl::OkStatus();
  }

  absl::Status ReadEvents(const TraceChunk& chunk, absl::string_view content) {
    if (content.size() % sizeof(TraceEvent) != 0) {
      return DamagedAt(absl::StrCat("a chunk of events has ", content.size(),
                                    " bytes, which is no number of events"));
    }
    if (chunk.value > kMaxLost) {
      return DamagedAt(absl::StrCat(chunk.value, " events are lost"));
    }
    SYNCLINE_ASSIGN_OR_RETURN(TraceThread* const thread, ThreadOf(chunk));
    const auto lost = static_cast<std::int64_t>(chunk.value);
    thread->num_lost += lost;
    absl::Span<const TraceEvent> events(
        reinterpret_cast<const TraceEvent*>(content.data()),
        content.size() / sizeof(TraceEvent));
    if (chunk.kind == TraceChunk::Kind::kPackedEvents) {
      std::vector<TraceEvent> unpacked(events.begin(), events.end());
      Unpack(&unpacked);
      events = Keep(std::move(unpacked));
    }
    thread->events.Append(events, lost);
    return absl::OkStatus();
  }

  // The trace has this memory from now on.
  absl::Span<const TraceEvent> Keep(std::vector<TraceEvent> events) {
    return storage_->made.emplace_back(std::move(events));
  }

  absl::Status ReadEnd(const TraceChunk& chunk) {
    if (chunk.value > kMaxLost) {
      return DamagedAt(absl::StrCat(chunk.value, " events are lost"));
    }
    trace_.num_lost_elsewhere = std::max<std::int64_t>(
        0, static_cast<std::int64_t>(chunk.value) - trace_.num_lost());
    return absl::OkStatus();
  }

  // Two traces in one file, of which only the first would be seen.
  absl::Status CheckIsAtEnd(std::size_t end) const {
    if (end >= content_.size()) return absl::OkStatus();
    const bool is_trace = content_.substr(end, kMagicSize) == kTraceFileMagic;
    return absl::DataLossError(absl::StrCat(
        "the trace \"", name_, "\" ends at byte ", end, ", and ",
        content_.size() - end, " bytes follow, ",
        is_trace ? "as of another trace" : "which are none of its",
        ": give each trace a file of its own, as with head -c ", end));
  }

  absl::StatusOr<TraceThread*> ThreadOf(const TraceChunk& chunk) {
    if (chunk.thread >= kMaxTraceThreads) {
      return DamagedAt(absl::StrCat("there is a thread ", chunk.thread,
                                    ", and at most ", kMaxTraceThreads,
                                    " have numbers"));
    }
    if (chunk.thread >= trace_.threads.size()) {
      trace_.threads.resize(chunk.thread + 1);
    }
    return &trace_.threads[chunk.thread];
  }

  // What devices did is in order only as far as it was written at once.
  void Sort(TraceThread* thread) {
    std::int64_t lost = 0;
    std::vector<TraceEvent> sorted;
    sorted.reserve(thread->events.size());
    for (const TraceEvents::Piece& piece : thread->events.pieces()) {
      sorted.insert(sorted.end(), piece.events.begin(), piece.events.end());
      lost += piece.lost_before;
    }
    SortByTick(&sorted);
    thread->events = TraceEvents();
    thread->events.Append(Keep(std::move(sorted)), lost);
  }

  // A file that was cut off early may have none.
  void AddClockPoint() {
    if (trace_.clock_points.empty()) trace_.clock_points.emplace_back();
  }

  const std::shared_ptr<Storage> storage_ = std::make_shared<Storage>();
  const absl::string_view content_;
  const absl::string_view name_;
  std::size_t position_ = 0;
  Trace trace_;
};

// Closes it at its end.
class File {
 public:
  explicit File(int fd) : fd_(fd) {}
  ~File() {
    if (fd_ >= 0) close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int fd() const { return fd_; }

 private:
  const int fd_;
};

absl::Status CannotRead(int error, absl::string_view path) {
  return absl::ErrnoToStatus(
      error, absl::StrCat("cannot read the trace \"", path, "\""));
}

// All of a file that is small, or that is no ordinary one, such as a pipe.
// Reads no more than its beginning if that is not of a trace.
absl::StatusOr<std::string> ReadAll(int fd, absl::string_view path) {
  std::string content;
  std::size_t size = 0;
  while (true) {
    content.resize(std::max<std::size_t>(1 << 16, size * 2));
    const ssize_t got = read(fd, content.data() + size, content.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return CannotRead(errno, path);
    size += static_cast<std::size_t>(got);
    const bool is_other =
        size >= kMagicSize &&
        absl::string_view(content).substr(0, kMagicSize) != kTraceFileMagic;
    if (got == 0 || is_other) break;
  }
  content.resize(size);
  return content;
}

absl::StatusOr<Trace> ReadMapped(int fd, std::size_t size,
                                 absl::string_view path) {
  void* const data = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (data == MAP_FAILED) return CannotRead(errno, path);
  const std::shared_ptr<const void> storage(data, [size](const void* mapped) {
    munmap(const_cast<void*>(mapped), size);
  });
  return Reader({static_cast<const char*>(data), size}, path, storage).Read();
}

}  // namespace

std::string TraceFileHead(const TraceFileHeader& header) {
  const std::string bytes = header.SerializeAsString();
  std::string head(kTraceFileMagic);
  AppendNumber(kTraceFileVersion, &head);
  AppendNumber(static_cast<std::uint32_t>(bytes.size()), &head);
  head += bytes;
  head.resize(Filled(head.size()));
  return head;
}

std::string TraceFileContent(const Trace& trace) {
  std::string content = TraceFileHead(trace.header);
  for (const TraceClockPoint& point : trace.clock_points) {
    AppendChunk({.kind = TraceChunk::Kind::kClockPoint}, BytesOf(&point, 1),
                &content);
  }
  for (std::size_t i = 0; i < trace.threads.size(); ++i) {
    AppendThread(trace.threads[i], static_cast<std::uint32_t>(i), &content);
  }
  if (trace.is_cut_off) return content;
  AppendChunk({.kind = TraceChunk::Kind::kEnd,
               .value = static_cast<std::uint64_t>(trace.num_lost())},
              "", &content);
  return content;
}

absl::StatusOr<Trace> ReadTraceFile(absl::string_view path) {
  const File file(open(std::string(path).c_str(), O_RDONLY | O_CLOEXEC));
  if (file.fd() < 0) return CannotRead(errno, path);
  struct stat status;
  if (fstat(file.fd(), &status) != 0) return CannotRead(errno, path);
  if (S_ISREG(status.st_mode) &&
      static_cast<std::size_t>(status.st_size) >= kMappedSize) {
    return ReadMapped(file.fd(), static_cast<std::size_t>(status.st_size),
                      path);
  }
  SYNCLINE_ASSIGN_OR_RETURN(const std::string content,
                            ReadAll(file.fd(), path));
  return ParseTraceFile(content, path);
}

absl::StatusOr<Trace> ParseTraceFile(absl::string_view content,
                                     absl::string_view name) {
  const auto copy = std::make_shared<std::vector<std::uint64_t>>(
      Filled(content.size()) / kAlignment);
  if (!content.empty()) {
    std::memcpy(copy->data(), content.data(), content.size());
  }
  return Reader({reinterpret_cast<const char*>(copy->data()), content.size()},
                name, copy)
      .Read();
}

}  // namespace syncline
