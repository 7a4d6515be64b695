// Errors can say in which line a node, a stream or a setting stands.

#include "framework/graph_text/graph_positions.h"

#include "framework/config/calculator.pb.h"
#include "framework/graph_text/proto_text.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

GraphPositions Read(absl::string_view text,
                    absl::string_view file = "a.pbtxt") {
  CalculatorGraphConfig config;
  google::protobuf::TextFormat::ParseInfoTree locations;
  EXPECT_TRUE(ParseProtoText(text, file, &config, &locations).ok());
  return GraphPositions(file, config, locations);
}

constexpr char kGraph[] = R"(# line 1
input_stream: "a"
input_stream:
  "b"
num_threads: 3
node {
  calculator: "X"
  input_stream: "a" input_stream: "b"
  input_stream: "c"
}
executor { }
node {
  input_stream_handler {
    input_stream_handler: "H"
  }
}
)";

TEST(GraphPositionsTest, NodesHaveTheLineOfTheirStart) {
  const GraphPositions positions = Read(kGraph);
  EXPECT_EQ(positions.Node(0).file, "a.pbtxt");
  EXPECT_EQ(positions.Node(0).line, 6);
  EXPECT_EQ(positions.Node(1).line, 12);
}

TEST(GraphPositionsTest, FieldsOfANodeHaveTheirOwnLines) {
  const GraphPositions positions = Read(kGraph);
  EXPECT_EQ(positions.NodeField(0, "calculator").line, 7);
  EXPECT_EQ(positions.NodeField(0, "input_stream", 0).line, 8);
  EXPECT_EQ(positions.NodeField(0, "input_stream", 1).line, 8);
  EXPECT_EQ(positions.NodeField(0, "input_stream", 2).line, 9);
  EXPECT_EQ(positions.NodeField(1, "input_stream_handler").line, 13);
}

TEST(GraphPositionsTest, AFieldThatIsNotThereHasTheLineOfTheNode) {
  const GraphPositions positions = Read(kGraph);
  EXPECT_EQ(positions.NodeField(0, "output_stream", 0).line, 6);
  EXPECT_EQ(positions.NodeField(0, "no_such_field", 0).line, 6);
}

TEST(GraphPositionsTest, FieldsOfTheGraphHaveTheirLines) {
  const GraphPositions positions = Read(kGraph);
  EXPECT_EQ(positions.Field("input_stream", 0).line, 2);
  EXPECT_EQ(positions.Field("num_threads").line, 5);
  EXPECT_EQ(positions.Field("executor", 0).line, 11);
  EXPECT_EQ(positions.Field("package").line, 0);
  EXPECT_EQ(positions.Field("no_such_field").line, 0);
}

TEST(GraphPositionsTest, AnElementOfAListHasTheLineOfTheList) {
  const GraphPositions positions = Read(R"(
node {
  input_stream: [
    "a",
    "b"
  ]
}
node: [ { },
        { } ])");
  EXPECT_EQ(positions.NodeField(0, "input_stream", 1).line, 3);
  EXPECT_EQ(positions.Node(0).line, 2);
}

TEST(GraphPositionsTest, NumbersOutOfRangeAreNoTrouble) {
  const GraphPositions positions = Read(kGraph);
  EXPECT_EQ(positions.Node(-1).line, 0);
  EXPECT_EQ(positions.NodeField(-1, "calculator").line, 0);
  EXPECT_EQ(positions.NodeField(99, "calculator").file, "a.pbtxt");
}

TEST(GraphPositionsTest, TextWithoutAFileIsNamedSo) {
  EXPECT_EQ(Read("node {}", "").Node(0).file, "<text>");
}

}  // namespace
}  // namespace syncline
