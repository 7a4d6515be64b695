#include "framework/run/inside_run.h"

#include <thread>

#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(InsideRunTest, AThreadIsInsideOfARunAsLongAsTheObjectLives) {
  const int run = 0;
  const int other = 0;
  EXPECT_FALSE(InsideRun::IsAny());
  EXPECT_FALSE(InsideRun::Is(&run));
  {
    const InsideRun inside(&run);
    EXPECT_TRUE(InsideRun::IsAny());
    EXPECT_TRUE(InsideRun::Is(&run));
    EXPECT_FALSE(InsideRun::Is(&other));
  }
  EXPECT_FALSE(InsideRun::IsAny());
  EXPECT_FALSE(InsideRun::Is(&run));
}

TEST(InsideRunTest, RunsCanBeInsideOfOneAnother) {
  const int outer = 0;
  const int inner = 0;
  const InsideRun in_outer(&outer);
  {
    const InsideRun in_inner(&inner);
    EXPECT_TRUE(InsideRun::Is(&outer));
    EXPECT_TRUE(InsideRun::Is(&inner));
  }
  EXPECT_TRUE(InsideRun::IsAny());
  EXPECT_TRUE(InsideRun::Is(&outer));
  EXPECT_FALSE(InsideRun::Is(&inner));
}

TEST(InsideRunTest, EachThreadIsAskedForItself) {
  const int run = 0;
  const InsideRun inside(&run);
  bool is_inside = true;
  std::thread([&] {
    is_inside = InsideRun::IsAny() || InsideRun::Is(&run);
  }).join();
  EXPECT_FALSE(is_inside);
}

}  // namespace
}  // namespace syncline
