#include "framework/expansion/subgraph_connections.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/graph_text/test_graphs.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

CalculatorGraphConfig::Node ParseNode(const std::string& text) {
  return ParseGraph("node { " + text + " }").node(0);
}

TEST(SubgraphConnectionsTest, ThePrefixIsLowerCaseWithoutDotsSpacesAndColons) {
  EXPECT_EQ(SubgraphPrefix("Face.Mesh one:2"), "face_mesh_one_2__");
  EXPECT_EQ(SubgraphPrefix(""), "__");
}

TEST(SubgraphConnectionsTest, PortsKeepTheirTagsAndTakeOuterNames) {
  const auto outer = ParseNode(R"pb(input_stream: "IN:1:x"
                                    input_stream: "IN:0:y"
                                    output_stream: "z"
                                    input_side_packet: "S:p")pb");
  const auto inner = ParseGraph(R"pb(input_stream: "IN:0:a"
                                     input_stream: "IN:1:b"
                                     output_stream: "c"
                                     input_side_packet: "S:a")pb");
  SubgraphConnections names("s__");
  ASSERT_THAT(names.Match(outer, inner), IsEmpty());
  auto node = ParseNode(R"pb(input_stream: "T:0:a"
                             input_stream: "T:1:b"
                             input_stream: "own"
                             output_stream: "OUT:c"
                             output_stream: "other"
                             input_side_packet: "a"
                             output_side_packet: "Q:q")pb");
  names.Apply("n", &node);
  EXPECT_EQ(node.name(), "s__n");
  EXPECT_THAT(node.input_stream(), ElementsAre("T:0:y", "T:1:x", "s__own"));
  EXPECT_THAT(node.output_stream(), ElementsAre("OUT:z", "s__other"));
  EXPECT_THAT(node.input_side_packet(), ElementsAre("p"))
      << "streams and side packets have names of their own";
  EXPECT_THAT(node.output_side_packet(), ElementsAre("Q:s__q"));
  EXPECT_THAT(names.UnproducedOutputs(), IsEmpty());
  EXPECT_GT(names.bytes_written(), 0);
}

TEST(SubgraphConnectionsTest, OutputsThatNothingProducesAreKnown) {
  const auto outer = ParseNode(R"pb(output_stream: "O:x"
                                    output_side_packet: "P:p")pb");
  const auto inner = ParseGraph(R"pb(output_stream: "O:a"
                                     output_side_packet: "P:b")pb");
  SubgraphConnections names("s__");
  ASSERT_THAT(names.Match(outer, inner), IsEmpty());
  EXPECT_THAT(names.UnproducedOutputs(), ElementsAre("x", "p"));
  PacketGeneratorConfig generator;
  generator.add_output_side_packet("b");
  names.Apply(&generator);
  EXPECT_THAT(generator.output_side_packet(), ElementsAre("p"));
  EXPECT_THAT(names.UnproducedOutputs(), ElementsAre("x"));
}

TEST(SubgraphConnectionsTest, OpenInputsVanishFromGeneratorsAndHandlersToo) {
  const auto inner = ParseGraph(R"pb(input_side_packet: "S:s")pb");
  SubgraphConnections names("s__");
  ASSERT_THAT(names.Match({}, inner), IsEmpty());
  PacketGeneratorConfig generator;
  generator.add_input_side_packet("A:s");
  generator.add_input_side_packet("B:t");
  names.Apply(&generator);
  EXPECT_THAT(generator.input_side_packet(), ElementsAre("B:s__t"));
  StatusHandlerConfig handler;
  handler.add_input_side_packet("s");
  names.Apply(&handler);
  EXPECT_THAT(handler.input_side_packet(), IsEmpty());
}

TEST(SubgraphConnectionsTest, InfosOfBareInputsMoveUp) {
  const auto inner =
      ParseGraph(R"pb(input_stream: "A:a" input_stream: "B:b")pb");
  SubgraphConnections names("s__");
  ASSERT_THAT(names.Match({}, inner), IsEmpty());
  auto node = ParseNode(R"pb(input_stream: "a"
                             input_stream: "keep"
                             input_stream: "TAG:b"
                             input_stream: "also"
                             input_stream_info { tag_index: "" }
                             input_stream_info { tag_index: ":1" }
                             input_stream_info { tag_index: "TAG:0" }
                             input_stream_info { tag_index: ":2" }
                             input_stream_info { tag_index: "x:y" })pb");
  names.Apply("n", &node);
  EXPECT_THAT(node.input_stream(), ElementsAre("s__keep", "s__also"));
  std::vector<std::string> infos;
  for (const auto& info : node.input_stream_info()) {
    infos.push_back(info.tag_index());
  }
  EXPECT_THAT(infos, ElementsAre(":0", ":1", "x:y"));
}

TEST(SubgraphConnectionsTest, AnInnerNameCannotStandForTwoOuterOnes) {
  const auto inner =
      ParseGraph(R"pb(input_stream: "A:x" input_stream: "B:x")pb");
  {
    SubgraphConnections names("s__");
    const auto errors = names.Match(
        ParseNode(R"pb(input_stream: "A:p" input_stream: "B:q")pb"), inner);
    ASSERT_THAT(errors, SizeIs(1));
    EXPECT_THAT(std::string(errors[0].message()),
                HasSubstr("two different names, \"p\" and \"q\""));
  }
  // The same name for both is fine, and so is only one of them.
  for (const char* outer :
       {"input_stream: 'A:p' input_stream: 'B:p'", "input_stream: 'B:p'"}) {
    SubgraphConnections names("s__");
    ASSERT_THAT(names.Match(ParseNode(outer), inner), IsEmpty());
    auto node = ParseNode("input_stream: 'x'");
    names.Apply("n", &node);
    EXPECT_THAT(node.input_stream(), ElementsAre("p"));
  }
}

TEST(SubgraphConnectionsTest, MalformedPortsOfEitherSideAreErrors) {
  SubgraphConnections names("s__");
  const auto errors =
      names.Match(ParseNode("input_stream: 'Not A Name'"),
                  ParseGraph("input_stream: 'A:' output_stream: 'a:b:c:d'"));
  EXPECT_THAT(errors, SizeIs(2));
}

}  // namespace
}  // namespace syncline
