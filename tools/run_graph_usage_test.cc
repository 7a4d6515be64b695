#include "tools/run_graph_usage.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/device_flag.h"
#include "tools/page_flags.h"
#include "tools/picture_flag.h"
#include "tools/recording_flags.h"
#include "tools/trace_flags.h"

namespace syncline {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAreArray;

TEST(RunGraphUsageTest, SaysWhatTheProgramDoesAndHowItIsCalled) {
  EXPECT_THAT(RunGraphUsage(), StartsWith("Reads a Syncline graph"));
  EXPECT_THAT(RunGraphUsage(), HasSubstr("\n\nusage: run_graph --graph=FILE"));
  EXPECT_THAT(RunGraphUsage(), HasSubstr("\nExit status: 0 the graph is good"));
  EXPECT_THAT(RunGraphUsage(), EndsWith("\n"));
}

// What the lines begin with that explain a flag: "  --from=T, --to=T   of".
std::vector<std::string> ExplainedFlags() {
  std::vector<std::string> flags;
  const std::string usage = RunGraphUsage();
  for (absl::string_view line : absl::StrSplit(usage, '\n')) {
    if (!absl::ConsumePrefix(&line, "  --")) continue;
    line = line.substr(0, line.find("  "));
    for (absl::string_view flag : absl::StrSplit(line, ", --")) {
      flags.emplace_back(flag.substr(0, flag.find_first_of("=[")));
    }
  }
  return flags;
}

TEST(RunGraphUsageTest, EachFlagIsExplained) {
  std::vector<std::string> flags = RecordingFlagNames();
  for (const std::string& flag : TraceFlagNames()) flags.push_back(flag);
  for (const std::string& flag : PictureFlagNames()) flags.push_back(flag);
  for (const std::string& flag : DeviceFlagNames()) flags.push_back(flag);
  for (const std::string& flag : PageFlagNames()) flags.push_back(flag);
  for (const char* const flag :
       {"graph", "template_args", "input_side_packets", "input", "output",
        "plugin", "log_level", "explore", "check", "lint", "describe",
        "list_types", "strict", "allow_leftover", "explain_after",
        "write_binary", "version", "help"}) {
    flags.emplace_back(flag);
  }
  // Once more with what it does to a replay.
  flags.emplace_back("check");
  EXPECT_THAT(ExplainedFlags(), UnorderedElementsAreArray(flags));
}

TEST(RunGraphUsageTest, FitsATerminal) {
  for (const std::string& usage : {RunGraphUsage(), RunGraphHelp()}) {
    for (const absl::string_view line : absl::StrSplit(usage, '\n')) {
      EXPECT_LE(line.size(), 80u) << line;
    }
  }
}

TEST(RunGraphUsageTest, TheShortOneIsAScreenWithExamples) {
  const std::vector<std::string> lines = absl::StrSplit(RunGraphHelp(), '\n');
  EXPECT_LE(lines.size(), 41u);
  EXPECT_THAT(RunGraphHelp(), HasSubstr("\n\nusage: run_graph --graph=FILE"));
  EXPECT_THAT(RunGraphHelp(), HasSubstr("\nExamples:\n  run_graph --graph="));
  EXPECT_THAT(RunGraphHelp(), HasSubstr("\nExit status: 0 the graph is good"));
  EXPECT_THAT(RunGraphHelp(), HasSubstr("  --help=all  "));
}

TEST(RunGraphUsageTest, WhatTheShortOneNamesIsInTheOther) {
  const std::string help = RunGraphHelp();
  const std::string usage = RunGraphUsage();
  int flags = 0;
  for (absl::string_view line : absl::StrSplit(help, '\n')) {
    if (!absl::ConsumePrefix(&line, "  --")) continue;
    line = line.substr(0, line.find_first_of("= "));
    EXPECT_THAT(usage, HasSubstr(absl::StrCat("\n  --", line)));
    ++flags;
  }
  EXPECT_GT(flags, 10);
}

}  // namespace
}  // namespace syncline
