// An idle branch with a calculator of the project does not stall a join, and
// its output can be recorded.

#include "calculators/idle_branches.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "calculators/calculator_table.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/recording.h"
#include "framework/stream_handler/timeout_input_stream_handler.pb.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/packet_matchers.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

std::vector<Branch> Branches() {
  std::vector<Branch> result = FlowBranches();
  for (auto* const more :
       {&LoopBranches, &CollectionBranches, &MeasureBranches,
        &DetectionBranches, &LandmarkBranches, &DrawingBranches, &MediaBranches,
        &VisionBranches, &DeviceBranches, &SeriesBranches}) {
    for (Branch& branch : more()) result.push_back(std::move(branch));
  }
  return result;
}

// Calculators without streams on one side; and VideoPreStreamCalculator, whose
// only packet must wait for the first frame.
const std::set<std::string>& NotInBranches() {
  static const auto& names = *new std::set<std::string>{
      "ConstantSidePacketCalculator",  "CountingSourceCalculator",
      "DefaultSidePacketCalculator",   "StreamToSidePacketCalculator",
      "StringToIntCalculator",         "StringToInt32Calculator",
      "StringToInt64Calculator",       "StringToUintCalculator",
      "StringToUint32Calculator",      "StringToUint64Calculator",
      "LocalFileContentsCalculator",   "LocalFilePatternContentsCalculator",
      "OpenCvVideoDecoderCalculator",  "OpenCvVideoEncoderCalculator",
      "AudioDecoderCalculator",        "WavEncoderCalculator",
      "ResourceProviderCalculator",    "VideoPreStreamCalculator",
      "ImageFilePropertiesCalculator", "ConstantBehaviorCalculator",
      "ParallelBehaviorCalculator",    "RepeatBehaviorCalculator",
      "SelectorBehaviorCalculator",    "SequenceBehaviorCalculator",
      "SwitchBehaviorCalculator",      "TimerBehaviorCalculator",
  };
  return names;
}

TEST(IdleBranchTableTest, HasEveryCalculatorAndItsTags) {
  const std::map<std::string, Row> rows = RowsByName();
  std::set<std::string> found = NotInBranches();
  for (const Branch& branch : Branches()) {
    for (const std::string& name :
         std::vector<std::string>(absl::StrSplit(branch.names, ' '))) {
      found.insert(name);
      // The type of its options may be missing too.
      if (!rows.at(name).is_here()) continue;
      const auto config =
          ParseTextProtoOrDie<CalculatorGraphConfig>(branch.nodes);
      for (const CalculatorGraphConfig::Node& node : config.node()) {
        if (node.calculator() != "NAME" || name == "BypassCalculator") continue;
        for (const auto* ports : {&node.input_stream(), &node.output_stream(),
                                  &node.input_side_packet()}) {
          for (const std::string& port : *ports) {
            const std::vector<std::string> parts = absl::StrSplit(port, ':');
            if (parts.size() == 1) continue;
            EXPECT_THAT(rows.at(name).ports, HasSubstr(parts[0])) << name;
          }
        }
      }
    }
  }
  for (const auto& [name, origin] : RegisteredCalculators()) {
    EXPECT_THAT(found, Contains(name)) << origin;
  }
}

class IdleBranchTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(IdleBranchTest);

// The name of the stream in "TAG:index:name".
std::string StreamOf(const std::string& port) {
  return std::vector<std::string>(absl::StrSplit(port, ':')).back();
}

// The branch with `name` as NAME. The streams that come in are inputs of the
// graph, and each stream that goes out is joined with the input "other".
// Returns the inputs, and the outputs of the joins.
struct JoinedBranch {
  CalculatorGraphConfig config;
  std::set<std::string> inputs;
  std::vector<std::string> joined;
};

JoinedBranch Join(const Branch& branch, const std::string& name) {
  JoinedBranch result;
  result.config = ParseTextProtoOrDie<CalculatorGraphConfig>(branch.nodes);
  std::set<std::string> outputs;
  for (CalculatorGraphConfig::Node& node : *result.config.mutable_node()) {
    if (node.calculator() == "NAME") node.set_calculator(name);
    for (const std::string& port : node.input_stream()) {
      result.inputs.insert(StreamOf(port));
    }
    for (const std::string& port : node.output_stream()) {
      outputs.insert(StreamOf(port));
    }
  }
  for (const std::string& output : outputs) {
    // streams that the branch reads
    if (result.inputs.erase(output) > 0) continue;
    CalculatorGraphConfig::Node& join = *result.config.add_node();
    join.set_calculator("PassThroughCalculator");
    join.add_input_stream(output);
    join.add_input_stream("other");
    join.add_output_stream("joined_" + output);
    join.add_output_stream("other_with_" + output);
    result.joined.push_back("other_with_" + output);
  }
  for (const std::string& input : result.inputs) {
    result.config.add_input_stream(input);
  }
  result.config.add_input_stream("other");
  for (const auto& [side_packet, packet] : branch.side_packets) {
    result.config.add_input_side_packet(side_packet);
  }
  return result;
}

// Every calculator of this build, in its branches.
void ForEachCalculator(
    const std::function<void(const Branch&, const std::string& name)>& test) {
  const std::map<std::string, Row> rows = RowsByName();
  for (const Branch& branch : Branches()) {
    for (const std::string& name :
         std::vector<std::string>(absl::StrSplit(branch.names, ' '))) {
      if (!rows.at(name).is_here()) continue;
      SCOPED_TRACE(name);
      test(branch, name);
    }
  }
}

TEST_P(IdleBranchTest, DoesNotStallAJoin) {
  ForEachCalculator([&](const Branch& branch, const std::string& name) {
    const JoinedBranch joined = Join(branch, name);
    ASSERT_FALSE(joined.joined.empty());
    GraphHarness graph(joined.config, GetParam());
    for (const auto& [side_packet, packet] : branch.side_packets) {
      graph.SetSidePacket(side_packet, packet);
    }
    SYNCLINE_ASSERT_OK(graph.Start());
    graph.Feed("other", {{50, 1}});
    graph.Idle();
    for (const std::string& output : joined.joined) graph.Expect(output, {});
    for (const std::string& input : joined.inputs) {
      graph.SetBound(input, 101);
    }
    graph.Idle();
    for (const std::string& output : joined.joined) {
      graph.Expect(output, {{50, 1}});
    }
    SYNCLINE_EXPECT_OK(graph.Finish());
  });
}

// TimeoutInputStreamHandler calls a node whose streams are all silent, at a
// timestamp at which the node may have sent already, or before any timestamp.
TEST(IdleBranchTableTest, ACallWithoutPacketsIsNoError) {
  ForEachCalculator([&](const Branch& branch, const std::string& name) {
    JoinedBranch joined = Join(branch, name);
    joined.config.mutable_clock()->set_type("SyntheticClock");
    for (CalculatorGraphConfig::Node& node : *joined.config.mutable_node()) {
      if (node.calculator() != name) continue;
      node.mutable_input_stream_handler()->set_input_stream_handler(
          "TimeoutInputStreamHandler");
      node.mutable_input_stream_handler()
          ->mutable_options()
          ->MutableExtension(TimeoutInputStreamHandlerOptions::ext)
          ->set_timeout_ns(100);
    }
    GraphHarness graph(joined.config);
    for (const auto& [side_packet, packet] : branch.side_packets) {
      graph.SetSidePacket(side_packet, packet);
    }
    SYNCLINE_ASSERT_OK(graph.Start());
    for (const int bound : {0, 10, 20}) {
      if (bound > 0) {
        for (const std::string& input : joined.inputs) {
          graph.SetBound(input, bound);
        }
      }
      graph.Idle();
      SYNCLINE_ASSERT_OK(graph.graph().GetClock()->AdvanceBy(250));
      graph.Idle();
    }
    SYNCLINE_EXPECT_OK(graph.Finish());
  });
}

// Values that are packets: the types of the inner values are not known.
bool HasPacketsInside(const std::string& error) {
  return absl::StrContains(error, "Packet");
}

TEST(IdleBranchTableTest, WhatCalculatorsSendCanBeRecorded) {
  ForEachCalculator([&](const Branch& branch, const std::string& name) {
    const JoinedBranch joined = Join(branch, name);
    CalculatorGraph graph;
    SYNCLINE_ASSERT_OK(graph.Initialize(joined.config));
    for (const CalculatorGraphConfig::Node& node : joined.config.node()) {
      for (const std::string& port : node.output_stream()) {
        RecordingOptions options;
        options.streams = {StreamOf(port)};
        const absl::Status status =
            GraphRecorder::Create(&graph, ::testing::TempDir() + "/unused",
                                  options)
                .status();
        if (HasPacketsInside(std::string(status.message()))) continue;
        SYNCLINE_EXPECT_OK(status) << port;
      }
    }
  });
}

}  // namespace
}  // namespace syncline
