// Lifetimes: how many packets and calculators of a test are still alive.
//
//   class MyTest : public LifetimesTest {};
//   TEST_F(MyTest, LeavesNothingBehind) {
//     ... MakeCounted<int>(7).At(Timestamp(0)) ...
//   }
//
// A graph that has ended, however it ended, holds no packet and no calculator.
// Packets of MakeCounted and calculators that derive from CountedCalculator are
// counted, as are all those of test_calculators.h; after each test of a fixture
// that derives from LifetimesTest both counts have to be zero.
//
// To every reader a counted packet is an ordinary packet of its type, except
// that nobody can consume it.
//
// Thread rule: counts are safe from any thread.
// Tested by lifetimes_test.

#ifndef SYNCLINE_TESTING_LIFETIMES_H_
#define SYNCLINE_TESTING_LIFETIMES_H_

#include <atomic>
#include <memory>
#include <utility>

#include "framework/calculator/calculator_base.h"
#include "framework/packet/packet.h"
#include "gtest/gtest.h"

namespace syncline {

struct Lifetimes {
  static inline std::atomic<int> live_packets{0};
  static inline std::atomic<int> live_calculators{0};
};

template <typename T>
Packet MakeCounted(T value) {
  auto shared = std::make_shared<const T>(std::move(value));
  ++Lifetimes::live_packets;
  const T* const pointer = shared.get();
  return PointToForeign<T>(
      pointer, [shared = std::move(shared)] { --Lifetimes::live_packets; });
}

class CountedCalculator : public CalculatorBase {
 public:
  CountedCalculator() { ++Lifetimes::live_calculators; }
  ~CountedCalculator() override { --Lifetimes::live_calculators; }
};

class LifetimesTest : public ::testing::Test {
 protected:
  void TearDown() override {
    EXPECT_EQ(Lifetimes::live_packets, 0) << "packets are left over";
    EXPECT_EQ(Lifetimes::live_calculators, 0) << "calculators are left over";
    // The next test is not to blame.
    Lifetimes::live_packets = 0;
    Lifetimes::live_calculators = 0;
  }
};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_LIFETIMES_H_
