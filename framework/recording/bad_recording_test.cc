// What is no recording, one of another version, or one that was damaged or made
// to do harm, is an error that says so.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "absl/status/status.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "framework/recording/recording_file.h"
#include "framework/recording/recording_reader.h"
#include "framework/recording/recording_test_support.h"
#include "framework/recording/recording_writer.h"
#include "framework/recording/sqlite.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(BadRecordingTest, WhatIsNoRecordingIsAnError) {
  const auto error = [](const std::string& path) {
    return RecordingReader::Open(path).status();
  };
  EXPECT_EQ(error(NewPath("nowhere")).code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(error(::testing::TempDir()).code(),
            absl::StatusCode::kInvalidArgument);

  const std::string text = NewPath("text");
  std::ofstream(text) << std::string(5'000, 'x');
  EXPECT_EQ(error(text).code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(error(text).message(), HasSubstr("no recording"));

  const std::string empty = NewPath("empty");
  std::ofstream(empty).close();
  EXPECT_THAT(error(empty).message(), HasSubstr("but empty"));

  const std::string other = NewPath("other.db");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      auto database, SqliteDatabase::Open(other, SqliteDatabase::kCreate));
  SYNCLINE_EXPECT_OK(database->Execute("CREATE TABLE t (x)"));
  EXPECT_THAT(error(other).message(), HasSubstr("no recording of Syncline"));
}

TEST(BadRecordingTest, AnotherVersionIsRefused) {
  const std::string path = NewPath("version.syncline");
  NewRecording(path);
  SYNCLINE_ASSERT_OK(ChangeRecording(path, "PRAGMA user_version = 99"));
  const absl::Status status = RecordingReader::Open(path).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), HasSubstr("version 99"));
  EXPECT_THAT(status.message(), HasSubstr("reads versions 1 to 4"));
}

TEST(BadRecordingTest, ImpossibleValuesAreErrors) {
  for (const std::string change :
       {"UPDATE packet SET stream = 5", "UPDATE stream SET type = ''",
        "UPDATE packet SET timestamp = -9223372036854775808",
        "UPDATE packet SET arrival_ns = -1",
        "INSERT INTO gap VALUES (0, 0, -1); DELETE FROM packet"}) {
    const std::string path = NewPath("impossible.syncline");
    {
      auto writer = NewRecording(path);
      SYNCLINE_EXPECT_OK(writer->AppendPacket(1, 0, Timestamp(1), 0, "x"));
      SYNCLINE_EXPECT_OK(writer->Finish("OK"));
    }
    SYNCLINE_ASSERT_OK(ChangeRecording(path, change));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
    EXPECT_THAT(EventTexts(*recording, {}),
                ElementsAre(HasSubstr("is damaged")));
  }
}

// What is in a file, such as a name, would be run where it is copied to a new
// one (`recording cut`).
TEST(BadRecordingTest, StatementsAreNoNamesOfStreams) {
  const std::string path = NewPath("statements.syncline");
  NewRecording(path);
  SYNCLINE_ASSERT_OK(ChangeRecording(
      path,
      "UPDATE stream SET name = 'x AS SELECT 1; DROP TABLE info' WHERE id = "
      "1"));
  const absl::Status status = RecordingReader::Open(path).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(status.message(), HasSubstr("no stream has the name \"x AS"));

  RecordingHeader header = TwoStreams();
  header.streams[1].name = "x\" AS SELECT 1; DROP TABLE info; --";
  const std::string quoted = NewPath("quoted.syncline");
  SYNCLINE_EXPECT_OK(RecordingWriter::Create(quoted, header).status());
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      auto database, SqliteDatabase::Open(quoted, SqliteDatabase::kReadOnly));
  SYNCLINE_EXPECT_OK(
      database->QueryInt64("SELECT count(*) FROM info").status());
}

TEST(BadRecordingTest, AViewThatGoesOnForEverIsNoTable) {
  const std::string path = NewPath("view.syncline");
  NewRecording(path);
  SYNCLINE_ASSERT_OK(ChangeRecording(path, R"sql(
    DROP TABLE packet;
    CREATE VIEW packet AS
      WITH RECURSIVE c(seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM c)
      SELECT seq, 0 AS stream, seq AS timestamp, 0 AS arrival_ns, '' AS data
      FROM c;
  )sql"));
  const absl::Status status = RecordingReader::Open(path).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(status.message(), HasSubstr("not those of a recording"));
}

// A file that is cut or overwritten at any place is read to an end or an error,
// and never crashes.
TEST(BadRecordingTest, DamagedFilesAreErrors) {
  const std::string path = NewPath("whole.syncline");
  {
    auto writer = NewRecording(path);
    for (int i = 1; i <= 300; ++i) {
      SYNCLINE_EXPECT_OK(writer->AppendPacket(i, i % 2, Timestamp(i), i,
                                              std::string(500, 'x')));
    }
    SYNCLINE_EXPECT_OK(writer->Finish("OK"));
  }
  std::string whole(std::filesystem::file_size(path), '\0');
  std::ifstream(path, std::ios::binary)
      .read(whole.data(), static_cast<std::streamsize>(whole.size()));
  std::mt19937 random(1);
  const std::string damaged = NewPath("damaged.syncline");
  int refused = 0;
  for (int round = 0; round < 100; ++round) {
    std::string bytes = whole;
    if (round % 2 == 0) {
      bytes.resize(random() % whole.size());
    } else {
      for (int i = 0; i < 200; ++i) {
        bytes[random() % bytes.size()] = static_cast<char>(random());
      }
    }
    std::ofstream(damaged, std::ios::binary | std::ios::trunc) << bytes;
    const auto recording = RecordingReader::Open(damaged);
    if (!recording.ok()) {
      EXPECT_THAT(recording.status().message(), HasSubstr(damaged));
      ++refused;
      continue;
    }
    EventTexts(**recording, {});
    (*recording)->Summarize().status().IgnoreError();
  }
  EXPECT_GT(refused, 20);
}

}  // namespace
}  // namespace syncline
