// What a page costs while somebody looks at it: the time of its two threads,
// measured against what the graph itself takes for telling its state once. That
// holds on any machine, in any build, and whatever else runs beside it.
#include <dirent.h>

#include <ctime>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/calculator/context.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "pages/live/live_page.h"
#include "pages/server/test_client.h"

namespace syncline {
namespace {

constexpr int kNodes = 200;

// What the threads of this name have used of a core so far, in microseconds;
// -1: there is no such thread.
double ThreadMicroseconds(const std::string& name) {
  double sum = -1;
  DIR* const tasks = opendir("/proc/self/task");
  while (const dirent* const task = readdir(tasks)) {
    const std::string folder = absl::StrCat("/proc/self/task/", task->d_name);
    std::string comm;
    std::ifstream(folder + "/comm") >> comm;
    if (comm != name) continue;
    double nanoseconds = 0;
    std::ifstream(folder + "/schedstat") >> nanoseconds;
    sum = (sum < 0 ? 0 : sum) + nanoseconds / 1e3;
  }
  closedir(tasks);
  return sum;
}

double OwnMicroseconds() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return absl::ToDoubleMicroseconds(absl::DurationFromTimespec(time));
}

// Two hundred nodes in a chain, through which ten packets a second go.
class PageCostTest : public ::testing::Test {
 protected:
  PageCostTest() : graph_(Workers{.threads = 1}, Chain()) {
    graph_.Give("f", [](CalculatorContext* cc) {
      cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
      return absl::OkStatus();
    });
    auto page = LivePage::Serve(&graph_.graph());
    EXPECT_TRUE(page.ok()) << page.status();
    page_ = *std::move(page);
    graph_.Start();
  }
  ~PageCostTest() override { graph_.Finish(); }

  static std::string Chain() {
    std::string text = "input_stream: \"s0\"\n";
    for (int i = 0; i < kNodes; ++i) {
      absl::StrAppend(&text,
                      "node { calculator: \"TestLambda\" input_stream: \"s", i,
                      "\" output_stream: \"s", i + 1,
                      "\" input_side_packet: \"PROCESS:f\" }\n");
    }
    return text;
  }
  // Looks as a page does, while packets come; returns how many states it got.
  int LookTenTimesASecond(int times) {
    int num_states = 0;
    std::int64_t number = 0;
    for (int i = 0; i < times; ++i) {
      graph_.Add("s0", ++time_, 1);
      const std::string answer = AskServer(
          page_->port(), "GET", absl::StrCat("/state.json?since=", number));
      if (AnswerStatus(answer) == 200) {
        ++num_states;
        number = nlohmann::json::parse(AnswerBody(answer))["number"];
      }
      absl::SleepFor(absl::Milliseconds(100));
    }
    return num_states;
  }
  double PageMicroseconds() const {
    return ThreadMicroseconds("page") + ThreadMicroseconds("page_server");
  }

  TestGraph graph_;
  std::unique_ptr<LivePage> page_;
  int time_ = 0;
};

// Of what the graph takes. It is two or three, and four in an optimised build.
constexpr double kMostOfTelling = 7;

TEST_F(PageCostTest, ItsThreadsHaveNames) {
  EXPECT_GE(ThreadMicroseconds("page"), 0);
  EXPECT_GE(ThreadMicroseconds("page_server"), 0);
}

TEST_F(PageCostTest, AStateCostsNoMoreThanAFewTimesWhatTheGraphTakesToTellIt) {
  LookTenTimesASecond(5);
  const double before = PageMicroseconds();
  const int num_states = LookTenTimesASecond(20);
  ASSERT_GE(num_states, 5);
  const double of_state = (PageMicroseconds() - before) / num_states;
  const double start = OwnMicroseconds();
  for (int i = 0; i < 20; ++i) {
    SYNCLINE_EXPECT_OK(graph_.graph().GetGraphRuntimeInfo().status());
  }
  const double of_telling = (OwnMicroseconds() - start) / 20;
  std::cout << "a state of " << kNodes << " nodes: " << of_state
            << " us of the page's threads, and the graph takes " << of_telling
            << " us to tell it: " << of_state / of_telling << " times\n";
  EXPECT_LE(of_state, kMostOfTelling * of_telling);
}

// While nobody looks, neither of the two does anything.
TEST_F(PageCostTest, NobodyWhoLooksCostsNothing) {
  LookTenTimesASecond(2);
  absl::SleepFor(absl::Milliseconds(200));
  const double before = PageMicroseconds();
  absl::SleepFor(absl::Milliseconds(500));
  EXPECT_LE(PageMicroseconds() - before, 500);
}

}  // namespace
}  // namespace syncline
