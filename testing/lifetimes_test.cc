// Counted packets and calculators are counted, and what is left fails the test.
#include "testing/lifetimes.h"

#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

class Calculator : public CountedCalculator {
 public:
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};

TEST(LifetimesTestTest, CountsPacketsUntilTheLastCopyIsGone) {
  Packet packet = MakeCounted<int>(7).At(Timestamp(1));
  Packet copy = packet.At(Timestamp(2));
  EXPECT_EQ(copy.Get<int>(), 7);
  packet = Packet();
  EXPECT_EQ(Lifetimes::live_packets, 1);
  copy = Packet();
  EXPECT_EQ(Lifetimes::live_packets, 0);
}

TEST(LifetimesTestTest, CountsCalculators) {
  {
    Calculator calculator;
    EXPECT_EQ(Lifetimes::live_calculators, 1);
  }
  EXPECT_EQ(Lifetimes::live_calculators, 0);
}

class TearDownCaller : public LifetimesTest {
 public:
  void TestBody() override {}
  void End() { TearDown(); }
};

TEST(LifetimesTestTest, WhatIsLeftFailsTheTest) {
  static Packet* const packet = new Packet(MakeCounted<int>(7));
  EXPECT_NONFATAL_FAILURE(TearDownCaller().End(), "packets are left over");
  EXPECT_EQ(Lifetimes::live_packets, 0);
  delete packet;
  Lifetimes::live_packets = 0;
}

}  // namespace
}  // namespace syncline
