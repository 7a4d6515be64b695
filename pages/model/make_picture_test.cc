// A picture has the numbers of the plan, and says of each node what the config
// and the contract say.

#include "pages/model/make_picture.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/expansion/graph_registry.h"
#include "framework/graph_text/graph_source.h"
#include "framework/plan/compile.h"
#include "framework/plan/graph_draft.h"
#include "framework/plan/graph_plan.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pages/model/graph_picture.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

GraphSource SourceOf(absl::string_view text) {
  absl::StatusOr<GraphSource> source = ReadGraphText(text, "g.pbtxt");
  EXPECT_TRUE(source.ok()) << source.status();
  return source.ok() ? *std::move(source) : GraphSource();
}

GraphPicture PictureOf(absl::string_view text) {
  CompileOptions options;
  options.log_warnings = false;
  const absl::StatusOr<GraphPlan> plan = Compile(SourceOf(text), options);
  EXPECT_TRUE(plan.ok()) << plan.status();
  return plan.ok() ? MakeGraphPicture(*plan, "g.pbtxt") : GraphPicture();
}

GraphPicture DraftPictureOf(absl::string_view text) {
  return MakeGraphPicture(DraftGraph(SourceOf(text)), "g.pbtxt");
}

constexpr char kLoop[] = R"(
  input_stream: "IN:in" output_stream: "out" input_side_packet: "offset"
  max_queue_size: 7
  executor { name: "pool" type: "ThreadPoolExecutor"
             options { [syncline.ThreadPoolExecutorOptions.ext] {
               num_threads: 3 } } }
  node { name: "join" calculator: "SumCalculator" executor: "pool"
         input_stream: "A:in" input_stream: "B:0:back" input_stream: "B:1:in"
         input_stream_info { tag_index: "B" back_edge: true }
         input_side_packet: "offset" output_stream: "out"
         max_in_flight: 2 }
  node { name: "back" calculator: "UnitDelayCalculator"
         input_stream: "out" output_stream: "back"
         options { [syncline.TestCalculatorOptions.ext] { value: 5 } } })";

TEST(MakePictureTest, HasTheNumbersOfThePlan) {
  const absl::StatusOr<GraphPlan> plan = Compile(SourceOf(kLoop));
  ASSERT_TRUE(plan.ok()) << plan.status();
  const GraphPicture picture = MakeGraphPicture(*plan, "title");
  EXPECT_EQ(picture.title, "title");
  ASSERT_EQ(picture.nodes.size(), plan->nodes().size());
  ASSERT_EQ(picture.streams.size(), plan->streams().size());
  for (const PlanNode& node : plan->nodes()) {
    EXPECT_EQ(picture.nodes[node.id].name, node.name);
    for (std::size_t port = 0; port < node.inputs.size(); ++port) {
      EXPECT_EQ(picture.nodes[node.id].inputs[port].stream,
                node.inputs[port].stream);
    }
  }
  for (const PlanStream& stream : plan->streams()) {
    EXPECT_EQ(picture.streams[stream.id].name, stream.name);
    EXPECT_EQ(picture.streams[stream.id].from_node, stream.producer.node);
    EXPECT_EQ(picture.streams[stream.id].readers.size(),
              stream.consumers.size());
  }
}

TEST(MakePictureTest, ANodeSaysWhatItsConfigAndItsContractSay) {
  const GraphPicture picture = PictureOf(kLoop);
  ASSERT_THAT(picture.nodes, SizeIs(2));
  const PictureNode& join = picture.nodes[0];
  EXPECT_EQ(join.name, "join");
  EXPECT_EQ(join.type, "SumCalculator");
  EXPECT_EQ(join.location, "g.pbtxt:7");
  EXPECT_TRUE(join.is_known);
  EXPECT_FALSE(join.is_source);
  EXPECT_EQ(picture.executors[join.executor].name, "pool");
  EXPECT_EQ(picture.executors[join.executor].description,
            "thread pool, 3 threads");
  EXPECT_THAT(join.inputs, ElementsAre(Field(&PicturePort::label, "A"),
                                       Field(&PicturePort::label, "B:0"),
                                       Field(&PicturePort::label, "B:1")));
  EXPECT_EQ(join.inputs[0].type, "int");
  EXPECT_TRUE(join.inputs[1].is_back_edge);
  EXPECT_FALSE(join.inputs[2].is_back_edge);
  EXPECT_THAT(join.outputs, ElementsAre(Field(&PicturePort::label, ":0")));
  ASSERT_THAT(join.input_side_packets, SizeIs(1));
  EXPECT_EQ(picture.side_packets[join.input_side_packets[0].stream].name,
            "offset");
  EXPECT_THAT(join.settings, testing::Contains(AllOf(
                                 Field(&PictureSetting::name, "max in flight"),
                                 Field(&PictureSetting::value, "2"))));
  EXPECT_THAT(picture.nodes[1].options, HasSubstr("value: 5"));
}

TEST(MakePictureTest, AStreamKnowsItsEndsAndItsType) {
  const GraphPicture picture = PictureOf(kLoop);
  const PictureStream& in = picture.streams[0];
  EXPECT_EQ(in.name, "in");
  EXPECT_TRUE(in.is_graph_input);
  EXPECT_EQ(in.from_node, -1);
  EXPECT_THAT(in.readers, SizeIs(2));
  const PictureStream& out = picture.streams[1];
  EXPECT_EQ(out.name, "out");
  EXPECT_EQ(out.type, "int");
  EXPECT_TRUE(out.is_graph_output);
  EXPECT_EQ(out.from_node, 0);
  const PictureStream& back = picture.streams[2];
  ASSERT_THAT(back.readers, SizeIs(1));
  EXPECT_TRUE(back.readers[0].is_back_edge);
  EXPECT_TRUE(picture.side_packets[0].is_graph_input);
  EXPECT_THAT(picture.settings,
              ElementsAre(Field(&PictureSetting::name, "max queue size")));
}

TEST(MakePictureTest, ANodeKnowsItsConditions) {
  const GraphPicture picture = PictureOf(R"(
    node { calculator: "NumberSourceCalculator" output_stream: "n"
           condition { name: "few" type: "CountCondition" options {
             [syncline.CountConditionOptions.ext] { count: 3 } } } })");
  ASSERT_THAT(picture.nodes, SizeIs(1));
  EXPECT_TRUE(picture.nodes[0].is_source);
  ASSERT_THAT(picture.nodes[0].conditions, SizeIs(1));
  const PictureCondition& condition = picture.nodes[0].conditions[0];
  EXPECT_EQ(condition.name, "few");
  EXPECT_THAT(condition.type, HasSubstr("CountCondition"));
  EXPECT_THAT(condition.options, HasSubstr("count: 3"));
}

TEST(MakePictureTest, SubgraphsAreAroundTheirNodes) {
  GraphRegistry registry;
  ASSERT_TRUE(registry
                  .Register("Twice", SourceOf(R"(
      type: "Twice" input_stream: "IN:x" output_stream: "OUT:z"
      node { name: "first" calculator: "SumCalculator"
             input_stream: "x" output_stream: "y" }
      node { name: "second" calculator: "SumCalculator"
             input_stream: "y" output_stream: "z" })"))
                  .ok());
  CompileOptions options;
  options.registry = &registry;
  const absl::StatusOr<GraphPlan> plan = Compile(SourceOf(R"(
    input_stream: "in"
    node { name: "sub" calculator: "Twice"
           input_stream: "IN:in" output_stream: "OUT:out" })"),
                                                 options);
  ASSERT_TRUE(plan.ok()) << plan.status();
  const GraphPicture picture = MakeGraphPicture(*plan, "");
  ASSERT_THAT(picture.subgraphs, SizeIs(1));
  EXPECT_EQ(picture.subgraphs[0].name, "sub");
  EXPECT_EQ(picture.subgraphs[0].type, "Twice");
  EXPECT_EQ(picture.subgraphs[0].location, "g.pbtxt:3");
  ASSERT_THAT(picture.nodes, SizeIs(2));
  EXPECT_EQ(picture.nodes[0].subgraph, 0);
  EXPECT_EQ(picture.nodes[1].subgraph, 0);
}

TEST(MakePictureTest, AWarningIsAtItsNode) {
  const GraphPicture picture = PictureOf(R"(
    input_stream: "in"
    node { name: "calm" calculator: "SumCalculator" input_stream: "in"
           output_stream: "a" }
    node { name: "odd" calculator: "SumCalculator" input_stream: "a"
           option_value: "OPTIONS:NO/SUCH" })");
  ASSERT_THAT(picture.nodes, SizeIs(2));
  EXPECT_THAT(picture.nodes[0].remarks, IsEmpty());
  ASSERT_THAT(picture.nodes[1].remarks, SizeIs(1));
  EXPECT_EQ(picture.nodes[1].remarks[0].kind, PictureRemark::Kind::kWarning);
  EXPECT_THAT(picture.nodes[1].remarks[0].text,
              StartsWith("g.pbtxt:5: node \"odd\""));
}

TEST(MakePictureTest, ADraftHasUnknownCalculatorsAndItsErrorsInPlace) {
  const GraphPicture picture = DraftPictureOf(R"(
    input_stream: "in"
    node { calculator: "FaceMeshCalculator" input_stream: "IMAGE:in"
           output_stream: "LANDMARKS:marks" }
    node { name: "sum" calculator: "SumCalculator" input_stream: "marks"
           input_stream: "nobody" }
    executor { name: "e" type: "NoSuchExecutor" })");
  ASSERT_THAT(picture.nodes, SizeIs(2));
  const PictureNode& unknown = picture.nodes[0];
  EXPECT_FALSE(unknown.is_known);
  EXPECT_THAT(unknown.remarks, IsEmpty());
  EXPECT_EQ(unknown.inputs[0].label, "IMAGE");
  EXPECT_EQ(unknown.outputs[0].label, "LANDMARKS");
  const PictureNode& sum = picture.nodes[1];
  EXPECT_TRUE(sum.is_known);
  ASSERT_THAT(sum.remarks, SizeIs(1));
  EXPECT_EQ(sum.remarks[0].kind, PictureRemark::Kind::kError);
  EXPECT_THAT(sum.remarks[0].text, HasSubstr("nobody"));
  EXPECT_EQ(sum.inputs[0].type, "int");
  ASSERT_THAT(picture.remarks, SizeIs(1));
  EXPECT_THAT(picture.remarks[0].text, HasSubstr("NoSuchExecutor"));
}

TEST(MakePictureTest, PortsThatAreMalformedAreLeftOut) {
  const GraphPicture picture = DraftPictureOf(R"(
    node { name: "odd" calculator: "SumCalculator" input_stream: "a:b:c:d" })");
  ASSERT_THAT(picture.nodes, SizeIs(1));
  EXPECT_THAT(picture.nodes[0].inputs, IsEmpty());
  EXPECT_THAT(picture.nodes[0].remarks, SizeIs(1));
}

TEST(MakePictureTest, OfManyErrorsTheRestIsCounted) {
  std::string text;
  for (int i = 0; i < 130; ++i) {
    text += "node { calculator: \"SumCalculator\" input_stream: \"no\" }\n";
  }
  const GraphPicture picture = DraftPictureOf(text);
  ASSERT_THAT(picture.remarks, SizeIs(1));
  EXPECT_EQ(picture.remarks[0].text, "... and 30 more errors");
}

TEST(MakePictureTest, ARemarkOfANodeThatIsNotThereIsNotAdded) {
  GraphPicture picture;
  AddRemark(3, {PictureRemark::Kind::kLint, "x"}, &picture);
  EXPECT_THAT(picture.remarks, IsEmpty());
  AddRemark(-1, {PictureRemark::Kind::kLint, "x"}, &picture);
  EXPECT_THAT(picture.remarks, SizeIs(1));
}

}  // namespace
}  // namespace syncline
