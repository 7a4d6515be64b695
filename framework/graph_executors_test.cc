// Graphs on the executors that their configs describe: pools of one graph,
// threads that are tied to CPUs, and pools that graphs share. The tests do not
// run with seeds, since a seed replaces the executor.

#include <dirent.h>
#include <pthread.h>

#include <algorithm>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/usable_cores.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/shared_thread_pool.h"
#include "framework/thread_pool_executor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Sends the name of the thread that it runs on, for each input.
class ExecutorTestThreadName : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    cc->Outputs().Index(0).Set<std::string>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    char name[16];
    pthread_getname_np(pthread_self(), name, sizeof(name));
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::string>(name).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ExecutorTestThreadName);

CalculatorGraphConfig Config(absl::string_view executor) {
  return ParseTextProtoOrDie<CalculatorGraphConfig>(absl::StrCat(executor, R"pb(
    input_stream: "in"
    node {
      calculator: "ExecutorTestThreadName"
      input_stream: "in"
      output_stream: "out"
    }
  )pb"));
}

// A default executor of this type with these ThreadPoolExecutorOptions, given
// as text.
std::string ExecutorText(absl::string_view type, absl::string_view options) {
  return absl::StrCat("executor { type: '", type,
                      "' options { [syncline.ThreadPoolExecutorOptions.ext] {",
                      options, "} } }");
}

// Runs 100 packets through the graph and returns the names of the threads that
// ran the node.
std::vector<std::string> ThreadsOf(CalculatorGraph* graph) {
  std::vector<std::string> names;
  SYNCLINE_EXPECT_OK(
      graph->ObserveOutputStream("out", [&](const Packet& packet) {
        names.push_back(packet.Get<std::string>());
        return absl::OkStatus();
      }));
  SYNCLINE_EXPECT_OK(graph->StartRun({}));
  for (int i = 0; i < 100; ++i) {
    SYNCLINE_EXPECT_OK(graph->AddPacketToInputStream(
        "in", MakePacket<int>(i).At(Timestamp(i))));
  }
  SYNCLINE_EXPECT_OK(graph->CloseAllInputStreams());
  SYNCLINE_EXPECT_OK(graph->WaitUntilDone());
  EXPECT_EQ(names.size(), 100u);
  return names;
}

void ExpectAllStartWith(const std::vector<std::string>& names,
                        const std::string& prefix) {
  for (const std::string& name : names) ASSERT_THAT(name, StartsWith(prefix));
}

TEST(GraphExecutorsTest, AGraphRunsOnItsPool) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(Config(ExecutorText(
      "ThreadPoolExecutor", "num_threads: 2 thread_name_prefix: 'own'"))));
  ExpectAllStartWith(ThreadsOf(&graph), "own/");
}

// How many threads this process has.
int NumThreads() {
  int count = 0;
  DIR* const tasks = opendir("/proc/self/task");
  while (const dirent* const entry = readdir(tasks)) {
    if (entry->d_name[0] != '.') ++count;
  }
  closedir(tasks);
  return count;
}

TEST(GraphExecutorsTest, WithoutANumberThereAreAsManyThreadsAsCanBeOfUse) {
  const int cores = NumUsableCores();
  for (const int nodes : {1, 2, 1000}) {
    CalculatorGraphConfig config = Config("");
    for (int i = 1; i < nodes; ++i) {
      *config.add_node() = config.node(0);
      config.mutable_node(i)->set_output_stream(0, absl::StrCat("out", i));
    }
    const int before = NumThreads();
    CalculatorGraph graph;
    SYNCLINE_ASSERT_OK(graph.Initialize(config));
    EXPECT_EQ(NumThreads() - before, std::min(nodes, cores));
  }
}

TEST(GraphExecutorsTest, OnTheApplicationsThreadNothingMovesOutsideOfWaits) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(
      Config("executor { type: 'ApplicationThreadExecutor' }")));
  int seen = 0;
  SYNCLINE_ASSERT_OK(graph.ObserveOutputStream("out", [&](const Packet&) {
    ++seen;
    return absl::OkStatus();
  }));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  for (int i = 0; i < 3; ++i) {
    SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
        "in", MakePacket<int>(i).At(Timestamp(i))));
    EXPECT_EQ(seen, i) << "nobody waits";
    SYNCLINE_ASSERT_OK(graph.WaitUntilIdle());
    EXPECT_EQ(seen, i + 1);
  }
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
}

TEST(GraphExecutorsTest, GraphsRunOnThePoolThatTheyShare) {
  const std::string first = ExecutorText(
      "SharedThreadPoolExecutor",
      "pool_name: 'video' num_threads: 2 thread_name_prefix: 'shared'");
  const std::string second =
      ExecutorText("SharedThreadPoolExecutor", "pool_name: 'video'");
  CalculatorGraph a, b;
  SYNCLINE_ASSERT_OK(a.Initialize(Config(first)));
  SYNCLINE_ASSERT_OK(a.StartRun({}));
  SYNCLINE_ASSERT_OK(b.Initialize(Config(second)));
  ExpectAllStartWith(ThreadsOf(&b), "shared/");
  SYNCLINE_EXPECT_OK(a.CloseAllInputStreams());
  SYNCLINE_EXPECT_OK(a.WaitUntilDone());
}

TEST(GraphExecutorsTest, AnApplicationMayGiveASharedPool) {
  const auto pool = SharedThreadPool("from code", 2);
  SYNCLINE_ASSERT_OK(pool.status());
  for (int i = 0; i < 3; ++i) {
    CalculatorGraph graph;
    SYNCLINE_ASSERT_OK(graph.SetExecutor("", *pool));
    SYNCLINE_ASSERT_OK(graph.Initialize(Config("")));
    ExpectAllStartWith(ThreadsOf(&graph), "syncline/");
  }
}

// Starts a graph with this executor and returns the status.
absl::Status StartStatus(const std::string& executor) {
  CalculatorGraph graph;
  absl::Status status = graph.Initialize(Config(executor));
  if (status.ok()) status = graph.StartRun({});
  if (!status.ok()) return status;
  SYNCLINE_EXPECT_OK(graph.CloseAllInputStreams());
  return graph.WaitUntilDone();
}

TEST(GraphExecutorsTest, AnExecutorThatCannotBeMadeIsAnError) {
  const struct {
    std::string executor;
    std::string message;
  } cases[] = {
      {ExecutorText("ThreadPoolExecutor", "num_threads: 1 cpu: 8191"),
       "cpu 8191"},
      {ExecutorText("ThreadPoolExecutor", "num_threads: 1 cpu: -4"), "cpu"},
      {ExecutorText("ThreadPoolExecutor",
                    "num_threads: 1 scheduling_policy: RR"),
       "realtime_priority"},
      {ExecutorText("SharedThreadPoolExecutor", "num_threads: 5000"),
       "num_threads"},
  };
  for (const auto& bad : cases) {
    const absl::Status status = StartStatus(bad.executor);
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << bad.executor;
    EXPECT_THAT(std::string(status.message()), HasSubstr(bad.message))
        << bad.executor;
  }
  SYNCLINE_EXPECT_OK(StartStatus(ExecutorText(
      "ThreadPoolExecutor", "num_threads: 1 cpu: 8191 if_refused: FALLBACK")));
}

TEST(GraphExecutorsTest, AGraphThatWantsAnotherSizeOfASharedPoolIsToldSo) {
  const auto pool = SharedThreadPool("sized", 2);
  SYNCLINE_ASSERT_OK(pool.status());
  const absl::Status status = StartStatus(ExecutorText(
      "SharedThreadPoolExecutor", "pool_name: 'sized' num_threads: 3"));
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("num_threads"));
}

}  // namespace
}  // namespace syncline
