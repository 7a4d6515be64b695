// What old forms of the config become.

#include <string>

#include "absl/status/status.h"
#include "framework/config/packet_generator_wrapper_calculator.pb.h"
#include "framework/plan/compile.h"
#include "framework/plan/passes.h"
#include "framework/plan/plan_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string Message(const absl::Status& status) {
  return std::string(status.message());
}

TEST(LowerLegacyTest, PacketGeneratorsBecomeNodesInFront) {
  const GraphPlan plan = PlanOf(R"pb(
    package: "some.package"
    node { name: "n" calculator: "IntNode" input_side_packet: "b" }
    packet_generator {
      packet_generator: "IntGenerator"
      input_side_packet: "a"
      output_side_packet: "b"
    }
    packet_generator {
      packet_generator: "syncline.IntGenerator"
      output_side_packet: "OUT:c"
    }
  )pb");
  EXPECT_THAT(
      NodeNames(plan),
      ElementsAre("__pg_0_IntGenerator", "__pg_1_syncline.IntGenerator", "n"));
  EXPECT_THAT(plan.Config().packet_generator(), IsEmpty());
  const auto& node = plan.Config().node(0);
  EXPECT_EQ(node.calculator(), "PacketGeneratorWrapperCalculator");
  EXPECT_THAT(node.input_side_packet(), ElementsAre("a"));
  EXPECT_THAT(node.output_side_packet(), ElementsAre("b"));
  const auto& options =
      node.options().GetExtension(PacketGeneratorWrapperCalculatorOptions::ext);
  EXPECT_EQ(options.packet_generator(), "IntGenerator");
  EXPECT_EQ(options.package(), "some.package");
  const PlanSidePacket& b = plan.side_packets()[plan.FindSidePacket("b")];
  EXPECT_EQ(b.producer, (PortRef{0, 0}));
}

TEST(LowerLegacyTest, GeneratorsWithWrongPortsOrNamesAreErrorsWithPositions) {
  CompileOptions options;
  options.log_warnings = false;
  const absl::Status status =
      Compile(ParseSource("node { calculator: \"FloatNode\"\n"
                          "       input_side_packet: \"b\" }\n"
                          "packet_generator {\n"
                          "  packet_generator: \"NoGenerator\"\n"
                          "}\n"
                          "packet_generator {\n"
                          "  packet_generator: \"IntGenerator\"\n"
                          "  output_side_packet: \"b\"\n"
                          "}\n"),
              options)
          .status();
  EXPECT_THAT(Message(status),
              AllOf(HasSubstr("graph.pbtxt:3: "), HasSubstr("NoGenerator"),
                    HasSubstr("graph.pbtxt:1: "),
                    HasSubstr("side packet \"b\" expects packets of type "
                              "\"float\"")));
}

TEST(LowerLegacyTest, OldFieldNamesAreTheNewOnes) {
  const GraphPlan plan = PlanOf(R"pb(
    node { name: "n" calculator: "IntNode" external_input: "a" }
    packet_generator {
      packet_generator: "IntGenerator"
      external_input: "b"
      external_output: "c"
    }
    status_handler { status_handler: "IntStatusHandler" external_input: "c" }
  )pb");
  const auto& config = plan.Config();
  EXPECT_THAT(config.node(0).input_side_packet(), ElementsAre("b"));
  EXPECT_THAT(config.node(0).output_side_packet(), ElementsAre("c"));
  EXPECT_THAT(config.node(1).input_side_packet(), ElementsAre("a"));
  EXPECT_THAT(config.node(1).external_input(), IsEmpty());
  EXPECT_THAT(config.status_handler(0).input_side_packet(), ElementsAre("c"));
}

TEST(LowerLegacyTest, OldAndNewFieldNamesTogetherAreAnError) {
  EXPECT_THAT(
      Message(ErrorOf(R"pb(
        node {
          name: "n"
          calculator: "IntNode"
          input_side_packet: "a"
          external_input: "b"
        }
        packet_generator {
          packet_generator: "IntGenerator"
          output_side_packet: "a"
          external_output: "b"
        }
        status_handler {
          status_handler: "IntStatusHandler"
          input_side_packet: "a"
          external_input: "b"
        }
      )pb")),
      AllOf(HasSubstr("node \"n\" (IntNode): external_input"),
            HasSubstr("packet generator \"IntGenerator\": external"),
            HasSubstr("status handler \"IntStatusHandler\": external")));
}

TEST(LowerLegacyTest, StatusHandlersArePlannedInConfigOrder) {
  const GraphPlan plan = PlanOf(R"pb(
    status_handler {
      status_handler: "IntStatusHandler"
      input_side_packet: "A:a"
    }
    status_handler {
      status_handler: "IntStatusHandler"
      input_side_packet: "B:b"
      input_side_packet: "A:a"
    }
  )pb");
  ASSERT_THAT(plan.status_handlers(), SizeIs(2));
  EXPECT_THAT(plan.status_handlers()[0].input_side_packets,
              ElementsAre(plan.FindSidePacket("a")));
  EXPECT_THAT(plan.status_handlers()[1].input_side_packets,
              ElementsAre(plan.FindSidePacket("a"), plan.FindSidePacket("b")));
  EXPECT_NE(plan.status_handlers()[0].handler, nullptr);
  EXPECT_EQ(plan.status_handlers()[1].config,
            &plan.GraphFields().status_handler(1));
  EXPECT_FALSE(plan.side_packets()[0].required)
      << "a handler without its side packets is skipped, not an error";
}

TEST(LowerLegacyTest, StatusHandlersThatAreUnknownOrWrongAreErrors) {
  EXPECT_THAT(Message(ErrorOf(R"pb(
                status_handler { status_handler: "NoHandler" }
                status_handler { status_handler: "FailingStatusHandler" }
                status_handler {
                  status_handler: "IntStatusHandler"
                  input_side_packet: "Not A Name"
                }
              )pb")),
              AllOf(HasSubstr("status handler \"NoHandler\": "),
                    HasSubstr("FailingStatusHandler::FillExpectations failed: "
                              "no expectations"),
                    HasSubstr("Not A Name")));
}

TEST(LowerLegacyTest, TheCanonicalConfigHasAsManyGenerators) {
  const GraphPlan plan = PlanOf(R"pb(
    node { calculator: "IntNode" input_side_packet: "a" }
    node { calculator: "IntNode" input_side_packet: "b" }
    packet_generator {
      packet_generator: "IntGenerator"
      output_side_packet: "a"
    }
    packet_generator {
      packet_generator: "IntGenerator"
      output_side_packet: "b"
    }
  )pb");
  const GraphPlan again = PlanOf(plan.Config().DebugString());
  EXPECT_EQ(again.DebugString(), plan.DebugString());
}

TEST(LowerLegacyTest, FieldsThatAreIgnoredAreAccepted) {
  const GraphPlan plan = PlanOf(R"pb(
    output_stream_handler { output_stream_handler: "NoSuchHandler" }
    packet_factory {
      packet_factory: "NoSuchFactory"
      external_output: "a"
      options {}
    }
    node {
      calculator: "IntNode"
      profiler_config { enable_profiler: true trace_log_duration_events: true }
      options { merge_fields: true }
    }
    packet_generator {
      packet_generator: "IntGenerator"
      external_output: "b"
      options { merge_fields: false }
    }
    profiler_config { enable_input_output_latency: true }
  )pb");
  EXPECT_THAT(plan.nodes(), SizeIs(2));
  EXPECT_THAT(plan.warnings(), SizeIs(0));
}

}  // namespace
}  // namespace syncline
