#include "framework/trace/convert/node_profiles.h"

#include <cstdint>
#include <limits>
#include <vector>

#include "framework/port/status_matchers.h"
#include "framework/trace/convert/test_trace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;

GraphProfileOptions FourBucketsOf10Us() {
  GraphProfileOptions options;
  options.histogram_interval_us = 10;
  options.histogram_intervals = 4;
  return options;
}

TEST(DurationCountsTest, TheLastBucketTakesAllThatIsLonger) {
  const GraphProfileOptions options = FourBucketsOf10Us();
  DurationCounts counts;
  for (const int us : {0, 9, 10, 29, 30, 39, 40, 1'000'000, -5}) {
    counts.Add(us, options);
  }
  const TimeHistogram histogram = counts.ToHistogram(options);
  EXPECT_THAT(histogram.count(), ElementsAre(3, 1, 1, 4));
  EXPECT_EQ(histogram.total(), 1'000'157);
  EXPECT_EQ(histogram.interval_size_usec(), 10);
  EXPECT_EQ(histogram.num_intervals(), 4);
}

TEST(DurationCountsTest, TheTotalStaysInRange) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  DurationCounts counts;
  counts.Add(kMax - 1, {});
  counts.Add(kMax - 1, {});
  EXPECT_EQ(counts.ToHistogram({}).total(), kMax);
  EXPECT_THAT(counts.ToHistogram({}).count(), ElementsAre(2));
  DurationCounts merged = counts;
  merged.MergeFrom(counts);
  EXPECT_EQ(merged.ToHistogram({}).total(), kMax);
  EXPECT_THAT(merged.ToHistogram({}).count(), ElementsAre(4));
}

TEST(DurationCountsTest, DefaultsAreNotWritten) {
  DurationCounts counts;
  counts.Add(5, {});
  const TimeHistogram histogram = counts.ToHistogram({});
  EXPECT_FALSE(histogram.has_interval_size_usec());
  EXPECT_FALSE(histogram.has_num_intervals());
  EXPECT_THAT(histogram.count(), ElementsAre(1));
}

class NodeProfilesTest : public ::testing::Test {
 protected:
  NodeProfilesTest() {
    made_.AddNode("a", {"in"}, {"mid"});
    made_.AddNode("b", {"mid", "in"}, {});
    made_.header().mutable_node(1)->add_input_is_back_edge(false);
    made_.header().mutable_node(1)->add_input_is_back_edge(true);
  }
  TestTrace made_;
  GraphProfileOptions options_ = FourBucketsOf10Us();
};

TEST_F(NodeProfilesTest, TakeBeginsAnewAndAllDoesNot) {
  NodeProfiles profiles(made_.header(), options_);
  profiles.Of(0).open_us = 7;
  profiles.Of(0).process.Add(15, options_);
  EXPECT_THAT(profiles.Take()[0].process_runtime().count(),
              ElementsAre(0, 1, 0, 0));
  profiles.Of(0).process.Add(25, options_);
  EXPECT_THAT(profiles.All()[0].process_runtime().count(),
              ElementsAre(0, 1, 1, 0));
  const std::vector<CalculatorProfile> second = profiles.Take();
  EXPECT_THAT(second[0].process_runtime().count(), ElementsAre(0, 0, 1, 0));
  // The time of Open stays.
  EXPECT_EQ(second[0].open_runtime(), 7);
  EXPECT_EQ(profiles.All()[0].process_runtime().total(), 40);
  EXPECT_THAT(profiles.Take()[0].process_runtime().count(),
              ElementsAre(0, 0, 0, 0));
}

TEST_F(NodeProfilesTest, ResetKeepsTheTimesOfOpenAndClose) {
  NodeProfiles profiles(made_.header(), options_);
  profiles.Of(0).open_us = 7;
  profiles.Of(0).process.Add(15, options_);
  profiles.Take();
  profiles.Of(0).close_us = 3;
  profiles.Of(0).process.Add(25, options_);
  profiles.Reset();
  for (const CalculatorProfile& a : {profiles.All()[0], profiles.Take()[0]}) {
    EXPECT_EQ(a.open_runtime(), 7);
    EXPECT_EQ(a.close_runtime(), 3);
    EXPECT_EQ(a.process_runtime().total(), 0);
  }
}

TEST_F(NodeProfilesTest, StreamsHaveTheirNames) {
  NodeProfiles profiles(made_.header(), options_);
  profiles.Of(1).stream_latency[1].Add(35, options_);
  const CalculatorProfile b = profiles.All()[1];
  EXPECT_EQ(b.name(), "b");
  ASSERT_EQ(b.input_stream_profiles_size(), 2);
  EXPECT_EQ(b.input_stream_profiles(0).name(), "mid");
  EXPECT_FALSE(b.input_stream_profiles(0).back_edge());
  EXPECT_EQ(b.input_stream_profiles(1).name(), "in");
  EXPECT_TRUE(b.input_stream_profiles(1).back_edge());
  EXPECT_THAT(b.input_stream_profiles(1).latency().count(),
              ElementsAre(0, 0, 0, 1));
}

TEST_F(NodeProfilesTest, LatenciesAreFilledOnlyWhereTheyAreAskedFor) {
  for (const bool has_latency : {false, true}) {
    options_.has_stream_latency = has_latency;
    NodeProfiles profiles(made_.header(), options_);
    profiles.Of(1).process.Add(5, options_);
    profiles.Of(1).input_latency.Add(15, options_);
    profiles.Of(1).output_latency.Add(25, options_);
    const CalculatorProfile b = profiles.All()[1];
    EXPECT_EQ(b.process_runtime().total(), 5);
    ASSERT_TRUE(b.has_process_input_latency());
    ASSERT_TRUE(b.has_process_output_latency());
    EXPECT_EQ(b.process_input_latency().total(), has_latency ? 15 : 0);
    EXPECT_EQ(b.process_output_latency().total(), has_latency ? 25 : 0);
    EXPECT_EQ(b.process_input_latency().ByteSizeLong() > 0, has_latency);
    EXPECT_EQ(b.process_output_latency().ByteSizeLong() > 0, has_latency);
  }
}

TEST_F(NodeProfilesTest, TheFilterChoosesWhatIsTaken) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(options_.histogram_nodes,
                                NodeFilter::Make("b"));
  options_.has_stream_latency = false;
  NodeProfiles profiles(made_.header(), options_);
  const std::vector<CalculatorProfile> taken = profiles.Take();
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(taken[0].name(), "b");
  EXPECT_EQ(taken[0].input_stream_profiles_size(), 0);
  EXPECT_EQ(profiles.All().size(), 2u);
}

}  // namespace
}  // namespace syncline
