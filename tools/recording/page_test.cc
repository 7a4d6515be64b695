// What docs/record_and_replay.md shows of a recording is what is seen: in the
// shell of SQLite, and when a replay differs.

#include <sqlite3.h>
#include <stdlib.h>

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_bytes.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "framework/recording/recording_file.h"
#include "framework/recording/recording_reader.h"
#include "framework/recording/recording_writer.h"
#include "framework/recording/stream_comparison.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

// The block of the page that begins with this line, without its fences.
std::string Block(const std::string& first_line) {
  std::ifstream file("docs/record_and_replay.md");
  std::stringstream page;
  page << file.rdbuf();
  const std::string begin = absl::StrCat("```text\n", first_line);
  const std::size_t at = page.str().find(begin);
  EXPECT_NE(at, std::string::npos) << first_line;
  if (at == std::string::npos) return "";
  const std::size_t text = at + absl::string_view("```text\n").size();
  return page.str().substr(text, page.str().find("```", text) - text);
}

std::string BytesOf(int value) {
  return BytesOfPacket(MakePacket<int>(value)).value();
}

// The recording of the page: numbers, and their sums so far.
std::string Recorded() {
  const std::string path = ::testing::TempDir() + "/sum.syncline";
  std::remove(path.c_str());
  RecordingHeader header;
  header.streams = {{"numbers", true, "int"}, {"sums", false, "int"}};
  auto writer = RecordingWriter::Create(path, header).value();
  const std::vector<std::int64_t> arrivals = {31'000, 33'000, 34'000, 36'000};
  int sum = 0;
  for (int i = 0; i < 4; ++i) {
    const Timestamp timestamp(10 * (i + 1));
    sum += 4 + i;
    SYNCLINE_EXPECT_OK(writer->AppendPacket(2 * i + 1, 0, timestamp,
                                            arrivals[i], BytesOf(4 + i)));
    SYNCLINE_EXPECT_OK(writer->AppendPacket(2 * i + 2, 1, timestamp,
                                            arrivals[i] + 500, BytesOf(sum)));
  }
  SYNCLINE_EXPECT_OK(writer->Finish("OK"));
  return path;
}

// As the shell prints rows.
std::string ByLibrary(const std::string& path, const std::string& query) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  std::string rows;
  const auto add_row = [](void* to, int columns, char** values, char**) {
    std::string* const rows = static_cast<std::string*>(to);
    for (int i = 0; i < columns; ++i) {
      absl::StrAppend(rows, i == 0 ? "" : "|",
                      values[i] == nullptr ? "" : values[i]);
    }
    absl::StrAppend(rows, "\n");
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(database, query.c_str(), add_row, &rows, nullptr),
            SQLITE_OK)
      << query;
  sqlite3_close(database);
  return rows;
}

std::string ByShell(const std::string& path, const std::string& query) {
  const std::string command = absl::StrCat("sqlite3 ", path, " '", query, "'");
  std::FILE* const shell = popen(command.c_str(), "r");
  std::string rows;
  char buffer[256];
  while (std::fgets(buffer, sizeof(buffer), shell) != nullptr) rows += buffer;
  pclose(shell);
  return rows;
}

TEST(RecordAndReplayPageTest, TheShellOfSqlitePrintsWhatIsShown) {
  const std::string path = Recorded();
  const bool has_shell = system("command -v sqlite3 >/dev/null 2>&1") == 0;
  // Queries and what follows them.
  std::vector<std::pair<std::string, std::string>> shown;
  for (absl::string_view line : absl::StrSplit(
           Block("$ sqlite3 sum.syncline\n"), '\n', absl::SkipEmpty())) {
    if (absl::ConsumePrefix(&line, "sqlite> ")) {
      shown.emplace_back(line, "");
    } else if (!shown.empty()) {
      absl::StrAppend(&shown.back().second, line, "\n");
    }
  }
  ASSERT_THAT(shown, Not(IsEmpty()));
  for (const auto& [query, rows] : shown) {
    EXPECT_EQ(ByLibrary(path, query), rows) << query;
    if (!has_shell) continue;
    EXPECT_EQ(ByShell(path, query), rows) << query;
  }
}

TEST(RecordAndReplayPageTest, ADifferenceLooksAsItIsShown) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto recording,
                                RecordingReader::Open(Recorded()));
  RecordingRange range;
  range.stream = 1;
  range.packets_only = true;
  SYNCLINE_ASSERT_OK_AND_ASSIGN(RecordingEvents events,
                                recording->Events(range));
  StreamComparison comparison(recording->header().streams[1], std::move(events),
                              /*may_end_early=*/false);
  int timestamp = 0;
  for (const int sum : {4, 9, 16, 23}) {
    timestamp += 10;
    SYNCLINE_ASSERT_OK(comparison.Compare(Timestamp(timestamp), BytesOf(sum)));
  }
  SYNCLINE_ASSERT_OK(comparison.Finish());
  EXPECT_EQ(
      absl::StrCat("run_graph: ", comparison.Difference(),
                   InputsAround(*recording, comparison.timestamp()), "\n"),
      Block("run_graph: stream \"sums\""));
}

}  // namespace
}  // namespace syncline
