// Nodes whose outputs nobody reads, and who counts as a reader.

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/lint/lint_test_support.h"
#include "tools/lint/rules.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(UnreadOutputRuleTest, ANodeThatNobodyReadsIsFound) {
  EXPECT_THAT(FoundBy(kUnreadOutput, R"(input_stream: "in"
node { name: "first" calculator: "PromisingNode" input_stream: "in"
       output_stream: "a" }
node { name: "last" calculator: "PromisingNode" input_stream: "a"
       output_stream: "b" output_stream: "c" })"),
              ElementsAre(AllOf(
                  HasSubstr("graph.pbtxt:4: warning: \"last\" sends streams "
                            "\"b\", \"c\", which no node reads and the graph "
                            "does not list as output_stream"),
                  HasSubstr("remedy: List what the application reads"),
                  Not(HasSubstr("source")))));
}

TEST(UnreadOutputRuleTest, AnOutputStreamOfTheGraphIsRead) {
  EXPECT_THAT(FoundBy(kUnreadOutput, R"(
    input_stream: "in" output_stream: "a"
    node { calculator: "PromisingNode" input_stream: "in"
           output_stream: "a" })"),
              IsEmpty());
}

TEST(UnreadOutputRuleTest, OneOutputThatIsReadIsEnough) {
  EXPECT_THAT(FoundBy(kUnreadOutput, R"(
    input_stream: "in"
    node { calculator: "PromisingNode" input_stream: "in"
           output_stream: "a" output_stream: "b" }
    node { calculator: "PromisingNode" input_stream: "b" })"),
              IsEmpty());
}

TEST(UnreadOutputRuleTest, SidePacketsAreAResultToo) {
  EXPECT_THAT(FoundBy(kUnreadOutput, R"(
    input_stream: "in"
    node { calculator: "PromisingNode" input_stream: "in"
           output_stream: "a" output_side_packet: "b" })"),
              IsEmpty());
}

TEST(UnreadOutputRuleTest, OfASourceItSaysThatNothingHoldsItBack) {
  EXPECT_THAT(
      FoundBy(kUnreadOutput,
              "node { calculator: \"TestSource\" output_stream: \"a\" }"),
      ElementsAre(HasSubstr("nothing holds this source back")));
}

TEST(UnreadOutputRuleTest, ManyStreamsAreCounted) {
  EXPECT_THAT(FoundBy(kUnreadOutput, R"(
    node { calculator: "TestSource" output_stream: "a" output_stream: "b"
           output_stream: "c" output_stream: "d" output_stream: "e"
           output_stream: "f" })"),
              ElementsAre(HasSubstr("\"d\" and 2 more")));
}

}  // namespace
}  // namespace syncline
