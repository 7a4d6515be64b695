// The JSON and the metrics of a sample hold what it says, whatever names there
// are.
#include "pages/live/live_sample.h"

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "pages/model/picture_state.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::json;

constexpr char kGraph[] = R"(
  input_stream: "in"
  node { name: "a" calculator: "TestLambda" input_stream: "in"
         output_stream: "x" input_side_packet: "PROCESS:f"
         condition { name: "some" type: "CountCondition"
                     options { [syncline.CountConditionOptions.ext]
                               { count: 100 } } } }
  node { name: "b" calculator: "TestLambda" input_stream: "TAG:0:x"
         input_stream: "TAG:1:in" })";

absl::Status PassOn(CalculatorContext* cc) {
  cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
  return absl::OkStatus();
}

// After two packets.
LiveSample SampleOf(TestGraph* graph) {
  graph->Give("f", PassOn);
  graph->Start();
  graph->Add("in", 1, 1);
  graph->Add("in", 2, 1);
  graph->Finish();
  LiveSample sample;
  sample.number = 3;
  sample.run = graph->graph().GetRunProgress();
  sample.info = *graph->graph().GetGraphRuntimeInfo();
  sample.state = MakePictureState(graph->graph().plan(), sample.info, {});
  sample.state.phase = "ended";
  sample.calls.resize(graph->graph().plan().nodes().size());
  sample.calls[0] = {.num = 2,
                     .total_ns = 3'000'000,
                     .longest_ns = 2'000'000,
                     .busy = 0.25,
                     .per_second = 2};
  sample.latencies.push_back({.name = "x",
                              .num = 2,
                              .p50_ns = 1'500'000,
                              .p99_ns = 2'000'000,
                              .longest_ns = 2'000'000});
  return sample;
}

void AddDrop(DroppedPacketsInfo::Cause cause, int packets, LiveSample* sample) {
  DroppedPacketsInfo* const drop = sample->info.mutable_calculator_infos(1)
                                       ->mutable_input_stream_infos(0)
                                       ->add_dropped_packets();
  drop->set_cause(cause);
  drop->set_number_of_packets(packets);
}

TEST(LiveSampleTest, TheJsonHasStateCallsLatenciesAndDrops) {
  TestGraph graph(Workers{.threads = 1}, kGraph);
  LiveSample sample = SampleOf(&graph);
  AddDrop(DroppedPacketsInfo::QUEUE_FULL, 4, &sample);
  sample.info.mutable_graph_input_infos(0)->set_rejected_packets(5);
  const Json json = Json::parse(
      LiveJson(sample, {.page = "p1", .has_control = true, .last_line = 9}));
  EXPECT_EQ(json["number"], 3);
  EXPECT_EQ(json["run"], 1);
  EXPECT_EQ(json["state"]["phase"], "ended");
  EXPECT_EQ(json["calls"].dump(), "[[2,1500,2000,0.25],null]");
  EXPECT_EQ(json["latencies"][0]["p50_us"], 1500);
  EXPECT_EQ(json["drops"].dump(),
            R"([{"cause":"queue full","input":0,"node":1,"packets":4}])");
  EXPECT_EQ(json["refusals"].dump(),
            R"([{"name":"in","packets":5,"why":"refused"}])");
  EXPECT_EQ(json["page"], "p1");
  EXPECT_EQ(json["has_control"], true);
  EXPECT_EQ(json["last_line"], 9);
}

// --- Metrics

// A reader of Prometheus' text form that is as strict as promtool: every
// metric has HELP and TYPE before its values, no value comes twice, and labels
// are escaped. By "name{labels}" as it is written, without escapes.
class ParsedMetrics {
 public:
  explicit ParsedMetrics(const std::string& text) {
    EXPECT_TRUE(text.empty() || text.back() == '\n');
    for (absl::string_view line :
         absl::StrSplit(absl::StripSuffix(text, "\n"), '\n')) {
      Read(line);
    }
  }
  // -1: there is none.
  double Value(const std::string& name,
               const std::map<std::string, std::string>& labels = {}) const {
    const auto found = values_.find({name, labels});
    return found == values_.end() ? -1 : found->second;
  }
  std::size_t size() const { return values_.size(); }

 private:
  void Read(absl::string_view line) {
    if (absl::ConsumePrefix(&line, "# HELP ")) {
      const std::vector<std::string> words =
          absl::StrSplit(line, absl::MaxSplits(' ', 1));
      ASSERT_EQ(words.size(), 2) << line;
      EXPECT_TRUE(helped_.insert(words[0]).second) << line;
      return;
    }
    if (absl::ConsumePrefix(&line, "# TYPE ")) {
      const std::vector<std::string> words = absl::StrSplit(line, ' ');
      ASSERT_EQ(words.size(), 2) << line;
      EXPECT_TRUE(helped_.count(words[0])) << line;
      EXPECT_TRUE(words[1] == "counter" || words[1] == "gauge") << line;
      EXPECT_EQ(words[1] == "counter", absl::EndsWith(words[0], "_total"));
      name_ = words[0];
      return;
    }
    ReadValue(line);
  }

  void ReadValue(absl::string_view line) {
    const std::string whole(line);
    ASSERT_TRUE(absl::ConsumePrefix(&line, name_)) << whole;
    std::map<std::string, std::string> labels;
    if (absl::ConsumePrefix(&line, "{")) {
      while (!absl::ConsumePrefix(&line, "}")) ReadLabel(whole, &line, &labels);
    }
    ASSERT_TRUE(absl::ConsumePrefix(&line, " ")) << whole;
    double value = 0;
    ASSERT_TRUE(absl::SimpleAtod(line, &value)) << whole;
    EXPECT_TRUE(values_.emplace(std::pair(name_, labels), value).second)
        << whole;
  }

  void ReadLabel(const std::string& whole, absl::string_view* line,
                 std::map<std::string, std::string>* labels) {
    const auto equals = line->find("=\"");
    ASSERT_NE(equals, line->npos) << whole;
    const std::string label(line->substr(0, equals));
    EXPECT_TRUE(label != "quantile" && label != "le") << whole;
    line->remove_prefix(equals + 2);
    std::string value;
    while (!absl::ConsumePrefix(line, "\"")) {
      ASSERT_FALSE(line->empty()) << whole;
      char c = line->front();
      line->remove_prefix(1);
      if (c == '\\') {
        ASSERT_FALSE(line->empty()) << whole;
        c = line->front();
        ASSERT_TRUE(c == '\\' || c == '"' || c == 'n') << whole;
        line->remove_prefix(1);
        if (c == 'n') c = '\n';
      }
      value += c;
    }
    (*labels)[label] = value;
    absl::ConsumePrefix(line, ",");
  }

  std::string name_;
  std::set<std::string> helped_;
  std::map<std::pair<std::string, std::map<std::string, std::string>>, double>
      values_;
};

TEST(LiveMetricsTest, HasTheCountsOfTheRun) {
  TestGraph graph(Workers{.threads = 1}, kGraph);
  LiveSample sample = SampleOf(&graph);
  AddDrop(DroppedPacketsInfo::QUEUE_FULL, 4, &sample);
  AddDrop(DroppedPacketsInfo::LATE, 2, &sample);
  const ParsedMetrics metrics(LiveMetrics(graph.graph().plan(), sample));
  EXPECT_EQ(metrics.Value("syncline_run_number"), 1);
  EXPECT_EQ(metrics.Value("syncline_run_is_over"), 1);
  EXPECT_EQ(metrics.Value("syncline_run_stands_still"), 0);
  EXPECT_EQ(metrics.Value("syncline_output_packets_total",
                          {{"node", "a"}, {"port", ":0"}, {"stream", "x"}}),
            2);
  EXPECT_EQ(metrics.Value("syncline_input_packets_total",
                          {{"node", "b"}, {"port", "TAG:0"}, {"stream", "x"}}),
            2);
  EXPECT_EQ(metrics.Value("syncline_dropped_packets_total",
                          {{"node", "b"},
                           {"port", "TAG:0"},
                           {"stream", "x"},
                           {"cause", "queue_full"}}),
            4);
  EXPECT_EQ(
      metrics.Value("syncline_graph_input_packets_total", {{"stream", "in"}}),
      2);
  EXPECT_EQ(metrics.Value("syncline_node_busy_ratio", {{"node", "a"}}), 0.25);
  EXPECT_EQ(metrics.Value("syncline_node_call_mean_seconds", {{"node", "a"}}),
            0.0015);
  EXPECT_EQ(metrics.Value("syncline_sink_latency_median_seconds",
                          {{"sink", "x"}, {"kind", "stream"}}),
            0.0015);
  EXPECT_EQ(metrics.Value("syncline_condition_is_ready",
                          {{"node", "a"},
                           {"index", "0"},
                           {"condition", "some"},
                           {"type", "CountCondition"}}),
            1);
}

TEST(LiveMetricsTest, NamesMayHoldAnything) {
  TestGraph graph(Workers{.threads = 1}, kGraph);
  LiveSample sample = SampleOf(&graph);
  CalculatorRuntimeInfo* const node = sample.info.mutable_calculator_infos(0);
  node->set_calculator_name("q\"b\\s\nl}");
  node->mutable_output_stream_infos(0)->set_stream_name(":0:a\"},{");
  sample.latencies[0].name = "\xff\xfe";
  const ParsedMetrics metrics(LiveMetrics(graph.graph().plan(), sample));
  EXPECT_EQ(
      metrics.Value(
          "syncline_output_packets_total",
          {{"node", "q\"b\\s\nl}"}, {"port", ":0"}, {"stream", "a\"},{"}}),
      2);
  EXPECT_EQ(metrics.Value("syncline_sink_latency_p99_seconds",
                          {{"sink", "??"}, {"kind", "stream"}}),
            0.002);
}

TEST(LiveMetricsTest, BeforeTheFirstRunThereIsLittleToSay) {
  TestGraph graph(Workers{.threads = 1}, kGraph);
  const ParsedMetrics metrics(LiveMetrics(graph.graph().plan(), LiveSample()));
  EXPECT_EQ(metrics.Value("syncline_run_number"), 0);
  EXPECT_EQ(metrics.size(), 4);
}

}  // namespace
}  // namespace syncline
