#include "framework/trace/trace_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "framework/base/misuse.h"
#include "framework/base/status_macros.h"
#include "framework/trace/trace_file.h"

namespace syncline {
namespace {

// Looks at the lanes so often; more often while they fill quickly.
constexpr absl::Duration kLongPause = absl::Milliseconds(20);
constexpr absl::Duration kShortPause = absl::Milliseconds(1);
constexpr int kFillsQuickly = 10;  // percent
// So few events are written together or not at all.
constexpr std::size_t kFewestEvents = 32;

absl::string_view NextStep(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "make room, or name a file on another disk";
    case EISDIR:
      return "it is a folder: name a file in it";
    case ENXIO:
      return "it is a pipe, or a device that is not there, and a trace needs "
             "an ordinary file: name one";
    default:
      return "check that the folder exists and takes files";
  }
}

// The system's word for it, "Too many levels of symbolic links", is about
// something else.
absl::Status IsALink(absl::string_view path) {
  return absl::InvalidArgumentError(
      absl::StrCat("The trace \"", path,
                   "\" cannot be made: it is a link, as /dev/stdout is, and a "
                   "trace needs an "
                   "ordinary file: name the file itself"));
}

absl::Status FileError(absl::string_view what, absl::string_view path,
                       int error) {
  const absl::Status status = absl::ErrnoToStatus(
      error, absl::StrCat("The trace \"", path, "\" cannot be ", what));
  return absl::Status(status.code(),
                      absl::StrCat(status.message(), ": ", NextStep(error)));
}

}  // namespace

// --- TraceAppender

TraceAppender::~TraceAppender() {
  if (fd_ >= 0) close(fd_);
}

absl::Status TraceAppender::Open(const std::string& path,
                                 const TraceFileHeader& header) {
  path_ = path;
  // Nobody waits for the reader of a pipe, and nothing is written through a
  // link that somebody else may have put there.
  fd_ = open(path.c_str(),
             O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW,
             0666);
  if (fd_ < 0) {
    const int error = errno;
    struct stat about = {};
    const bool is_link =
        lstat(path.c_str(), &about) == 0 && S_ISLNK(about.st_mode);
    return error == ELOOP && is_link ? IsALink(path)
                                     : FileError("made", path, error);
  }
  struct stat state = {};
  if (fstat(fd_, &state) != 0) return FileError("made", path, errno);
  if (!S_ISREG(state.st_mode)) {
    return absl::InvalidArgumentError(
        absl::StrCat("The trace \"", path,
                     "\" is not a file that can be written again and "
                     "again, as a pipe or a device is not: name another one."));
  }
  return WriteWhole(TraceFileHead(header));
}

absl::Status TraceAppender::WriteWhole(absl::string_view bytes) {
  absl::string_view left = bytes;
  while (!left.empty()) {
    const ssize_t written = pwrite(fd_, left.data(), left.size(),
                                   size_ + (left.data() - bytes.data()));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      const int error = errno;
      // A file of whole chunks can be read. If this fails too, the reader finds
      // a chunk that is cut off.
      if (ftruncate(fd_, size_) != 0) {
      }
      return FileError("written to the end", path_, error);
    }
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  size_ += static_cast<std::int64_t>(bytes.size());
  return absl::OkStatus();
}

absl::Status TraceAppender::WriteChunk(TraceChunk::Kind kind,
                                       std::uint32_t thread,
                                       std::uint64_t value,
                                       absl::string_view content) {
  TraceChunk chunk;
  chunk.kind = kind;
  chunk.thread = thread;
  chunk.size = static_cast<std::uint32_t>(content.size());
  chunk.value = value;
  std::string bytes(reinterpret_cast<const char*>(&chunk), sizeof(chunk));
  bytes.append(content.data(), content.size());
  bytes.resize((bytes.size() + 7) / 8 * 8);
  return WriteWhole(bytes);
}

std::uint32_t TraceAppender::NumberOf(Lane* lane) {
  // More threads than a file may have share the last number.
  constexpr int kMostThreads = static_cast<int>(kMaxTraceThreads);
  if (lane->number < 0) {
    num_threads_ = std::min(num_threads_ + 1, kMostThreads);
    lane->number = num_threads_ - 1;
  }
  return static_cast<std::uint32_t>(lane->number);
}

absl::Status TraceAppender::AppendEvents(absl::Span<const TraceEvent> events,
                                         std::int64_t tid,
                                         const std::string& name, Lane* lane) {
  if (lane->tid != tid || lane->name != name) {
    lane->tid = tid;
    lane->name = name;
    lane->number = -1;
    lane->is_told = false;
  }
  const std::uint32_t number = NumberOf(lane);
  absl::Status status;
  if (!lane->is_told) {
    status = WriteChunk(TraceChunk::Kind::kThread, number,
                        static_cast<std::uint64_t>(tid), name);
    lane->is_told = status.ok();
  }
  status.Update(WriteEvents(events, number, lane));
  return status;
}

absl::Status TraceAppender::WriteEvents(absl::Span<const TraceEvent> events,
                                        std::uint32_t number, Lane* lane) {
  absl::Status status =
      WriteChunk(TraceChunk::Kind::kEvents, number,
                 static_cast<std::uint64_t>(lane->num_lost),
                 absl::string_view(reinterpret_cast<const char*>(events.data()),
                                   events.size() * sizeof(TraceEvent)));
  if (status.ok()) {
    lane->num_lost = 0;
    return status;
  }
  if (events.size() >= 2 * kFewestEvents) {
    const std::size_t half = events.size() / 2;
    if (WriteEvents(events.subspan(0, half), number, lane).ok()) {
      WriteEvents(events.subspan(half), number, lane).IgnoreError();
      return status;
    }
    events.remove_prefix(half);
  }
  const auto lost = static_cast<std::int64_t>(events.size());
  lane->num_lost += lost;
  num_lost_ += lost;
  return status;
}

absl::Status TraceAppender::AppendLane(const TraceThread& thread, Lane* lane) {
  num_lost_ += thread.num_lost;
  if (thread.events.empty()) {
    lane->num_lost += thread.num_lost;
    return absl::OkStatus();
  }
  absl::Status status;
  auto former = thread.former.begin();
  std::size_t of_former = 0;  // whose events were appended
  for (const TraceEvents::Piece& piece : thread.events.pieces()) {
    lane->num_lost += piece.lost_before;
    absl::Span<const TraceEvent> left = piece.events;
    while (!left.empty()) {
      if (former == thread.former.end()) {
        status.Update(AppendEvents(left, thread.tid, thread.name, lane));
        break;
      }
      const absl::Span<const TraceEvent> next =
          left.subspan(0, former->num_events - of_former);
      status.Update(AppendEvents(next, former->tid, former->name, lane));
      left.remove_prefix(next.size());
      of_former += next.size();
      if (of_former < former->num_events) continue;
      ++former;
      of_former = 0;
    }
  }
  return status;
}

absl::Status TraceAppender::Append(const Trace& part) {
  lanes_.resize(std::max(lanes_.size(), part.threads.size()));
  absl::Status status;
  for (std::size_t i = 0; i < part.threads.size(); ++i) {
    status.Update(AppendLane(part.threads[i], &lanes_[i]));
  }
  const TraceClockPoint& point = part.clock_points.back();
  status.Update(WriteChunk(
      TraceChunk::Kind::kClockPoint, 0, 0,
      absl::string_view(reinterpret_cast<const char*>(&point), sizeof(point))));
  return status;
}

absl::Status TraceAppender::Close(std::int64_t num_lost_elsewhere) {
  num_lost_ += num_lost_elsewhere;
  absl::Status status;
  for (Lane& lane : lanes_) {
    if (lane.num_lost == 0) continue;
    status.Update(WriteChunk(TraceChunk::Kind::kEvents, NumberOf(&lane),
                             static_cast<std::uint64_t>(lane.num_lost), ""));
  }
  status.Update(WriteChunk(TraceChunk::Kind::kEnd, 0,
                           static_cast<std::uint64_t>(num_lost_), ""));
  const int closed = close(std::exchange(fd_, -1));
  if (closed != 0) status.Update(FileError("written to the end", path_, errno));
  return status;
}

// --- TraceWriter

absl::StatusOr<std::unique_ptr<TraceWriter>> TraceWriter::Start(
    std::shared_ptr<const TraceRecorder> recorder, TraceFileHeader header,
    const std::string& path) {
  std::unique_ptr<TraceWriter> writer(
      new TraceWriter(std::move(recorder), std::move(header)));
  SYNCLINE_RETURN_IF_ERROR(writer->file_.Open(path, writer->header_));
  // The clock point at which the trace begins.
  Trace begin;
  begin.clock_points = {writer->recorder_->ClockPoint()};
  SYNCLINE_RETURN_IF_ERROR(writer->file_.Append(begin));
  writer->recorder_->Take(TraceFileHeader(), &writer->position_);
  writer->without_lane_before_ = writer->recorder_->num_without_lane();
  try {
    writer->thread_ = std::thread([raw = writer.get()] { raw->Run(); });
  } catch (const std::system_error& error) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "The thread that writes the trace cannot be started: ", error.what()));
  }
  return writer;
}

TraceWriter::TraceWriter(std::shared_ptr<const TraceRecorder> recorder,
                         TraceFileHeader header)
    : recorder_(std::move(recorder)), header_(std::move(header)) {}

TraceWriter::~TraceWriter() { Stop().IgnoreError(); }

int TraceWriter::WriteNew() {
  // No header: parts of a file have none. What was lost elsewhere stands at the
  // end.
  const Trace part = recorder_->Take(TraceFileHeader(), &position_);
  int fullest = 0;
  for (std::size_t i = 0; i < part.threads.size(); ++i) {
    const std::size_t room =
        recorder_->lane(static_cast<int>(i))->ring().capacity();
    fullest = std::max(
        fullest, static_cast<int>(part.threads[i].events.size() * 100 / room));
  }
  const absl::Status status = file_.Append(part);
  if (!status.ok()) {
    MutexLock lock(&mutex_);
    first_error_.Update(status);
  }
  return fullest;
}

void TraceWriter::Run() {
  pthread_setname_np(pthread_self(), "trace_writer");
  absl::Duration pause = kShortPause;
  while (true) {
    {
      MutexLock lock(&mutex_);
      if (!is_stopping_) stopping_.WaitWithTimeout(&mutex_, pause);
      if (is_stopping_) return;
    }
    const absl::Status status = CatchExceptions([&] {
      pause = WriteNew() >= kFillsQuickly ? kShortPause
                                          : std::min(pause * 2, kLongPause);
    });
    if (status.ok()) continue;
    MutexLock lock(&mutex_);
    first_error_.Update(status);
  }
}

absl::Status TraceWriter::Stop() {
  {
    MutexLock lock(&mutex_);
    if (is_stopped_) return first_error_;
    is_stopping_ = true;
  }
  stopping_.SignalAll();
  if (thread_.joinable()) thread_.join();
  const absl::Status status = CatchExceptions([&] { WriteNew(); });
  const absl::Status closed =
      file_.Close(recorder_->num_without_lane() - without_lane_before_);
  MutexLock lock(&mutex_);
  is_stopped_ = true;
  first_error_.Update(status);
  first_error_.Update(closed);
  return first_error_;
}

std::int64_t TraceWriter::num_lost() const {
  MutexLock lock(&mutex_);
  return is_stopped_ ? file_.num_lost() : 0;
}

}  // namespace syncline
