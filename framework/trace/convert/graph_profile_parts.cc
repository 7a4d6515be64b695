// A trace as a file of GraphProfiles, part by part, in memory that does not
// grow with the trace.
//
// The trace is cut into traces of so many events that follow each other in
// time. A part has the events that are older than the slice that was added
// last: what a call sends soon after its end is in one event with the call.
//
// Thread rule: pure functions.
// Tested by graph_profile_parts_test.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/trace/convert/graph_profile_builder.h"
#include "framework/trace/convert/graph_profile_form.h"
#include "framework/trace/convert/profile_times.h"

namespace syncline {
namespace {

// Cuts a trace into slices.
class Slicer {
 public:
  explicit Slicer(const Trace& trace)
      : trace_(trace), cursors_(trace.threads.size()) {
    slice_.header = trace.header;
    slice_.header.clear_config();
    slice_.clock_points = trace.clock_points;
    slice_.threads.resize(trace.threads.size());
  }

  // The next event of this thread is part of the slice.
  void Take(int thread) {
    ++cursors_[thread].num_taken;
    ++num_taken_;
  }
  std::size_t num_taken() const { return num_taken_; }

  // What was taken since the last cut. Valid until the next one.
  const Trace& Cut() {
    for (std::size_t i = 0; i < cursors_.size(); ++i) {
      slice_.threads[i].events =
          Advance(trace_.threads[i].events.pieces(), &cursors_[i]);
    }
    num_taken_ = 0;
    return slice_;
  }

 private:
  struct Cursor {
    std::size_t piece = 0;
    std::size_t offset = 0;
    // From there on.
    std::size_t num_taken = 0;
  };

  static TraceEvents Advance(const std::vector<TraceEvents::Piece>& pieces,
                             Cursor* cursor) {
    TraceEvents events;
    while (cursor->num_taken > 0) {
      const TraceEvents::Piece& piece = pieces[cursor->piece];
      const std::size_t count =
          std::min(cursor->num_taken, piece.events.size() - cursor->offset);
      events.Append(piece.events.subspan(cursor->offset, count),
                    cursor->offset == 0 ? piece.lost_before : 0);
      cursor->num_taken -= count;
      cursor->offset += count;
      if (cursor->offset < piece.events.size()) continue;
      ++cursor->piece;
      cursor->offset = 0;
    }
    return events;
  }

  const Trace& trace_;
  std::vector<Cursor> cursors_;
  std::size_t num_taken_ = 0;
  Trace slice_;
};

// Hands on the parts as bytes.
class PartWriter {
 public:
  PartWriter(const GraphProfileParts& parts, WriteProfilePart write)
      : parts_(parts), write_(write) {}

  absl::Status Write(GraphProfile part) {
    if (!is_first_) KeepEventsOnly(&part);
    is_first_ = false;
    std::string bytes;
    if (!part.SerializeToString(&bytes) ||
        bytes.size() > parts_.max_bytes - num_bytes_) {
      return absl::ResourceExhaustedError(absl::StrCat(
          "the trace is too large for a file of GraphProfiles, of which ",
          "programs read at most ", parts_.max_bytes,
          " bytes, and the file ends before: record a shorter run"));
    }
    num_bytes_ += bytes.size();
    return write_(bytes);
  }

 private:
  const GraphProfileParts& parts_;
  const WriteProfilePart write_;
  bool is_first_ = true;
  std::size_t num_bytes_ = 0;
};

}  // namespace

absl::Status WriteGraphProfile(const Trace& trace,
                               const GraphProfileOptions& options,
                               WriteProfilePart write,
                               const GraphProfileParts& parts) {
  SYNCLINE_RETURN_IF_ERROR(CheckTrace(trace));
  GraphProfileOptions with_base = options;
  if (!with_base.base_timestamp.has_value()) {
    with_base.base_timestamp = LeastTimestamp(trace).value_or(0);
  }
  // Each part has the names of all streams.
  const std::size_t most_events =
      std::max(parts.events_in_part,
               8 * static_cast<std::size_t>(trace.header.stream_size()));
  GraphProfileBuilder builder(trace.header, std::move(with_base));
  PartWriter writer(parts, write);
  Slicer slicer(trace);
  bool is_first = true;
  absl::Status status;
  ForEachEvent(trace, [&](int thread, const TraceEvent&) {
    if (!status.ok()) return;
    if (slicer.num_taken() == most_events) {
      status = builder.Add(slicer.Cut());
      if (status.ok() && !std::exchange(is_first, false)) {
        status = writer.Write(builder.CaptureEventsBeforeLastAdd());
      }
    }
    slicer.Take(thread);
  });
  SYNCLINE_RETURN_IF_ERROR(status);
  SYNCLINE_RETURN_IF_ERROR(builder.Add(slicer.Cut()));
  return writer.Write(builder.Capture(GraphProfileBuilder::kLast));
}

}  // namespace syncline
