// The context that a thread is in.
#include "framework/calculator/legacy/legacy_support.h"

#include <thread>

#include "gtest/gtest.h"

namespace syncline {
namespace {

struct FakeContext {};
using Scope = LegacyCalculatorSupport::Scoped<FakeContext>;

TEST(LegacyCalculatorSupportTest, TheInnermostScopeIsCurrent) {
  FakeContext outer, inner;
  EXPECT_EQ(Scope::current(), nullptr);
  {
    Scope outer_scope(&outer);
    EXPECT_EQ(Scope::current(), &outer);
    {
      Scope inner_scope(&inner);
      EXPECT_EQ(Scope::current(), &inner);
    }
    EXPECT_EQ(Scope::current(), &outer);
  }
  EXPECT_EQ(Scope::current(), nullptr);
}

TEST(LegacyCalculatorSupportTest, AScopeMayChangeWhatIsCurrent) {
  FakeContext outer, inner, other;
  Scope outer_scope(&outer);
  {
    Scope inner_scope(&inner);
    EXPECT_EQ(inner_scope.outer(), &outer);
    inner_scope.Change(&other);
    EXPECT_EQ(Scope::current(), &other);
    EXPECT_EQ(inner_scope.outer(), &outer);
  }
  EXPECT_EQ(Scope::current(), &outer);
}

TEST(LegacyCalculatorSupportTest, AnotherThreadHasItsOwn) {
  FakeContext context;
  Scope scope(&context);
  FakeContext* seen = &context;
  std::thread([&seen] { seen = Scope::current(); }).join();
  EXPECT_EQ(seen, nullptr);
}

}  // namespace
}  // namespace syncline
