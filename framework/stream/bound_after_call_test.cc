// The rules of bounds, as tables.
#include "framework/stream/bound_after_call.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace syncline {
namespace {

struct OffsetCase {
  const char* what;
  Timestamp input;
  int64_t offset;
  Timestamp bound;
};

class BoundByOffsetTest : public testing::TestWithParam<OffsetCase> {};

TEST_P(BoundByOffsetTest, FollowsTheRule) {
  EXPECT_EQ(BoundByOffset(GetParam().input, TimestampDiff(GetParam().offset)),
            GetParam().bound)
      << GetParam().what;
}

INSTANTIATE_TEST_SUITE_P(
    Rules, BoundByOffsetTest,
    testing::Values(
        OffsetCase{"an input settles its own time", Timestamp(10), 0,
                   Timestamp(11)},
        OffsetCase{"later outputs", Timestamp(10), 5, Timestamp(16)},
        OffsetCase{"earlier outputs", Timestamp(10), -5, Timestamp(6)},
        OffsetCase{"saturates above", Timestamp(10),
                   std::numeric_limits<int64_t>::max(), Timestamp::Max()},
        OffsetCase{"saturates below", Timestamp(-10),
                   std::numeric_limits<int64_t>::min() + 1, Timestamp::Min()},
        OffsetCase{"after a header anything may come", Timestamp::PreStream(),
                   0, Timestamp::Min()},
        OffsetCase{"at the last time only a summary is left", Timestamp::Max(),
                   0, Timestamp::PostStream()},
        OffsetCase{"the last time, earlier outputs", Timestamp::Max(), -5,
                   (Timestamp::Max() - 5).NextAllowedInStream()},
        OffsetCase{"after a summary nothing comes", Timestamp::PostStream(), 0,
                   Timestamp::OneOverPostStream()}));

OutputOfCall CallAt(Timestamp input) {
  OutputOfCall call;
  call.bound = Timestamp(5);
  call.input_timestamp = input;
  return call;
}

TEST(BoundAfterCallTest, StaysWhereItWasIfNothingHappened) {
  EXPECT_EQ(BoundAfterCall(CallAt(Timestamp(10))), Timestamp(5));
}

TEST(BoundAfterCallTest, APacketMovesItToItsSuccessor) {
  OutputOfCall call = CallAt(Timestamp(10));
  call.last_packet = Timestamp(7);
  EXPECT_EQ(BoundAfterCall(call), Timestamp(8));
}

TEST(BoundAfterCallTest, TheHighestOfPacketBoundAndOffsetCounts) {
  OutputOfCall call = CallAt(Timestamp(10));
  call.last_packet = Timestamp(7);
  call.explicit_bound = Timestamp(20);
  call.offset = TimestampDiff(0);
  EXPECT_EQ(BoundAfterCall(call), Timestamp(20));
  call.explicit_bound = Timestamp(9);
  EXPECT_EQ(BoundAfterCall(call), Timestamp(11));
  call.last_packet = Timestamp(12);
  EXPECT_EQ(BoundAfterCall(call), Timestamp(13));
}

TEST(BoundAfterCallTest, NeverGoesBack) {
  OutputOfCall call = CallAt(Timestamp(1));
  call.offset = TimestampDiff(0);
  call.explicit_bound = Timestamp(2);
  EXPECT_EQ(BoundAfterCall(call), Timestamp(5));
}

TEST(BoundAfterCallTest, OpenAndCloseMoveNothingByOffset) {
  for (const Timestamp input : {Timestamp::Unstarted(), Timestamp::Done()}) {
    OutputOfCall call = CallAt(input);
    call.offset = TimestampDiff(0);
    EXPECT_EQ(BoundAfterCall(call), Timestamp(5)) << input.DebugString();
  }
}

TEST(BoundPassedOnTest, MovesAlongWithTheInputs) {
  EXPECT_EQ(BoundPassedOn(Timestamp(10), TimestampDiff(3)), Timestamp(13));
}

TEST(BoundPassedOnTest, NothingPassesWithoutAnOffset) {
  EXPECT_EQ(BoundPassedOn(Timestamp(10), TimestampDiff::Unset()),
            Timestamp::Unset());
}

TEST(BoundPassedOnTest, TheEndOfTheInputsDoesNotPassAsABound) {
  for (const Timestamp bound :
       {Timestamp::PreStream(), Timestamp::PostStream(),
        Timestamp::OneOverPostStream(), Timestamp::Done()}) {
    EXPECT_EQ(BoundPassedOn(bound, TimestampDiff(0)), Timestamp::Unset())
        << bound.DebugString();
  }
}

}  // namespace
}  // namespace syncline
