// What pages read of a picture is what the picture holds, whatever characters
// its names have.

#include "pages/model/picture_json.h"

#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "pages/model/graph_picture.h"

namespace syncline {
namespace {

using nlohmann::ordered_json;
using ::testing::HasSubstr;
using ::testing::Not;

GraphPicture PictureOfOneNode(std::string name) {
  GraphPicture picture;
  PictureNode node;
  node.name = std::move(name);
  picture.nodes.push_back(std::move(node));
  return picture;
}

TEST(PictureJsonTest, AStructThatSaysNothingIsAnEmptyObject) {
  EXPECT_EQ(ToJson(GraphPicture()), "{}");
  EXPECT_EQ(ToJson(PictureState()), "{}");
}

TEST(PictureJsonTest, MembersHaveTheirNamesInTheStruct) {
  GraphPicture picture;
  picture.title = "a.pbtxt";
  picture.nodes.push_back(
      {.name = "join",
       .type = "JoinCalculator",
       .location = "a.pbtxt:3",
       .subgraph = 0,
       .executor = 1,
       .is_source = true,
       .is_known = true,
       .inputs = {{.label = "A",
                   .stream = 0,
                   .type = "int",
                   .is_back_edge = true,
                   .is_optional = true}},
       .outputs = {{.label = ":0", .stream = 1}},
       .input_side_packets = {{.label = "S"}},
       .output_side_packets = {{.label = "T"}},
       .conditions = {{"slow", "PeriodicCondition", "x: 1"}},
       .options = "y: 2",
       .settings = {{"max in flight", "4"}},
       .remarks = {{PictureRemark::Kind::kLint, "hm"}}});
  picture.subgraphs.push_back(
      {.name = "sub",
       .type = "SubType",
       .location = "a.pbtxt:1",
       .parent = 0,
       .options = "z: 3",
       .remarks = {{PictureRemark::Kind::kError, "no"}}});
  picture.streams.push_back(
      {.name = "in",
       .type = "int",
       .from_node = 0,
       .from_port = 0,
       .readers = {{.node = 0, .port = 0, .is_back_edge = true}},
       .is_graph_input = true,
       .is_graph_output = true});
  picture.side_packets.push_back({.name = "side"});
  picture.executors.push_back({"", "4 threads"});
  picture.settings.push_back({"max queue size", "100"});
  picture.remarks.push_back({PictureRemark::Kind::kWarning, "well"});

  EXPECT_EQ(JsonValue(picture), ordered_json::parse(R"({
    "title": "a.pbtxt",
    "nodes": [{
      "name": "join", "type": "JoinCalculator", "location": "a.pbtxt:3",
      "subgraph": 0, "executor": 1, "is_source": true, "is_known": true,
      "inputs": [{"label": "A", "stream": 0, "type": "int",
                  "is_back_edge": true, "is_optional": true}],
      "outputs": [{"label": ":0", "stream": 1}],
      "input_side_packets": [{"label": "S"}],
      "output_side_packets": [{"label": "T"}],
      "conditions": [{"name": "slow", "type": "PeriodicCondition",
                      "options": "x: 1"}],
      "options": "y: 2",
      "settings": [{"name": "max in flight", "value": "4"}],
      "remarks": [{"kind": "lint", "text": "hm"}]
    }],
    "subgraphs": [{"name": "sub", "type": "SubType", "location": "a.pbtxt:1",
                   "parent": 0, "options": "z: 3",
                   "remarks": [{"kind": "error", "text": "no"}]}],
    "streams": [{"name": "in", "type": "int", "from_node": 0, "from_port": 0,
                 "readers": [{"node": 0, "port": 0, "is_back_edge": true}],
                 "is_graph_input": true, "is_graph_output": true}],
    "side_packets": [{"name": "side"}],
    "executors": [{"description": "4 threads"}],
    "settings": [{"name": "max queue size", "value": "100"}],
    "remarks": [{"kind": "warning", "text": "well"}]
  })"));
}

TEST(PictureJsonTest, StatesHaveTheirNamesInTheStruct) {
  PictureState state;
  state.phase = "failed";
  state.elapsed_us = 5;
  state.error = "bad";
  state.standstill = "Nothing moves.";
  state.standstill_text = "Nothing moves.\nWhat to do: wait.\n";
  state.nodes.push_back({.queues = {{.size = 1,
                                     .limit = 2,
                                     .num_packets = 3,
                                     .num_dropped = 4,
                                     .first = "5"}},
                         .num_sent = {6, 0},
                         .condition_states = {"READY"},
                         .num_calls = 0,
                         .host_time_us = 8,
                         .is_in_call = true});
  state.num_packets = {9};
  state.waits.push_back(
      {.waiting = 0, .for_node = 0, .stream = 0, .why = "waits"});

  EXPECT_EQ(ordered_json::parse(ToJson(state)), ordered_json::parse(R"({
    "phase": "failed", "elapsed_us": 5, "error": "bad",
    "standstill": "Nothing moves.",
    "standstill_text": "Nothing moves.\nWhat to do: wait.\n",
    "nodes": [{"queues": [{"size": 1, "limit": 2, "num_packets": 3,
                           "num_dropped": 4, "first": "5"}],
               "num_sent": [6, 0], "condition_states": ["READY"],
               "num_calls": 0, "host_time_us": 8, "is_in_call": true}],
    "num_packets": [9],
    "waits": [{"waiting": 0, "for_node": 0, "stream": 0, "why": "waits"}]
  })"));
}

TEST(PictureJsonTest, PositionsInListsHoldForElementsThatSayNothing) {
  GraphPicture picture;
  picture.nodes.resize(3);
  EXPECT_EQ(ToJson(picture), R"({"nodes":[{},{},{}]})");
}

TEST(PictureJsonTest, QuotesAndControlCharactersComeBackAsTheyWere) {
  const std::string name =
      "a\"b\\c\n\t\x01\x7f\xe2\x80\xa8"
      "d'";
  const std::string text = ToJson(PictureOfOneNode(name));
  EXPECT_EQ(ordered_json::parse(text)["nodes"][0]["name"], name);
  for (const char c : text) {
    EXPECT_GE(c, ' ');
    EXPECT_LT(c, '\x7f' + 1);
  }
}

TEST(PictureJsonTest, NoNameEndsTheScriptAroundTheText) {
  const std::string name = "</script><!--<script>&amp;]]>";
  const std::string text = ToJson(PictureOfOneNode(name));
  EXPECT_THAT(text, Not(HasSubstr("<")));
  EXPECT_THAT(text, Not(HasSubstr(">")));
  EXPECT_THAT(text, Not(HasSubstr("&")));
  EXPECT_EQ(ordered_json::parse(text)["nodes"][0]["name"], name);
}

TEST(PictureJsonTest, BytesThatAreNoUtf8AreReplaced) {
  const std::string text =
      ToJson(PictureOfOneNode("a\xff\xc3"
                              "b\xed\xa0\x80"));
  const std::string name = ordered_json::parse(text)["nodes"][0]["name"];
  EXPECT_THAT(name, HasSubstr("a\xef\xbf\xbd"));
  EXPECT_THAT(name, HasSubstr("b"));
}

}  // namespace
}  // namespace syncline
