// What a contract takes from the node and what it remembers for the plan.
#include "framework/calculator/contract.h"

#include <string>

#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/calculator/service.h"
#include "framework/calculator/test_support.h"
#include "framework/component/node_config.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/fixed_size_input_stream_handler.pb.h"
#include "framework/config/packet_generator_wrapper_calculator.pb.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

using Node = CalculatorGraphConfig::Node;

TEST(CalculatorContractTest, HasThePortsAndOptionsOfTheNode) {
  const auto node = ParseNode(R"pb(
    calculator: "X"
    name: "x"
    max_in_flight: 3
    input_stream: "IN:0:a"
    input_stream: "IN:1:b"
    output_stream: "out"
    input_side_packet: "MODEL:m"
    output_side_packet: "SIZE:s"
    options {
      [syncline.PacketGeneratorWrapperCalculatorOptions.ext] {
        packet_generator: "G"
      }
    }
  )pb");
  CalculatorContract contract;
  SYNCLINE_ASSERT_OK(contract.Initialize(node));
  EXPECT_EQ(contract.Inputs().NumEntries("IN"), 2);
  EXPECT_EQ(contract.Outputs().NumEntries(), 1);
  EXPECT_TRUE(contract.InputSidePackets().HasTag("MODEL"));
  EXPECT_TRUE(contract.OutputSidePackets().HasTag("SIZE"));
  EXPECT_EQ(contract.GetNodeName(), "x");
  EXPECT_EQ(contract.GetMaxInFlight(), 3);
  using Options = PacketGeneratorWrapperCalculatorOptions;
  EXPECT_TRUE(contract.HasOptions<Options>());
  EXPECT_EQ(contract.Options<Options>().packet_generator(), "G");
  EXPECT_TRUE(contract.Options().HasExtension(Options::ext));
}

TEST(CalculatorContractTest, AnUnnamedNodeHasTheNameGivenOrItsType) {
  const auto node = ParseNode(R"pb(calculator: "X")pb");
  CalculatorContract contract;
  SYNCLINE_ASSERT_OK(contract.Initialize(node));
  EXPECT_EQ(contract.GetNodeName(), "X");
  EXPECT_EQ(contract.GetMaxInFlight(), 1);
  SYNCLINE_ASSERT_OK(contract.Initialize(node, "X_2"));
  EXPECT_EQ(contract.GetNodeName(), "X_2");
}

TEST(CalculatorContractTest, MalformedPortsAreReportedFieldByField) {
  const auto node = ParseNode(R"pb(
    calculator: "X"
    input_stream: "IN:"
    output_stream: "out"
    input_side_packet: "A:a"
    input_side_packet: "A:b"
  )pb");
  CalculatorContract contract;
  EXPECT_THAT(
      contract.Initialize(node),
      StatusIs(testing::_, AllOf(HasSubstr("input_stream: \"IN:\""),
                                 HasSubstr("input_side_packet: tag \"A\""))));
  EXPECT_EQ(contract.Inputs().NumEntries(), 0);
  EXPECT_EQ(contract.Outputs().NumEntries(), 1) << "the others are usable";
}

TEST(CalculatorContractTest, GeneratorsAndStatusHandlersHaveSidePacketsOnly) {
  PacketGeneratorConfig generator;
  generator.set_packet_generator("G");
  generator.add_input_side_packet("A:a");
  generator.add_output_side_packet("b");
  generator.add_output_side_packet("c");
  CalculatorContract of_generator;
  SYNCLINE_ASSERT_OK(of_generator.Initialize(generator));
  EXPECT_EQ(of_generator.GetNodeName(), "G");
  EXPECT_TRUE(of_generator.InputSidePackets().HasTag("A"));
  EXPECT_EQ(of_generator.OutputSidePackets().NumEntries(), 2);
  EXPECT_EQ(of_generator.Inputs().NumEntries(), 0);

  StatusHandlerConfig handler;
  handler.set_status_handler("H");
  handler.add_input_side_packet("A:");
  CalculatorContract of_handler;
  EXPECT_THAT(of_handler.Initialize(handler),
              StatusIs(testing::_, HasSubstr("input_side_packet: \"A:\"")));
}

TEST(CalculatorContractTest, DuplicateNodeOptionsAreAnError) {
  const auto node = ParseNode(R"pb(
    calculator: "X"
    node_options { type_url: "a/b.C" }
    node_options { type_url: "a/b.C" }
  )pb");
  CalculatorContract contract;
  EXPECT_THAT(contract.Initialize(node),
              StatusIs(StatusCode::kInvalidArgument, HasSubstr("\"b.C\"")));
}

TEST(CalculatorContractTest, RemembersHowTheNodeWantsToRun) {
  CalculatorContract contract;
  EXPECT_EQ(contract.GetInputStreamHandler(), "");
  EXPECT_FALSE(contract.GetProcessTimestampBounds());
  EXPECT_EQ(contract.GetTimestampOffset(), TimestampDiff::Unset());

  SynclineOptions options;
  options.MutableExtension(FixedSizeInputStreamHandlerOptions::ext)
      ->set_target_queue_size(4);
  contract.SetInputStreamHandler("FixedSizeInputStreamHandler");
  contract.SetInputStreamHandlerOptions(options);
  contract.SetProcessTimestampBounds(true);
  contract.SetTimestampOffset(2);
  EXPECT_EQ(contract.GetInputStreamHandler(), "FixedSizeInputStreamHandler");
  EXPECT_EQ(contract.GetInputStreamHandlerOptions()
                .GetExtension(FixedSizeInputStreamHandlerOptions::ext)
                .target_queue_size(),
            4);
  EXPECT_TRUE(contract.GetProcessTimestampBounds());
  EXPECT_EQ(contract.GetTimestampOffset(), TimestampDiff(2));
  contract.SetTimestampOffset(TimestampDiff::Unset());
  EXPECT_EQ(contract.GetTimestampOffset(), TimestampDiff::Unset());
}

constexpr GraphService<int> kFirst("first");
constexpr GraphService<int> kSecond("second");

TEST(CalculatorContractTest, ServicesAreRequestedByKey) {
  CalculatorContract contract;
  contract.UseService(kFirst);
  contract.UseService(kSecond).Optional();
  EXPECT_THAT(contract.ServiceRequests(), SizeIs(2));
  EXPECT_FALSE(contract.FindServiceRequest("first")->IsOptional());
  EXPECT_TRUE(contract.FindServiceRequest("second")->IsOptional());
  EXPECT_EQ(&contract.FindServiceRequest("first")->Service(), &kFirst);
  EXPECT_EQ(contract.FindServiceRequest("third"), nullptr);
}

TEST(CalculatorContractTest, AServiceAskedForTwiceIsOptionalOnlyIfBothTimes) {
  CalculatorContract contract;
  contract.UseService(kFirst).Optional();
  contract.UseService(kFirst);
  EXPECT_FALSE(contract.FindServiceRequest("first")->IsOptional());

  contract.UseService(kSecond);
  contract.UseService(kSecond).Optional();
  EXPECT_FALSE(contract.FindServiceRequest("second")->IsOptional());
}

// These bytes are no node: what looked into them would fail.
TEST(CalculatorContractTest, ANodeThatIsKeptAsBytesIsNotUnpackedToRun) {
  const auto node = ParseNode(R"pb(
    calculator: "X" name: "x" input_stream: "a"
  )pb");
  CalculatorContract contract;
  SYNCLINE_ASSERT_OK(contract.Initialize(node));
  NodeConfig config;
  config.SetBytes("not a node");
  contract.SetConfig(config);
  EXPECT_EQ(contract.GetNodeName(), "x");
  EXPECT_EQ(contract.Inputs().layout().Names()[0], "a");
  EXPECT_EQ(contract.GetMaxInFlight(), 1);
  EXPECT_EQ(contract.GetLogLevel(), "");
  EXPECT_FALSE(contract.IsPersistent());
  EXPECT_EQ(contract.Options().ByteSizeLong(), 0);
  contract.SetPersistent(true);
  EXPECT_TRUE(contract.IsPersistent());
  EXPECT_THAT(CallUserCode([&] {
                contract.node();
                return absl::OkStatus();
              }),
              StatusIs(StatusCode::kInternal));
}

TEST(CalculatorContractTest, TellsTheLevelOfTheLog) {
  const auto node = ParseNode(R"pb(calculator: "X" log_level: "DEBUG")pb");
  CalculatorContract contract;
  SYNCLINE_ASSERT_OK(contract.Initialize(node));
  EXPECT_EQ(contract.GetLogLevel(), "DEBUG");
}

TEST(CalculatorContractTest, InitializedAgainItForgetsWhatItHad) {
  const auto node = ParseNode(R"pb(
    calculator: "X" input_side_packet: "A:a"
  )pb");
  const auto other = ParseNode(R"pb(calculator: "Y")pb");
  CalculatorContract contract;
  SYNCLINE_ASSERT_OK(contract.Initialize(node));
  contract.Outputs().Tag("MISSING").SetAny();
  SYNCLINE_ASSERT_OK(contract.Initialize(other, "other"));
  EXPECT_EQ(contract.GetNodeName(), "other");
  EXPECT_EQ(contract.InputSidePackets().NumEntries(), 0);
  EXPECT_TRUE(contract.Outputs().Missing().all().empty());
  contract.SetNodeName("another");
  EXPECT_EQ(contract.GetNodeName(), "another");
}

TEST(NodeTextTest, NamesTheNodeAndItsTypeOnce) {
  CalculatorContract contract;
  const auto named = ParseNode("name: 'n' calculator: 'T'");
  SYNCLINE_ASSERT_OK(contract.Initialize(named));
  EXPECT_EQ(NodeText(contract), "\"n\" (T)");
  const auto unnamed = ParseNode("calculator: 'T'");
  SYNCLINE_ASSERT_OK(contract.Initialize(unnamed));
  EXPECT_EQ(NodeText(contract), "\"T\"");
}

}  // namespace
}  // namespace syncline
