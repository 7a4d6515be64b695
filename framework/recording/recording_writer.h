// RecordingWriter: makes a recording, row by row.
//
// What is appended is in the file for good at the next Commit, even if the
// program is killed right after; what came later is gone then. After an error
// nothing more can be written, and what was committed stays.
//
// Thread rule: one thread at a time.
// Tested by recording_file_test.

#ifndef SYNCLINE_FRAMEWORK_RECORDING_RECORDING_WRITER_H_
#define SYNCLINE_FRAMEWORK_RECORDING_RECORDING_WRITER_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/calculator/packet_times.h"
#include "framework/packet/timestamp.h"
#include "framework/recording/recording_file.h"
#include "framework/recording/sqlite.h"

namespace syncline {

class RecordingWriter {
 public:
  // Makes the file, with everything but events in it. ALREADY_EXISTS when there
  // is one. On an error there is none.
  static absl::StatusOr<std::unique_ptr<RecordingWriter>> Create(
      const std::string& path, const RecordingHeader& header);
  // Events that were not committed are lost.
  ~RecordingWriter();

  // Each `seq` is above the one before. `data` must live until the call
  // returns.
  // Times that are kNone are not written.
  absl::Status AppendPacket(std::int64_t seq, int stream, Timestamp timestamp,
                            std::int64_t arrival_ns, absl::string_view data,
                            const PacketTimes& times = PacketTimes());
  absl::Status AppendBound(std::int64_t seq, int stream, Timestamp bound,
                           std::int64_t arrival_ns);
  absl::Status AppendGap(std::int64_t seq, int stream, std::int64_t packets);
  // For a stream whose type nobody knew before its first packet.
  absl::Status SetStreamType(int stream, const std::string& type);

  // NOT_FOUND: the file is not there any more, since somebody moved or removed
  // it; nobody would find what is written from then on.
  absl::Status Commit();
  // Commits, and notes that the recording came to its end, and how: "OK" or an
  // error. DATA_LOSS: another program emptied the file. Nothing may follow.
  absl::Status Finish(const std::string& how);
  // Instead: removes the file. Nothing may follow.
  void Discard();

 private:
  RecordingWriter(std::unique_ptr<SqliteDatabase> database, bool was_there)
      : was_there_(was_there), database_(std::move(database)) {}

  // Remembers the numbers of the file.
  absl::Status NoteFile();
  absl::Status CheckFile() const;
  // Opens the file once more to look: the writer itself still has in memory
  // what another program has overwritten.
  absl::Status CheckReadable() const;

  absl::Status WriteHeader(const RecordingHeader& header);
  absl::Status WriteStreams(const RecordingHeader& header);
  // `table`: side_packet or stream_header.
  absl::Status WriteSidePackets(
      absl::string_view table,
      const std::vector<RecordedSidePacket>& side_packets);
  absl::Status WriteMessage(absl::string_view type);
  absl::Status WriteInfo(absl::string_view key, absl::string_view value,
                         bool is_binary = false);
  absl::Status PrepareAppends();
  absl::Status WriteDescriptors(absl::string_view message,
                                absl::string_view descriptors);
  // Takes back a transaction that is open, lets others read the file and
  // removes its journal.
  absl::Status Release();
  // Begins a transaction where there is none.
  absl::Status Begin();

  // There was an empty file of that name already.
  const bool was_there_;
  // The file itself keeps these numbers when somebody renames it.
  dev_t device_ = 0;
  ino_t file_ = 0;
  // Destroyed last, as the statements belong to it.
  const std::unique_ptr<SqliteDatabase> database_;
  SqliteStatement packet_;
  SqliteStatement packet_time_;
  SqliteStatement bound_;
  SqliteStatement gap_;
  bool is_in_transaction_ = false;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RECORDING_RECORDING_WRITER_H_
