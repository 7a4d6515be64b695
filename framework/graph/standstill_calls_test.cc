// What is told of runs whose nodes wait for calls that do not return, for
// threads, conditions, memory, side packets, or the sources of another layer.

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "framework/base/mutex.h"
#include "framework/calculator/context.h"
#include "framework/condition/asynchronous_condition.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/conditions_test_support.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/standstill_watch_test_support.h"
#include "framework/memory/allocator.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "framework/report/test_lambda.h"
#include "framework/run/described_observer.h"
#include "framework/scheduler/executor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// A call that does not return before the notification.
TestFunction Blocked(absl::Notification* let_go) {
  return [let_go](CalculatorContext*) {
    let_go->WaitForNotification();
    return absl::OkStatus();
  };
}

TEST_P(StandstillWatchTest, ACallThatNeverReturns) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "stuck" calculator: "TestLambda" input_stream: "in"
           input_side_packet: "PROCESS:blocked" })");
  graph.Give("blocked", Blocked(&let_go_));
  Start(&graph);
  std::string text;
  {
    // Without a thread of its own the graph makes the call in this thread.
    const Waiting adding([&] {
      graph.Add("in", 1'500'000, 1);
      graph.graph().WaitUntilDone().IgnoreError();
    });
    text = told_.WaitFor();
    graph.graph().Cancel();
    let_go_.Notify();
  }
  EXPECT_THAT(text,
              AllOf(StartsWith("\"stuck\" has been in Process at 1,500,000 on "
                               "thread "),
                    HasSubstr(" s.\nWhat to do: See where the call of "
                              "\"stuck\" is")));
}

TEST_P(StandstillWatchTest, APartOfAFusedNodeThatNeverReturns) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "chain"
           fused_node { name: "pass" calculator: "TestLambda"
                        input_stream: "in" output_stream: "mid"
                        input_side_packet: "PROCESS:sum" }
           fused_node { name: "stuck" calculator: "TestLambda"
                        input_stream: "mid"
                        input_side_packet: "PROCESS:blocked" } })");
  graph.Give("sum", SendSum);
  graph.Give("blocked", Blocked(&let_go_));
  Start(&graph);
  std::string text;
  {
    const Waiting adding([&] {
      graph.Add("in", 7, 1);
      graph.graph().WaitUntilDone().IgnoreError();
    });
    text = told_.WaitFor();
    graph.graph().Cancel();
    let_go_.Notify();
  }
  EXPECT_THAT(text, AllOf(StartsWith("\"chain\" has been in Process at 7 on "
                                     "thread "),
                          HasSubstr(", in its part \"chain/stuck\" "
                                    "(TestLambda) for ")));
}

TEST_P(StandstillWatchTest, AllThreadsOfAnExecutorAreInsideCalls) {
  std::string config = R"(input_stream: "in" node { name: "ready" calculator:
      "TestLambda" input_stream: "in" input_side_packet: "PROCESS:blocked" })";
  const int blocked = std::max(1, GetParam().threads);
  for (int i = 0; i < blocked; ++i) {
    absl::StrAppend(&config, "node { name: 'stuck", i,
                    "' calculator: 'TestLambda' input_stream: 'in' "
                    "input_side_packet: 'PROCESS:blocked' }");
  }
  TestGraph graph(GetParam(), config);
  graph.Give("blocked", Blocked(&let_go_));
  Start(&graph);
  graph.Add("in", 7, 1);
  const std::string text = ToldOf(&graph, [this] { let_go_.Notify(); });
  // Any of them may be the one without a thread.
  EXPECT_THAT(text, HasSubstr(" is ready to be called, but the threads of the "
                              "default executor are inside calls of \""));
  EXPECT_THAT(text.substr(0, text.find('\n')),
              HasSubstr(", which is one of these, has been in Process at 7 on "
                        "thread "));
}

TEST_P(StandstillWatchTest, AnObserverThatDoesNotReturn) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "pass" calculator: "TestLambda" input_stream: "in"
           output_stream: "out" input_side_packet: "PROCESS:sum" })");
  graph.Give("sum", SendSum);
  SYNCLINE_ASSERT_OK(
      graph.graph().ObserveOutputStream("out", [this](const Packet&) {
        let_go_.WaitForNotification();
        return absl::OkStatus();
      }));
  Start(&graph);
  graph.Add("in", 7, 1);
  EXPECT_THAT(ToldOf(&graph, [this] { let_go_.Notify(); }),
              StartsWith("\"pass\" is sending to an observer of stream "
                         "\"out\", which has not returned, on thread "));
}

TEST_P(StandstillWatchTest, AnObserverOfAGraphInputThatDoesNotReturn) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { calculator: "TestLambda" input_stream: "in"
           output_stream: "out" input_side_packet: "PROCESS:sum" })");
  graph.Give("sum", SendSum);
  SYNCLINE_ASSERT_OK(
      graph.graph().ObserveOutputStream("in", [this](const Packet&) {
        let_go_.WaitForNotification();
        return absl::OkStatus();
      }));
  Start(&graph);
  std::thread application([&] {
    graph.graph()
        .AddPacketToInputStream("in", MakePacket<int>(1).At(Timestamp(7)))
        .IgnoreError();
  });
  const std::string text = ToldOf(&graph, [this] { let_go_.Notify(); });
  application.join();
  EXPECT_THAT(text, StartsWith("thread "));
  EXPECT_THAT(text, HasSubstr(" is in an observer of stream \"in\", which has "
                              "not returned"));
}

TEST_P(StandstillWatchTest, AnObserverThatSaysWhatItIsIsNamed) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "pass" calculator: "TestLambda" input_stream: "in"
           output_stream: "out" input_side_packet: "PROCESS:sum" })");
  graph.Give("sum", SendSum);
  SYNCLINE_ASSERT_OK(graph.graph().ObserveOutputStream(
      "out", DescribedObserver{.name = "--output=out=pipe",
                               .callback = [this](const Packet&) {
                                 let_go_.WaitForNotification();
                                 return absl::OkStatus();
                               }}));
  Start(&graph);
  graph.Add("in", 7, 1);
  EXPECT_THAT(ToldOf(&graph, [this] { let_go_.Notify(); }),
              StartsWith("\"pass\" is sending stream \"out\" to "
                         "--output=out=pipe, which takes nothing more, on "
                         "thread "));
}

TEST_P(StandstillWatchTest, ABooleanConditionThatIsOff) {
  TestGraph graph(GetParam(),
                  Inner(Boolean("enable_tick: false on_false: PAUSE")));
  graph.Give("f", SendSum);
  Start(&graph);
  graph.Add("in", 7, 1);
  graph.Close("in");
  const std::string text = ToldOf(&graph);
  EXPECT_THAT(text, StartsWith("\"inner\" is held by condition \"enabled\" "
                               "(BooleanCondition), which says WAIT_EVENT"));
  EXPECT_THAT(text, HasSubstr("What to do: Call enable_tick() of "
                              "GetCondition(\"inner/enabled\"), or take"));
}

TEST_P(StandstillWatchTest, AnEventThatNeverComes) {
  TestGraph graph(GetParam(), Inner(" condition { name: \"reply\" type: "
                                    "\"AsynchronousCondition\" }"));
  graph.Give("f", [](CalculatorContext* cc) {
    return cc->Condition<AsynchronousCondition>("reply")->event_state(
        AsynchronousEventState::EVENT_WAITING);
  });
  Start(&graph);
  graph.Add("in", 7, 1);
  graph.Add("in", 8, 1);
  graph.Close("in");
  EXPECT_THAT(ToldOf(&graph),
              StartsWith("\"inner\" is held by condition \"reply\" "
                         "(AsynchronousCondition), which says WAIT_EVENT "
                         "(EVENT_DONE).\nWhat to do: Let what the node waits "
                         "for call event_state(EVENT_DONE) of "
                         "GetCondition(\"inner/reply\"), or take"));
}

TEST_P(StandstillWatchTest, ASourceBehindALayerThatDoesNotEnd) {
  TestGraph graph(GetParam(), absl::StrCat(R"(
    node { name: "first" calculator: "TestLambda" output_stream: "a"
           input_side_packet: "PROCESS:count")",
                                           Boolean("enable_tick: false "
                                                   "on_false: PAUSE"),
                                           R"( }
    node { name: "later" calculator: "TestLambda" output_stream: "b"
           input_side_packet: "PROCESS:count" source_layer: 1 })"));
  graph.Give("count", CountTo(3));
  Start(&graph);
  EXPECT_THAT(ToldOf(&graph),
              StartsWith("\"later\" waits for the sources of a lower "
                         "source_layer to end, and \"first\", which is one of "
                         "them, is held by condition \"enabled\""));
}

TEST_P(StandstillWatchTest, ASourceBehindALayerWhoseCallDoesNotReturn) {
  TestGraph graph(GetParam(), R"(
    node { name: "first" calculator: "TestLambda" output_stream: "a"
           input_side_packet: "PROCESS:blocked" }
    node { name: "later" calculator: "TestLambda" output_stream: "b"
           input_side_packet: "PROCESS:count" source_layer: 1 })");
  graph.Give("count", CountTo(3));
  graph.Give("blocked", [this](CalculatorContext* cc) {
    // A source that sends, and then does not return, is no camera here.
    static std::atomic<int> next{0};
    if (next++ % 2 == 1) let_go_.WaitForNotification();
    cc->Outputs().Index(0).AddPacket(MakePacket<int>(1).At(Timestamp(next)));
    return absl::OkStatus();
  });
  Start(&graph);
  EXPECT_THAT(ToldOf(&graph, [this] { let_go_.Notify(); }),
              AllOf(HasSubstr("\"later\" waits for the sources of a lower "
                              "source_layer to end"),
                    HasSubstr("\"first\", which is one of them, has been in "
                              "Process on thread ")));
}

// Keeps what it is given.
class IdleExecutor : public Executor {
 public:
  void Schedule(std::function<void()> task) override {
    MutexLock lock(&mutex_);
    tasks_.push_back(std::move(task));
  }

 private:
  Mutex mutex_;
  std::vector<std::function<void()>> tasks_ ABSL_GUARDED_BY(mutex_);
};

TEST_P(StandstillWatchTest, AnExecutorThatNeverRunsItsTasks) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(
      graph.SetExecutor("idle", std::make_shared<IdleExecutor>()));
  const int threads = GetParam().threads;
  SYNCLINE_ASSERT_OK(graph.Initialize(TestConfig(absl::StrCat(
      threads == 0 ? "executor { type: \"ApplicationThreadExecutor\" }"
                   : absl::StrCat("num_threads: ", threads),
      R"(
    input_stream: "in" executor { name: "idle" }
    node { name: "waits" calculator: "TestLambda" input_stream: "in"
           executor: "idle" })"))));
  told_.Watch(&graph);
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  const Waiting waiting(&graph);
  EXPECT_THAT(told_.WaitFor(),
              StartsWith("\"waits\" is ready to be called, but no thread of "
                         "executor \"idle\" runs it.\nWhat to do: See that "
                         "the Executor that the application has set"));
  graph.Cancel();
}

TEST_P(StandstillWatchTest, APoolOfMemoryWhoseLastBlockSomebodyHolds) {
  TestGraph graph(GetParam(), R"(
    allocator { name: "frames" type: "BlockMemoryPool" options {
      [syncline.BlockMemoryPoolOptions.ext] { block_size: 100 num_blocks: 2 } } }
    input_stream: "in"
    node { name: "camera" calculator: "TestLambda" input_stream: "in"
           output_stream: "out" input_side_packet: "PROCESS:sum"
           condition { name: "memory" type: "MemoryAvailableCondition" options {
             [syncline.MemoryAvailableConditionOptions.ext] {
               allocator: "frames" min_blocks: 1 } } } })");
  graph.Give("sum", SendSum);
  const auto pool = graph.graph().GetAllocator("frames");
  SYNCLINE_ASSERT_OK(pool.status());
  auto first = (*pool)->Allocate(100, MemoryStorageType::kSystem, "display");
  auto second = (*pool)->Allocate(100, MemoryStorageType::kSystem, "encoder");
  SYNCLINE_ASSERT_OK(second.status());
  Start(&graph);
  graph.Add("in", 7, 1);
  graph.Close("in");
  const std::string text = ToldOf(&graph);
  EXPECT_THAT(text.substr(0, text.find('\n')),
              HasSubstr("\"camera\" is held by condition \"memory\" "
                        "(MemoryAvailableCondition), which says WAIT_EVENT"));
  EXPECT_THAT(text.substr(0, text.find('\n')),
              HasSubstr("as allocator \"frames\" has 0 of 2 blocks free: 1 by "
                        "\"display\", 1 by \"encoder\""));
  EXPECT_THAT(text, HasSubstr("What to do: See who keeps packets in that "
                              "memory, or give the allocator more blocks."));
}

TEST_P(StandstillWatchTest, ASidePacketThatIsNeverSet) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "maker" calculator: "TestLambda" input_stream: "in"
           output_side_packet: "side" }
    node { name: "user" calculator: "TestLambda" input_stream: "in"
           input_side_packet: "side" })");
  Start(&graph);
  graph.Add("in", 7, 1);
  EXPECT_THAT(ToldOf(&graph),
              StartsWith("\"user\" is not open, as it waits for side packet "
                         "\"side\", which \"maker\" has not set.\n"));
}

}  // namespace
}  // namespace syncline
