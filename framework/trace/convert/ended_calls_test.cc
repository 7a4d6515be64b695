#include "framework/trace/convert/ended_calls.h"

#include <cstdint>
#include <memory>

#include "gtest/gtest.h"

namespace syncline {
namespace {

void AddEnded(std::int64_t first, std::int64_t last, EndedCalls* calls) {
  for (std::int64_t i = first; i <= last; ++i) {
    calls->Add(0, {i, 10 * i, i, nullptr});
  }
}

TEST(EndedCallsTest, TheLastCallAtATimestampIsFound) {
  EndedCalls calls(2);
  calls.Add(0, {5, 10, 1, nullptr});
  calls.Add(0, {5, 20, 2, nullptr});
  calls.Add(1, {6, 30, 3, nullptr});
  ASSERT_NE(calls.FindForResults(0, 5), nullptr);
  EXPECT_EQ(calls.FindForResults(0, 5)->finish_us, 20);
  EXPECT_EQ(calls.FindForResults(0, 6), nullptr);
  EXPECT_EQ(calls.FindForResults(1, 6)->origin_us, 3);
}

TEST(EndedCallsTest, OfANodeWithResultsMoreCallsAreKnown) {
  constexpr std::int64_t kFew = EndedCalls::kMostBefore;
  constexpr std::int64_t kMany = EndedCalls::kMostOfNode;
  EndedCalls calls(1);
  AddEnded(1, kFew + 1, &calls);
  EXPECT_EQ(calls.FindForResults(0, 1), nullptr);
  EXPECT_NE(calls.FindForResults(0, 2), nullptr);
  AddEnded(kFew + 2, kMany + 1, &calls);
  EXPECT_NE(calls.FindForResults(0, 2), nullptr);
  AddEnded(kMany + 2, kMany + 2, &calls);
  EXPECT_EQ(calls.FindForResults(0, 2), nullptr);
  EXPECT_NE(calls.FindForResults(0, 3), nullptr);
}

TEST(EndedCallsTest, RecordsOfAPartAreGivenBack) {
  EndedCalls calls(1);
  const auto taken = std::make_shared<ProfileRecord>();
  const auto other = std::make_shared<ProfileRecord>();
  calls.Add(0, {1, 10, 1, taken});
  calls.Add(0, {2, 20, 2, other});
  taken->is_taken = true;
  calls.ReleaseTaken();
  EXPECT_EQ(taken.use_count(), 1);
  EXPECT_EQ(calls.FindForResults(0, 1)->record, nullptr);
  EXPECT_EQ(calls.FindForResults(0, 1)->finish_us, 10);
  EXPECT_EQ(calls.FindForResults(0, 2)->record, other);
}

}  // namespace
}  // namespace syncline
