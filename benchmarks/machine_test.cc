// The line about the machine: what it says, and from where.

#include "benchmarks/machine.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(MachineTest, TheProcessorIsTheFirstModelName) {
  EXPECT_EQ(ProcessorOf("processor : 0\nmodel name\t: An EPYC 1 \nmodel name : "
                        "another\n"),
            "An EPYC 1");
  EXPECT_EQ(ProcessorOf("processor : 0\nmodel name\n"), "");
  EXPECT_EQ(ProcessorOf(""), "");
}

TEST(MachineTest, SizesAreInTheLargestUnitThatFits) {
  EXPECT_EQ(Size(64), "64 B");
  EXPECT_EQ(Size(512 * 1024), "512 KB");
  EXPECT_EQ(Size(1024 * 1024), "1 MB");
  EXPECT_EQ(Size(1024 * 1024 + 512 * 1024), "1.5 MB");
}

TEST(MachineTest, ALineOfMemoryTakesSomeTime) {
  const double ns = MeasureRoundTripNs();
  EXPECT_GT(ns, 1);
  EXPECT_LT(ns, 1e9);
}

TEST(MachineTest, OneLineNamesCoresAndTheRoundTrip) {
  const std::string text = DescribeMachine();
  EXPECT_THAT(
      text, AllOf(HasSubstr(" to use"), EndsWith(" ns"), Not(HasSubstr("\n"))));
}

}  // namespace
}  // namespace syncline
