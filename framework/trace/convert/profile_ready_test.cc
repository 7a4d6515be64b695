#include "framework/trace/convert/profile_ready.h"

#include <cstddef>
#include <vector>

#include "absl/types/optional.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr absl::nullopt_t kNone = absl::nullopt;

TEST(ProfileReadyTest, ANoteIsOfTheNextCall) {
  EXPECT_THAT(MatchReady({10, 20}, {{12, 15}, {25, 30}}), ElementsAre(0u, 1u));
  EXPECT_THAT(MatchReady({10}, {{10, 10}}), ElementsAre(0u));
}

TEST(ProfileReadyTest, ACallThatDidNotWaitHasNone) {
  EXPECT_THAT(MatchReady({20}, {{12, 15}, {25, 30}, {30, 31}}),
              ElementsAre(kNone, 0u, kNone));
}

TEST(ProfileReadyTest, NotesOfCallsThatAreNotThereArePassedOver) {
  EXPECT_THAT(MatchReady({10, 20, 30, 50}, {{12, 15}, {40, 42}}),
              ElementsAre(0u, 2u));
}

TEST(ProfileReadyTest, ANoteThatComesTooLateIsNotOfTheCallBefore) {
  EXPECT_THAT(MatchReady({21, 40}, {{20, 30}, {41, 45}}),
              ElementsAre(kNone, 1u));
}

TEST(ProfileReadyTest, OfCallsThatOverlapTheFirstWasReadyFirst) {
  EXPECT_THAT(MatchReady({10, 11}, {{20, 30}, {21, 25}, {40, 41}}),
              ElementsAre(0u, 1u, kNone));
  EXPECT_THAT(MatchReady({10, 11}, {{20, 30}, {21, 25}}), ElementsAre(0u, 1u));
}

TEST(ProfileReadyTest, NothingMatchesNothing) {
  EXPECT_THAT(MatchReady({}, {{1, 2}}), ElementsAre(kNone));
  EXPECT_THAT(MatchReady({1}, {}), IsEmpty());
}

}  // namespace
}  // namespace syncline
