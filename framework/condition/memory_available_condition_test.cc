// A node waits for memory, has it for certain once it is called, and gives back
// what it did not use.
#include "framework/condition/memory_available_condition.h"

#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/condition/condition.h"
#include "framework/condition/condition_test_support.h"
#include "framework/memory/allocator.h"
#include "framework/memory/block_memory_pool.h"
#include "framework/memory/unbounded_allocator.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

constexpr ConditionState kReady = ConditionState::kReady;
constexpr ConditionState kWaitEvent = ConditionState::kWaitEvent;

std::shared_ptr<BlockMemoryPool> Pool(std::size_t num_blocks) {
  return BlockMemoryPool::Create(
             {.name = "frames", .block_size = 100, .num_blocks = num_blocks})
      .value();
}

struct MemoryAvailable : ConditionUnderTest<MemoryAvailableCondition> {
  MemoryAvailable(std::shared_ptr<Allocator> allocator,
                  absl::string_view options)
      : ConditionUnderTest("MemoryAvailableConditionOptions", options) {
    AddAllocator(std::move(allocator));
  }
};

TEST(MemoryAvailableConditionTest, WaitsForBlocksOrBytes) {
  for (const absl::string_view amount : {"min_blocks: 2", "min_bytes: 101"}) {
    const auto pool = Pool(3);
    MemoryAvailable condition(pool,
                              absl::StrCat("allocator: 'frames' ", amount));
    SYNCLINE_ASSERT_OK(condition.Begin());
    EXPECT_EQ(condition.State(), kReady);
    MemoryBuffer first = pool->Allocate(1).value();
    EXPECT_EQ(condition.State(), kReady);
    const MemoryBuffer second = pool->Allocate(1).value();
    EXPECT_EQ(condition.State(), kWaitEvent);
    EXPECT_FALSE(condition.Check()->holds_time);
    EXPECT_EQ(condition.notifications(), 0);
    first.Release();
    EXPECT_EQ(condition.notifications(), 1);
    EXPECT_EQ(condition.State(), kReady);
  }
}

TEST(MemoryAvailableConditionTest, SetsMemoryAsideWhenACallIsDispatched) {
  const auto pool = Pool(2);
  MemoryAvailable a(pool, "allocator: 'frames' min_blocks: 2");
  MemoryAvailable b(pool, "allocator: 'frames' min_blocks: 1");
  SYNCLINE_ASSERT_OK(a.Begin());
  SYNCLINE_ASSERT_OK(b.Begin());
  ASSERT_TRUE(a.Dispatch());
  EXPECT_EQ(b.State(), kWaitEvent);
  // It was ready a moment ago.
  EXPECT_FALSE(*b->OnDispatch(b.Facts(), ConditionResult::Ready()));
  a->BeforeExecute();
  {
    const MemoryBuffer used = pool->Allocate(100).value();
    std::thread other([&] { EXPECT_FALSE(pool->Allocate(1).ok()); });
    other.join();
    SYNCLINE_EXPECT_OK(a->OnExecute(0));
    EXPECT_EQ(pool->num_available(), 1) << "what was not used comes back";
    EXPECT_EQ(b.State(), kReady);
    EXPECT_GE(b.notifications(), 1);
  }
  EXPECT_EQ(pool->num_available(), 2);
}

TEST(MemoryAvailableConditionTest, ACallThatDidNotComeAboutGivesItBack) {
  const auto pool = Pool(2);
  MemoryAvailable condition(pool, "allocator: 'frames' min_blocks: 2");
  SYNCLINE_ASSERT_OK(condition.Begin());
  ASSERT_TRUE(condition.Dispatch());
  EXPECT_EQ(pool->num_available(), 0);
  condition->OnDispatchUndone();
  EXPECT_EQ(pool->num_available(), 2);
  ASSERT_TRUE(condition.Dispatch());
  condition->Stop();
  EXPECT_EQ(pool->num_available(), 2) << "so does the end of the run";
}

TEST(MemoryAvailableConditionTest, ACallThatEndedInAnErrorGivesItBack) {
  const auto pool = Pool(2);
  MemoryAvailable condition(pool, "allocator: 'frames' min_blocks: 2");
  SYNCLINE_ASSERT_OK(condition.Begin());
  ASSERT_TRUE(condition.Dispatch());
  // Another condition of the node fails, so OnExecute is not called.
  std::thread call([&] { condition->BeforeExecute(); });
  call.join();
  EXPECT_EQ(pool->num_available(), 0);
  condition->Stop();
  EXPECT_EQ(pool->num_available(), 2);
}

TEST(MemoryAvailableConditionTest, CallsSideBySideHaveTheirOwn) {
  const auto pool = Pool(4);
  MemoryAvailable condition(pool, "allocator: 'frames' min_blocks: 1");
  SYNCLINE_ASSERT_OK(condition.Begin());
  for (int round = 0; round < 50; ++round) {
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
      ASSERT_TRUE(condition.Dispatch());
      threads.emplace_back([&] {
        condition->BeforeExecute();
        SYNCLINE_EXPECT_OK(pool->Allocate(100));
        SYNCLINE_EXPECT_OK(condition->OnExecute(0));
      });
    }
    for (std::thread& thread : threads) thread.join();
    ASSERT_EQ(pool->num_available(), 4);
  }
}

TEST(MemoryAvailableConditionTest, TwoConditionsOfANodeEndInAnyOrder) {
  const auto pool = Pool(4);
  MemoryAvailable a(pool, "allocator: 'frames' min_blocks: 1");
  MemoryAvailable b(pool, "allocator: 'frames' min_blocks: 3");
  SYNCLINE_ASSERT_OK(a.Begin());
  SYNCLINE_ASSERT_OK(b.Begin());
  ASSERT_TRUE(a.Dispatch());
  ASSERT_TRUE(b.Dispatch());
  a->BeforeExecute();
  b->BeforeExecute();
  std::vector<MemoryBuffer> used;
  for (int i = 0; i < 4; ++i) used.push_back(pool->Allocate(1).value());
  SYNCLINE_EXPECT_OK(a->OnExecute(0));
  SYNCLINE_EXPECT_OK(b->OnExecute(0));
  used.clear();
  EXPECT_EQ(pool->num_available(), 4);
}

TEST(MemoryAvailableConditionTest, ACallForAnotherReasonHasNone) {
  const auto pool = Pool(1);
  MemoryAvailable condition(pool, "allocator: 'frames' min_blocks: 1");
  SYNCLINE_ASSERT_OK(condition.Begin());
  MemoryBuffer held = pool->Allocate(1).value();
  // In a group, another member was ready.
  ASSERT_TRUE(condition.Dispatch());
  condition->BeforeExecute();
  EXPECT_FALSE(pool->Allocate(1).ok());
  SYNCLINE_EXPECT_OK(condition->OnExecute(0));
  held.Release();
  condition.Call();
  EXPECT_EQ(pool->num_available(), 1);
}

TEST(MemoryAvailableConditionTest, WithoutALimitThereIsAlwaysMemory) {
  MemoryAvailable condition(std::make_shared<UnboundedAllocator>("heap"),
                            "allocator: 'heap' min_bytes: 1000000000000");
  SYNCLINE_ASSERT_OK(condition.Begin());
  EXPECT_EQ(condition.State(), kReady);
  condition.Call();
  EXPECT_EQ(condition.State(), kReady);
}

TEST(MemoryAvailableConditionTest, AnotherRunStartsAnew) {
  const auto pool = Pool(1);
  MemoryAvailable condition(pool, "allocator: 'frames' min_blocks: 1");
  SYNCLINE_ASSERT_OK(condition.Begin());
  condition->Stop();
  { const MemoryBuffer buffer = pool->Allocate(1).value(); }
  EXPECT_EQ(condition.notifications(), 0) << "nobody is told between runs";
  SYNCLINE_ASSERT_OK(condition.Start());
  { const MemoryBuffer buffer = pool->Allocate(1).value(); }
  EXPECT_EQ(condition.notifications(), 1);
  condition.Call();
  condition->Stop();
}

TEST(MemoryAvailableConditionTest, RefusesOptionsThatCannotBe) {
  const auto initialize = [](absl::string_view options) {
    return MemoryAvailable(Pool(1), options).Initialize();
  };
  const auto is_refused = [](absl::string_view why) {
    return StatusIs(absl::StatusCode::kInvalidArgument,
                    HasSubstr(std::string(why)));
  };
  EXPECT_THAT(initialize("min_blocks: 1"), is_refused("allocator is not set"));
  EXPECT_THAT(initialize("allocator: 'frame' min_blocks: 1"),
              is_refused("the graph has no allocator \"frame\""));
  EXPECT_THAT(initialize("allocator: 'frames'"),
              is_refused("Neither min_bytes nor min_blocks"));
  EXPECT_THAT(initialize("allocator: 'frames' min_blocks: 1 min_bytes: 1"),
              is_refused("min_bytes and min_blocks are both set"));
  EXPECT_THAT(initialize("allocator: 'frames' min_blocks: 0"),
              is_refused("min_blocks is 0"));
  EXPECT_THAT(initialize("allocator: 'frames' min_bytes: 0"),
              is_refused("min_bytes is 0"));
}

TEST(MemoryAvailableConditionTest, RefusesToWaitForWhatCanNeverBe) {
  const auto begin = [](absl::string_view amount) {
    return MemoryAvailable(Pool(2),
                           absl::StrCat("allocator: 'frames' ", amount))
        .Begin();
  };
  for (const absl::string_view amount :
       {"min_blocks: 3", "min_bytes: 201", "min_blocks: 18446744073709551615",
        "min_bytes: 18446744073709551615"}) {
    EXPECT_THAT(begin(amount),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         HasSubstr("\"frames\", which never has more than 200 "
                                   "bytes")))
        << amount;
  }
  EXPECT_TRUE(ConditionRegistry::IsRegistered("MemoryAvailableSchedulingTerm"));
}

}  // namespace
}  // namespace syncline
