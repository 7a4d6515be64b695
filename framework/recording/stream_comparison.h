// StreamComparison: one recorded stream against what comes now, packet by
// packet, up to the first difference and a little further, for a text that
// shows both:
//
//   stream "sums" differs from the recording at its packet 3, timestamp 30:
//                  timestamp  value
//                         10  4
//                         20  9
//     rec                 30  15
//     now                 30  16
//
// States: same -> different, at the first packet whose timestamp or bytes
// differ, or that one of the two does not have. Where the recording has a gap
// the other side's packets are skipped.
//
// Thread rule: one thread at a time.
// Tested by graph_recorder_test and recording_tool_test.

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
  // recording that was cut short may end before the other side does.
  StreamComparison(RecordedStream stream, RecordingEvents events,
                   bool may_end_early)
      : stream_(std::move(stream)),
        events_(std::move(events)),
        may_end_early_(may_end_early) {}

  // The next packet of the other side. An error is of the recording.
  absl::Status Compare(Timestamp timestamp, std::string data);
  // After the last one.
  absl::Status Finish();

  // After Finish.
  bool differs() const { return differs_; }
  // Packets before the first difference; and those of the other side that the
  // recording does not have.
  std::int64_t same() const { return same_; }
  std::int64_t skipped() const { return skipped_; }
  // Of the first difference.
  Timestamp timestamp() const;
  // REQUIRES: differs(). `now` is what the other side is called, in four
  // characters at most.
  std::string Difference(absl::string_view now = "now") const;

 private:
  struct Entry {
    Timestamp timestamp;
    std::string data;
  };

  std::string Line(absl::string_view whose, const Entry& entry) const;
  void AppendRest(absl::string_view now, std::string* text) const;

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

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RECORDING_STREAM_COMPARISON_H_
