#include "gpu/work_log.h"

#include <memory>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "framework/packet/timestamp.h"
#include "gpu/work_owner.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

WorkOwner LoggedNode(const std::string& name, int timestamp) {
  return {std::make_shared<const std::string>(name), Timestamp(timestamp)};
}

TEST(WorkLogTest, HasTheLastWorkOfEachStreamTheNewestFirst) {
  WorkLog log;
  WorkLog::Entry* const a = log.AddStream("a/0");
  WorkLog::Entry* const b = log.AddStream("b/0");
  log.AddStream("without work");
  EXPECT_EQ(log.ToText(), "");
  log.Note(a, "copy", LoggedNode("a", 1));
  log.Note(b, "blur", LoggedNode("b", 2));
  log.Note(a, "fill", WorkOwner());
  EXPECT_EQ(log.ToText(),
            "\"fill\" of the application on stream \"a/0\", "
            "\"blur\" of node \"b\" at 2 on stream \"b/0\"");
}

TEST(WorkLogTest, KeepsTheNewestOfTheStreamsThatEnded) {
  WorkLog log;
  WorkLog::Entry* const open = log.AddStream("open");
  log.Note(open, "first", WorkOwner());
  for (int i = 0; i < 100; ++i) {
    WorkLog::Entry* const one = log.AddStream(absl::StrCat("s", i));
    log.Note(one, "work", WorkOwner());
    log.EndStream(one);
    log.EndStream(log.AddStream("without work"));
  }
  EXPECT_EQ(log.num_streams(), WorkLog::kMostStreams + 1);
  const std::string text = log.ToText();
  EXPECT_TRUE(absl::StartsWith(text,
                               "\"work\" of the application on stream "
                               "\"s99\", "));
  EXPECT_TRUE(absl::StrContains(text, "\"s92\""));
  EXPECT_FALSE(absl::StrContains(text, "\"s91\""));
  // One that goes on is there as soon as it has newer work.
  EXPECT_FALSE(absl::StrContains(text, "\"open\""));
  log.Note(open, "second", WorkOwner());
  EXPECT_TRUE(absl::StartsWith(log.ToText(), "\"second\""));
}

}  // namespace
}  // namespace syncline::gpu
