// What DOT says of a picture and of a run. That it can be drawn, and that
// labels do not overlap, is shown by graphviz_svg_test.

#include "pages/dot/dot_text.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pages/model/graph_picture.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

// in -> first -> x -> second -> out, and back from second to first.
GraphPicture Loop() {
  GraphPicture picture;
  picture.title = "loop.pbtxt";
  picture.executors = {{"", "4 threads"}, {"gpu", "1 thread"}};
  picture.subgraphs.push_back({.name = "Sub", .type = "SubType"});
  picture.nodes.push_back(
      {.name = "first",
       .type = "FirstCalculator",
       .location = "loop.pbtxt:3",
       .executor = 1,
       .is_known = true,
       .inputs = {{.label = "IN", .stream = 0, .type = "int"},
                  {.label = "BACK", .stream = 2, .is_back_edge = true}},
       .outputs = {{.label = ":0", .stream = 1, .type = "int"}},
       .input_side_packets = {{.label = "MODEL", .stream = 0}},
       .conditions = {{"few", "CountCondition", ""}}});
  picture.nodes.push_back({.name = "sub__second",
                           .type = "SecondCalculator",
                           .subgraph = 0,
                           .is_known = true,
                           .inputs = {{.label = ":0", .stream = 1}},
                           .outputs = {{.label = "OUT", .stream = 2}}});
  picture.streams = {{.name = "in",
                      .type = "int",
                      .readers = {{.node = 0, .port = 0}},
                      .is_graph_input = true},
                     {.name = "x",
                      .type = "int",
                      .from_node = 0,
                      .from_port = 0,
                      .readers = {{.node = 1, .port = 0}}},
                     {.name = "out",
                      .from_node = 1,
                      .from_port = 0,
                      .readers = {{.node = 0, .port = 1, .is_back_edge = true}},
                      .is_graph_output = true}};
  picture.side_packets = {
      {.name = "model", .type = "string", .readers = {{.node = 0, .port = 0}}}};
  return picture;
}

TEST(DotTextTest, StreamsAreNamedWhereTheyBeginAndTypesAreInTooltips) {
  const std::string dot = DotText(Loop());
  EXPECT_THAT(dot, ContainsRegex("PORT=\"o0\" [^>]*>x</TD>"));
  EXPECT_THAT(dot, HasSubstr("in_stream0 -> n0:i0:n [tooltip=\"in: int\"]"));
  EXPECT_THAT(dot, HasSubstr("n0:o0:s -> n1:i0:n [tooltip=\"x: int\"]"));
  EXPECT_THAT(dot, HasSubstr("n1:o0:s -> out_stream2"));
  EXPECT_THAT(dot, HasSubstr("first\\nFirstCalculator\\nloop.pbtxt:3\\n"));
  EXPECT_THAT(dot, HasSubstr("in IN in: int\\n"));
}

TEST(DotTextTest, ALongLineHasRoomForWiderLetters) {
  GraphPicture picture = Loop();
  picture.nodes[0].name = std::string(23, 'a');
  EXPECT_THAT(DotText(picture),
              HasSubstr(absl::StrCat("<B>", picture.nodes[0].name, "</B>")));
  picture.nodes[0].name = std::string(48, 'a');
  const std::string room = "&#160;&#160;&#160;";
  EXPECT_THAT(DotText(picture),
              HasSubstr(absl::StrCat("<B>", room, picture.nodes[0].name, room,
                                     "</B>")));
}

// What counts is how many letters are seen, not of how many bytes they are.
TEST(DotTextTest, RoomIsMeasuredInLetters) {
  GraphPicture picture = Loop();
  std::string seen;
  for (int i = 0; i < 10; ++i) {
    picture.nodes[0].name =
        absl::StrCat(i == 0 ? "" : picture.nodes[0].name, "图\"");
    absl::StrAppend(&seen, "图&quot;");
  }
  EXPECT_THAT(DotText(picture), HasSubstr(absl::StrCat("<B>", seen, "</B>")));
}

TEST(DotTextTest, SubgraphsAreBoxesAndNamesInThemAreShort) {
  const std::string dot = DotText(Loop());
  EXPECT_THAT(dot, HasSubstr("subgraph cluster_0 {"));
  EXPECT_THAT(dot, HasSubstr("<B>Sub</B> SubType"));
  EXPECT_THAT(dot, HasSubstr("<B>second</B>"));
  EXPECT_LT(dot.find("cluster_0"), dot.find("  n1 ["));
  EXPECT_GT(dot.find("cluster_0"), dot.find("  n0 ["));
}

TEST(DotTextTest, BackEdgesSidePacketsConditionsAndExecutorsLookDifferent) {
  const std::string dot = DotText(Loop());
  EXPECT_THAT(dot, ContainsRegex("n1:o0:s -> n0:i1:n \\[[^]]*style=dashed"));
  EXPECT_THAT(dot, ContainsRegex("in_side0 -> n0:si0:n \\[style=dotted"));
  EXPECT_THAT(dot, HasSubstr("◇ few"));
  EXPECT_THAT(dot, HasSubstr("BGCOLOR=\"#dcecfa\""));
  EXPECT_THAT(dot, HasSubstr("executor gpu: 1 thread"));
}

TEST(DotTextTest, AnUnknownTypeAndRemarksAreMarked) {
  GraphPicture picture = Loop();
  picture.nodes[0].is_known = false;
  picture.nodes[0].remarks = {
      {PictureRemark::Kind::kError, "it is wrong"},
      {PictureRemark::Kind::kLint, "unread-output: nobody reads it"}};
  picture.remarks = {{PictureRemark::Kind::kWarning, "of the whole graph"}};
  const std::string dot = DotText(picture);
  EXPECT_THAT(dot, HasSubstr("STYLE=\"rounded,dashed\""));
  EXPECT_THAT(dot, HasSubstr("⚠ 1 error, 1 finding"));
  EXPECT_THAT(dot, HasSubstr("it is wrong\\n"));
  EXPECT_THAT(dot, HasSubstr("of the whole graph\\l"));
}

TEST(DotTextTest, ARunHasItsQueuesItsCountsAndWhoWaits) {
  PictureState state;
  state.phase = "failed";
  state.error = "It went wrong.";
  state.standstill = "\"first\" waits.";
  state.nodes.resize(2);
  state.nodes[0].queues = {{.size = 7, .limit = 7}, {.num_dropped = 2}};
  state.nodes[0].num_sent = {42};
  state.nodes[0].condition_states = {"WAIT: for three"};
  state.waits = {{.waiting = 1, .for_node = 0, .stream = 1, .why = "waits <x>"},
                 {.waiting = 0, .for_node = 1, .why = "has no thread"}};
  const std::string dot = DotText(Loop(), &state);
  EXPECT_THAT(dot, HasSubstr("<B>≡7/7</B>"));
  EXPECT_THAT(dot, HasSubstr("−2"));
  EXPECT_THAT(dot, ContainsRegex(">x <FONT[^>]*>42</FONT>"));
  EXPECT_THAT(dot, HasSubstr("few WAIT: for three"));
  EXPECT_THAT(dot, HasSubstr("waits &lt;x&gt;"));
  EXPECT_THAT(dot, HasSubstr("It went wrong.\\l"));
  EXPECT_THAT(dot, HasSubstr("\\\"first\\\" waits.\\l"));
  // By the stream, and by an arrow of its own where no stream is waited for.
  EXPECT_THAT(dot, ContainsRegex("n0:o0:s -> n1:i0:n \\[[^]]*penwidth=2.2"));
  EXPECT_THAT(dot, ContainsRegex("n0 -> n1 \\[[^]]*has no thread"));
}

TEST(DotTextTest, NumbersThatDoNotFitAreLeftOut) {
  GraphPicture picture = Loop();
  picture.nodes[0].outputs[0].stream = 99;
  picture.nodes[0].inputs[0].stream = -1;
  picture.nodes[0].subgraph = 5;
  picture.nodes[0].executor = 77;
  picture.streams[0].readers.push_back({.node = 9, .port = 9});
  picture.subgraphs[0].parent = 3;
  PictureState state;
  state.waits = {{.waiting = 9, .for_node = 9, .stream = 9}};
  const std::string dot = DotText(picture, &state);
  EXPECT_THAT(dot, Not(HasSubstr("n9")));
  EXPECT_THAT(DotText(GraphPicture()), HasSubstr("digraph"));
}

TEST(DotTextTest, ManySidePacketsHaveNoArrows) {
  GraphPicture picture = Loop();
  for (int i = 0; i < 300; ++i) {
    picture.side_packets[0].readers.push_back({.node = 0, .port = 0});
  }
  const std::string dot = DotText(picture);
  EXPECT_THAT(dot, Not(HasSubstr("in_side0")));
  EXPECT_THAT(dot, HasSubstr(">MODEL</TD>"));
}

TEST(DotTextTest, OfManyArrowsGraphvizIsAskedForLess) {
  GraphPicture picture = Loop();
  EXPECT_THAT(DotText(picture), Not(HasSubstr("nslimit")));
  for (int i = 0; i < 400; ++i) {
    picture.streams[0].readers.push_back({.node = 0, .port = 0});
  }
  EXPECT_THAT(DotText(picture), HasSubstr("nslimit=1"));
}

TEST(DotTextTest, SubgraphsThatAreNestedVeryDeeplyAreWritten) {
  GraphPicture picture;
  for (int i = 0; i < 20000; ++i) {
    picture.subgraphs.push_back(
        {.name = absl::StrCat("s", i), .parent = i - 1});
  }
  EXPECT_THAT(DotText(picture), HasSubstr("cluster_19999"));
}

}  // namespace
}  // namespace syncline
