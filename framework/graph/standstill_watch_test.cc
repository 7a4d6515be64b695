// A run that stands still says by itself why, once, whoever runs its calls; and
// a run that waits for its clock, for a device, or for nobody says nothing.

#include "framework/graph/standstill_watch.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/context.h"
#include "framework/condition/asynchronous_condition.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/conditions_test_support.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/memory/allocator.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "framework/report/test_lambda.h"
#include "framework/run/output_stream_poller.h"
#include "framework/scheduler/executor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr absl::Duration kAfter = absl::Milliseconds(100);
constexpr absl::Duration kLong = absl::Seconds(5);
constexpr absl::Duration kShort = absl::Milliseconds(5);

// The texts that a watch has told. Outlives the graph.
class Told {
 public:
  void Watch(CalculatorGraph* graph, absl::Duration after = kAfter,
             bool program_waits = false) {
    CalculatorGraph::StandstillOptions options;
    options.after = after;
    options.program_waits = program_waits;
    options.tell = [this](const std::string& text) {
      MutexLock lock(&mutex_);
      texts_.push_back(text);
    };
    graph->ExplainStandstills(std::move(options));
  }
  std::vector<std::string> Texts() const {
    MutexLock lock(&mutex_);
    return texts_;
  }
  // The text of this number, from 0; empty if it does not come.
  std::string WaitFor(std::size_t number = 0) const {
    const absl::Time end = absl::Now() + kLong;
    while (absl::Now() < end) {
      if (Texts().size() > number) return Texts()[number];
      absl::SleepFor(kShort);
    }
    return "";
  }

 private:
  mutable Mutex mutex_;
  std::vector<std::string> texts_ ABSL_GUARDED_BY(mutex_);
};

// Calls the graph on a thread of its own, as a program does that waits for it.
class Waiting {
 public:
  explicit Waiting(std::function<void()> wait) : thread_(std::move(wait)) {}
  explicit Waiting(CalculatorGraph* graph)
      : Waiting([graph] { graph->WaitUntilDone().IgnoreError(); }) {}
  ~Waiting() { thread_.join(); }

 private:
  std::thread thread_;
};

class StandstillWatchTest : public ::testing::TestWithParam<Workers> {
 protected:
  // What is told of a graph that has started, while somebody waits until it is
  // done. `let_go` lets calls return.
  std::string ToldOf(
      TestGraph* graph, const std::function<void()>& let_go = [] {}) {
    const Waiting waiting(&graph->graph());
    std::string text = told_.WaitFor();
    graph->graph().Cancel();
    let_go();
    return text;
  }
  // Watches the graph, and starts it.
  void Start(TestGraph* graph) {
    told_.Watch(&graph->graph());
    graph->Start();
  }

  Told told_;
  absl::Notification let_go_;
};
SYNCLINE_TEST_WITH_THREADS(StandstillWatchTest);

// A call that does not return before the notification.
TestFunction Blocked(absl::Notification* let_go) {
  return [let_go](CalculatorContext*) {
    let_go->WaitForNotification();
    return absl::OkStatus();
  };
}

constexpr char kJoin[] = R"(
  input_stream: "a" input_stream: "b"
  node { name: "join" calculator: "TestLambda" input_stream: "X:0:a"
         input_stream: "X:1:b" })";

// --- What is told

TEST_P(StandstillWatchTest, AJoinWhoseSecondInputGetsNothing) {
  TestGraph graph(GetParam(), kJoin);
  Start(&graph);
  graph.Add("a", 1'500'000, 1);
  const std::string text = ToldOf(&graph);
  EXPECT_THAT(text,
              StartsWith("\"join\" waits for stream \"b\" up to 1,500,000, and "
                         "the application, which sends it, has not sent that, "
                         "nor closed it.\nWhat to do: Add packets to \"b\""));
  EXPECT_THAT(text, HasSubstr("\nWho waits for the run: WaitUntilDone().\n"));
}

TEST_P(StandstillWatchTest, ABackEdgeThatNobodyStarts) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "merge" calculator: "TestLambda" input_stream: "X:0:in"
           input_stream: "X:1:loop" output_stream: "merged"
           input_side_packet: "PROCESS:sum"
           input_stream_info { tag_index: "X:1" back_edge: true } }
    node { name: "state" calculator: "TestLambda" input_stream: "merged"
           input_side_packet: "PROCESS:sum" output_stream: "loop" })");
  graph.Give("sum", SendSum);
  Start(&graph);
  graph.Add("in", 7, 1);
  EXPECT_THAT(ToldOf(&graph),
              StartsWith("\"merge\" waits for stream \"loop\" up to 7, a back "
                         "edge, which nothing has started: \"state\" sends it "
                         "only after \"merge\" has sent something.\n"));
}

TEST_P(StandstillWatchTest, APollerWhoseGraphInputWasLeftOpen) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "pass" calculator: "TestLambda" input_stream: "in"
           output_stream: "out" input_side_packet: "PROCESS:sum" })");
  graph.Give("sum", SendSum);
  auto poller = graph.graph().AddOutputStreamPoller("out");
  SYNCLINE_ASSERT_OK(poller.status());
  Start(&graph);
  graph.Add("in", 7, 1);
  std::string text;
  {
    const Waiting waiting([&] {
      Packet packet;
      while (poller->Next(&packet)) {
      }
    });
    text = told_.WaitFor();
    graph.graph().Cancel();
  }
  EXPECT_THAT(text,
              AllOf(StartsWith("\"pass\" waits for stream \"in\", and the "
                               "application, which sends it, has not sent "
                               "that, nor closed it.\n"),
                    HasSubstr("Who waits for the run: Next() of a poller of "
                              "\"out\"")));
}

TEST_P(StandstillWatchTest, APollerThatNobodyReadsHoldsASourceBack) {
  TestGraph graph(GetParam(), R"(
    node { name: "source" calculator: "TestLambda" output_stream: "a"
           input_side_packet: "PROCESS:count" })");
  graph.Give("count", CountTo(9));
  auto poller = graph.graph().AddOutputStreamPoller("a");
  SYNCLINE_ASSERT_OK(poller.status());
  poller->SetMaxQueueSize(2);
  Start(&graph);
  EXPECT_THAT(ToldOf(&graph),
              StartsWith("\"source\" is paused by the full poller of stream "
                         "\"a\", which the application does not read.\n"));
}

// Sends its first input on, and then waits for the answer, as a flow limiter
// does.
TestFunction LimitToOne() {
  auto has_sent = std::make_shared<std::atomic<bool>>(false);
  return [has_sent](CalculatorContext* cc) {
    const InputStream& in = cc->Inputs().Get("X", 0);
    if (in.IsEmpty() || has_sent->exchange(true)) return absl::OkStatus();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(in.Get<int>()).At(cc->InputTimestamp()));
    return absl::OkStatus();
  };
}

// "detector" sends nothing, so the limiter lets one packet through.
constexpr char kLimiter[] = R"(
    input_stream: "in"
    node { name: "limiter" calculator: "TestLambda" input_stream: "X:0:in"
           input_stream: "X:1:done" output_stream: "some"
           input_side_packet: "PROCESS:limit"
           input_stream_handler {
             input_stream_handler: "ImmediateInputStreamHandler" }
           input_stream_info { tag_index: "X:1" back_edge: true } }
    node { name: "detector" calculator: "TestLambda" input_stream: "some"
           output_stream: "done" })";

TEST_P(StandstillWatchTest, AFlowLimiterWhoseFinishedNeverComes) {
  TestGraph graph(GetParam(), kLimiter);
  graph.Give("limit", LimitToOne());
  auto poller = graph.graph().AddOutputStreamPoller("done");
  SYNCLINE_ASSERT_OK(poller.status());
  Start(&graph);
  for (int i = 0; i < 3; ++i) graph.Add("in", i, i);
  std::string text;
  {
    const Waiting waiting([&] {
      Packet packet;
      while (poller->Next(&packet)) {
      }
    });
    text = told_.WaitFor();
    graph.graph().Cancel();
  }
  EXPECT_THAT(text, StartsWith("\"limiter\" waits for stream \"done\", and "
                               "\"detector\", which sends it, has taken 1 "
                               "packet, and has sent none on \"done\".\n"));
}

// Nobody reads an output: the application waits until the run is done.
TEST_P(StandstillWatchTest, AFlowLimiterIsNamedThoughNobodyReadsAnOutput) {
  TestGraph graph(GetParam(), kLimiter);
  graph.Give("limit", LimitToOne());
  graph.Observe("done");
  Start(&graph);
  for (int i = 0; i < 3; ++i) graph.Add("in", i, i);
  EXPECT_THAT(ToldOf(&graph),
              StartsWith("\"limiter\" waits for stream \"done\", and "
                         "\"detector\", which sends it, has taken 1 "
                         "packet, and has sent none on \"done\".\n"));
}

TEST_P(StandstillWatchTest, ADiamondOfFullQueues) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in" max_queue_size: 1 report_deadlock: true
    node { name: "all" calculator: "TestLambda" input_stream: "in"
           output_stream: "l" input_side_packet: "PROCESS:sum" }
    node { name: "none" calculator: "TestLambda" input_stream: "in"
           output_stream: "r" }
    node { name: "join" calculator: "TestLambda" input_stream: "X:0:l"
           input_stream: "X:1:r" })");
  graph.Give("sum", SendSum);
  Start(&graph);
  for (int i = 0; i < 9 && graph.AddWithStatus("in", i, i).ok(); ++i) {
  }
  const absl::Status status = graph.graph().WaitUntilDone();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  const std::string text(status.message());
  EXPECT_THAT(text, HasSubstr("\"join\" waits for stream \"r\" up to 0, and "
                              "\"none\", which sends it, promises no bounds "
                              "while it sends nothing.\nDetected a deadlock"));
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

TEST_P(StandstillWatchTest, ABooleanConditionThatIsOff) {
  TestGraph graph(GetParam(),
                  Inner(Boolean("enable_tick: false on_false: PAUSE")));
  graph.Give("f", SendSum);
  Start(&graph);
  graph.Add("in", 7, 1);
  graph.Close("in");
  EXPECT_THAT(ToldOf(&graph),
              StartsWith("\"inner\" is held by condition \"enabled\" "
                         "(BooleanCondition), which says WAIT_EVENT"));
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
                         "(EVENT_DONE).\n"));
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

TEST_P(StandstillWatchTest, AGraphInputThatTheApplicationDoesNotClose) {
  TestGraph graph(GetParam(), kJoin);
  Start(&graph);
  EXPECT_THAT(ToldOf(&graph),
              StartsWith("the run waits for the end of graph input \"a\", and "
                         "the application, which sends it, has not sent that, "
                         "nor closed it.\n"));
}

TEST_P(StandstillWatchTest, ARunThatTheApplicationHasPaused) {
  TestGraph graph(GetParam(), kJoin);
  Start(&graph);
  graph.Add("a", 7, 1);
  graph.graph().Pause();
  EXPECT_THAT(ToldOf(&graph),
              StartsWith("the application has paused the run with Pause()."));
}

// --- When and how often

// The machine of a test may be slow, so it is tried again. What moves just
// before and after it begins to stand still makes it no later.
TEST_P(StandstillWatchTest, TheCauseIsToldInTime) {
  absl::Duration shortest = absl::InfiniteDuration();
  for (int i = 0; i < 5 && shortest > absl::Seconds(1.06); ++i) {
    Told told;
    TestGraph graph(GetParam(), kJoin);
    told.Watch(&graph.graph(), absl::Seconds(1));
    graph.Start();
    const absl::Time begin = absl::Now();
    graph.Add("a", 7, 1);
    const Waiting waiting(&graph.graph());
    EXPECT_THAT(told.WaitFor(), HasSubstr("\"join\" waits for stream \"b\""));
    shortest = std::min(shortest, absl::Now() - begin);
    graph.graph().Cancel();
  }
  EXPECT_LT(shortest, absl::Seconds(1.06));
  EXPECT_GE(shortest, absl::Seconds(1)) << "it was told too early";
}

TEST_P(StandstillWatchTest, ItIsToldOnce) {
  TestGraph graph(GetParam(), kJoin);
  Start(&graph);
  graph.Add("a", 7, 1);
  const Waiting waiting(&graph.graph());
  EXPECT_NE(told_.WaitFor(), "");
  absl::SleepFor(5 * kAfter);
  EXPECT_THAT(told_.Texts(), SizeIs(1));
  graph.graph().Cancel();
}

// Packets go on coming to the queue in front of the node that stands still.
TEST_P(StandstillWatchTest, ItIsToldOnceWhileOnlyOthersMove) {
  TestGraph graph(GetParam(), kJoin);
  Start(&graph);
  graph.Add("a", 7, 1);
  const Waiting waiting(&graph.graph());
  EXPECT_NE(told_.WaitFor(), "");
  for (int i = 8; i < 11; ++i) {
    graph.Add("a", i, 1);
    absl::SleepFor(3 * kAfter);
  }
  EXPECT_THAT(told_.Texts(), SizeIs(1));
  graph.graph().Cancel();
}

TEST_P(StandstillWatchTest, ItIsToldAgainAfterSomethingHasMoved) {
  TestGraph graph(GetParam(), kJoin);
  Start(&graph);
  graph.Add("a", 7, 1);
  const Waiting waiting(&graph.graph());
  EXPECT_THAT(told_.WaitFor(0), HasSubstr("stream \"b\" up to 7"));
  graph.Add("b", 7, 1);
  graph.Add("b", 9, 1);
  EXPECT_THAT(told_.WaitFor(1), HasSubstr("stream \"a\" up to 9"));
  graph.graph().Cancel();
}

// The cause is named in the same words; the node has taken a packet more, and
// has sent none.
TEST_P(StandstillWatchTest, ItIsToldAgainAfterTheNodeHasTakenSomething) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "takes" calculator: "TestLambda" input_stream: "in"
           output_stream: "out" })");
  auto poller = graph.graph().AddOutputStreamPoller("out");
  SYNCLINE_ASSERT_OK(poller.status());
  Start(&graph);
  graph.Add("in", 7, 1);
  {
    const Waiting waiting([&] {
      Packet packet;
      while (poller->Next(&packet)) {
      }
    });
    EXPECT_THAT(told_.WaitFor(0),
                StartsWith("\"takes\" waits for stream \"in\""));
    graph.Add("in", 8, 1);
    EXPECT_EQ(told_.WaitFor(1), told_.WaitFor(0));
    graph.graph().Cancel();
  }
}

// "limiter" lets every second packet in, and "late" answers one packet later,
// so that it always owes one.
TEST_P(StandstillWatchTest, ALoopThatOwesAsMuchAsBeforeIsToldOnce) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "limiter" calculator: "TestLambda" input_stream: "X:0:in"
           input_stream: "X:1:done" output_stream: "some"
           input_side_packet: "PROCESS:half"
           input_stream_handler {
             input_stream_handler: "ImmediateInputStreamHandler" }
           input_stream_info { tag_index: "X:1" back_edge: true } }
    node { name: "late" calculator: "TestLambda" input_stream: "some"
           input_side_packet: "PROCESS:late" output_stream: "done" })");
  graph.Give("half", [](CalculatorContext* cc) {
    const InputStream& in = cc->Inputs().Get("X", 0);
    if (in.IsEmpty() || in.Get<int>() % 2 == 1) return absl::OkStatus();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(in.Get<int>()).At(cc->InputTimestamp()));
    return absl::OkStatus();
  });
  graph.Give("late", [](CalculatorContext* cc) {
    const int value = cc->Inputs().Index(0).Get<int>();
    if (value == 0) return absl::OkStatus();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(value - 2).At(Timestamp(value - 2)));
    return absl::OkStatus();
  });
  Start(&graph);
  const auto add_two = [&](int first) {
    graph.Add("in", first, first);
    graph.Add("in", first + 1, first + 1);
  };
  add_two(0);
  const Waiting waiting(&graph.graph());
  EXPECT_THAT(told_.WaitFor(), HasSubstr("\"late\", which sends it, has taken "
                                         "1 packet, and has sent none"));
  for (int i = 2; i < 8; i += 2) {
    add_two(i);
    absl::SleepFor(3 * kAfter);
  }
  EXPECT_THAT(told_.Texts(), SizeIs(1));
  EXPECT_THAT(graph.graph().Explain(),
              HasSubstr("\"late\", which sends it, has taken 4 packets, and "
                        "has sent 3"))
      << "the loop stands still as before";
  graph.graph().Cancel();
}

TEST_P(StandstillWatchTest, AnotherCauseIsToldThoughNothingHasMoved) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a" input_stream: "b"
    node { name: "one" calculator: "TestLambda" input_stream: "a"
           output_stream: "x" }
    node { name: "two" calculator: "TestLambda" input_stream: "b"
           output_stream: "y" })");
  auto x = graph.graph().AddOutputStreamPoller("x");
  auto y = graph.graph().AddOutputStreamPoller("y");
  SYNCLINE_ASSERT_OK(x.status());
  SYNCLINE_ASSERT_OK(y.status());
  Start(&graph);
  Packet packet;
  // Until the graph has opened its nodes, something moves.
  while (x->NextWithin(3 * kAfter, &packet) ==
             OutputStreamPoller::Result::kTimeout &&
         told_.Texts().empty()) {
  }
  const std::size_t before = told_.Texts().size();
  EXPECT_THAT(told_.WaitFor(0), StartsWith("\"one\" waits for stream \"a\""));
  while (y->NextWithin(3 * kAfter, &packet) ==
             OutputStreamPoller::Result::kTimeout &&
         told_.Texts().size() == before) {
  }
  EXPECT_THAT(told_.WaitFor(before),
              StartsWith("\"two\" waits for stream \"b\""));
  graph.graph().Cancel();
}

// --- What is not told

TEST_P(StandstillWatchTest, NothingIsToldWhileNobodyWaits) {
  TestGraph graph(GetParam(), kJoin);
  Start(&graph);
  graph.Add("a", 7, 1);
  graph.Idle();
  absl::SleepFor(5 * kAfter);
  EXPECT_THAT(told_.Texts(), IsEmpty());
  graph.graph().Cancel();
}

TEST_P(StandstillWatchTest, AProgramMayWaitWithoutACallOfTheGraph) {
  TestGraph graph(GetParam(), kJoin);
  told_.Watch(&graph.graph(), kAfter, /*program_waits=*/true);
  graph.Start();
  graph.Add("a", 7, 1);
  graph.Idle();
  EXPECT_THAT(told_.WaitFor(), StartsWith("\"join\" waits for stream \"b\""));
  graph.graph().Cancel();
}

TEST_P(StandstillWatchTest, ShortWaitsThatFollowEachOtherAreNoStandstill) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { calculator: "TestLambda" input_stream: "in" output_stream: "out" })");
  auto poller = graph.graph().AddOutputStreamPoller("out");
  SYNCLINE_ASSERT_OK(poller.status());
  told_.Watch(&graph.graph(), absl::Milliseconds(500));
  graph.Start();
  Packet packet;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(poller->NextWithin(absl::Milliseconds(10), &packet),
              OutputStreamPoller::Result::kTimeout);
  }
  EXPECT_THAT(told_.Texts(), IsEmpty());
  graph.graph().Cancel();
}

TEST_P(StandstillWatchTest, ANodeThatWaitsForTheClockIsNoStandstill) {
  TestGraph graph(GetParam(), Source(Periodic("600ms") + Count(2)));
  graph.Give("source", SendTime);
  told_.Watch(&graph.graph());
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_THAT(told_.Texts(), IsEmpty());
}

// A camera that has a frame now and then.
TestFunction Camera(int last, absl::Duration pause, int first_slow = 1) {
  auto next = std::make_shared<int>(0);
  return [next, last, pause, first_slow](CalculatorContext* cc) {
    if (*next > last) return tool::StatusStop();
    if (*next >= first_slow) absl::SleepFor(pause);
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(*next).At(Timestamp(*next)));
    ++*next;
    return absl::OkStatus();
  };
}

TEST_P(StandstillWatchTest, ACallThatSleepsOnTheClockIsNoStandstill) {
  TestGraph graph(GetParam(), R"(
    input_stream: "in"
    node { name: "pace" calculator: "TestLambda" input_stream: "in"
           input_side_packet: "PROCESS:sleep" })");
  graph.Give("sleep", [](CalculatorContext* cc) {
    cc->Clock()->Sleep(4 * kAfter);
    return absl::OkStatus();
  });
  Start(&graph);
  graph.Add("in", 1, 1);
  graph.Finish();
  EXPECT_THAT(told_.Texts(), IsEmpty());
}

TEST_P(StandstillWatchTest, WhoAsksIsToldOfAWaitForADevice) {
  TestGraph graph(GetParam(), R"(
    node { name: "camera" calculator: "TestLambda" output_stream: "frames"
           input_side_packet: "PROCESS:camera" })");
  graph.Give("camera", Camera(2, 4 * kAfter));
  told_.Watch(&graph.graph());
  {
    const Waiting running([&] { SYNCLINE_EXPECT_OK(graph.Run()); });
    std::string text;
    const absl::Time deadline = absl::Now() + absl::Seconds(60);
    while (text.empty() && absl::Now() < deadline) {
      text = graph.graph().ExplainIfStill(kAfter / 10);
    }
    EXPECT_THAT(text, StartsWith("\"camera\" has been in Process"));
  }
  EXPECT_THAT(told_.Texts(), IsEmpty());
}

TEST_P(StandstillWatchTest, ACameraThatHasAFrameNowAndThenIsNoStandstill) {
  TestGraph graph(GetParam(), R"(
    node { name: "camera" calculator: "TestLambda" output_stream: "frames"
           input_side_packet: "PROCESS:camera" }
    node { name: "show" calculator: "TestLambda" input_stream: "frames" })");
  graph.Give("camera", Camera(2, 4 * kAfter));
  told_.Watch(&graph.graph());
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_THAT(told_.Texts(), IsEmpty());
}

TEST_P(StandstillWatchTest, ACameraWhoseFirstFrameTakesLongIsNoStandstill) {
  TestGraph graph(GetParam(), R"(
    node { name: "camera" calculator: "TestLambda" output_stream: "frames"
           input_side_packet: "PROCESS:camera" })");
  graph.Give("camera", Camera(1, 4 * kAfter, /*first_slow=*/0));
  told_.Watch(&graph.graph());
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_THAT(told_.Texts(), IsEmpty());
}

TEST_P(StandstillWatchTest, ARunThatWorksIsNoStandstill) {
  TestGraph graph(GetParam(), R"(
    node { calculator: "TestLambda" output_stream: "a"
           input_side_packet: "PROCESS:count" }
    node { calculator: "TestLambda" input_stream: "a"
           input_side_packet: "PROCESS:slow" })");
  graph.Give("count", CountTo(150));
  graph.Give("slow", [](CalculatorContext*) {
    absl::SleepFor(absl::Milliseconds(2));
    return absl::OkStatus();
  });
  told_.Watch(&graph.graph(), absl::Milliseconds(200));
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_THAT(told_.Texts(), IsEmpty());
}

TEST_P(StandstillWatchTest, TheWatchIsOffByDefaultAndWithZero) {
  TestGraph graph(GetParam(), kJoin);
  told_.Watch(&graph.graph(), absl::ZeroDuration());
  graph.Start();
  graph.Add("a", 7, 1);
  {
    const Waiting waiting(&graph.graph());
    absl::SleepFor(5 * kAfter);
    graph.graph().Cancel();
  }
  EXPECT_THAT(told_.Texts(), IsEmpty());
}

TEST(StandstillTest, EveryRunOfAGraphIsWatched) {
  Told told;
  TestGraph graph({.threads = 2}, kJoin);
  told.Watch(&graph.graph());
  for (std::size_t run = 0; run < 2; ++run) {
    graph.Start();
    graph.Add("a", 7, 1);
    const Waiting waiting(&graph.graph());
    EXPECT_THAT(told.WaitFor(run), HasSubstr("\"join\" waits for"));
    graph.graph().Cancel();
  }
}

TEST(StandstillTest, WhoIsToldMayThrow) {
  TestGraph graph({.threads = 2}, kJoin);
  absl::Notification called;
  graph.graph().ExplainStandstills(kAfter, [&](const std::string&) {
    called.Notify();
    throw 1;
  });
  graph.Start();
  graph.Add("a", 7, 1);
  {
    const Waiting waiting(&graph.graph());
    EXPECT_TRUE(called.WaitForNotificationWithTimeout(kLong));
    graph.graph().Cancel();
  }
}

TEST(StandstillTest, AFeederIsNamedInPlaceOfTheApplication) {
  Told told;
  TestGraph graph({.threads = 2}, kJoin);
  CalculatorGraph::StandstillOptions options;
  options.after = kAfter;
  options.feeders = {{"b", "--input=b=pipe"}};
  std::string text;
  absl::Notification called;
  options.tell = [&](const std::string& told_text) {
    if (called.HasBeenNotified()) return;
    text = told_text;
    called.Notify();
  };
  graph.graph().ExplainStandstills(std::move(options));
  graph.Start();
  graph.Add("a", 7, 1);
  {
    const Waiting waiting(&graph.graph());
    EXPECT_TRUE(called.WaitForNotificationWithTimeout(kLong));
    graph.graph().Cancel();
  }
  EXPECT_THAT(text,
              StartsWith("\"join\" waits for stream \"b\" up to 7, and "
                         "--input=b=pipe, which sends it, has nothing more so "
                         "far, and has not ended.\n"));
}

}  // namespace
}  // namespace syncline
