#include "framework/deps/random_base.h"

#include "gtest/gtest.h"

namespace syncline {
namespace {

class Always : public RandomBase {
 public:
  float RandFloat() override { return 0.25f; }
};

TEST(RandomBaseTest, WhatIsReplacedIsUsed) {
  Always random;
  RandomBase* base = &random;
  EXPECT_EQ(base->RandFloat(), 0.25f);
  EXPECT_EQ(base->UnbiasedUniform(5), 0);
  EXPECT_EQ(base->UnbiasedUniform64(5), 0u);
}

}  // namespace
}  // namespace syncline
