// What was used last is found by address, whatever pieces memory comes back
// and goes out in.
#include "gpu/pooled_uses.h"

#include <cstddef>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gpu/access_history.h"
#include "gtest/gtest.h"

namespace syncline::gpu {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

class PooledUsesTest : public testing::Test {
 protected:
  void Add(std::size_t begin, std::size_t size, const char* work) {
    uses_.Add(memory_ + begin, size, {{.work = work}});
  }
  std::vector<std::string> Take(std::size_t begin, std::size_t size) {
    std::vector<std::string> works;
    for (const AccessNote& note : uses_.Take(memory_ + begin, size)) {
      works.emplace_back(note.work);
    }
    return works;
  }

  std::byte memory_[100];
  PooledUses uses_;
};

TEST_F(PooledUsesTest, WhatCameBackIsFoundOnce) {
  Add(10, 20, "a");
  EXPECT_THAT(Take(0, 10), IsEmpty());
  EXPECT_THAT(Take(30, 10), IsEmpty());
  EXPECT_THAT(Take(10, 20), ElementsAre("a"));
  EXPECT_THAT(Take(10, 20), IsEmpty());
  EXPECT_TRUE(uses_.empty());
}

TEST_F(PooledUsesTest, APartIsFoundAndTheRestStays) {
  Add(10, 30, "a");
  EXPECT_THAT(Take(20, 10), ElementsAre("a"));
  EXPECT_THAT(Take(20, 10), IsEmpty());
  EXPECT_THAT(Take(0, 20), ElementsAre("a"));
  EXPECT_THAT(Take(30, 70), ElementsAre("a"));
  EXPECT_TRUE(uses_.empty());
}

TEST_F(PooledUsesTest, SeveralPiecesAreFoundTogether) {
  Add(0, 10, "a");
  Add(10, 10, "b");
  Add(30, 10, "c");
  EXPECT_THAT(Take(5, 30), UnorderedElementsAre("a", "b", "c"));
  EXPECT_THAT(Take(0, 100), UnorderedElementsAre("a", "c"));
}

TEST_F(PooledUsesTest, WhatComesBackAgainReplacesWhatWasThere) {
  Add(0, 10, "a");
  Add(0, 10, "b");
  EXPECT_THAT(Take(0, 10), ElementsAre("b"));
  Add(0, 10, "a");
  uses_.Add(memory_, 10, {});
  EXPECT_TRUE(uses_.empty());
}

}  // namespace
}  // namespace syncline::gpu
