#include "tools/check_flags.h"

#include <string>
#include <vector>

#include "absl/flags/flag.h"
#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

ABSL_FLAG(int, count, 3, "How many.");
ABSL_FLAG(bool, quietly, false, "Says nothing.");
ABSL_FLAG(std::string, label, "x", "What it is called.");

namespace syncline {
namespace {

using ::testing::HasSubstr;

// The error; "" if there is none.
std::string Check(std::vector<std::string> args) {
  args.insert(args.begin(), "program");
  const absl::Status status = CheckFlags(args, {"count", "quietly", "label"});
  EXPECT_TRUE(status.ok() || absl::IsInvalidArgument(status));
  return std::string(status.message());
}

TEST(CheckFlagsTest, FlagsGetTheirValues) {
  EXPECT_EQ(Check({"--count=4", "--label", "other", "rest"}), "");
  EXPECT_EQ(absl::GetFlag(FLAGS_count), 4);
  EXPECT_EQ(absl::GetFlag(FLAGS_label), "other");
  EXPECT_EQ(Check({"-count", "5"}), "");
  EXPECT_EQ(absl::GetFlag(FLAGS_count), 5);
}

TEST(CheckFlagsTest, ABoolNeedsNoValue) {
  EXPECT_EQ(Check({"--quietly", "file"}), "");
  EXPECT_EQ(Check({"--noquietly"}), "");
  EXPECT_THAT(Check({"--quietly=perhaps"}),
              HasSubstr("--quietly cannot be \"perhaps\". It is: Says "
                        "nothing."));
}

TEST(CheckFlagsTest, AFlagThatNobodyKnowsIsAnError) {
  EXPECT_EQ(Check({"--cuont=1"}),
            "there is no flag --cuont. Did you mean --count? --help lists them "
            "all");
  EXPECT_THAT(Check({"--nolabels"}), HasSubstr("there is no flag --nolabels"));
}

TEST(CheckFlagsTest, AValueThatDoesNotReadIsAnError) {
  EXPECT_EQ(Check({"--count=many"}),
            "--count cannot be \"many\". It is: How many.");
  EXPECT_THAT(Check({"--count"}), HasSubstr("--count needs a value"));
  EXPECT_THAT(Check({"--label="}), HasSubstr("--label is empty"));
}

TEST(CheckFlagsTest, WhatFollowsTwoDashesIsNoFlag) {
  EXPECT_EQ(Check({"--", "--cuont"}), "");
  EXPECT_EQ(Check({"-", "file"}), "");
}

TEST(CheckFlagsTest, TheLibraryAnswersForHelpAndVersion) {
  EXPECT_EQ(Check({"--help", "--helpfull", "--version"}), "");
}

bool Wants(std::vector<std::string> args) {
  args.insert(args.begin(), "program");
  std::vector<char*> argv;
  for (std::string& arg : args) argv.push_back(arg.data());
  return WantsHelp(static_cast<int>(argv.size()), argv.data());
}

TEST(CheckFlagsTest, HelpIsAskedForInManyWays) {
  EXPECT_TRUE(Wants({"--help"}));
  EXPECT_TRUE(Wants({"-help"}));
  EXPECT_TRUE(Wants({"--count=1", "-h"}));
  EXPECT_FALSE(Wants({"--count=1", "help"}));
  EXPECT_FALSE(Wants({"--", "--help"}));
}

}  // namespace
}  // namespace syncline
