// What tests of recordings share: new files and recordings, the contents of a
// recording as texts, and changes of a file that its writer does not know of.
//
// Thread rule: free functions.

#ifndef SYNCLINE_FRAMEWORK_RECORDING_RECORDING_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_RECORDING_RECORDING_TEST_SUPPORT_H_

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/packet/timestamp.h"
#include "framework/recording/recording_file.h"
#include "framework/recording/recording_reader.h"
#include "framework/recording/recording_writer.h"
#include "framework/recording/sqlite.h"
#include "gtest/gtest.h"

namespace syncline {

// Where no recording is yet.
inline std::string NewPath(const std::string& name) {
  std::string path = absl::StrCat(::testing::TempDir(), "/", name);
  std::filesystem::remove(path);
  std::filesystem::remove(path + "-journal");
  return path;
}

// The graph input "in" of ints and the stream "out" of strings, with a side
// packet and a header.
inline RecordingHeader TwoStreams() {
  RecordingHeader header;
  header.graph.add_input_stream("in");
  header.streams = {{"in", true, "int"}, {"out", false, "string"}};
  header.side_packets = {{"gain", "double", std::string(8, '\0')}};
  header.stream_headers = {{"in", "string", "header"}};
  return header;
}

// Begins a recording of TwoStreams.
inline std::unique_ptr<RecordingWriter> NewRecording(const std::string& path) {
  auto writer = RecordingWriter::Create(path, TwoStreams());
  EXPECT_TRUE(writer.ok()) << writer.status();
  return std::move(writer).value();
}

// Of each event a text: "in@10=DATA" for a packet, "in<11" for a bound, "in|"
// for the end of a stream, "in-7" for a gap; last an error, if there is one.
inline std::vector<std::string> EventTexts(const RecordingReader& recording,
                                           const RecordingRange& range) {
  std::vector<std::string> texts;
  auto events = recording.Events(range);
  if (!events.ok()) return {std::string(events.status().message())};
  RecordedEvent event;
  while (true) {
    const absl::StatusOr<bool> more = events->Next(&event);
    if (!more.ok()) texts.push_back(std::string(more.status().message()));
    if (!more.ok() || !*more) return texts;
    std::string text = recording.header().streams[event.stream].name;
    const std::string time = event.timestamp.DebugString();
    if (event.kind == RecordedEvent::kGap) {
      absl::StrAppend(&text, "-", event.packets);
    } else if (event.kind == RecordedEvent::kPacket) {
      absl::StrAppend(&text, "@", time, "=", event.data);
    } else if (event.timestamp == Timestamp::Done()) {
      absl::StrAppend(&text, "|");
    } else {
      absl::StrAppend(&text, "<", time);
    }
    texts.push_back(std::move(text));
  }
}

// Changes a recording by SQL statements.
inline absl::Status ChangeRecording(const std::string& path,
                                    const std::string& sql) {
  SYNCLINE_ASSIGN_OR_RETURN(
      auto database, SqliteDatabase::Open(path, SqliteDatabase::kReadWrite));
  return database->Execute(sql);
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_RECORDING_RECORDING_TEST_SUPPORT_H_
