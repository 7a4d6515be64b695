#include "framework/port/singleton.h"

#include "gtest/gtest.h"

namespace syncline {
namespace {

struct Counter {
  Counter() { ++made; }
  static inline int made = 0;
};

TEST(SingletonTest, EveryCallGivesTheOneObjectMadeAtTheFirst) {
  EXPECT_EQ(Counter::made, 0);
  Counter* const first = Singleton<Counter>::get();
  EXPECT_EQ(Singleton<Counter>::get(), first);
  EXPECT_EQ(Counter::made, 1);
}

}  // namespace
}  // namespace syncline
