// A flag that is given several times arrives as one list, in the order given,
// and no other argument changes.
#include "tools/repeated_flags.h"

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> Join(const std::vector<std::string>& args) {
  const std::vector<absl::string_view> flags = {"input", "output"};
  return JoinRepeatedFlags(args, flags);
}

TEST(RepeatedFlagsTest, ValuesAreJoinedAtThePlaceOfTheFirst) {
  EXPECT_THAT(
      Join({"p", "--input=a=1", "--graph=g", "--input=b=2", "--output=c=-"}),
      ElementsAre("p", "--input=a=1,b=2", "--graph=g", "--output=c=-"));
}

TEST(RepeatedFlagsTest, TheValueMayBeTheNextArgument) {
  EXPECT_THAT(Join({"--input", "a=1", "-input", "b=2"}),
              ElementsAre("--input=a=1,b=2"));
}

TEST(RepeatedFlagsTest, OtherFlagsAndArgumentsStay) {
  EXPECT_THAT(Join({"--inputs=a", "input=a", "--graph", "--check", "-"}),
              ElementsAre("--inputs=a", "input=a", "--graph", "--check", "-"));
}

TEST(RepeatedFlagsTest, AFlagAtTheEndWithoutAValueStaysForTheLibraryToRefuse) {
  EXPECT_THAT(Join({"--input=a=1", "--input"}),
              ElementsAre("--input=a=1", "--input"));
}

TEST(RepeatedFlagsTest, NothingAfterTwoDashesIsAFlag) {
  EXPECT_THAT(Join({"--input=a=1", "--", "--input=b=2"}),
              ElementsAre("--input=a=1", "--", "--input=b=2"));
}

}  // namespace
}  // namespace syncline
