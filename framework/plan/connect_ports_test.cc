// Who produces and who reads each stream and side packet, and what does not fit
// together.

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_plan.h"
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
using ::testing::Not;
using ::testing::SizeIs;

std::string Message(const absl::Status& status) {
  return std::string(status.message());
}

TEST(ConnectPortsTest, AStreamKnowsItsProducerAndReaders) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "in"
    node {
      name: "p"
      calculator: "IntNode"
      input_stream: "in"
      output_stream: "B:b"
      output_stream: "A:a"
    }
    node { name: "q" calculator: "IntNode" input_stream: "b" }
    node {
      name: "r"
      calculator: "IntNode"
      input_stream: "X:a"
      input_stream: "Y:b"
      input_stream: "Z:b"
    }
  )pb");
  EXPECT_EQ(StreamNamed(plan, "in").producer, (PortRef{-1, 0}));
  // Ports are in tag order: A before B.
  EXPECT_EQ(StreamNamed(plan, "a").producer, (PortRef{0, 0}));
  EXPECT_EQ(StreamNamed(plan, "b").producer, (PortRef{0, 1}));
  EXPECT_THAT(StreamNamed(plan, "in").consumers, ElementsAre(PortRef{0, 0}));
  EXPECT_THAT(StreamNamed(plan, "a").consumers, ElementsAre(PortRef{2, 0}));
  EXPECT_THAT(StreamNamed(plan, "b").consumers,
              ElementsAre(PortRef{1, 0}, PortRef{2, 1}, PortRef{2, 2}));
  // The same the other way round.
  const PlanNode& r = NodeNamed(plan, "r");
  ASSERT_THAT(r.inputs, SizeIs(3));
  EXPECT_EQ(r.inputs[1].stream, plan.FindStream("b"));
  EXPECT_EQ(NodeNamed(plan, "p").outputs[0].stream, plan.FindStream("a"));
}

TEST(ConnectPortsTest, StreamIdsAreGraphInputsThenOutputsByNode) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "x"
    input_stream: "y"
    node { calculator: "IntNode" input_stream: "late" output_stream: "last" }
    node { calculator: "IntNode" input_stream: "x" output_stream: "late" }
  )pb");
  EXPECT_EQ(plan.FindStream("x"), 0);
  EXPECT_EQ(plan.FindStream("y"), 1);
  EXPECT_EQ(plan.FindStream("late"), 2) << "its node comes first after sorting";
  EXPECT_EQ(plan.FindStream("last"), 3);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(plan.streams()[i].id, i);
}

TEST(ConnectPortsTest, GraphInputsHaveTagIndexAndStream) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "VIDEO:1:right"
    input_stream: "VIDEO:0:left"
    input_stream: "plain"
    output_stream: "OUT:result"
    node { calculator: "AnyNode" input_stream: "left" output_stream: "result" }
  )pb");
  ASSERT_THAT(plan.graph_inputs(), SizeIs(3));
  EXPECT_EQ(plan.graph_inputs()[0].name, "plain");
  EXPECT_EQ(plan.graph_inputs()[2].tag, "VIDEO");
  EXPECT_EQ(plan.graph_inputs()[2].index, 1);
  EXPECT_EQ(plan.graph_inputs()[2].name, "right");
  EXPECT_EQ(plan.FindGraphInput("right"), 2);
  EXPECT_EQ(plan.FindGraphInput("result"), -1);
  ASSERT_THAT(plan.graph_outputs(), SizeIs(1));
  EXPECT_EQ(plan.graph_outputs()[0].stream, plan.FindStream("result"));
}

TEST(ConnectPortsTest, AnUnknownStreamNamesNodeStreamAndNearestOnes) {
  const absl::Status status = ErrorOf(R"pb(
    input_stream: "video_frames"
    node { name: "n" calculator: "IntNode" input_stream: "vidoe_frames" }
  )pb");
  EXPECT_THAT(
      Message(status),
      AllOf(HasSubstr("node \"n\" (IntNode)"),
            HasSubstr("\"vidoe_frames\" does not have a corresponding output "
                      "stream"),
            HasSubstr("Did you mean \"video_frames\"?")));
}

TEST(ConnectPortsTest, AnErrorBeginsWithFileAndLine) {
  CompileOptions options;
  options.log_warnings = false;
  const auto plan = Compile(ParseSource("# a graph\n"
                                        "node {\n"
                                        "  calculator: \"IntNode\"\n"
                                        "  input_stream: \"x\"\n"
                                        "}\n"),
                            options);
  EXPECT_THAT(Message(plan.status()),
              HasSubstr("\ngraph.pbtxt:4: node [IntNode, input stream: x]: "))
      << "the line of the port";
}

TEST(ConnectPortsTest, AStreamWithTwoProducersIsAnError) {
  const absl::Status status = ErrorOf(R"pb(
    input_stream: "g"
    node { name: "a" calculator: "IntNode" output_stream: "x" }
    node { name: "b" calculator: "IntNode" output_stream: "x" }
    node { name: "c" calculator: "IntNode" output_stream: "g" }
  )pb");
  EXPECT_THAT(Message(status),
              AllOf(HasSubstr("node \"b\" (IntNode): Output Stream \"x\" "
                              "defined twice. The other producer is node "
                              "\"a\" (IntNode)."),
                    HasSubstr("node \"c\" (IntNode): Output Stream \"g\" "
                              "defined twice.")));
}

TEST(ConnectPortsTest, AGraphInputGivenTwiceIsAnError) {
  EXPECT_THAT(Message(ErrorWithLinesOf("input_stream: \"a\"\n"
                                       "input_stream: \"b\"\n"
                                       "input_stream: \"a\"\n"
                                       "input_stream: \"c\"")),
              HasSubstr("graph.pbtxt:3: Output Stream \"a\" defined twice."));
}

TEST(ConnectPortsTest, ASidePacketWithTwoProducersIsAnError) {
  EXPECT_THAT(Message(ErrorOf(R"pb(
                node { calculator: "IntNode" output_side_packet: "p" }
                node { name: "b" calculator: "IntNode" output_side_packet: "p" }
              )pb")),
              HasSubstr("node \"b\" (IntNode): Output Side Packet \"p\" "
                        "defined twice."));
}

TEST(ConnectPortsTest, SidePacketsWithoutProducerAreTheApplications) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "in"
    node {
      calculator: "OptionalNode"
      input_stream: "IN:in"
      input_side_packet: "SIDE:maybe"
      output_stream: "OUT:out"
    }
    node { calculator: "IntNode" input_side_packet: "must" }
    node { name: "n" calculator: "IntNode" output_side_packet: "made" }
    node { calculator: "IntNode" input_side_packet: "made" }
  )pb");
  const auto side_packets = plan.side_packets();
  EXPECT_FALSE(side_packets[plan.FindSidePacket("maybe")].required);
  EXPECT_TRUE(side_packets[plan.FindSidePacket("must")].required);
  EXPECT_FALSE(side_packets[plan.FindSidePacket("made")].required);
  const PlanSidePacket& made = side_packets[plan.FindSidePacket("made")];
  EXPECT_EQ(made.producer, (PortRef{plan.FindNode("n"), 0}));
  EXPECT_THAT(made.consumers, SizeIs(1));
}

TEST(ConnectPortsTest, MalformedPortsAreReportedAndTheirReadersAreNot) {
  const absl::Status status = ErrorOf(R"pb(
    input_stream: "Bad Name"
    node { name: "n" calculator: "IntNode" output_stream: "x:y:z:w" }
    node { calculator: "IntNode" input_stream: "w" }
  )pb");
  EXPECT_THAT(Message(status), AllOf(HasSubstr("the graph's input_stream"),
                                     HasSubstr("node \"n\" (IntNode)"),
                                     Not(HasSubstr("corresponding"))));
}

TEST(ConnectPortsTest, BackEdgesAreMarked) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "in"
    node {
      name: "loop"
      calculator: "AnyNode"
      input_stream: "IN:in"
      input_stream: "BACK:back"
      input_stream_info { tag_index: "BACK" back_edge: true }
      output_stream: "out"
    }
    node { calculator: "PassNode" input_stream: "out" output_stream: "back" }
  )pb");
  const PlanNode& loop = NodeNamed(plan, "loop");
  EXPECT_TRUE(loop.inputs[0].back_edge);
  EXPECT_FALSE(loop.inputs[1].back_edge);
  EXPECT_THAT(plan.warnings(), IsEmpty());
}

TEST(ConnectPortsTest, InfosThatFitNoInputOrTheSameOneAreErrors) {
  const absl::Status status = ErrorOf(R"pb(
    input_stream: "in"
    node {
      name: "n"
      calculator: "AnyNode"
      input_stream: "IN:in"
      input_stream_info { tag_index: "NONE" back_edge: true }
      input_stream_info { tag_index: "IN:0" }
      input_stream_info { tag_index: "IN" back_edge: true }
      input_stream_info { tag_index: "in:x" }
    }
  )pb");
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(
      Message(status),
      AllOf(
          HasSubstr("node \"n\" (AnyNode): input_stream_info for tag_index "
                    "\"NONE\": the node has no input stream \"NONE\"; it has"),
          HasSubstr("\"IN\": there is more than one"), HasSubstr("\"in:x\"")));
}

TEST(ConnectPortsTest, AnInputIsIdleAfterAnotherOne) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "a"
    input_stream: "b"
    node {
      calculator: "AnyNode"
      input_stream: "A:a"
      input_stream: "B:b"
      input_stream_info {
        tag_index: "A"
        idle_after { stream: "B:0" gap: 9223372036854775807 }
      }
    }
  )pb");
  const absl::Span<const PlanInput> inputs = plan.nodes()[0].inputs;
  EXPECT_EQ(inputs[0].idle_after_port, 1);
  EXPECT_EQ(inputs[0].idle_gap, INT64_MAX);
  EXPECT_EQ(inputs[1].idle_after_port, -1);
}

TEST(ConnectPortsTest, IdleAfterNeedsAnotherInputAndAGap) {
  const auto message = [](const char* idle_after) {
    return Message(ErrorOf(absl::StrCat(
        R"(input_stream: "a" input_stream: "b"
           node { name: "n" calculator: "AnyNode"
                  input_stream: "A:a" input_stream: "B:b"
                  input_stream_info { tag_index: "A" idle_after { )",
        idle_after, " } } }")));
  };
  EXPECT_THAT(message("stream: \"b\" gap: 1"), HasSubstr("\"b\""));
  EXPECT_THAT(message("stream: \"C\" gap: 1"),
              AllOf(HasSubstr("node \"n\" (AnyNode)"),
                    HasSubstr("idle_after: the node has no input stream "
                              "\"C\"; it has")));
  EXPECT_THAT(message("stream: \"A\" gap: 1"),
              HasSubstr("cannot be idle after itself"));
  EXPECT_THAT(message("stream: \"B\""),
              HasSubstr("gap must be positive, and is 0"));
  EXPECT_THAT(message("stream: \"B\" gap: -5"), HasSubstr("is -5"));
}

TEST(ConnectPortsTest, InputStreamInfoMayBoundAQueue) {
  const GraphPlan plan = PlanOf(R"pb(
    input_stream: "a"
    input_stream: "b"
    node {
      calculator: "AnyNode"
      input_stream: "A:a"
      input_stream: "B:b"
      input_stream_info { tag_index: "A" max_queue_size: 3 queue_policy: POP }
      input_stream_info { tag_index: "B" max_queue_size: 7 }
    }
  )pb");
  const absl::Span<const PlanInput> inputs = plan.nodes()[0].inputs;
  EXPECT_EQ(inputs[0].max_queue_size, 3);
  EXPECT_EQ(inputs[0].queue_policy, InputStreamInfo::POP);
  EXPECT_EQ(inputs[1].max_queue_size, 7);
  EXPECT_EQ(inputs[1].queue_policy, InputStreamInfo::BLOCK);
  EXPECT_THAT(plan.DebugString(),
              AllOf(HasSubstr("at most 3 packets, then POP"),
                    HasSubstr("queue limit 7 packets")));
}

TEST(ConnectPortsTest, AQueuePolicyNeedsASizeThatCanBe) {
  const auto message = [](const char* fields) {
    return Message(ErrorOf(absl::StrCat(
        R"(input_stream: "a"
           node { name: "n" calculator: "AnyNode" input_stream: "A:a"
                  input_stream_info { tag_index: "A" )",
        fields, " } }")));
  };
  EXPECT_THAT(message("queue_policy: POP"),
              AllOf(HasSubstr("node \"n\" (AnyNode)"), HasSubstr("\"A\""),
                    HasSubstr("queue_policy: POP needs a max_queue_size")));
  EXPECT_THAT(message("max_queue_size: -1"), HasSubstr("and is -1"));
  EXPECT_THAT(message("max_queue_size: 1 queue_policy: 9"),
              HasSubstr("queue_policy is 9, which is none of"));
}

TEST(ConnectPortsTest, AGraphOutputThatNobodyProducesIsAWarning) {
  const GraphPlan plan = PlanOf(R"pb(
    output_stream: "OUT:nothing"
    node { calculator: "IntNode" output_stream: "nothing_else" }
  )pb");
  ASSERT_THAT(plan.warnings(), SizeIs(1));
  EXPECT_THAT(plan.warnings()[0], HasSubstr("\"nothing\""));
  EXPECT_EQ(plan.graph_outputs()[0].stream, -1);
}

TEST(ConnectPortsTest, TenThousandUnknownStreamsAreReportedInAMoment) {
  std::string text;
  for (int i = 0; i < 10000; ++i) {
    absl::StrAppend(&text, "node { calculator: \"IntNode\" input_stream: \"in",
                    i, "\" output_stream: \"out", i, "\" }");
  }
  EXPECT_THAT(Message(ErrorOf(text)), HasSubstr("9900 more errors"));
}

}  // namespace
}  // namespace syncline
