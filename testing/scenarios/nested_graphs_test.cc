// Graphs that run inside a calculator of another graph: as a whole in each
// call, or from Open to Close; with the services and on the executor of the
// graph around them, through failure and cancel.
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/status_macros.h"
#include "framework/calculator_framework.h"
#include "framework/graph_service.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/scheduler/executor.h"
#include "framework/thread_pool_executor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/lifetimes.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;

struct Adder {
  int amount = 0;
};
constexpr GraphService<Adder> kAdder("adder");
struct Unasked {};
constexpr GraphService<Unasked> kUnasked(
    "unasked", GraphServiceBase::kAllowDefaultInitialization);

class AddWithServiceCalculator : public CountedCalculator {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->UseService(kAdder);
    cc->UseService(kUnasked).Optional();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        MakeCounted<int>(cc->Inputs().Index(0).Get<int>() +
                         cc->Service(kAdder).GetObject().amount +
                         (cc->Service(kUnasked).IsAvailable() ? 1000 : 0))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(AddWithServiceCalculator);

const char* const kAddTwice = R"pb(
  input_stream: "in"
  node {
    calculator: "AddWithServiceCalculator"
    input_stream: "in"
    output_stream: "middle"
  }
  node {
    calculator: "AddWithServiceCalculator"
    input_stream: "middle"
    output_stream: "out"
  })pb";

// What the inner graph is, and where it runs.
struct Inner {
  std::string text = kAddTwice;
  // Empty: the application thread, which is the calculator's.
  std::shared_ptr<Executor> executor;
};

absl::Status Prepare(const Inner& inner, CalculatorGraph* graph) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(inner.text);
  if (inner.executor != nullptr) {
    SYNCLINE_RETURN_IF_ERROR(graph->SetExecutor("", inner.executor));
  } else {
    config.add_executor()->set_type("ApplicationThreadExecutor");
  }
  return graph->Initialize(config);
}

// Runs a graph in each call, made from the side packet INNER.
class WholeGraphCalculator : public CountedCalculator {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->InputSidePackets().Tag("INNER").Set<Inner>();
    cc->UseService(kAdder).Optional();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    CalculatorGraph graph(cc);
    SYNCLINE_RETURN_IF_ERROR(
        Prepare(cc->InputSidePackets().Tag("INNER").Get<Inner>(), &graph));
    std::vector<Packet> results;
    SYNCLINE_RETURN_IF_ERROR(
        graph.ObserveOutputStream("out", [&](const Packet& packet) {
          results.push_back(packet);
          return absl::OkStatus();
        }));
    SYNCLINE_RETURN_IF_ERROR(graph.StartRun({}));
    SYNCLINE_RETURN_IF_ERROR(
        graph.AddPacketToInputStream("in", cc->Inputs().Index(0).Value()));
    SYNCLINE_RETURN_IF_ERROR(graph.CloseAllInputStreams());
    SYNCLINE_RETURN_IF_ERROR(graph.WaitUntilDone());
    for (const Packet& packet : results) {
      cc->Outputs().Index(0).AddPacket(packet);
    }
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(WholeGraphCalculator);

// Runs one graph from Open to Close; each call waits for its result.
class LongGraphCalculator : public CountedCalculator {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    return WholeGraphCalculator::GetContract(cc);
  }
  absl::Status Open(CalculatorContext* cc) override {
    graph_ = std::make_unique<CalculatorGraph>(cc);
    SYNCLINE_RETURN_IF_ERROR(Prepare(
        cc->InputSidePackets().Tag("INNER").Get<Inner>(), graph_.get()));
    SYNCLINE_RETURN_IF_ERROR(
        graph_->ObserveOutputStream("out", [this](const Packet& packet) {
          result_ = packet;
          return absl::OkStatus();
        }));
    return graph_->StartRun({});
  }
  absl::Status Process(CalculatorContext* cc) override {
    result_ = Packet();
    SYNCLINE_RETURN_IF_ERROR(
        graph_->AddPacketToInputStream("in", cc->Inputs().Index(0).Value()));
    SYNCLINE_RETURN_IF_ERROR(graph_->WaitUntilIdle());
    cc->Outputs().Index(0).AddPacket(result_);
    return absl::OkStatus();
  }
  absl::Status Close(CalculatorContext* cc) override {
    result_ = Packet();
    if (!cc->GraphStatus().ok()) graph_->Cancel();
    SYNCLINE_RETURN_IF_ERROR(graph_->CloseAllInputStreams());
    return graph_->WaitUntilDone();
  }

 private:
  Packet result_;
  std::unique_ptr<CalculatorGraph> graph_;
};
REGISTER_CALCULATOR(LongGraphCalculator);

std::string OuterText(const std::string& calculator) {
  return "input_stream: 'in' node { calculator: '" + calculator +
         "' name: 'host' input_side_packet: 'INNER:inner' input_stream: 'in'"
         " output_stream: 'out' }";
}

constexpr const char* kHosts[] = {"WholeGraphCalculator",
                                  "LongGraphCalculator"};

class NestedGraphsTest : public WorkersTest {
 protected:
  static void ExpectAdds(const std::string& host, Inner inner) {
    SCOPED_TRACE(host);
    GraphHarness graph(OuterText(host), GetParam());
    SYNCLINE_ASSERT_OK(
        graph.SetService(kAdder, std::make_shared<Adder>(Adder{.amount = 10})));
    graph.SetSidePacket("inner", MakePacket<Inner>(std::move(inner)));
    graph.Feed("in", {{0, 1}, {1, 2}, {2, 3}});
    for (int run = 0; run < 2; ++run) {
      SYNCLINE_ASSERT_OK(graph.Run());
      graph.Expect("out", {{0, 21}, {1, 22}, {2, 23}});
    }
  }
};
SYNCLINE_TEST_WITH_ALL_WORKERS(NestedGraphsTest);

TEST_P(NestedGraphsTest, OnTheThreadOfTheCalculatorWithItsServices) {
  for (const char* const host : kHosts) ExpectAdds(host, {});
}

TEST_P(NestedGraphsTest, OnAPoolOfItsOwn) {
  for (const char* const host : kHosts) {
    ExpectAdds(host, {.executor = std::make_shared<ThreadPoolExecutor>(2)});
  }
}

TEST_P(NestedGraphsTest, InsideAGraphThatIsInside) {
  // Ten of them, each in a call of the one around it.
  GraphHarness graph(
      "input_stream: 'in' node { calculator: 'LambdaCalculator' "
      "input_side_packet: 'PROCESS:process' input_stream: 'in' }",
      GetParam());
  int deepest = 0;
  std::function<absl::Status(CalculatorContext*, int)> nest =
      [&](CalculatorContext* cc, int depth) -> absl::Status {
    deepest = std::max(deepest, depth);
    if (depth == 10) return absl::DataLossError("at the bottom");
    CalculatorGraph inner(cc);
    SYNCLINE_RETURN_IF_ERROR(
        inner.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(
            "executor { type: 'ApplicationThreadExecutor' } "
            "node { calculator: 'LambdaCalculator' output_stream: 'out' "
            "input_side_packet: 'PROCESS:process' }")));
    return inner.Run({{"process", MakePacket<LambdaFunction>(
                                      [&, depth](CalculatorContext* context) {
                                        return nest(context, depth + 1);
                                      })}});
  };
  graph.SetFunction("process",
                    [&](CalculatorContext* cc) { return nest(cc, 1); });
  graph.Feed("in", {{0, 1}});
  EXPECT_THAT(graph.Run(), StatusIs(absl::StatusCode::kDataLoss,
                                    HasSubstr("at the bottom")));
  EXPECT_EQ(deepest, 10);
}

TEST_P(NestedGraphsTest, AnErrorInsideIsAnErrorOfTheNodeAroundIt) {
  const char* const kFails = R"pb(
    input_stream: "in"
    node {
      calculator: "FaultyCalculator"
      name: "deep"
      input_stream: "in"
      output_stream: "out"
      options {
        [syncline.TestCalculatorOptions.ext] { fault: STATUS message: "hot" }
      }
    })pb";
  for (const char* const host : kHosts) {
    GraphHarness graph(OuterText(host), GetParam());
    graph.SetSidePacket("inner", MakePacket<Inner>(Inner{.text = kFails}));
    graph.Feed("in", {{0, 1}, {1, 2}});
    for (int run = 0; run < 2; ++run) {
      const absl::Status status = graph.Run();
      EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
      EXPECT_THAT(status.message(),
                  ::testing::AllOf(HasSubstr("\"host\""), HasSubstr("\"deep\""),
                                   HasSubstr("hot")));
    }
  }
}

TEST_P(NestedGraphsTest, AServiceThatTheOuterGraphLacksIsAnErrorInside) {
  GraphHarness graph(OuterText("WholeGraphCalculator"), GetParam());
  graph.SetSidePacket("inner", MakePacket<Inner>());
  graph.Feed("in", {{0, 1}});
  EXPECT_THAT(graph.Run().message(), HasSubstr("adder"));
}

TEST_P(NestedGraphsTest, ACancelOutsideEndsTheOneInside) {
  for (const bool is_destroyed : {false, true}) {
    GraphHarness graph(OuterText("LongGraphCalculator"), GetParam());
    SYNCLINE_ASSERT_OK(graph.SetService(kAdder, std::make_shared<Adder>()));
    graph.SetSidePacket(
        "inner", MakePacket<Inner>(Inner{
                     .executor = std::make_shared<ThreadPoolExecutor>(1)}));
    SYNCLINE_ASSERT_OK(graph.Start());
    graph.Feed("in", {{0, 1}});
    graph.Idle();
    if (is_destroyed) {
      graph.Destroy();
    } else {
      graph.graph().Cancel();
      EXPECT_THAT(graph.Finish(), StatusIs(absl::StatusCode::kCancelled));
    }
  }
}

// --- Both graphs on one pool. The call that waits inside holds one of its
// threads, so a pool needs one more than calls that wait at a time.

class NestedOnOnePoolTest : public LifetimesTest {};

TEST_F(NestedOnOnePoolTest, APoolWithAThreadMoreThanCallsThatWait) {
  for (const char* const host : kHosts) {
    for (const int threads : {2, 3, 8}) {
      const auto pool = std::make_shared<ThreadPoolExecutor>(threads);
      CalculatorGraph graph;
      SYNCLINE_ASSERT_OK(graph.SetExecutor("", pool));
      SYNCLINE_ASSERT_OK(
          graph.SetServiceObject(kAdder, std::make_shared<Adder>()));
      SYNCLINE_ASSERT_OK(graph.Initialize(
          ParseTextProtoOrDie<CalculatorGraphConfig>(OuterText(host))));
      int results = 0;
      SYNCLINE_ASSERT_OK(graph.ObserveOutputStream("out", [&](const Packet&) {
        ++results;
        return absl::OkStatus();
      }));
      SYNCLINE_ASSERT_OK(graph.StartRun(
          {{"inner", MakePacket<Inner>(Inner{.executor = pool})}}));
      for (int i = 0; i < 50; ++i) {
        SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
            "in", MakeCounted<int>(i).At(Timestamp(i))));
      }
      SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
      SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
      EXPECT_EQ(results, 50);
    }
  }
}

// A destructor of a graph that runs on a pool, on a thread of that pool.
TEST_F(NestedOnOnePoolTest, AGraphIsDestroyedByACallOnItsPool) {
  const auto pool = std::make_shared<ThreadPoolExecutor>(2);
  for (int round = 0; round < 20; ++round) {
    GraphHarness graph(
        "input_stream: 'in' node { calculator: 'LambdaCalculator' "
        "input_side_packet: 'PROCESS:process' input_stream: 'in' }",
        {.threads = 1});
    graph.SetFunction("process", [&](CalculatorContext*) -> absl::Status {
      CalculatorGraph inner;
      SYNCLINE_RETURN_IF_ERROR(inner.SetExecutor("", pool));
      SYNCLINE_RETURN_IF_ERROR(
          inner.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(
              "node { calculator: 'NumberSourceCalculator' "
              "output_stream: 'a' options { "
              "[syncline.TestCalculatorOptions.ext] { count: -1 } } }")));
      return inner.StartRun({});
    });
    graph.Feed("in", {{0, 1}});
    SYNCLINE_EXPECT_OK(graph.Run());
  }
}

}  // namespace
}  // namespace syncline
