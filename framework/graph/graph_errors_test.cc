// How runs end by errors and by cancelling, and what holds afterwards. A test
// in which a call blocks until the test has acted needs a thread, so it cannot
// run on the simulated executor with its seeds.

#include <atomic>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/context.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/graph_test_support.h"
#include "framework/graph/test_workers.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/ret_check.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

class GraphErrorsTest : public ::testing::TestWithParam<Workers> {};
SYNCLINE_TEST_WITH_ALL_WORKERS(GraphErrorsTest);

constexpr char kSourceAndNode[] = R"(
  node { calculator: "TestLambda" name: "source"
         input_side_packet: "PROCESS:count" output_stream: "a" }
  node { calculator: "TestLambda" name: "node"
         input_side_packet: "OPEN:open" input_side_packet: "PROCESS:process"
         input_side_packet: "CLOSE:close"
         input_stream: "a" output_stream: "b" }
)";

absl::Status Nothing(CalculatorContext*) { return absl::OkStatus(); }

// A graph whose node does nothing but what the test changes.
class SourceAndNode : public TestGraph {
 public:
  explicit SourceAndNode(const Workers& workers, int last = 9)
      : TestGraph(workers, kSourceAndNode) {
    Give("count", CountTo(last));
    Give("open", Nothing);
    Give("process", SendSum);
    Give("close", Nothing);
  }
};

TEST_P(GraphErrorsTest, NamesTheFunctionAndTheNodeAndKeepsTheCode) {
  for (const char* const function : {"open", "process", "close"}) {
    SourceAndNode graph(GetParam());
    graph.Give(function, [](CalculatorContext*) {
      return absl::DataLossError("the disk is gone");
    });
    const absl::Status status = graph.Run();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    std::string name = function;
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    EXPECT_THAT(status.message(),
                HasSubstr("Calculator::" + name +
                          "() for node \"node\" failed: the disk is gone"));
    EXPECT_THAT(status.message(),
                HasSubstr("CalculatorGraph::Run() failed: \n"));
  }
}

TEST_P(GraphErrorsTest, AnErrorOfProcessNamesItsTimestamp) {
  const std::vector<TestFunction> failures = {
      [](CalculatorContext* cc) -> absl::Status {
        RET_CHECK(cc->InputTimestamp() < Timestamp(7)) << "too late";
        return absl::OkStatus();
      },
      [](CalculatorContext* cc) -> absl::Status {
        if (cc->InputTimestamp() < Timestamp(7)) return absl::OkStatus();
        throw std::runtime_error("too late");
      }};
  for (const TestFunction& failure : failures) {
    SourceAndNode graph(GetParam());
    graph.Give("process", failure);
    const absl::Status status = graph.Run();
    EXPECT_THAT(status.message(), HasSubstr("too late"));
    EXPECT_THAT(status.message(), HasSubstr(" (at timestamp 7)"));
  }
}

TEST_P(GraphErrorsTest, WhatIsThrownIsAnErrorOfTheNode) {
  const std::vector<std::pair<TestFunction, absl::StatusCode>> throwers = {
      {[](CalculatorContext*) -> absl::Status {
         throw std::runtime_error("thrown text");
       },
       absl::StatusCode::kInternal},
      {[](CalculatorContext*) -> absl::Status { throw std::bad_alloc(); },
       absl::StatusCode::kResourceExhausted},
      {[](CalculatorContext*) -> absl::Status { throw 7; },
       absl::StatusCode::kInternal},
  };
  for (const auto& [thrower, code] : throwers) {
    for (const char* const function : {"open", "process", "close"}) {
      SourceAndNode graph(GetParam());
      graph.Give(function, thrower);
      const absl::Status status = graph.Run();
      EXPECT_EQ(status.code(), code) << status;
      EXPECT_THAT(status.message(), HasSubstr("\"node\""));
    }
  }
}

TEST_P(GraphErrorsTest, MisuseInACallIsAnErrorOfTheNode) {
  SourceAndNode graph(GetParam());
  graph.Give("process", [](CalculatorContext* cc) {
    return cc->Inputs().Index(0).Get<std::string>().empty()
               ? absl::OkStatus()
               : absl::UnknownError("no");
  });
  EXPECT_THAT(graph.Run().message(), HasSubstr("\"node\""));
}

TEST_P(GraphErrorsTest, APacketThatGoesBackNamesItsSender) {
  SourceAndNode graph(GetParam());
  graph.Give("process", [](CalculatorContext* cc) {
    cc->Outputs().Index(0).AddPacket(MakePacket<int>(1).At(Timestamp(5)));
    return absl::OkStatus();
  });
  const absl::Status status = graph.Run();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("\"node\" (TestLambda)"));
  EXPECT_THAT(status.message(),
              HasSubstr("Current minimum expected timestamp is 6 but received "
                        "5"));
}

// Calls after one that failed may run, but send nothing: what a stream has
// carried is the beginning of what it could have carried.
TEST_P(GraphErrorsTest, AFailedCallLeavesNoHoleInAStream) {
  for (const char* const overlap :
       {"max_in_flight: 4",
        "input_stream_handler { options { "
        "[syncline.DefaultInputStreamHandlerOptions.ext] { batch_size: 3 } } "
        "}"}) {
    TestGraph graph(GetParam(),
                    absl::StrCat("node { calculator: 'TestLambda' ",
                                 "input_side_packet: 'PROCESS:count' ",
                                 "output_stream: 'a' } ",
                                 "node { calculator: 'TestLambda' ", overlap,
                                 " input_side_packet: 'PROCESS:process' ",
                                 "input_stream: 'a' output_stream: 'b' }"));
    graph.Give("count", CountTo(30));
    graph.Give("process", [](CalculatorContext* cc) {
      return cc->InputTimestamp() == Timestamp(4) ? absl::AbortedError("four")
                                                  : SendSum(cc);
    });
    graph.Observe("b");
    EXPECT_EQ(graph.Run().code(), absl::StatusCode::kAborted);
    EXPECT_THAT(std::string("0:0 1:1 2:2 3:3"),
                ::testing::StartsWith(graph.Seen("b")));
  }
}

TEST_P(GraphErrorsTest, RunsAgainAfterAnError) {
  SourceAndNode graph(GetParam());
  std::atomic<bool> fails{true};
  graph.Give("process", [&](CalculatorContext* cc) {
    return fails ? absl::AbortedError("now") : SendSum(cc);
  });
  graph.Observe("b");
  EXPECT_FALSE(graph.Run().ok());
  fails = false;
  graph.Give("count", CountTo(2));
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Seen("b"), "0:0 1:1 2:2");
}

TEST_P(GraphErrorsTest, ClosesOpenNodesWhenTheRunEndsByAnErrorElsewhere) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a"
    node { calculator: "TestLambda" name: "fails"
           input_side_packet: "PROCESS:fail" input_stream: "a" }
    node { calculator: "TestLambda" name: "bystander"
           input_side_packet: "CLOSE:close" input_stream: "a"
           output_stream: "b" })");
  graph.Give("fail",
             [](CalculatorContext*) { return absl::AbortedError("first"); });
  std::atomic<int> closed{0};
  graph.Give("close", [&](CalculatorContext* cc) {
    EXPECT_THAT(cc->GraphStatus().message(), HasSubstr("first"));
    ++closed;
    return absl::InternalError("nobody hears this");
  });
  graph.Start();
  graph.Add("a", 1, 1);
  const absl::Status status = graph.graph().WaitUntilDone();
  EXPECT_EQ(closed, 1);
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
}

TEST_P(GraphErrorsTest, ANodeWhoseOpenFailedIsNotClosed) {
  SourceAndNode graph(GetParam());
  graph.Give("open",
             [](CalculatorContext*) { return absl::AbortedError("no"); });
  graph.Give("close", [](CalculatorContext*) {
    ADD_FAILURE() << "Close without Open";
    return absl::OkStatus();
  });
  EXPECT_FALSE(graph.Run().ok());
}

TEST_P(GraphErrorsTest, TheErrorCallbackHearsEveryErrorAfterTheGraphFailed) {
  WorkersGraph graph(GetParam());
  std::atomic<int> heard{0};
  SYNCLINE_ASSERT_OK(graph.SetErrorCallback([&](const absl::Status& error) {
    EXPECT_EQ(error.code(), absl::StatusCode::kDataLoss);
    EXPECT_TRUE(graph.HasError());
    ++heard;
  }));
  SYNCLINE_ASSERT_OK(graph.Initialize(TestConfig(kSourceAndNode)));
  const auto function = [](TestFunction f) {
    return MakePacket<TestFunction>(std::move(f));
  };
  EXPECT_FALSE(graph
                   .Run({{"count", function(CountTo(3))},
                         {"open", function(Nothing)},
                         {"process", function([](CalculatorContext*) {
                            return absl::DataLossError("lost");
                          })},
                         {"close", function(Nothing)}})
                   .ok());
  EXPECT_GE(heard, 1);
  EXPECT_FALSE(graph.HasError()) << "the run is over";
}

TEST_P(GraphErrorsTest, AnObserversErrorEndsTheRun) {
  SourceAndNode graph(GetParam(), 1000000);
  int calls = 0;
  SYNCLINE_ASSERT_OK(graph.graph().ObserveOutputStream("b", [&](const Packet&) {
    return ++calls == 3 ? absl::DataLossError("enough") : absl::OkStatus();
  }));
  const absl::Status status = graph.Run();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(status.message(), HasSubstr("enough"));
  EXPECT_EQ(calls, 3);
}

// --- Stopping

TEST_P(GraphErrorsTest, ASourceThatStopsHasItsLastPacketsSent) {
  SourceAndNode graph(GetParam());
  graph.Give("count", [](CalculatorContext* cc) {
    cc->Outputs().Index(0).AddPacket(MakePacket<int>(7).At(Timestamp(1)));
    return tool::StatusStop();
  });
  graph.Observe("b");
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_EQ(graph.Seen("b"), "1:7");
}

TEST_P(GraphErrorsTest, ANodeThatStopsEndsTheSources) {
  SourceAndNode graph(GetParam(), 1 << 30);
  std::atomic<int> calls{0};
  graph.Give("process", [&](CalculatorContext*) {
    return ++calls == 5 ? tool::StatusStop() : absl::OkStatus();
  });
  SYNCLINE_EXPECT_OK(graph.Run());
  EXPECT_GE(calls, 5) << "what was queued is still processed";
}

TEST_P(GraphErrorsTest, CloseAllPacketSourcesEndsEndlessSources) {
  SourceAndNode graph(GetParam(), 1 << 30);
  std::atomic<int> calls{0};
  graph.Give("process", [&](CalculatorContext*) {
    ++calls;
    return absl::OkStatus();
  });
  graph.Start();
  if (!GetParam().is_application_thread()) {
    while (calls == 0) absl::SleepFor(absl::Milliseconds(1));
  }
  SYNCLINE_EXPECT_OK(graph.graph().CloseAllPacketSources());
  SYNCLINE_EXPECT_OK(graph.graph().WaitUntilDone());
}

// --- Cancelling

TEST_P(GraphErrorsTest, CancelIsSafeAtAnyMoment) {
  for (int round = 0; round < 30; ++round) {
    SourceAndNode graph(GetParam(), 1 << 30);
    graph.Start();
    std::thread canceller([&] {
      const absl::Time start = absl::Now();
      while (absl::Now() - start < absl::Microseconds(10) * round) {
      }
      graph.graph().Cancel();
    });
    EXPECT_EQ(graph.graph().WaitUntilDone().code(),
              absl::StatusCode::kCancelled);
    canceller.join();
  }
}

TEST_P(GraphErrorsTest, CancelWithoutARunDoesNothing) {
  SourceAndNode graph(GetParam());
  graph.graph().Cancel();
  SYNCLINE_EXPECT_OK(graph.Run());
  graph.graph().Cancel();
  SYNCLINE_EXPECT_OK(graph.Run());
}

TEST_P(GraphErrorsTest, CancelWakesWhoWaitsToAddAPacket) {
  // The thread that adds would be the worker, and block itself.
  if (GetParam().is_application_thread()) GTEST_SKIP() << "needs real threads";
  TestGraph graph(GetParam(), R"(
    max_queue_size: 1
    input_stream: "a"
    node { calculator: "TestLambda" input_side_packet: "PROCESS:block"
           input_stream: "a" })");
  std::atomic<bool> is_blocked{false};
  std::atomic<bool> may_go{false};
  graph.Give("block", [&](CalculatorContext*) {
    is_blocked = true;
    while (!may_go) absl::SleepFor(absl::Milliseconds(1));
    return absl::OkStatus();
  });
  graph.Start();
  std::atomic<bool> has_returned{false};
  std::thread adder([&] {
    absl::Status status;
    for (int i = 0; status.ok(); ++i) {
      status = graph.graph().AddPacketToInputStream(
          "a", MakePacket<int>(i).At(Timestamp(i)));
    }
    EXPECT_THAT(status.message(), HasSubstr("Graph has errors: "));
    has_returned = true;
  });
  while (!is_blocked) absl::SleepFor(absl::Milliseconds(1));
  absl::SleepFor(absl::Milliseconds(5));
  graph.graph().Cancel();
  // While the calculator is still in its call.
  adder.join();
  EXPECT_TRUE(has_returned);
  may_go = true;
  EXPECT_EQ(graph.graph().WaitUntilDone().code(), absl::StatusCode::kCancelled);
}

TEST_P(GraphErrorsTest, DestroyingARunningGraphClosesItsNodes) {
  std::atomic<int> open{0};
  {
    SourceAndNode graph(GetParam(), 1 << 30);
    graph.Give("open", [&](CalculatorContext*) {
      ++open;
      return absl::OkStatus();
    });
    graph.Give("close", [&](CalculatorContext*) {
      --open;
      return absl::OkStatus();
    });
    graph.Start();
    graph.Destroy();
  }
  EXPECT_EQ(open, 0);
}

// --- Wrong use

TEST_P(GraphErrorsTest, SaysWhatHasToComeFirst) {
  WorkersGraph graph(GetParam());
  EXPECT_THAT(graph.StartRun({}).message(), HasSubstr("Initialize()"));
  EXPECT_THAT(graph.WaitUntilDone().message(), HasSubstr("StartRun()"));
  SYNCLINE_ASSERT_OK(graph.Initialize(TestConfig("input_stream: 'a'")));
  EXPECT_THAT(graph.Initialize(TestConfig("")).message(),
              HasSubstr("initialized already"));
  EXPECT_EQ(
      graph.AddPacketToInputStream("a", MakePacket<int>(1).At(Timestamp(1)))
          .code(),
      absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(graph.Run().message(), HasSubstr("without graph inputs"));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  EXPECT_THAT(graph.StartRun({}).message(), HasSubstr("running already"));
  EXPECT_EQ(
      graph.AddPacketToInputStream("b", MakePacket<int>(1).At(Timestamp(1)))
          .code(),
      absl::StatusCode::kNotFound);
  SYNCLINE_EXPECT_OK(graph.CloseInputStream("a"));
  SYNCLINE_EXPECT_OK(graph.CloseInputStream("a"));
  EXPECT_EQ(
      graph.AddPacketToInputStream("a", MakePacket<int>(1).At(Timestamp(1)))
          .code(),
      absl::StatusCode::kFailedPrecondition);
  SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
}

TEST_P(GraphErrorsTest, AStartThatFailsMayBeRepeated) {
  SourceAndNode graph(GetParam());
  EXPECT_THAT(graph.graph().StartRun({}).message(),
              HasSubstr("is required but was not provided"));
  SYNCLINE_EXPECT_OK(graph.Run());
}

TEST_P(GraphErrorsTest, PostStreamIsAloneAlsoWhereCallsOverlap) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a" input_stream: "b"
    node { calculator: "TestLambda" name: "node" max_in_flight: 2
           input_side_packet: "PROCESS:process"
           input_stream: "a" input_stream: "b" output_stream: "out" }
  )");
  // Where there are threads for it, both calls are there before one sends.
  std::atomic<int> calls = 0;
  graph.Give("process", [&](CalculatorContext* cc) {
    ++calls;
    while (GetParam().threads > 1 && calls < 2) std::this_thread::yield();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(1).At(cc->InputTimestamp()));
    return absl::OkStatus();
  });
  graph.Start();
  graph.Add("a", 10, 1);
  SYNCLINE_ASSERT_OK(graph.graph().AddPacketToInputStream(
      "b", MakePacket<int>(2).At(Timestamp::PostStream())));
  EXPECT_THAT(graph.FinishWithStatus().message(),
              HasSubstr("must be the only packet of a stream"));
}

TEST_P(GraphErrorsTest, WhatFollowsAClosedStreamIsAnErrorWhereCallsOverlap) {
  TestGraph graph(GetParam(), R"(
    input_stream: "a"
    node { calculator: "TestLambda" name: "node" max_in_flight: 2
           input_side_packet: "PROCESS:process"
           input_stream: "a" output_stream: "out" }
  )");
  // Where there are threads for it, both calls are there before one sends.
  std::atomic<int> calls = 0;
  graph.Give("process", [&](CalculatorContext* cc) {
    ++calls;
    while (GetParam().threads > 1 && calls < 2) std::this_thread::yield();
    if (cc->InputTimestamp() == Timestamp(20)) return SendSum(cc);
    cc->Outputs().Index(0).Close();
    return absl::OkStatus();
  });
  graph.Start();
  graph.Add("a", 10, 1);
  // After an error the graph takes no more.
  (void)graph.AddWithStatus("a", 20, 2);
  const absl::Status status = graph.FinishWithStatus();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
  EXPECT_THAT(status.message(),
              HasSubstr("Packet sent to closed stream \"out\" by node \"node\" "
                        "(TestLambda), at 20."));
}

}  // namespace
}  // namespace syncline
