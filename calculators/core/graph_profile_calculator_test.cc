// What GraphProfileCalculator sends, and when.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/calculator_profile.pb.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

// The profiles that the graph sends for packets at these times.
std::vector<Packet> Profiles(const std::string& profiler_config,
                             const std::vector<std::int64_t>& times) {
  CalculatorGraph graph;
  SYNCLINE_EXPECT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(
          absl::StrCat(R"pb(
                         input_stream: "in"
                         node {
                           calculator: "GraphProfileCalculator"
                           input_stream: "FRAME:in"
                           output_stream: "PROFILE:profile"
                           options {
                             [syncline.GraphProfileCalculatorOptions.ext] {
                               profile_interval: 100
                             }
                           }
                         })pb",
                       profiler_config))));
  std::vector<Packet> profiles;
  SYNCLINE_EXPECT_OK(
      graph.ObserveOutputStream("profile", [&](const Packet& packet) {
        profiles.push_back(packet);
        return absl::OkStatus();
      }));
  SYNCLINE_EXPECT_OK(graph.StartRun({}));
  for (const std::int64_t time : times) {
    SYNCLINE_EXPECT_OK(graph.AddPacketToInputStream(
        "in", MakePacket<int>(1).At(Timestamp(time))));
  }
  SYNCLINE_EXPECT_OK(graph.CloseAllInputStreams());
  SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
  return profiles;
}

TEST(GraphProfileCalculatorTest, SendsAProfileInEachInterval) {
  const std::vector<Packet> profiles = Profiles(
      "profiler_config { trace_enabled: true trace_log_disabled: true "
      "enable_profiler: true }",
      {10, 50, 109, 110, 209, 250});
  ASSERT_THAT(profiles, SizeIs(3));
  EXPECT_EQ(profiles[0].Timestamp(), Timestamp(10));
  EXPECT_EQ(profiles[1].Timestamp(), Timestamp(110));
  EXPECT_EQ(profiles[2].Timestamp(), Timestamp(250));
  EXPECT_TRUE(profiles[0].Get<GraphProfile>().has_config());
  EXPECT_FALSE(profiles[1].Get<GraphProfile>().has_config());
  // The calls since the profile before, with the one that sent it.
  ASSERT_EQ(profiles[1].Get<GraphProfile>().calculator_profiles_size(), 1);
  const TimeHistogram& process =
      profiles[1].Get<GraphProfile>().calculator_profiles(0).process_runtime();
  std::int64_t calls = 0;
  for (const std::int64_t count : process.count()) calls += count;
  EXPECT_EQ(calls, 3);
}

TEST(GraphProfileCalculatorTest, WithoutAProfilerConfigAProfileIsEmpty) {
  const std::vector<Packet> profiles = Profiles("", {10});
  ASSERT_THAT(profiles, SizeIs(1));
  EXPECT_EQ(profiles[0].Get<GraphProfile>().graph_trace_size(), 0);
}

TEST(GraphProfileCalculatorTest, AnIntervalIsNotNegative) {
  CalculatorGraph graph;
  EXPECT_THAT(graph
                  .Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
                    input_stream: "in"
                    node {
                      calculator: "GraphProfileCalculator"
                      input_stream: "FRAME:in"
                      output_stream: "PROFILE:profile"
                      options {
                        [syncline.GraphProfileCalculatorOptions.ext] {
                          profile_interval: -1
                        }
                      }
                    })pb"))
                  .message(),
              HasSubstr("profile_interval must not be negative"));
}

}  // namespace
}  // namespace syncline
