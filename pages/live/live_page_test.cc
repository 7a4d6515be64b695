// What the page of a graph answers over HTTP.
#include "pages/live/live_page.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/calculator/context.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/port/status_matchers.h"
#include "glog/logging.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "pages/server/test_client.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using Json = nlohmann::json;

constexpr char kOwnOrigin[] = "Origin: http://127.0.0.1\r\n";

absl::Status PassAlong(CalculatorContext* cc) {
  cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
  return absl::OkStatus();
}

class LivePageTest : public ::testing::Test {
 protected:
  LivePageTest()
      : graph_(Workers{.threads = 2}, R"(
      input_stream: "in"
      output_stream: "out"
      node { name: "pass" calculator: "TestLambda" input_stream: "in"
             output_stream: "out" input_side_packet: "PROCESS:f" })") {
    graph_.Give("f", PassAlong);
  }
  void Serve(GraphPageOptions options = {}) {
    options.title = "a \"graph\"";
    auto page = LivePage::Serve(&graph_.graph(), std::move(options));
    ASSERT_TRUE(page.ok()) << page.status();
    page_ = *std::move(page);
  }
  std::string Get(const std::string& path) {
    return AskServer(page_->port(), "GET", path);
  }
  Json GetJson(const std::string& path) {
    const std::string answer = Get(path);
    EXPECT_EQ(AnswerStatus(answer), 200) << answer;
    return Json::parse(AnswerBody(answer), nullptr, /*allow_exceptions=*/false);
  }
  // A sample that is taken after this call.
  Json NewState() {
    absl::SleepFor(absl::Milliseconds(110));
    return GetJson("/state.json");
  }

  TestGraph graph_;
  std::unique_ptr<LivePage> page_;
};

TEST_F(LivePageTest, IsOnePageWithoutScriptsOrStylesWithin) {
  Serve();
  const std::string page = Get("/");
  EXPECT_EQ(AnswerStatus(page), 200);
  EXPECT_THAT(page, AllOf(HasSubstr("Content-Type: text/html"),
                          HasSubstr("default-src 'none'")));
  const std::string body = AnswerBody(page);
  EXPECT_THAT(body, AllOf(Not(HasSubstr("<style")), Not(HasSubstr(" style=")),
                          Not(HasSubstr("onclick")), Not(HasSubstr("://"))));
  // Each that it names is there, and has its type.
  for (const auto& [path, type] : {std::pair("/graph.js", "text/javascript"),
                                   std::pair("/live.js", "text/javascript"),
                                   std::pair("/page.css", "text/css"),
                                   std::pair("/icon.svg", "image/svg+xml")}) {
    EXPECT_THAT(body, HasSubstr(path));
    EXPECT_THAT(Get(path),
                AllOf(HasSubstr("HTTP/1.1 200"),
                      HasSubstr(absl::StrCat("Content-Type: ", type))));
  }
}

TEST_F(LivePageTest, ThePictureIsThatOfThePlan) {
  Serve();
  const Json picture = GetJson("/picture.json");
  EXPECT_EQ(picture["title"], "a \"graph\"");
  EXPECT_EQ(picture["nodes"][0]["name"], "pass");
}

TEST_F(LivePageTest, TheStateHasTheCountsOfGetGraphRuntimeInfo) {
  Serve();
  EXPECT_EQ(NewState()["state"]["phase"], "not started");
  graph_.Start();
  for (int i = 0; i < 7; ++i) graph_.Add("in", i, i);
  graph_.Finish();
  const Json state = NewState();
  EXPECT_EQ(state["state"]["phase"], "ended");
  const int out = graph_.graph().plan().FindStream("out");
  EXPECT_EQ(state["state"]["num_packets"][out], graph_.graph()
                                                    .GetGraphRuntimeInfo()
                                                    ->calculator_infos(0)
                                                    .output_stream_infos(0)
                                                    .number_of_packets_added());
  // The flight recorder was switched on for it.
  EXPECT_FALSE(state["calls"][0].is_null());
  EXPECT_EQ(state["latencies"][0]["name"], "out");
}

TEST_F(LivePageTest, AStateThatIsKnownIsNotSentAgain) {
  Serve();
  const std::int64_t number = NewState()["number"];
  const std::string again = Get(absl::StrCat("/state.json?since=", number));
  EXPECT_THAT(AnswerStatus(again), testing::AnyOf(204, 200));
  if (AnswerStatus(again) == 204) {
    EXPECT_EQ(AnswerBody(again), "");
  }
  EXPECT_EQ(AnswerStatus(Get("/state.json?since=x")), 200);
}

TEST_F(LivePageTest, ShowsTheNextRunToo) {
  Serve();
  for (int run = 1; run <= 3; ++run) {
    graph_.Start();
    graph_.Add("in", 1, 1);
    graph_.Idle();
    Json state = NewState();
    EXPECT_EQ(state["run"], run);
    EXPECT_EQ(state["state"]["phase"], "running");
    graph_.Finish();
    EXPECT_EQ(NewState()["state"]["phase"], "ended");
  }
}

TEST_F(LivePageTest, MetricsAreThoseOfPrometheus) {
  Serve();
  graph_.Start();
  graph_.Add("in", 1, 1);
  graph_.Idle();
  absl::SleepFor(absl::Milliseconds(110));
  EXPECT_THAT(Get("/metrics"),
              AllOf(HasSubstr("Content-Type: text/plain; version=0.0.4"),
                    HasSubstr("\nsyncline_run_number 1\n"),
                    HasSubstr("\nsyncline_output_packets_total{node=\"pass\","
                              "port=\":0\",stream=\"out\"} 1\n")));
  graph_.Finish();
}

TEST_F(LivePageTest, TheLogIsThere) {
  Serve();
  LOG(WARNING) << "a <b>word</b>";
  const Json lines = GetJson("/log.json?since=0")["lines"];
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines.back()["text"], "a <b>word</b>");
  EXPECT_EQ(lines.back()["severity"], "W");
  EXPECT_TRUE(GetJson(absl::StrCat("/log.json?since=",
                                   lines.back()["number"].get<int>()))["lines"]
                  .empty());
}

TEST_F(LivePageTest, TheLastPacketOfAStreamIsThere) {
  Serve();
  const std::string path = absl::StrCat(
      "/packet.json?stream=", graph_.graph().plan().FindStream("out"));
  graph_.Start();
  Json packet = GetJson(path);
  EXPECT_EQ(packet["number"], 0);
  for (int i = 1; i < 100 && packet["number"] == 0; ++i) {
    graph_.Add("in", i, 40 + i);
    graph_.Idle();
    absl::SleepFor(absl::Milliseconds(20));
    packet = GetJson(path);
  }
  EXPECT_EQ(packet["type"], "int");
  EXPECT_THAT(packet["text"].get<std::string>(),
              testing::MatchesRegex("[0-9]+"));
  EXPECT_EQ(AnswerStatus(Get("/packet.rgba?stream=0")), 404);
  for (const char* const none :
       {"/packet.json", "/packet.json?stream=-1", "/packet.json?stream=99",
        "/packet.rgba?stream=x"}) {
    EXPECT_EQ(AnswerStatus(Get(none)), 404) << none;
  }
  graph_.Finish();
}

TEST_F(LivePageTest, APageThatOnlyShowsChangesNothing) {
  Serve({.trace_folder = testing::TempDir()});
  const int port = page_->port();
  for (const char* const path : {"/trace/start", "/trace/stop"}) {
    EXPECT_EQ(AnswerStatus(AskServer(port, "POST", path, kOwnOrigin)), 403);
    EXPECT_EQ(AnswerStatus(Get(path)), 405);
  }
  EXPECT_EQ(AnswerStatus(Get("/trace/file")), 403);
  EXPECT_EQ(AnswerStatus(Get("/trace/recent")), 403);
  EXPECT_EQ(NewState()["has_control"], false);
}

TEST_F(LivePageTest, WithControlATraceIsStartedStoppedAndSaved) {
  Serve({.has_control = true, .trace_folder = testing::TempDir()});
  const int port = page_->port();
  EXPECT_EQ(AnswerStatus(Get("/trace/file")), 409);
  EXPECT_EQ(AnswerStatus(AskServer(port, "POST", "/trace/stop", kOwnOrigin)),
            409);
  EXPECT_EQ(AnswerStatus(AskServer(port, "POST", "/trace/start",
                                   "Origin: http://evil.example\r\n")),
            403);
  EXPECT_EQ(AnswerStatus(AskServer(port, "POST", "/trace/start", kOwnOrigin)),
            200);
  EXPECT_EQ(NewState()["is_tracing"], true);
  graph_.Start();
  graph_.Add("in", 1, 1);
  graph_.Finish();
  EXPECT_EQ(AnswerStatus(AskServer(port, "POST", "/trace/stop", kOwnOrigin)),
            200);
  const Json state = NewState();
  EXPECT_EQ(state["is_tracing"], false);
  EXPECT_EQ(state["has_trace"], true);
  const std::string file = Get("/trace/file");
  EXPECT_THAT(file.substr(0, 1000),
              HasSubstr("Content-Disposition: attachment; "
                        "filename=\"run.trace\""));
  EXPECT_GT(AnswerBody(file).size(), 100);
  EXPECT_GT(AnswerBody(Get("/trace/recent")).size(), 100);
}

TEST_F(LivePageTest, GoesAndComesWhileTheGraphRuns) {
  graph_.Start();
  for (int i = 0; i < 3; ++i) {
    Serve();
    EXPECT_EQ(NewState()["state"]["phase"], "running");
    graph_.Add("in", i, i);
    page_.reset();
  }
  graph_.Finish();
}

TEST_F(LivePageTest, WithoutATraceThereAreNoTimesOfCalls) {
  Serve({.traces = false});
  graph_.Start();
  graph_.Add("in", 1, 1);
  graph_.Finish();
  EXPECT_TRUE(NewState()["calls"].empty());
}

TEST(LivePageWithoutGraphTest, NeedsAGraphThatIsInitialized) {
  CalculatorGraph graph;
  EXPECT_EQ(LivePage::Serve(&graph).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace syncline
