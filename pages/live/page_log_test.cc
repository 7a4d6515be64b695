// What is logged is there for a page, up to a limit.
#include "pages/live/page_log.h"

#include <string>
#include <vector>

#include "glog/logging.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(PageLogTest, HasTheLinesThatCameBehindANumber) {
  LOG(INFO) << "before";
  const PageLog log;
  EXPECT_EQ(log.last(), 0);
  LOG(INFO) << "first <b>";
  LOG(WARNING) << "second";
  LOG(ERROR) << "third";
  EXPECT_EQ(log.last(), 3);
  const std::vector<PageLog::Line> lines = log.Since(1);
  ASSERT_EQ(lines.size(), 2);
  EXPECT_EQ(lines[0].number, 2);
  EXPECT_EQ(lines[0].severity, 'W');
  EXPECT_EQ(lines[0].text, "second");
  EXPECT_THAT(lines[0].place, testing::MatchesRegex("page_log_test.cc:[0-9]+"));
  EXPECT_THAT(lines[0].time, testing::MatchesRegex("[0-9]+:[0-9]+:[0-9]+"));
  EXPECT_EQ(lines[1].severity, 'E');
  EXPECT_TRUE(log.Since(3).empty());
}

TEST(PageLogTest, KeepsTheLastLinesAndCutsLongOnes) {
  const PageLog log;
  for (std::size_t i = 0; i < PageLog::kMostLines + 10; ++i) {
    LOG(INFO) << std::string(2 * PageLog::kLongestLine, 'x');
  }
  const std::vector<PageLog::Line> lines = log.Since(0);
  EXPECT_EQ(lines.size(), PageLog::kMostLines);
  EXPECT_EQ(lines.front().number, 11);
  EXPECT_EQ(lines.back().number, log.last());
  EXPECT_LE(lines.back().text.size(), PageLog::kLongestLine + 4);
}

}  // namespace
}  // namespace syncline
