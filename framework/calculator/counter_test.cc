// Counters count, are found by name, and lose nothing when threads raise them.
#include "framework/calculator/counter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "framework/calculator/counter_factory.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(CounterTest, AFactoryGivesTheSameCounterForTheSameName) {
  BasicCounterFactory factory;
  Counter* const counter = factory.GetCounter("node-calls");
  EXPECT_EQ(factory.GetCounter("node-calls"), counter);
  EXPECT_NE(factory.GetCounter("node-drops"), counter);
}

TEST(CounterTest, ACounterCountsUpAndDown) {
  BasicCounterFactory factory;
  Counter* const counter = factory.GetCounter("c");
  EXPECT_EQ(counter->Get(), 0);
  counter->Increment();
  counter->IncrementBy(10);
  counter->IncrementBy(-3);
  EXPECT_EQ(counter->Get(), 8);
}

TEST(CounterTest, ASetListsNamesAndValuesInOrder) {
  BasicCounterFactory factory;
  factory.GetCounter("b")->IncrementBy(2);
  factory.GetCounter("a")->Increment();
  EXPECT_THAT(factory.GetCounterSet()->GetCountersValues(),
              ElementsAre(Pair("a", 1), Pair("b", 2)));
}

TEST(CounterTest, AnUnknownNameIsNull) {
  BasicCounterFactory factory;
  EXPECT_EQ(factory.GetCounterSet()->Get("nobody"), nullptr);
}

class FixedCounter : public Counter {
 public:
  explicit FixedCounter(int64_t value) : value_(value) {}
  void Increment() override {}
  void IncrementBy(int amount) override {}
  int64_t Get() override { return value_; }

 private:
  const int64_t value_;
};

TEST(CounterTest, EmplaceKeepsTheCounterThatWasThereFirst) {
  CounterSet set;
  Counter* const first = set.Emplace<FixedCounter>("c", 1);
  EXPECT_EQ(set.Emplace<FixedCounter>("c", 2), first);
  EXPECT_EQ(set.Get("c")->Get(), 1);
}

TEST(CounterTest, ThreadsThatFindAndRaiseOneCounterLoseNothing) {
  constexpr int kThreads = 8;
  constexpr int kCalls = 1000;
  BasicCounterFactory factory;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&factory] {
      for (int call = 0; call < kCalls; ++call) {
        factory.GetCounter("shared")->Increment();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(factory.GetCounter("shared")->Get(), kThreads * kCalls);
}

}  // namespace
}  // namespace syncline
