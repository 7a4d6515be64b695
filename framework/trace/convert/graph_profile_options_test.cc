#include "framework/trace/convert/graph_profile_options.h"

#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "framework/config/calculator.pb.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(GraphProfileOptionsTest, ZeroMeansTheDefault) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const GraphProfileOptions options,
                                ReadProfilerConfig({}));
  EXPECT_FALSE(options.has_events);
  EXPECT_FALSE(options.has_histograms);
  EXPECT_FALSE(options.has_stream_latency);
  EXPECT_FALSE(options.instant_events);
  EXPECT_EQ(options.histogram_interval_us, 1'000'000);
  EXPECT_EQ(options.histogram_intervals, 1);
  EXPECT_EQ(options.margin_us, 0);
  EXPECT_TRUE(options.histogram_nodes.Matches("any"));
  EXPECT_FALSE(options.base_time_us.has_value());
}

TEST(GraphProfileOptionsTest, TakesWhatIsSet) {
  ProfilerConfig config;
  config.set_trace_enabled(true);
  config.set_enable_profiler(true);
  config.set_enable_stream_latency(true);
  config.set_trace_log_instant_events(true);
  config.add_trace_event_types_disabled(4);
  config.add_trace_event_types_disabled(15);
  config.set_histogram_interval_size_usec(200);
  config.set_num_histogram_intervals(4);
  config.set_calculator_filter("a|b");
  config.set_use_packet_timestamp_for_added_packet(true);
  config.set_trace_log_margin_usec(500);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const GraphProfileOptions options,
                                ReadProfilerConfig(config));
  EXPECT_TRUE(options.has_events);
  EXPECT_TRUE(options.has_histograms);
  EXPECT_TRUE(options.has_stream_latency);
  EXPECT_TRUE(options.instant_events);
  EXPECT_THAT(options.disabled_types, ElementsAre(4, 15));
  EXPECT_EQ(options.histogram_interval_us, 200);
  EXPECT_EQ(options.histogram_intervals, 4);
  EXPECT_TRUE(options.histogram_nodes.Matches("b"));
  EXPECT_FALSE(options.histogram_nodes.Matches("c"));
  EXPECT_TRUE(options.added_packets_originate_at_timestamp);
  EXPECT_EQ(options.margin_us, 500);
}

TEST(GraphProfileOptionsTest, StreamLatencyNeedsTheProfiler) {
  ProfilerConfig config;
  config.set_enable_stream_latency(true);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const GraphProfileOptions options,
                                ReadProfilerConfig(config));
  EXPECT_FALSE(options.has_stream_latency);
}

TEST(GraphProfileOptionsTest, RefusesWhatIsOutOfRange) {
  const auto error = [](auto change) {
    ProfilerConfig config;
    change(&config);
    return ReadProfilerConfig(config);
  };
  const auto names = [](absl::string_view field) {
    return StatusIs(
        absl::StatusCode::kInvalidArgument,
        AllOf(HasSubstr("profiler_config"), HasSubstr(std::string(field))));
  };
  EXPECT_THAT(error([](auto* c) { c->set_histogram_interval_size_usec(-1); }),
              names("histogram_interval_size_usec is -1"));
  EXPECT_THAT(error([](auto* c) {
                c->set_histogram_interval_size_usec(
                    std::numeric_limits<std::int64_t>::max());
              }),
              names("histogram_interval_size_usec"));
  EXPECT_THAT(error([](auto* c) { c->set_num_histogram_intervals(-3); }),
              names("num_histogram_intervals is -3"));
  EXPECT_THAT(error([](auto* c) { c->set_num_histogram_intervals(10'001); }),
              names("to 10000"));
  EXPECT_THAT(error([](auto* c) { c->set_trace_log_margin_usec(-1); }),
              names("trace_log_margin_usec"));
  EXPECT_THAT(error([](auto* c) { c->add_trace_event_types_disabled(21); }),
              names("trace_event_types_disabled has 21"));
  EXPECT_THAT(error([](auto* c) { c->add_trace_event_types_disabled(-1); }),
              names("has -1"));
  EXPECT_THAT(error([](auto* c) { c->set_calculator_filter("("); }),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("calculator_filter")));
}

TEST(GraphProfileOptionsTest, WhatFilesAndMemoryNeedIsInRangeToo) {
  const auto message = [](auto set) {
    ProfilerConfig config;
    set(&config);
    return std::string(ReadProfilerConfig(config).status().message());
  };
  EXPECT_THAT(message([](ProfilerConfig* c) { c->set_trace_log_capacity(-7); }),
              testing::HasSubstr("trace_log_capacity is -7"));
  EXPECT_THAT(message([](ProfilerConfig* c) {
                c->set_trace_log_capacity(std::int64_t{1} << 62);
              }),
              testing::HasSubstr("trace_log_capacity"));
  EXPECT_THAT(message([](ProfilerConfig* c) { c->set_trace_log_count(-1); }),
              testing::HasSubstr("trace_log_count is -1"));
  EXPECT_THAT(
      message([](ProfilerConfig* c) { c->set_trace_log_interval_count(-1); }),
      testing::HasSubstr("trace_log_interval_count is -1"));
  EXPECT_THAT(
      message([](ProfilerConfig* c) { c->set_trace_log_interval_usec(-2); }),
      testing::HasSubstr("trace_log_interval_usec is -2; it may be -1, which "
                         "means the end of the run, or from 0, "));
  EXPECT_EQ(
      message([](ProfilerConfig* c) { c->set_trace_log_interval_usec(-1); }),
      "");
}

}  // namespace
}  // namespace syncline
