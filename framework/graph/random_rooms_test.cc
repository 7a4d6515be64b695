// Random graphs in which nodes wait for room: with queues of one or two
// packets, lags, nodes that keep few packets, joins of all of these, and
// conditions that ask for room. Whatever waits for whatever, a run comes to
// what it comes to without limits, or, where queues may hardly grow, it ends
// with an error that names who waits.
//
// SYNCLINE_RANDOM_GRAPHS in the environment sets how many graphs are run.

#include <cstdint>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/context.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kMostNodes = 8;

int NumGraphs() {
  const char* const given = std::getenv("SYNCLINE_RANDOM_GRAPHS");
  int number = 0;
  return given != nullptr && absl::SimpleAtoi(given, &number) ? number : 120;
}

// Sends each packet `distance` timestamps late.
TestFunction Lag(int distance) {
  return [distance](CalculatorContext* cc) {
    const Timestamp time = cc->InputTimestamp() - distance;
    if (time < Timestamp(0)) return absl::OkStatus();
    const Packet& input = cc->Inputs().Index(0).Value();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(input.IsEmpty() ? 1 : input.Get<int>()).At(time));
    return absl::OkStatus();
  };
}

TestFunction KeepEvery(int number) {
  return [number](CalculatorContext* cc) {
    return cc->InputTimestamp().Value() % number == 0 ? SendSum(cc)
                                                      : absl::OkStatus();
  };
}

struct RandomGraph {
  explicit RandomGraph(std::uint32_t seed) : random(seed) {
    const int sources = Below(3) + 1;
    limit = Below(2) + 1;
    // Some may not grow as far as they would have to.
    ceiling = Below(3) == 0 ? limit + Below(4) : 0;
    for (int i = 0; i < sources; ++i) AddSource();
    const int nodes = 2 + Below(kMostNodes - 2);
    for (int i = 0; i < nodes; ++i) AddNode(i);
  }

  int Below(int end) { return static_cast<int>(random() % end); }

  std::string Condition() {
    if (Below(2) == 0) return "";
    return absl::StrCat(R"( condition {
      type: "DownstreamMessageAffordableCondition" options {
        [syncline.DownstreamMessageAffordableConditionOptions.ext] {
          min_size: )",
                        1 + Below(limit), " } } }");
  }

  void AddNodeText(const std::string& name, const std::string& function,
                   const std::string& inputs) {
    const std::string condition = Condition();
    const std::string node =
        absl::StrCat("node { calculator: \"TestLambda\" name: \"", name,
                     "\" input_side_packet: \"PROCESS:", function, "\" ",
                     inputs, " output_stream: \"", name, "\"");
    absl::StrAppend(&with_limits, node, condition, " }\n");
    absl::StrAppend(&without, node, " }\n");
    streams.push_back(name);
  }

  void AddSource() {
    const std::string name = absl::StrCat("s", streams.size());
    lasts[name] = Below(20);
    AddNodeText(name, name, "");
  }

  void AddNode(int number) {
    const int kind = Below(3);
    const std::string function = kind == 0 ? absl::StrCat("lag", 1 + Below(4))
                                 : kind == 1
                                     ? absl::StrCat("keep", 2 + Below(4))
                                     : "sum";
    std::string inputs;
    const int count = kind == 2 ? 2 + Below(2) : 1;
    for (int i = 0; i < count; ++i) {
      absl::StrAppend(&inputs, " input_stream: \"",
                      streams[Below(static_cast<int>(streams.size()))], "\"");
    }
    AddNodeText(absl::StrCat("n", number), function, inputs);
  }

  void Give(TestGraph* graph) const {
    for (const auto& [name, last] : lasts) graph->Give(name, CountTo(last));
    for (int i = 1; i <= 5; ++i) {
      graph->Give(absl::StrCat("lag", i), Lag(i));
      graph->Give(absl::StrCat("keep", i), KeepEvery(i));
    }
    graph->Give("sum", SendSum);
    for (const std::string& stream : streams) graph->Observe(stream);
  }

  std::map<std::string, std::string> SeenBy(TestGraph* graph) const {
    std::map<std::string, std::string> seen;
    for (const std::string& stream : streams) {
      seen[stream] = graph->Seen(stream);
    }
    return seen;
  }

  std::string Text() const {
    return absl::StrCat("max_queue_size: ", limit,
                        " max_queue_size_ceiling: ", ceiling, "\n",
                        with_limits);
  }

  std::mt19937 random;
  int limit = 1;
  int ceiling = 0;
  std::map<std::string, int> lasts;  // of sources
  std::vector<std::string> streams;
  std::string with_limits;
  std::string without;
};

class RandomRoomsTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(RandomRoomsTest);

TEST_P(RandomRoomsTest, ARunLosesNothingOrNamesWhoWaits) {
  int refused = 0;
  for (int seed = 1; seed <= NumGraphs(); ++seed) {
    const RandomGraph random(seed);
    TestGraph free({.threads = 0},
                   absl::StrCat("max_queue_size: -1\n", random.without));
    random.Give(&free);
    SYNCLINE_ASSERT_OK(free.Run()) << random.without;
    TestGraph graph(GetParam(), random.Text());
    random.Give(&graph);
    const absl::Status status = graph.Run();
    if (status.ok()) {
      ASSERT_EQ(random.SeenBy(&graph), random.SeenBy(&free))
          << "seed " << seed << "\n"
          << random.Text();
      EXPECT_THAT(graph.graph().GetLeftAtEnd(), IsEmpty());
      continue;
    }
    ++refused;
    ASSERT_GT(random.ceiling, 0) << "seed " << seed << ": " << status << "\n"
                                 << random.Text();
    ASSERT_THAT(status.message(),
                AllOf(HasSubstr("Detected a deadlock"), HasSubstr("node \"n"),
                      HasSubstr("max_queue_size_ceiling")))
        << "seed " << seed;
  }
  EXPECT_LT(refused, NumGraphs() / 3);
}

}  // namespace
}  // namespace syncline
