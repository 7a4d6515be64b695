#include "framework/node/overlapping_calls.h"

#include <memory>
#include <vector>

#include "framework/node/invocation.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

class OverlappingCallsTest : public testing::Test {
 protected:
  // Begins `count` calls.
  std::vector<Invocation*> Begin(OverlappingCalls* calls, int count) {
    std::vector<Invocation*> begun;
    for (int i = 0; i < count; ++i) {
      Invocation* invocation = calls->Next();
      if (invocation == nullptr) {
        invocation = calls->Add(std::make_unique<Invocation>());
      }
      calls->Begin(invocation);
      begun.push_back(invocation);
    }
    return begun;
  }

  Invocation first_;
};

TEST_F(OverlappingCallsTest, AreMadeWhenTheyAreNeeded) {
  OverlappingCalls calls(2147483647, &first_);
  EXPECT_EQ(calls.Next(), &first_);
  calls.Begin(&first_);
  EXPECT_EQ(calls.Next(), nullptr);
  EXPECT_EQ(calls.in_flight(), 1);
  EXPECT_FALSE(calls.IsFull());
}

TEST_F(OverlappingCallsTest, AreFullAtTheirLimit) {
  OverlappingCalls calls(3, &first_);
  const std::vector<Invocation*> begun = Begin(&calls, 3);
  EXPECT_TRUE(calls.IsFull());
  ASSERT_EQ(calls.Complete(begun[0]), begun[0]);
  EXPECT_EQ(calls.Finish(begun[0]), nullptr);
  EXPECT_FALSE(calls.IsFull());
  EXPECT_EQ(calls.Next(), begun[0]) << "used again";
  EXPECT_TRUE(begun[0]->is_finished);
  calls.Begin(begun[0]);
  EXPECT_FALSE(begun[0]->is_finished) << "a new call";
}

TEST_F(OverlappingCallsTest, ResultsLeaveInTheOrderOfInputSets) {
  OverlappingCalls calls(4, &first_);
  const std::vector<Invocation*> begun = Begin(&calls, 4);
  EXPECT_EQ(calls.Complete(begun[2]), nullptr);
  EXPECT_EQ(calls.Complete(begun[1]), nullptr);
  // The oldest: whoever finds it sends for the others.
  EXPECT_EQ(calls.Complete(begun[0]), begun[0]);
  EXPECT_EQ(calls.Finish(begun[0]), begun[1]);
  EXPECT_EQ(calls.Finish(begun[1]), begun[2]);
  EXPECT_EQ(calls.Finish(begun[2]), nullptr);
  EXPECT_EQ(calls.in_flight(), 1);
  EXPECT_EQ(calls.Complete(begun[3]), begun[3]);
  EXPECT_EQ(calls.Finish(begun[3]), nullptr);
  EXPECT_EQ(calls.in_flight(), 0);
}

TEST_F(OverlappingCallsTest, OneThreadSendsAtATime) {
  OverlappingCalls calls(2, &first_);
  const std::vector<Invocation*> begun = Begin(&calls, 2);
  EXPECT_EQ(calls.Complete(begun[0]), begun[0]);
  // Meanwhile the other returns: the thread that sends takes it along.
  EXPECT_EQ(calls.Complete(begun[1]), nullptr);
  EXPECT_EQ(calls.Finish(begun[0]), begun[1]);
  EXPECT_EQ(calls.Finish(begun[1]), nullptr);
}

TEST_F(OverlappingCallsTest, ClearDropsWhatWasMade) {
  OverlappingCalls calls(2, &first_);
  const std::vector<Invocation*> begun = Begin(&calls, 2);
  calls.Complete(begun[0]);
  calls.Finish(begun[0]);
  // After a cancel the other one never runs.
  calls.Clear();
  EXPECT_EQ(calls.Next(), nullptr);
  EXPECT_EQ(calls.in_flight(), 0);
}

}  // namespace
}  // namespace syncline
