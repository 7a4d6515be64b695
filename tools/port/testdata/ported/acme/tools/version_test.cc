#include "acme/public/version.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include "framework/calculator_framework.h"
#include "framework/port/gtest.h"
#include "framework/port/integral_types.h"

namespace syncline {
namespace {

TEST(VersionTest, WhatACommandWritesFits) {
  const int64 labels = SYNCLINE_ACME_LABELS;
  EXPECT_GT(labels, 0);
  EXPECT_EQ(AcmeVersion(), 3);
}

TEST(VersionTest, VariablesOfTheEnvironmentKeepTheirNames) {
  const char* folder = std::getenv("MEDIAPIPE_ACME_DIR");
  ASSERT_NE(folder, nullptr);
  EXPECT_TRUE(std::ifstream(std::string(folder) + "/labels.txt").good());
}

}  // namespace
}  // namespace syncline
