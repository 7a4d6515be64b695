// StreamComparison: one recorded stream against what comes now, packet by
// packet, up to the first difference and a little further, for a text that
// shows both:
//
//   stream "sums" differs from the recording at its packet 3, timestamp 30:
//   another value
//                    timestamp  value
//                           10  4
//                           20  9
//     rec                   30  15
//     now                   30  16
//                           40  22
//   inputs of the graph around it:
//                           20  numbers: 5
//                           30  numbers: 6
//                           40  numbers: 7
//
// (the first two lines are one). A difference is another value, another
// timestamp with the same value, a packet more, or a packet less. Rows without
// a name are the same on both sides.
//
// States: same -> different, at the first packet whose timestamp or bytes
// differ, or that one of the two does not have. Where the recording has a gap
// the other side's packets are skipped.
//
// Thread rule: one thread at a time.
// Tested by stream_comparison_test.

#ifndef SYNCLINE_FRAMEWORK_RECORDING_STREAM_COMPARISON_H_
#define SYNCLINE_FRAMEWORK_RECORDING_STREAM_COMPARISON_H_

#include <cstdint>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/packet/timestamp.h"
#include "framework/recording/recording_file.h"
#include "framework/recording/recording_reader.h"

namespace syncline {

class StreamComparison {
 public:
  // `events` are the packets of `stream`, and its gaps if they count. A
  // recording that was cut short, or interrupted, may end before the other side
  // does.
  StreamComparison(RecordedStream stream, RecordingEvents events,
                   bool may_end_early)
      : stream_(std::move(stream)),
        events_(std::move(events)),
        may_end_early_(may_end_early) {}

  // The next packet of the other side. An error is of the recording.
  absl::Status Compare(Timestamp timestamp, std::string data);
  // To be called after the last packet.
  absl::Status Finish();

  // REQUIRES: Finish was called.
  bool differs() const { return differs_; }
  // Packets before the first difference; and those of the other side that the
  // recording does not have.
  std::int64_t same() const { return same_; }
  std::int64_t skipped() const { return skipped_; }
  // The timestamp of the first difference.
  Timestamp timestamp() const;
  // What the sides are called, in four characters at most, and together.
  struct Sides {
    absl::string_view recorded = "rec";
    absl::string_view now = "now";
    std::string differs_from = "differs from the recording";
  };
  // REQUIRES: differs(). Several lines, without the end of the last.
  std::string Difference(const Sides& sides) const;
  std::string Difference() const { return Difference(Sides()); }

 private:
  struct Entry {
    Timestamp timestamp;
    std::string data;

    friend bool operator==(const Entry&, const Entry&) = default;
  };

  // The kind of the difference, in a few words.
  absl::string_view Kind() const;
  std::string Line(absl::string_view whose, const Entry& entry) const;
  // From the difference on, by timestamp.
  void AppendRows(const Sides& sides, std::string* text) const;

  const RecordedStream stream_;
  RecordingEvents events_;
  const bool may_end_early_;
  std::int64_t same_ = 0;
  std::int64_t skipped_ = 0;
  // Left of the gap that the recording is at.
  std::int64_t missing_ = 0;
  bool differs_ = false;
  std::deque<Entry> before_;
  // From the first difference on.
  std::vector<Entry> recorded_;
  std::vector<Entry> now_;
};

// The packets of the graph's inputs around a timestamp, as lines that follow
// those of a difference; empty if there are none. What cannot be read of the
// file is left out.
std::string InputsAround(const RecordingReader& recording, Timestamp timestamp);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RECORDING_STREAM_COMPARISON_H_
