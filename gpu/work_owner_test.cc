#include "gpu/work_owner.h"

#include <memory>
#include <string>
#include <thread>

#include "framework/packet/timestamp.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

WorkOwner OwnerAt(const std::string& node, Timestamp timestamp) {
  return {std::make_shared<const std::string>(node), timestamp};
}

TEST(WorkOwnerTest, TheInnermostScopeOfTheThreadCounts) {
  EXPECT_EQ(WorkOwnerScope::Current().ToText(), "the application");
  const WorkOwnerScope outer(OwnerAt("a", Timestamp(7)));
  EXPECT_EQ(WorkOwnerScope::Current().ToText(), "node \"a\" at 7");
  {
    const WorkOwnerScope inner(OwnerAt("b", Timestamp::Unset()));
    EXPECT_EQ(WorkOwnerScope::Current().ToText(), "node \"b\"");
  }
  EXPECT_EQ(WorkOwnerScope::Current().ToText(), "node \"a\" at 7");
  std::thread([] {
    EXPECT_EQ(WorkOwnerScope::Current().ToText(), "the application");
  }).join();
}

}  // namespace
}  // namespace syncline::gpu
