// What is written comes back, in order, under every name of file and stream;
// and a program that is killed at any moment leaves a file with everything up
// to its last commit.

#include "framework/recording/recording_file.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "framework/recording/recording_reader.h"
#include "framework/recording/recording_test_support.h"
#include "framework/recording/recording_writer.h"
#include "framework/recording/sqlite.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(RecordingFileTest, WhatIsWrittenComesBackInOrder) {
  const std::string path = NewPath("order.syncline");
  {
    auto writer = NewRecording(path);
    SYNCLINE_EXPECT_OK(writer->AppendPacket(1, 0, Timestamp(10), 1'000, "ten"));
    SYNCLINE_EXPECT_OK(writer->AppendBound(2, 0, Timestamp(21), 2'000));
    SYNCLINE_EXPECT_OK(writer->AppendPacket(3, 1, Timestamp(10), 3'000,
                                            std::string("\0x", 2)));
    SYNCLINE_EXPECT_OK(writer->AppendGap(4, 1, 7));
    SYNCLINE_EXPECT_OK(
        writer->AppendPacket(5, 1, Timestamp::PostStream(), 5'000, ""));
    SYNCLINE_EXPECT_OK(writer->AppendBound(6, 0, Timestamp::Done(), 6'000));
    SYNCLINE_EXPECT_OK(writer->Finish("OK"));
  }
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
  EXPECT_EQ(recording->header().graph.input_stream(0), "in");
  EXPECT_EQ(recording->header().streams[1].type, "string");
  EXPECT_TRUE(recording->header().streams[0].is_input);
  EXPECT_EQ(recording->header().side_packets[0].data.size(), 8u);
  EXPECT_EQ(recording->header().stream_headers[0].name, "in");
  EXPECT_EQ(recording->header().stream_headers[0].data, "header");
  EXPECT_EQ(recording->ended(), "OK");
  EXPECT_EQ(recording->FindStream("out"), 1);
  EXPECT_EQ(recording->FindStream("other"), absl::nullopt);
  EXPECT_THAT(EventTexts(*recording, {}),
              ElementsAre("in@10=ten", "in<21", std::string("out@10=\0x", 9),
                          "out-7", "out@Timestamp::PostStream()=", "in|"));
  RecordingRange range;
  range.no_bounds = true;
  range.stream = 1;
  EXPECT_THAT(EventTexts(*recording, range),
              ElementsAre(std::string("out@10=\0x", 9), "out-7",
                          "out@Timestamp::PostStream()="));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto summary, recording->Summarize());
  EXPECT_EQ(summary[1].packets, 2);
  EXPECT_EQ(summary[1].bytes, 2);
  EXPECT_EQ(summary[1].missing, 7);
  EXPECT_EQ(summary[0].first, Timestamp(10));
}

TEST(RecordingFileTest, AFinishedRecordingIsOneFile) {
  const std::string path = NewPath("one_file.syncline");
  const auto writer = NewRecording(path);
  SYNCLINE_EXPECT_OK(writer->AppendPacket(1, 0, Timestamp(10), 1'000, "ten"));
  SYNCLINE_EXPECT_OK(writer->Finish("OK"));
  EXPECT_TRUE(std::filesystem::exists(path));
  EXPECT_FALSE(std::filesystem::exists(path + "-journal"));
}

TEST(RecordingFileTest, OneThatIsNotFinishedIsOneFileWithWhatWasCommitted) {
  const std::string path = NewPath("unfinished.syncline");
  {
    auto writer = NewRecording(path);
    SYNCLINE_EXPECT_OK(writer->AppendPacket(1, 0, Timestamp(1), 0, "x"));
    SYNCLINE_EXPECT_OK(writer->Commit());
    SYNCLINE_EXPECT_OK(writer->AppendPacket(2, 0, Timestamp(2), 0, "y"));
  }
  EXPECT_FALSE(std::filesystem::exists(path + "-journal"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
  EXPECT_THAT(EventTexts(*recording, {}), ElementsAre("in@1=x"));
}

TEST(RecordingFileTest, NothingComesAfterTheEnd) {
  const std::string path = NewPath("end.syncline");
  auto writer = NewRecording(path);
  SYNCLINE_EXPECT_OK(writer->AppendPacket(1, 0, Timestamp(10), 0, "x"));
  SYNCLINE_EXPECT_OK(writer->Finish("OK"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(RecordingEvents events, recording->Events({}));
  RecordedEvent event;
  SYNCLINE_ASSERT_OK_AND_ASSIGN(bool more, events.Next(&event));
  EXPECT_TRUE(more);
  for (int i = 0; i < 3; ++i) {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(more, events.Next(&event));
    EXPECT_FALSE(more);
  }
}

TEST(RecordingFileTest, ARangeHasPacketsOfItsTimestampsOnly) {
  const std::string path = NewPath("range.syncline");
  auto writer = NewRecording(path);
  for (int i = 1; i <= 5; ++i) {
    SYNCLINE_EXPECT_OK(writer->AppendPacket(2 * i, 0, Timestamp(i), 0, "i"));
    SYNCLINE_EXPECT_OK(
        writer->AppendPacket(2 * i + 1, 1, Timestamp(i), 0, "o"));
  }
  SYNCLINE_EXPECT_OK(writer->Finish("OK"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
  RecordingRange range;
  range.from = Timestamp(2);
  range.to = Timestamp(3);
  EXPECT_THAT(EventTexts(*recording, range),
              ElementsAre("in@2=i", "out@2=o", "in@3=i", "out@3=o"));
  range.stream = 1;
  EXPECT_THAT(EventTexts(*recording, range), ElementsAre("out@2=o", "out@3=o"));
}

TEST(RecordingFileTest, OrdinaryToolsReadIt) {
  const std::string path = NewPath("views.syncline");
  auto writer = NewRecording(path);
  SYNCLINE_EXPECT_OK(
      writer->AppendPacket(1, 0, Timestamp(1'500'000), 2'000'000, "abc"));
  SYNCLINE_EXPECT_OK(
      writer->AppendPacket(2, 0, Timestamp::PostStream(), 3'000'000, ""));
  SYNCLINE_EXPECT_OK(writer->Finish("OK"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      auto database, SqliteDatabase::Open(path, SqliteDatabase::kReadOnly));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      SqliteStatement query,
      database->Prepare("SELECT timestamp, seconds, arrival_ms, bytes "
                        "FROM stream_in ORDER BY seq"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(bool more, query.Step());
  ASSERT_TRUE(more);
  EXPECT_EQ(query.Text(0), "1500000");
  EXPECT_EQ(query.Text(1), "1.500000");
  EXPECT_EQ(query.Text(2), "2.000");
  EXPECT_EQ(query.Int64(3), 3);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(more, query.Step());
  ASSERT_TRUE(more);
  EXPECT_EQ(query.Text(0), "PostStream");
  EXPECT_TRUE(query.IsNull(1));
}

TEST(RecordingFileTest, AStreamMayHaveTheNameOfAnythingInSql) {
  RecordingHeader header;
  for (const char* name : {"header", "select", "info", "packet", "_"}) {
    header.streams.push_back({name, true, "int"});
  }
  const std::string path = NewPath("names.syncline");
  {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(auto writer,
                                  RecordingWriter::Create(path, header));
    SYNCLINE_EXPECT_OK(writer->AppendPacket(1, 0, Timestamp(7), 0, "x"));
    SYNCLINE_EXPECT_OK(writer->Finish("OK"));
  }
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
  EXPECT_EQ(recording->FindStream("header"), 0);
  EXPECT_EQ(recording->FindStream("_"), 4);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      auto database, SqliteDatabase::Open(path, SqliteDatabase::kReadOnly));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const std::int64_t timestamp,
      database->QueryInt64("SELECT timestamp FROM stream_header"));
  EXPECT_EQ(timestamp, 7);
  SYNCLINE_EXPECT_OK(
      database->QueryInt64("SELECT count(*) FROM stream_select").status());
}

// A reader that takes its time would hold up the commits, and with them the
// graph.
TEST(RecordingFileTest, ARecordingIsReadWhenItIsFinished) {
  const std::string path = NewPath("busy.syncline");
  auto writer = NewRecording(path);
  SYNCLINE_EXPECT_OK(writer->AppendPacket(1, 0, Timestamp(1), 0, "x"));
  SYNCLINE_EXPECT_OK(writer->Commit());
  const absl::Status status = RecordingReader::Open(path).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("once it is finished"));
  SYNCLINE_EXPECT_OK(writer->AppendPacket(2, 0, Timestamp(2), 0, "y"));
  SYNCLINE_EXPECT_OK(writer->Finish("OK"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
  EXPECT_THAT(EventTexts(*recording, {}), ElementsAre("in@1=x", "in@2=y"));
}

TEST(RecordingFileTest, EveryPathIsTheNameOfAFile) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(::testing::TempDir());
  for (const std::string path :
       {":memory:", "file:names?mode=memory", "\xff\xfe", "a b'\"%41"}) {
    std::filesystem::remove(path);
    NewRecording(path);
    EXPECT_TRUE(std::filesystem::exists(path)) << path;
    SYNCLINE_EXPECT_OK(RecordingReader::Open(path).status());
    EXPECT_EQ(RecordingWriter::Create(path, TwoStreams()).status().code(),
              absl::StatusCode::kAlreadyExists);
    std::filesystem::remove(path);
  }
  EXPECT_THAT(RecordingWriter::Create("no/such/folder", TwoStreams())
                  .status()
                  .message(),
              HasSubstr("look whether its folder is there"));
  std::filesystem::current_path(before);
}

TEST(RecordingFileTest, AValueThatIsTooLargeIsAnErrorAndTheRestStays) {
  constexpr std::size_t kTooLarge = 1'000'000'001;
  void* const memory = mmap(nullptr, kTooLarge, PROT_READ,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  const std::string path = NewPath("large.syncline");
  {
    auto writer = NewRecording(path);
    SYNCLINE_EXPECT_OK(writer->AppendPacket(1, 0, Timestamp(1), 0, "x"));
    const absl::Status status = writer->AppendPacket(
        2, 0, Timestamp(2), 0,
        absl::string_view(static_cast<const char*>(memory), kTooLarge));
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted);
    EXPECT_THAT(status.message(), HasSubstr("1,000,000,000 bytes"));
    SYNCLINE_EXPECT_OK(writer->Commit());
  }
  munmap(memory, kTooLarge);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
  EXPECT_THAT(EventTexts(*recording, {}), ElementsAre("in@1=x"));
}

TEST(RecordingFileTest, AFileThatIsThereIsNotOverwritten) {
  const std::string path = NewPath("there.syncline");
  NewRecording(path);
  const auto again = RecordingWriter::Create(path, TwoStreams());
  EXPECT_EQ(again.status().code(), absl::StatusCode::kAlreadyExists);
  EXPECT_THAT(again.status().message(), HasSubstr(path));
}

TEST(RecordingFileTest, AFileThatSomebodyMovesOrRemovesIsToldOf) {
  const std::string moved = NewPath("moved.syncline");
  for (const bool is_removed : {true, false}) {
    for (const bool is_replaced : {false, true}) {
      const std::string path = NewPath("vanishes.syncline");
      auto writer = NewRecording(path);
      SYNCLINE_EXPECT_OK(writer->AppendPacket(1, 0, Timestamp(1), 0, "x"));
      SYNCLINE_EXPECT_OK(writer->Commit());
      if (is_removed) {
        std::filesystem::remove(path);
      } else {
        std::filesystem::rename(path, moved);
      }
      if (is_replaced) std::ofstream(path) << "another file";
      const absl::Status status = writer->Finish("OK");
      EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
      EXPECT_THAT(status.message(), HasSubstr(path));
    }
  }
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(moved));
  EXPECT_EQ(EventTexts(*recording, {}).size(), 1u);
}

// Its name and place are as they were.
TEST(RecordingFileTest, AFileThatSomebodyEmptiesIsToldOf) {
  for (const int packets_after : {0, 10, 1000}) {
    const std::string path = NewPath("emptied.syncline");
    auto writer = NewRecording(path);
    SYNCLINE_EXPECT_OK(
        writer->AppendPacket(0, 0, Timestamp(0), 0, std::string(100000, 'x')));
    SYNCLINE_EXPECT_OK(writer->Commit());
    std::ofstream(path).close();
    for (int i = 1; i <= packets_after; ++i) {
      SYNCLINE_EXPECT_OK(
          writer->AppendPacket(i, 0, Timestamp(i), 0, std::string(1000, 'y')));
      if (i % 10 == 0) {
        SYNCLINE_EXPECT_OK(writer->Commit());
      }
    }
    const absl::Status status = writer->Finish("OK");
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << status;
    EXPECT_THAT(status.message(),
                AllOf(HasSubstr(path), HasSubstr("emptied the file")));
  }
}

// The child says after each commit how far it is; the parent kills it anywhere.
void WriteUntilKilled(const std::string& path, int progress) {
  auto writer = RecordingWriter::Create(path, TwoStreams());
  if (!writer.ok()) _exit(1);
  for (std::int64_t seq = 1;; ++seq) {
    if (!(*writer)
             ->AppendPacket(seq, 0, Timestamp(seq), seq,
                            std::string(900, static_cast<char>(seq)))
             .ok()) {
      _exit(2);
    }
    if (seq % 50 != 0) continue;
    if (!(*writer)->Commit().ok()) _exit(3);
    if (write(progress, &seq, sizeof(seq)) != sizeof(seq)) _exit(4);
  }
}

TEST(RecordingFileTest, AKilledProgramLeavesEverythingUpToItsLastCommit) {
  std::mt19937 random(7);
  std::int64_t most = 0;
  for (int round = 0; round < 40; ++round) {
    const std::string path = NewPath("killed.syncline");
    int progress[2];
    ASSERT_EQ(pipe(progress), 0);
    const pid_t child = fork();
    if (child == 0) WriteUntilKilled(path, progress[1]);
    close(progress[1]);
    std::int64_t committed = 0;
    // From the first commit on, since before there may be no file.
    ASSERT_EQ(read(progress[0], &committed, sizeof(committed)),
              ssize_t{sizeof(committed)});
    usleep(random() % 15'000);
    kill(child, SIGKILL);
    while (read(progress[0], &committed, sizeof(committed)) ==
           sizeof(committed)) {
    }
    close(progress[0]);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "exit " << WEXITSTATUS(status);

    SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
    EXPECT_EQ(recording->ended(), absl::nullopt);
    SYNCLINE_ASSERT_OK_AND_ASSIGN(RecordingEvents events,
                                  recording->Events({}));
    RecordedEvent event;
    std::int64_t last = 0;
    while (true) {
      SYNCLINE_ASSERT_OK_AND_ASSIGN(const bool more, events.Next(&event));
      if (!more) break;
      ASSERT_EQ(event.seq, ++last);
      ASSERT_EQ(event.data.size(), 900u);
    }
    EXPECT_GE(last, committed);
    EXPECT_EQ(last % 50, 0);
    most = std::max(most, last);
  }
  EXPECT_GT(most, 100);
}

// A file that may not grow any more stands for a disk that is full.
void WriteUntilFull(const std::string& path, int progress) {
  signal(SIGXFSZ, SIG_IGN);
  const rlimit limit = {2'000'000, 2'000'000};
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(1);
  auto writer = RecordingWriter::Create(path, TwoStreams());
  if (!writer.ok()) _exit(2);
  std::int64_t committed = 0;
  absl::Status status;
  for (std::int64_t seq = 1; status.ok() && seq < 10'000; ++seq) {
    status = (*writer)->AppendPacket(seq, 0, Timestamp(seq), seq,
                                     std::string(900, 'x'));
    if (seq % 50 != 0 || !status.ok()) continue;
    status = (*writer)->Commit();
    if (status.ok()) committed = seq;
  }
  const bool is_clear =
      !status.ok() && absl::StrContains(status.message(), path);
  if (!is_clear ||
      write(progress, &committed, sizeof(committed)) != sizeof(committed)) {
    _exit(3);
  }
  _exit(0);
}

TEST(RecordingFileTest, WhatWasCommittedBeforeTheDiskWasFullStays) {
  const std::string path = NewPath("full.syncline");
  int progress[2];
  ASSERT_EQ(pipe(progress), 0);
  const pid_t child = fork();
  if (child == 0) WriteUntilFull(path, progress[1]);
  close(progress[1]);
  std::int64_t committed = 0;
  EXPECT_EQ(read(progress[0], &committed, sizeof(committed)),
            ssize_t{sizeof(committed)});
  close(progress[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_GT(committed, 500);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto summary, recording->Summarize());
  EXPECT_EQ(summary[0].packets, committed);
}

}  // namespace
}  // namespace syncline
