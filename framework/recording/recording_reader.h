// RecordingReader: what is in a recording, event by event.
//
//   SYNCLINE_ASSIGN_OR_RETURN(auto recording, RecordingReader::Open(path));
//   SYNCLINE_ASSIGN_OR_RETURN(RecordingEvents events, recording->Events({}));
//   RecordedEvent event;
//   while (true) {
//     SYNCLINE_ASSIGN_OR_RETURN(const bool more, events.Next(&event));
//     if (!more) break;
//     ...
//   }
//
// A file that a killed program left is repaired when it is opened, which needs
// the permission to write to it; everything that was committed is there.
// Nothing in the file is trusted: an impossible value is DATA_LOSS. So is a
// view in the place of a table, because a view could give rows without an end.
//
// Thread rule: one thread at a time for a reader and what comes from it.
// Tested by recording_file_test and bad_recording_test.

#ifndef SYNCLINE_FRAMEWORK_RECORDING_RECORDING_READER_H_
#define SYNCLINE_FRAMEWORK_RECORDING_RECORDING_READER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/packet/timestamp.h"
#include "framework/recording/recording_file.h"
#include "framework/recording/sqlite.h"

namespace syncline {

// Which events.
struct RecordingRange {
  // Timestamps of packets, both included.
  Timestamp from = Timestamp::Unset();
  Timestamp to = Timestamp::Unset();
  // Only events of this stream; absent for all streams.
  absl::optional<int> stream;
  // Neither bounds nor gaps.
  bool packets_only = false;
  // No bounds.
  bool no_bounds = false;
  // Only this many events, from the beginning or from the end; 0 for all. From
  // the end, the last event comes first.
  int first = 0;
  int last = 0;
};

// A walk over events, in order of arrival. Must not outlive its reader.
class RecordingEvents {
 public:
  // False: there are no more, however often it is called.
  absl::StatusOr<bool> Next(RecordedEvent* event);

 private:
  friend class RecordingReader;
  RecordingEvents(std::string path, const std::vector<RecordedStream>* streams,
                  SqliteStatement query)
      : path_(std::move(path)), streams_(streams), query_(std::move(query)) {}

  std::string path_;
  const std::vector<RecordedStream>* streams_;  // the reader's
  SqliteStatement query_;
  bool is_at_end_ = false;
};

class RecordingReader {
 public:
  // NOT_FOUND; INVALID_ARGUMENT for what is no recording; FAILED_PRECONDITION
  // for one of a version that cannot be read; DATA_LOSS for a damaged one;
  // UNAVAILABLE for one that is still being made.
  static absl::StatusOr<std::unique_ptr<RecordingReader>> Open(
      const std::string& path);

  const std::string& path() const { return database_->path(); }
  const RecordingHeader& header() const { return header_; }
  // The position of the stream of this name; absent if there is none.
  absl::optional<int> FindStream(absl::string_view name) const;
  // How the recorded run ended: "OK" or an error; nothing if the recording was
  // cut short.
  const absl::optional<std::string>& ended() const { return ended_; }
  const std::string& made_by() const { return made_by_; }
  const std::string& made_at() const { return made_at_; }

  absl::StatusOr<RecordingEvents> Events(const RecordingRange& range) const;

  struct StreamSummary {
    std::int64_t packets = 0;
    std::int64_t bytes = 0;
    // Unset without packets.
    Timestamp first = Timestamp::Unset();
    Timestamp last = Timestamp::Unset();
    // Packets that the recording had to leave out.
    std::int64_t missing = 0;
  };
  // Returns a summary for each stream.
  absl::StatusOr<std::vector<StreamSummary>> Summarize() const;

 private:
  RecordingReader(std::unique_ptr<SqliteDatabase> database,
                  std::int64_t version)
      : database_(std::move(database)), version_(version) {}

  absl::Status CheckTables() const;
  bool HasTimes() const { return version_ > 3; }
  absl::Status ReadHeader();
  absl::Status ReadStreams();
  absl::Status ReadMessages();
  // `table`: side_packet or that of headers.
  absl::Status ReadSidePackets(absl::string_view table,
                               std::vector<RecordedSidePacket>* side_packets);
  absl::StatusOr<absl::optional<std::string>> ReadInfo(
      absl::string_view key) const;

  const std::unique_ptr<SqliteDatabase> database_;
  const std::int64_t version_;
  RecordingHeader header_;
  absl::optional<std::string> ended_;
  std::string made_by_;
  std::string made_at_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RECORDING_RECORDING_READER_H_
