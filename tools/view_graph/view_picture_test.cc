// Any graph is shown: ours, one that does not compile, and one of MediaPipe's
// calculators that nobody has linked in.

#include "tools/view_graph/view_picture.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph_text/graph_source.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pages/model/graph_picture.h"
#include "tools/graph_argument.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

class ViewPictureTest : public ::testing::Test {
 protected:
  ViewPictureTest()
      : folder_(absl::StrCat(testing::TempDir(), "/view_", getpid())) {
    std::filesystem::create_directories(folder_);
  }
  ~ViewPictureTest() override { std::filesystem::remove_all(folder_); }

  std::string Write(absl::string_view name, absl::string_view text) const {
    const std::string path = absl::StrCat(folder_, "/", name);
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  GraphPicture View(absl::string_view text,
                    const std::vector<std::string>& subgraphs = {}) const {
    const absl::StatusOr<GraphPicture> picture = MakeViewPicture(
        {.path = Write("g.pbtxt", text), .subgraphs = subgraphs});
    EXPECT_TRUE(picture.ok()) << picture.status();
    return picture.ok() ? *picture : GraphPicture();
  }

  const std::string folder_;
};

constexpr char kMediaPipe[] = R"(
# A graph as MediaPipe has them.
input_stream: "input_video"
output_stream: "output_video"
node {
  calculator: "FlowLimiterCalculator"
  input_stream: "input_video"
  input_stream: "FINISHED:output_video"
  input_stream_info: { tag_index: "FINISHED" back_edge: true }
  output_stream: "throttled"
}
node {
  calculator: "FarFaceCalculator"
  input_stream: "IMAGE:throttled"
  input_side_packet: "MODEL:model"
  output_stream: "DETECTIONS:faces"
  options: {
    [mediapipe.FarFaceCalculatorOptions.ext] {
      min_score: 0.5
    }
  }
}
node {
  calculator: "FaceRenderer"
  input_stream: "IMAGE:throttled"
  input_stream: "FACES:faces"
  output_stream: "IMAGE:output_video"
  node_options: {
    [type.googleapis.com/mediapipe.RenderOptions] { color { r: 255 } }
  }
}
)";

TEST_F(ViewPictureTest, AGraphOfMediaPipeWithUnknownCalculatorsIsShown) {
  const GraphPicture picture = View(kMediaPipe);
  ASSERT_THAT(picture.nodes, SizeIs(3));
  const PictureNode& face = picture.nodes[1];
  EXPECT_EQ(face.type, "FarFaceCalculator");
  EXPECT_FALSE(face.is_known);
  EXPECT_THAT(face.location, HasSubstr("g.pbtxt:12"));
  EXPECT_EQ(face.options,
            "options {\n"
            "  [mediapipe.FarFaceCalculatorOptions.ext] {\n"
            "    min_score: 0.5\n"
            "  }\n"
            "}");
  EXPECT_THAT(face.remarks, IsEmpty());
  EXPECT_THAT(picture.nodes[2].options, HasSubstr("color { r: 255 }"));
  EXPECT_TRUE(picture.nodes[0].inputs.back().is_back_edge ||
              picture.nodes[0].inputs.front().is_back_edge);
  EXPECT_THAT(
      picture.remarks,
      AllOf(Contains(Field(&PictureRemark::text,
                           HasSubstr("no type for the options in 2 places"))),
            Contains(Field(&PictureRemark::text,
                           HasSubstr("does not know the types of")))));
}

TEST_F(ViewPictureTest, ASubgraphInAFileOfItsOwnIsUnfolded) {
  const std::string renderer = Write("renderer.pbtxt", R"(
    type: "FaceRenderer"
    input_stream: "IMAGE:image" input_stream: "FACES:faces"
    output_stream: "IMAGE:out"
    node { calculator: "DrawCalculator" input_stream: "image"
           input_stream: "faces" output_stream: "out" })");
  const GraphPicture picture = View(kMediaPipe, {renderer});
  ASSERT_THAT(picture.subgraphs, SizeIs(1));
  EXPECT_EQ(picture.subgraphs[0].type, "FaceRenderer");
  EXPECT_THAT(picture.subgraphs[0].options, HasSubstr("color { r: 255 }"));
  EXPECT_THAT(picture.nodes,
              Contains(AllOf(Field(&PictureNode::type, "DrawCalculator"),
                             Field(&PictureNode::subgraph, 0))));
}

TEST_F(ViewPictureTest, NodesOfASubgraphKeepTheirOptions) {
  const std::string inner = Write("inner.pbtxt", R"(
    type: "InnerGraph" input_stream: "in" output_stream: "out"
    node { calculator: "FarCalculator" input_stream: "in"
           output_stream: "out" })");
  const std::string outer = Write("outer.pbtxt", R"(
    type: "OuterGraph" input_stream: "in" output_stream: "out"
    node { calculator: "InnerGraph" input_stream: "in" output_stream: "x"
           options { [syncline.TestCalculatorOptions.ext] { count: 7 } } }
    node { calculator: "OtherFarCalculator" input_stream: "x"
           output_stream: "out"
           options { [mediapipe.FarOptions.ext] { size: 3 } } })");
  const GraphPicture picture = View(R"(
    input_stream: "in"
    node { calculator: "OuterGraph" input_stream: "in" output_stream: "a" }
    node { calculator: "OuterGraph" input_stream: "in" output_stream: "b" })",
                                    {inner, outer});
  ASSERT_THAT(picture.subgraphs, SizeIs(4));
  int num_inner = 0;
  for (const PictureSubgraph& subgraph : picture.subgraphs) {
    if (subgraph.type != "InnerGraph") continue;
    ++num_inner;
    EXPECT_THAT(subgraph.options, HasSubstr("count: 7"));
  }
  EXPECT_EQ(num_inner, 2);
  int num_far = 0;
  for (const PictureNode& node : picture.nodes) {
    if (node.type != "OtherFarCalculator") continue;
    ++num_far;
    EXPECT_EQ(node.options,
              "options {\n  [mediapipe.FarOptions.ext] { size: 3 }\n}");
  }
  EXPECT_EQ(num_far, 2);
}

TEST_F(ViewPictureTest, ASubgraphWithoutATypeSaysWhatIsMissing) {
  const absl::Status status =
      MakeViewPicture({.path = Write("g.pbtxt", kMediaPipe),
                       .subgraphs = {Write("s.pbtxt", "max_queue_size: 3")}})
          .status();
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_THAT(status.message(), AllOf(HasSubstr("s.pbtxt"),
                                      HasSubstr("type: \"FaceDetection\"")));
}

TEST_F(ViewPictureTest, AGraphThatCompilesHasTypesAndFindings) {
  const GraphPicture picture = View(R"(
    node { name: "source" calculator: "NumberSourceCalculator"
           output_stream: "n"
           options { [syncline.TestCalculatorOptions.ext] { count: 3 } } }
    node { name: "sum" calculator: "SumCalculator" input_stream: "n"
           output_stream: "sum" }
    node { name: "lost" calculator: "SumCalculator" input_stream: "n"
           output_stream: "unread" }
    output_stream: "sum")");
  ASSERT_THAT(picture.nodes, SizeIs(3));
  EXPECT_EQ(picture.nodes[0].outputs[0].type, "int");
  EXPECT_THAT(picture.nodes[0].options, HasSubstr("count: 3"));
  EXPECT_THAT(picture.nodes[2].remarks,
              Contains(AllOf(
                  Field(&PictureRemark::kind, PictureRemark::Kind::kLint),
                  Field(&PictureRemark::text, StartsWith("unread-output")))));
  EXPECT_THAT(picture.remarks, IsEmpty());
}

TEST_F(ViewPictureTest, ErrorsStandAtTheirNodes) {
  const GraphPicture picture = View(R"(
    node { name: "sum" calculator: "SumCalculator" input_stream: "nobody" })");
  ASSERT_THAT(picture.nodes, SizeIs(1));
  ASSERT_THAT(picture.nodes[0].remarks, SizeIs(1));
  EXPECT_THAT(picture.nodes[0].remarks[0].text, HasSubstr("g.pbtxt:2"));
}

TEST_F(ViewPictureTest, ABinaryGraphIsShown) {
  CalculatorGraphConfig config;
  auto* const node = config.add_node();
  node->set_calculator("FarCalculator");
  node->add_output_stream("x");
  const absl::StatusOr<GraphPicture> picture = MakeViewPicture(
      {.path = Write("g.binarypb", config.SerializeAsString())});
  ASSERT_TRUE(picture.ok()) << picture.status();
  EXPECT_EQ(picture->nodes[0].type, "FarCalculator");
}

TEST_F(ViewPictureTest, ATemplateTakesItsArguments) {
  const std::string path = Write("t.pbtxt", R"(
    %param names: list("left", "right")%
    %for (name : names)%
    node { calculator: "NumberSourceCalculator" output_stream: % name %
           options { [mediapipe.NoSuchOptions.ext] { x: 1 } } }
    %end%)");
  const absl::StatusOr<TemplateDict> arguments =
      TemplateArguments({"names=one;two;three"});
  ASSERT_TRUE(arguments.ok()) << arguments.status();
  const absl::StatusOr<GraphPicture> picture =
      MakeViewPicture({.path = path, .template_arguments = *arguments});
  ASSERT_TRUE(picture.ok()) << picture.status();
  EXPECT_THAT(picture->nodes, SizeIs(3));
  EXPECT_THAT(picture->streams, Contains(Field(&PictureStream::name, "three")));
}

TEST_F(ViewPictureTest, WhatIsNoGraphIsAnErrorWithItsPlace) {
  for (const char* bad : {"node {", "nod { }", "[a.b] { ", "\x01\x02\xff",
                          "node { options { [a.b.ext] { } } ) }"}) {
    const absl::Status status =
        MakeViewPicture({.path = Write("bad.pbtxt", bad)}).status();
    EXPECT_FALSE(status.ok()) << bad;
    EXPECT_THAT(status.message(), HasSubstr("bad.pbtxt")) << bad;
  }
  EXPECT_TRUE(
      absl::IsNotFound(MakeViewPicture({.path = folder_ + "/no"}).status()));
  EXPECT_FALSE(MakeViewPicture({.path = folder_}).ok());
}

}  // namespace
}  // namespace syncline
