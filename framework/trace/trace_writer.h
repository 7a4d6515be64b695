// TraceWriter: writes what a TraceRecorder notes into a trace file, while it
// goes on.
//
// A thread of the writer looks at the lanes again and again, sooner the fuller
// they are, and appends what is new. Threads that note events never wait for
// it; what they write over before it was read is lost, and the file says how
// much and where. If the disk is full, the run goes on: the file keeps what is
// whole, the events are counted as lost, and the writer tries again with the
// next ones.
//
// Thread rule: Start and Stop the owner; the rest any thread.
// Tested by trace_writer_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_TRACE_WRITER_H_
#define SYNCLINE_FRAMEWORK_TRACE_TRACE_WRITER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "framework/config/trace_file.pb.h"
#include "framework/trace/trace.h"
#include "framework/trace/trace_event.h"
#include "framework/trace/trace_file.h"
#include "framework/trace/trace_recorder.h"

namespace syncline {

// Appends chunks to a trace file. A chunk that could not be written whole is
// taken away again.
//
// Thread rule: one thread at a time.
class TraceAppender {
 public:
  TraceAppender() = default;
  ~TraceAppender();
  TraceAppender(const TraceAppender&) = delete;
  TraceAppender& operator=(const TraceAppender&) = delete;

  // Makes the file, or empties it, and writes its head.
  absl::Status Open(const std::string& path, const TraceFileHeader& header);
  // Appends the events of each thread, which are those since the last call, and
  // the last clock point. A thread that follows another one in its place of the
  // trace is one of its own in the file.
  absl::Status Append(const Trace& part);
  // Ends the file. So many events more are lost, of whatever thread.
  absl::Status Close(std::int64_t num_lost_elsewhere = 0);

  std::int64_t num_lost() const { return num_lost_; }

 private:
  // Of the traces that are appended: the thread that has it now.
  struct Lane {
    std::int64_t num_lost = 0;  // since its last chunk
    std::int64_t tid = -1;
    std::string name;
    // Of the thread in the file; -1: it has none so far.
    int number = -1;
    // The file has tid and name.
    bool is_told = false;
  };
  absl::Status AppendLane(const TraceThread& thread, Lane* lane);
  // Events of one thread.
  absl::Status AppendEvents(absl::Span<const TraceEvent> events,
                            std::int64_t tid, const std::string& name,
                            Lane* lane);
  // The same in one chunk, or as many of them as there is room for. What is
  // lost is counted.
  absl::Status WriteEvents(absl::Span<const TraceEvent> events,
                           std::uint32_t number, Lane* lane);
  // Threads of which nothing was written have no number.
  std::uint32_t NumberOf(Lane* lane);
  absl::Status WriteChunk(TraceChunk::Kind kind, std::uint32_t thread,
                          std::uint64_t value, absl::string_view content);
  absl::Status WriteWhole(absl::string_view bytes);

  std::string path_;
  int fd_ = -1;
  std::int64_t size_ = 0;  // of what is whole
  std::int64_t num_lost_ = 0;
  std::vector<Lane> lanes_;
  int num_threads_ = 0;  // that have numbers
};

class TraceWriter {
 public:
  // Opens the file and starts the thread. The trace begins now.
  static absl::StatusOr<std::unique_ptr<TraceWriter>> Start(
      std::shared_ptr<const TraceRecorder> recorder, TraceFileHeader header,
      const std::string& path);
  ~TraceWriter();
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  // Writes the last events and ends the file. Returns the first error of all;
  // Stop again returns it again.
  absl::Status Stop() ABSL_LOCKS_EXCLUDED(mutex_);
  // After Stop: events that are not in the file.
  std::int64_t num_lost() const ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  TraceWriter(std::shared_ptr<const TraceRecorder> recorder,
              TraceFileHeader header);
  void Run() ABSL_LOCKS_EXCLUDED(mutex_);
  // Returns the fullest lane's share of new events, in percent of its room.
  int WriteNew() ABSL_LOCKS_EXCLUDED(mutex_);

  const std::shared_ptr<const TraceRecorder> recorder_;
  const TraceFileHeader header_;
  mutable Mutex mutex_;
  CondVar stopping_;
  bool is_stopping_ ABSL_GUARDED_BY(mutex_) = false;
  bool is_stopped_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Status first_error_ ABSL_GUARDED_BY(mutex_);
  // Of the writer's thread while it runs, then of Stop.
  TraceAppender file_;
  TraceRecorder::Position position_;
  // Events without a lane before the trace began.
  std::int64_t without_lane_before_ = 0;
  std::thread thread_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_TRACE_WRITER_H_
