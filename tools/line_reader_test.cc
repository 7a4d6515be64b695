// Lines are what is between line ends, however the bytes arrive; reading stops
// at the end, at a line without end, and when it is told to.
#include "tools/line_reader.h"

#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Path(const std::string& name) {
  return ::testing::TempDir() + "/" + name;
}

std::vector<std::string> LinesOf(const std::string& text) {
  const std::string path = Path("lines.txt");
  std::ofstream(path, std::ios::binary) << text;
  LineReader reader;
  SYNCLINE_EXPECT_OK(reader.Open(path));
  std::vector<std::string> lines;
  std::string line;
  for (;;) {
    const absl::StatusOr<bool> is_line = reader.Next(&line);
    SYNCLINE_EXPECT_OK(is_line.status());
    if (!is_line.ok() || !*is_line) return lines;
    lines.push_back(line);
    EXPECT_EQ(reader.line_number(), lines.size());
  }
}

TEST(LineReaderTest, ReadsLinesWithAndWithoutAnEnd) {
  EXPECT_THAT(LinesOf(""), ElementsAre());
  EXPECT_THAT(LinesOf("a\n\nb\n"), ElementsAre("a", "", "b"));
  EXPECT_THAT(LinesOf("a\nb"), ElementsAre("a", "b"));
  EXPECT_THAT(LinesOf("\n"), ElementsAre(""));
}

TEST(LineReaderTest, ReadsLinesAcrossBlocks) {
  const std::string a(100000, 'a');
  const std::string b(65535, 'b');  // its end is the first of the next block
  EXPECT_THAT(LinesOf(a + "\n" + b + "\nc"), ElementsAre(a, b, "c"));
}

TEST(LineReaderTest, ALineWithoutEndIsAnError) {
  LineReader reader;
  SYNCLINE_ASSERT_OK(reader.Open("/dev/zero"));
  std::string line;
  const absl::Status status = reader.Next(&line).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("longer than"));
}

TEST(LineReaderTest, SaysWhyAFileCannotBeOpened) {
  LineReader absent;
  EXPECT_EQ(absent.Open(Path("absent")).code(), absl::StatusCode::kNotFound);
  LineReader folder;
  EXPECT_THAT(std::string(folder.Open(::testing::TempDir()).message()),
              HasSubstr("directory"));
}

TEST(LineReaderTest, StopsWaitingForAPipeWhenItIsTold) {
  int interrupt[2];
  int input[2];
  ASSERT_EQ(pipe(interrupt), 0);
  ASSERT_EQ(pipe(input), 0);
  ASSERT_EQ(write(input[1], "a\nb", 3), 3);
  LineReader reader;
  SYNCLINE_ASSERT_OK(reader.Open("/dev/fd/" + std::to_string(input[0])));
  reader.set_interrupt_fd(interrupt[0]);
  std::string line;
  EXPECT_TRUE(*reader.Next(&line));
  EXPECT_EQ(line, "a");
  std::thread teller([&] { EXPECT_EQ(write(interrupt[1], "!", 1), 1); });
  EXPECT_EQ(reader.Next(&line).status().code(), absl::StatusCode::kCancelled);
  teller.join();
  for (const int fd : {interrupt[0], interrupt[1], input[0], input[1]}) {
    close(fd);
  }
}

}  // namespace
}  // namespace syncline
