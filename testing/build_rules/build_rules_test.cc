// What the rules of ported BUILD files make does what it should.

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/deps/file_helpers.h"
#include "framework/graph_text/graph_source.h"
#include "framework/port/status_matchers.h"
#include "framework/type_map.h"
#include "gtest/gtest.h"
#include "testing/build_rules/fan_options.pb.h"

namespace syncline {
namespace {

constexpr char kUseFan[] =
#include "testing/build_rules/use_fan_text.inc"
    ;

TEST(BuildRulesTest, ATemplateIsASubgraphAndAGraphIsAString) {
  const auto source = ReadGraphText(kUseFan);
  SYNCLINE_ASSERT_OK(source.status());
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(source->config));
  EXPECT_EQ(graph.Config().node_size(), 3);
  int last = 0;
  SYNCLINE_ASSERT_OK(graph.ObserveOutputStream("z", [&](const Packet& packet) {
    last = packet.Get<int>();
    return absl::OkStatus();
  }));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  SYNCLINE_ASSERT_OK(
      graph.AddPacketToInputStream("in", MakePacket<int>(8).At(Timestamp(0))));
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
  EXPECT_EQ(last, 8);
}

TEST(BuildRulesTest, ABinaryGraphIsTheSameGraph) {
  const auto text = ReadGraphText(kUseFan);
  const auto binary = ReadGraphFile("testing/build_rules/use_fan.binarypb");
  SYNCLINE_ASSERT_OK(text.status());
  SYNCLINE_ASSERT_OK(binary.status());
  EXPECT_EQ(binary->config.DebugString(), text->config.DebugString());
  FanForBuildRulesOptions options;
  ASSERT_TRUE(binary->config.graph_options(0).UnpackTo(&options));
  EXPECT_EQ(options.name(), "50%");
}

TEST(BuildRulesTest, AMessageIsEncoded) {
  std::string bytes;
  SYNCLINE_ASSERT_OK(file::GetContents(
      "testing/build_rules/fan_options_binary.binarypb", &bytes));
  FanForBuildRulesOptions options;
  ASSERT_TRUE(options.ParseFromString(bytes));
  EXPECT_EQ(options.name(), "encoded");
}

TEST(BuildRulesTest, TypesHaveNames) {
  EXPECT_EQ(*SynclineTypeString<FanForBuildRulesOptions>(),
            "::syncline::FanForBuildRulesOptions");
  EXPECT_EQ((*SynclineTypeString<std::pair<int, FanForBuildRulesOptions>>()),
            "::std::pair<int, ::syncline::FanForBuildRulesOptions>");
}

}  // namespace
}  // namespace syncline
