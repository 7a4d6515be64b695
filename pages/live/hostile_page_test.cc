// A graph whose page has broken and hostile clients keeps its pace, and an
// ordinary client sees it.
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/context.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pages/live/live_page.h"
#include "pages/server/resident_memory.h"
#include "pages/server/test_client.h"

namespace syncline {
namespace {

// A source of two hundred packets a second.
class HostilePageTest : public ::testing::Test {
 protected:
  HostilePageTest()
      : graph_(Workers{.threads = 2}, R"(
          node { calculator: "TestLambda" output_stream: "x"
                 input_side_packet: "PROCESS:f" }
          node { calculator: "TestLambda" input_stream: "x" })") {
    graph_.Give("f", [this](CalculatorContext* cc) {
      if (is_over_) return tool::StatusStop();
      absl::SleepFor(absl::Milliseconds(5));
      cc->Outputs().Index(0).AddPacket(
          MakePacket<int>(0).At(Timestamp(num_sent_++)));
      return absl::OkStatus();
    });
    auto page = LivePage::Serve(&graph_.graph());
    EXPECT_TRUE(page.ok()) << page.status();
    page_ = *std::move(page);
    graph_.Start();
  }
  ~HostilePageTest() override {
    is_over_ = true;
    graph_.Finish();
  }
  // Packets a second, while an ordinary client asks ten times a second.
  double PaceWhileAsked(absl::Duration time) {
    const int before = num_sent_;
    const absl::Time start = absl::Now();
    int num_asked = 0;
    int num_late = 0;
    while (absl::Now() - start < time) {
      const absl::Time asked = absl::Now();
      EXPECT_EQ(AnswerStatus(AskServer(page_->port(), "GET", "/state.json")),
                200);
      if (absl::Now() - asked > absl::Milliseconds(100)) ++num_late;
      ++num_asked;
      absl::SleepFor(absl::Milliseconds(100));
    }
    // A busy machine may be late now and then.
    EXPECT_LE(num_late, 1 + num_asked / 10);
    return (num_sent_ - before) / absl::ToDoubleSeconds(absl::Now() - start);
  }

  std::atomic<bool> is_over_{false};
  std::atomic<int> num_sent_{0};
  TestGraph graph_;
  std::unique_ptr<LivePage> page_;
};

TEST_F(HostilePageTest, HostileClientsNeitherSlowTheGraphNorFillTheMemory) {
  const double before = PaceWhileAsked(absl::Milliseconds(800));
  const std::int64_t memory = ResidentKilobytes();
  std::vector<std::unique_ptr<TestClient>> silent;
  for (int i = 0; i < 20; ++i) {
    silent.push_back(
        std::make_unique<TestClient>(page_->port(), /*small_window=*/true));
    silent.back()->Send(RequestText("GET", "/state.json"));
    silent.back()->Send(RequestText("GET", "/graph.js"));
  }
  std::thread endless([this] {
    const std::string header =
        absl::StrCat("X-A: ", std::string(65536, 'y'), "\r\n");
    std::size_t sent = 0;
    while (sent < 100'000'000) {
      TestClient client(page_->port());
      client.Send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n");
      do sent += header.size();
      while (client.Send(header) && sent < 100'000'000);
    }
  });
  const double during = PaceWhileAsked(absl::Milliseconds(1500));
  endless.join();
  EXPECT_GE(during, 0.8 * before);
  EXPECT_LE(ResidentKilobytes() - memory, 4096);
}

// A chain of so many nodes, which pass on what comes.
std::string Chain(int num_nodes) {
  std::string text = "input_stream: \"s0\"\n";
  for (int i = 0; i < num_nodes; ++i) {
    absl::StrAppend(&text,
                    "node { calculator: \"TestLambda\" input_stream: \"s", i,
                    "\" output_stream: \"s", i + 1,
                    "\" input_side_packet: \"PROCESS:f\" }\n");
  }
  return text;
}

TEST(PageOfManyNodesTest, ClientsThatAskWithoutAPauseKeepNobodyWaiting) {
  TestGraph graph(Workers{.threads = 2}, Chain(1000));
  graph.Give("f", [](CalculatorContext* cc) {
    cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  });
  const auto page = LivePage::Serve(&graph.graph());
  SYNCLINE_ASSERT_OK(page.status());
  graph.Start();
  graph.Add("s0", 1, 1);
  std::atomic<bool> is_over{false};
  std::atomic<int> num_answers{0};
  std::atomic<int> num_closed{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < 8; ++i) {
    clients.emplace_back([&, path = i < 5 ? "/metrics" : "/state.json"] {
      while (!is_over) {
        const std::string answer = AskServer((*page)->port(), "GET", path);
        // Nothing came: the connection was closed.
        if (answer.empty()) {
          ++num_closed;
          continue;
        }
        EXPECT_EQ(AnswerStatus(answer), 200);
        ++num_answers;
      }
    });
  }
  int num_late = 0;
  for (int i = 0; i < 30; ++i) {
    const absl::Time start = absl::Now();
    EXPECT_EQ(AnswerStatus(AskServer((*page)->port(), "GET", "/")), 200);
    if (absl::Now() - start > absl::Milliseconds(100)) ++num_late;
    absl::SleepFor(absl::Milliseconds(30));
  }
  is_over = true;
  for (std::thread& client : clients) client.join();
  EXPECT_LE(num_late, 3);
  EXPECT_GE(num_answers, 30);
  // On a busy machine a few of the answers that nobody reads for long make room
  // for others (open_connections.h).
  EXPECT_LE(num_closed, 3);
  graph.Finish();
}

}  // namespace
}  // namespace syncline
