// A file that is compiled with a floor: what lies above it is no code.

#define DEBUG an_old_macro_of_somebody  // does no harm
#define SYNCLINE_LOG_ACTIVE_LEVEL 2

#include <fstream>
#include <sstream>
#include <string>

#include "absl/strings/match.h"
#include "framework/base/log_levels.h"
#include "framework/calculator/log.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

int Counted(int* count) { return ++*count; }

TEST(LogFloorTest, WhatLiesAboveTheFloorIsNotEvaluated) {
  SetLogLevel(LogLevel::kVerbose);
  int count = 0;
  SYNCLINE_LOG(INFO) << Counted(&count);
  SYNCLINE_LOG(DEBUG) << Counted(&count);
  SYNCLINE_LOG(VERBOSE) << Counted(&count);
  SYNCLINE_LOG_IF(INFO, Counted(&count) > 0) << "";
  SYNCLINE_LOG_EVERY_N(INFO, Counted(&count)) << "";
  EXPECT_EQ(count, 0);
  EXPECT_FALSE(SYNCLINE_LOG_IS_ON(INFO));
  EXPECT_TRUE(SYNCLINE_LOG_IS_ON(WARNING));
  SYNCLINE_LOG(WARNING) << Counted(&count);
  EXPECT_EQ(count, 1);
  SetLogLevel(LogLevel::kInfo);
}

// Texts of statements that are left out are not in the program; that of one
// that is left in is found, so the search is good. The texts are cut in two
// here so that the search itself does not bring them.
TEST(LogFloorTest, WhatLiesAboveTheFloorIsNotInTheProgram) {
  SYNCLINE_LOG(WARNING) << "stays in the program 6d1f";
  SYNCLINE_LOG(INFO) << "is left out of it 6d1f";
  std::ifstream file("/proc/self/exe", std::ios::binary);
  std::ostringstream contents;
  contents << file.rdbuf();
  const std::string program = contents.str();
  const std::string end = "6d1f";
  EXPECT_TRUE(absl::StrContains(program, "stays in the program " + end));
  EXPECT_FALSE(absl::StrContains(program, "is left out of it " + end));
}

}  // namespace
}  // namespace syncline
