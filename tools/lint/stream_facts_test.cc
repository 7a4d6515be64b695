#include "tools/lint/stream_facts.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/lint/lint_test_support.h"
#include "tools/lint/needed_conditions.h"

namespace syncline {
namespace {

// A plan with what is known of its streams.
struct KnownStreams {
  explicit KnownStreams(const std::string& text)
      : plan(LintPlanOf(text)),
        conditions(FindNeededConditions(plan)),
        facts(plan, conditions) {}

  int Stream(const std::string& name) const { return LintStream(plan, name); }
  int Node(const std::string& name) const { return plan.FindNode(name); }
  int Silent(const std::string& stream) const {
    return facts.silent(Stream(stream));
  }

  GraphPlan plan;
  std::vector<NeededConditions> conditions;
  StreamFacts facts;
};

constexpr char kChain[] = R"(input_stream: "a"
  node { name: "one" calculator: "SilentNode" input_stream: "a"
         output_stream: "b" }
  node { name: "promising" calculator: "PromisingNode" input_stream: "b"
         output_stream: "c" }
  node { name: "two" calculator: "SilentNode" input_stream: "c"
         output_stream: "d" }
  node { name: "bounds" calculator: "BoundsNode" input_stream: "a"
         output_stream: "e" })";

TEST(StreamFactsTest, TheNearestSilentNodeIsKnown) {
  const KnownStreams chain(kChain);
  EXPECT_EQ(chain.Silent("a"), StreamFacts::kNone);
  EXPECT_EQ(chain.Silent("b"), chain.Node("one"));
  EXPECT_EQ(chain.Silent("c"), chain.Node("one"));
  EXPECT_EQ(chain.Silent("d"), chain.Node("two"));
  EXPECT_EQ(chain.Silent("e"), StreamFacts::kNone);
}

TEST(StreamFactsTest, SilentNodesFormAChain) {
  const KnownStreams chain(kChain);
  const int one = chain.Node("one");
  const int two = chain.Node("two");
  EXPECT_EQ(chain.facts.silent_before(two), one);
  EXPECT_EQ(chain.facts.silent_before(one), StreamFacts::kNone);
  EXPECT_TRUE(chain.facts.IsBehindSilent(chain.Stream("d"), one));
  EXPECT_FALSE(chain.facts.IsBehindSilent(chain.Stream("c"), two));
}

TEST(StreamFactsTest, ASourceIsNotSilent) {
  const KnownStreams known(
      "node { calculator: \"TestSource\" output_stream: \"a\" }");
  EXPECT_EQ(known.Silent("a"), StreamFacts::kNone);
}

TEST(StreamFactsTest, ABackEdgePassesNothingOn) {
  const KnownStreams known(R"(input_stream: "a"
    node { name: "join" calculator: "PromisingNode" input_stream: "IN:a"
           input_stream: "LOOP:c"
           input_stream_info { tag_index: "LOOP" back_edge: true }
           output_stream: "b" }
    node { name: "work" calculator: "SilentNode" input_stream: "b"
           output_stream: "c" })");
  EXPECT_EQ(known.Silent("b"), StreamFacts::kNone);
  EXPECT_EQ(known.Silent("c"), known.Node("work"));
}

TEST(StreamFactsTest, AnIdleInputPassesNothingOn) {
  const KnownStreams known(R"(input_stream: "a"
    node { calculator: "SilentNode" input_stream: "a" output_stream: "b" }
    node { calculator: "PromisingNode" input_stream: "IN:a"
           input_stream: "SEEN:b"
           input_stream_info { tag_index: "SEEN"
             idle_after { stream: "IN" gap: 10 } }
           output_stream: "c" })");
  EXPECT_NE(known.Silent("b"), StreamFacts::kNone);
  EXPECT_EQ(known.Silent("c"), StreamFacts::kNone);
}

TEST(StreamFactsTest, ABackEdgeGivesNoTimes) {
  const KnownStreams known(R"(
    node { name: "source" calculator: "TestSource" output_stream: "a"
      condition { type: "PeriodicCondition" options {
        [syncline.PeriodicConditionOptions.ext] { recess_period: "1ms" } } } }
    node { calculator: "PromisingNode" input_stream: "IN:a"
           input_stream: "LOOP:b"
           input_stream_info { tag_index: "LOOP" back_edge: true }
           output_stream: "b" })");
  EXPECT_EQ(known.facts.timer(known.Stream("b")), known.Node("source"));
}

TEST(StreamFactsTest, TheLargestCollectionCounts) {
  const KnownStreams known(R"(input_stream: "a"
    node { name: "four" calculator: "PromisingNode" input_stream: "a"
           output_stream: "b" batch { max_size: 4 } }
    node { name: "two" calculator: "PromisingNode" input_stream: "b"
           output_stream: "c" batch { max_size: 2 } }
    node { name: "timed" calculator: "PromisingNode" input_stream: "a"
           output_stream: "d" batch { max_size: 9 max_delay_ns: 1 } })");
  EXPECT_EQ(known.facts.collected(known.Stream("a")), 1);
  EXPECT_EQ(known.facts.collected(known.Stream("b")), 4);
  EXPECT_EQ(known.facts.collected(known.Stream("c")), 4);
  EXPECT_EQ(known.facts.collector(known.Stream("c")), known.Node("four"));
  EXPECT_EQ(known.facts.collected(known.Stream("d")), 1);
}

TEST(StreamFactsTest, WhoGivesPacketsTheirTimesIsKnown) {
  const KnownStreams known(R"(input_stream: "a"
    node { name: "source" calculator: "TestSource" output_stream: "b"
      condition { type: "PeriodicCondition" options {
        [syncline.PeriodicConditionOptions.ext] { recess_period: "1ms" } } } }
    node { calculator: "PromisingNode" input_stream: "b" output_stream: "c" }
    node { name: "thinner" calculator: "PacketThinnerCalculator"
           input_stream: "a" output_stream: "d" }
    node { calculator: "PromisingNode" input_stream: "c" input_stream: "d"
           output_stream: "e" })");
  EXPECT_EQ(known.facts.timer(known.Stream("a")), StreamFacts::kNone);
  EXPECT_EQ(known.facts.timer(known.Stream("c")), known.Node("source"));
  EXPECT_EQ(known.facts.timer(known.Stream("d")), known.Node("thinner"));
  EXPECT_EQ(known.facts.timer(known.Stream("e")), StreamFacts::kMixed);
  EXPECT_EQ(PeriodOf(LintNode(known.plan, "source")), 1'000'000);
  EXPECT_EQ(PeriodOf(LintNode(known.plan, "thinner")), 0);
}

TEST(StreamFactsTest, SourcesAreComparedAsSets) {
  const KnownStreams known(R"(input_stream: "a" input_stream: "b"
    node { calculator: "PromisingNode" input_stream: "a" input_stream: "b"
           output_stream: "c" })");
  const auto set = [&](const char* stream) {
    return known.plan.streams()[known.Stream(stream)].source_set;
  };
  EXPECT_TRUE(known.facts.ShareSource(set("a"), set("c")));
  EXPECT_TRUE(known.facts.ShareSource(set("c"), set("b")));
  EXPECT_FALSE(known.facts.ShareSource(set("a"), set("b")));
}

}  // namespace
}  // namespace syncline
