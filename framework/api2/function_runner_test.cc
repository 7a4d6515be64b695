// Graphs as functions: arguments and results, what is refused, and which
// threads may call.

#include "framework/api2/function_runner.h"

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "framework/api2/builder.h"
#include "framework/api2/packet.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/context.h"
#include "framework/calculator/service.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/graph/graph_test_support.h"
#include "framework/port/status_matchers.h"
#include "framework/scheduler/thread_pool_executor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace api2 {
namespace builder {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A node that does `function` with streams of int.
GenericNode& AddLambda(SidePacket<TestFunction> function, Graph& graph,
                       const char* type = "TestLambdaOffset") {
  GenericNode& node = graph.AddNode(type);
  function >> node.SideIn("PROCESS");
  return node;
}

Stream<int> Through(Stream<int> in, SidePacket<TestFunction> function,
                    Graph& graph) {
  GenericNode& node = AddLambda(function, graph);
  in >> node.In(0);
  return node.Out(0).Cast<int>();
}

Stream<int> Sum(Stream<int> a, Stream<int> b, SidePacket<TestFunction> function,
                Graph& graph) {
  GenericNode& node = AddLambda(function, graph);
  a >> node.In(0);
  b >> node.In(1);
  return node.Out(0).Cast<int>();
}

Packet<TestFunction> Function(TestFunction function) {
  return MakePacket<TestFunction>(std::move(function));
}

// Sends the input plus `n`.
Packet<TestFunction> Plus(int n) {
  return Function([n](CalculatorContext* cc) {
    cc->Outputs().Index(0).AddPacket(
        ::syncline::MakePacket<int>(cc->Inputs().Index(0).Get<int>() + n)
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  });
}

using IntRunner = FunctionRunner<Packet<int>(Packet<int>)>;

int ValueOf(const absl::StatusOr<Packet<int>>& packet) {
  SYNCLINE_EXPECT_OK(packet.status());
  return packet.ok() ? packet->GetOr(-1) : -2;
}

// Runs on the calling thread, on 2 threads and on 8.
class FunctionRunnerTest : public ::testing::TestWithParam<int> {
 protected:
  template <typename Build>
  static auto For(Build build) {
    auto runner = Runner::For(build);
    if (GetParam() > 0) {
      runner.SetDefaultExecutor(
          std::make_shared<ThreadPoolExecutor>(GetParam()));
    }
    return runner;
  }
};
INSTANTIATE_TEST_SUITE_P(Threads, FunctionRunnerTest,
                         ::testing::Values(0, 2, 8));

TEST_P(FunctionRunnerTest, CallsAGraphLikeAFunction) {
  auto sum = For(Sum).Create(Function(SendSum));
  SYNCLINE_ASSERT_OK(sum.status());
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(ValueOf(sum->Run(MakePacket<int>(i), MakePacket<int>(7))), i + 7);
  }
  SYNCLINE_EXPECT_OK(sum->Close());
}

TEST_P(FunctionRunnerTest, TakesParametersInAnyOrderAndReturnsSeveralResults) {
  auto runner = For([](SidePacket<TestFunction> one, Graph& graph,
                       Stream<int> in, const SidePacket<TestFunction>& two)
                        -> absl::StatusOr<std::tuple<Stream<int>, Stream<>>> {
                  return std::tuple<Stream<int>, Stream<>>(
                      Through(in, one, graph), Through(in, two, graph));
                }).Create(Plus(1), Plus(2));
  SYNCLINE_ASSERT_OK(runner.status());
  static_assert(
      std::is_same_v<std::remove_reference_t<decltype(*runner)>,
                     FunctionRunner<std::tuple<Packet<int>, Packet<AnyType>>(
                         Packet<int>)>>);
  const auto result = runner->Run(MakePacket<int>(10));
  SYNCLINE_ASSERT_OK(result.status());
  EXPECT_EQ(std::get<0>(*result).Get(), 11);
  EXPECT_EQ(std::get<1>(*result).Get<int>(), 12);
}

TEST_P(FunctionRunnerTest, WhatComesOutMayGoIn) {
  absl::StatusOr<IntRunner> first = For(Through).Create(Plus(1));
  absl::StatusOr<IntRunner> second = For(Through).Create(Plus(10));
  SYNCLINE_ASSERT_OK(first.status());
  SYNCLINE_ASSERT_OK(second.status());
  absl::StatusOr<Packet<int>> packet = MakePacket<int>(0);
  for (int i = 0; i < 3; ++i) {
    packet = first->Run(*packet);
    SYNCLINE_ASSERT_OK(packet.status());
    packet = second->Run(*packet);
    SYNCLINE_ASSERT_OK(packet.status());
  }
  EXPECT_EQ(packet->Get(), 33);
}

TEST_P(FunctionRunnerTest, NoPacketGoesInAndComesOutAsAnEmptyOne) {
  auto sum = For(Sum).Create(Function([](CalculatorContext* cc) {
    const bool has_both =
        !cc->Inputs().Index(0).IsEmpty() && !cc->Inputs().Index(1).IsEmpty();
    return has_both ? SendSum(cc) : absl::OkStatus();
  }));
  SYNCLINE_ASSERT_OK(sum.status());
  EXPECT_EQ(ValueOf(sum->Run(Packet<int>(), MakePacket<int>(2))), -1);
  EXPECT_EQ(ValueOf(sum->Run(MakePacket<int>(1), Packet<int>())), -1);
  EXPECT_EQ(ValueOf(sum->Run(Packet<int>(), Packet<int>())), -1);
  EXPECT_EQ(ValueOf(sum->Run(MakePacket<int>(1), MakePacket<int>(2))), 3);
}

TEST_P(FunctionRunnerTest, CalculatorsRememberFromCallToCall) {
  auto total = std::make_shared<int>(0);
  auto runner = For(Through).Create(Function([total](CalculatorContext* cc) {
    *total += cc->Inputs().Index(0).Get<int>();
    cc->Outputs().Index(0).AddPacket(
        ::syncline::MakePacket<int>(*total).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }));
  SYNCLINE_ASSERT_OK(runner.status());
  EXPECT_EQ(ValueOf(runner->Run(MakePacket<int>(1))), 1);
  EXPECT_EQ(ValueOf(runner->Run(MakePacket<int>(2))), 3);
  EXPECT_EQ(ValueOf(runner->Run(MakePacket<int>(3))), 6);
}

TEST_P(FunctionRunnerTest, AnInputMayBeAnOutput) {
  auto runner = For([](Stream<int> in, Stream<std::string> other) {
                  return std::make_tuple(other, in, in);
                }).Create();
  SYNCLINE_ASSERT_OK(runner.status());
  const auto result =
      runner->Run(MakePacket<int>(1), MakePacket<std::string>("s"));
  SYNCLINE_ASSERT_OK(result.status());
  EXPECT_EQ(std::get<0>(*result).Get(), "s");
  EXPECT_EQ(std::get<1>(*result).Get(), 1);
  EXPECT_EQ(std::get<2>(*result).Get(), 1);
}

TEST_P(FunctionRunnerTest, AParameterThatNoNodeReadsIsTakenAllTheSame) {
  auto runner = For([](Stream<float> unread, Stream<int> in,
                       SidePacket<TestFunction> function, Graph& graph) {
                  return Through(in, function, graph);
                }).Create(Plus(1));
  SYNCLINE_ASSERT_OK(runner.status());
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(ValueOf(runner->Run(MakePacket<float>(0), MakePacket<int>(i))),
              i + 1);
  }
}

TEST_P(FunctionRunnerTest, AnErrorNamesTheNodeAndIsFinal) {
  auto runner = For(Through).Create(Function([](CalculatorContext* cc) {
    if (cc->Inputs().Index(0).Get<int>() < 3) return SendSum(cc);
    return absl::DataLossError("three is too much");
  }));
  SYNCLINE_ASSERT_OK(runner.status());
  EXPECT_EQ(ValueOf(runner->Run(MakePacket<int>(1))), 1);
  for (int i = 0; i < 2; ++i) {
    const absl::Status status = runner->Run(MakePacket<int>(3 - i)).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(
        std::string(status.message()),
        AllOf(HasSubstr("TestLambdaOffset"), HasSubstr("three is too much")));
  }
  EXPECT_EQ(runner->Close().code(), absl::StatusCode::kDataLoss);
}

TEST_P(FunctionRunnerTest, APacketWithATimestampIsRefusedAndNothingHappens) {
  auto runner = For(Through).Create(Plus(1));
  SYNCLINE_ASSERT_OK(runner.status());
  const absl::Status status =
      runner->Run(MakePacket<int>(1).At(Timestamp(5))).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("Argument 0 of the function has the timestamp 5"));
  EXPECT_EQ(ValueOf(runner->Run(MakePacket<int>(1))), 2);
}

TEST_P(FunctionRunnerTest, AnOutputThatIsNotAnsweredIsAnErrorAndNotAWait) {
  const auto build = [](Stream<int> in, SidePacket<TestFunction> function,
                        Graph& graph) {
    GenericNode& node = AddLambda(function, graph, "TestLambda");
    node.SetName("forgetful");
    in.SetName("in") >> node.In(0);
    return node.Out(0).SetName("out").Cast<int>();
  };
  auto runner =
      For(build).Create(Function([](auto*) { return absl::OkStatus(); }));
  SYNCLINE_ASSERT_OK(runner.status());
  const absl::Status status = runner->Run(MakePacket<int>(1)).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("Output 0"), HasSubstr("\"out\""),
                    HasSubstr("\"forgetful\""), HasSubstr("offset")));
}

TEST_P(FunctionRunnerTest, AnAnswerAtAnotherTimestampIsAnError) {
  const auto build = [](Stream<int> in, SidePacket<TestFunction> function,
                        Graph& graph) {
    GenericNode& node = AddLambda(function, graph, "TestLambda");
    in >> node.In(0);
    return node.Out(0).SetName("out").Cast<int>();
  };
  auto runner = For(build).Create(Function([](CalculatorContext* cc) {
    cc->Outputs().Index(0).AddPacket(
        ::syncline::MakePacket<int>(1).At(cc->InputTimestamp() + 100));
    return absl::OkStatus();
  }));
  SYNCLINE_ASSERT_OK(runner.status());
  EXPECT_THAT(std::string(runner->Run(MakePacket<int>(1)).status().message()),
              AllOf(HasSubstr("\"out\""), HasSubstr("100"),
                    HasSubstr("in the call at 0")));
}

TEST_P(FunctionRunnerTest, ATypeThatWasStatedWronglyIsAnError) {
  const auto build = [](Stream<int> in, SidePacket<TestFunction> function,
                        Graph& graph) {
    return Through(in, function, graph)
        .Cast<AnyType>()
        .Cast<OneOf<float, std::string>>();
  };
  auto runner = For(build).Create(Plus(1));
  SYNCLINE_ASSERT_OK(runner.status());
  EXPECT_EQ(runner->Run(MakePacket<int>(1)).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST_P(FunctionRunnerTest, AfterCloseCallsAreRefused) {
  auto closed = std::make_shared<std::atomic<int>>(0);
  const auto build = [](Stream<int> in, SidePacket<TestFunction> process,
                        SidePacket<TestFunction> close, Graph& graph) {
    GenericNode& node = AddLambda(process, graph);
    in >> node.In(0);
    close >> node.SideIn("CLOSE");
    return node.Out(0).Cast<int>();
  };
  const auto count = [closed](auto*) {
    ++*closed;
    return absl::OkStatus();
  };
  auto runner = For(build).Create(Plus(1), Function(count));
  SYNCLINE_ASSERT_OK(runner.status());
  EXPECT_EQ(ValueOf(runner->Run(MakePacket<int>(1))), 2);
  SYNCLINE_EXPECT_OK(runner->Close());
  EXPECT_EQ(*closed, 1);
  EXPECT_EQ(runner->Run(MakePacket<int>(1)).status().code(),
            absl::StatusCode::kFailedPrecondition);
  {
    auto other = For(build).Create(Plus(1), Function(count));
    SYNCLINE_ASSERT_OK(other.status());
    EXPECT_EQ(ValueOf(other->Run(MakePacket<int>(1))), 2);
  }
  EXPECT_EQ(*closed, 2);  // is destroyed without Close
}

TEST_P(FunctionRunnerTest, ARunnerMovesBetweenThreads) {
  auto made = For(Through).Create(Plus(1));
  SYNCLINE_ASSERT_OK(made.status());
  IntRunner runner = *std::move(made);
  for (int i = 0; i < 4; ++i) {
    std::thread([&runner, i] {
      EXPECT_EQ(ValueOf(runner.Run(MakePacket<int>(i))), i + 1);
    }).join();
  }
}

TEST_P(FunctionRunnerTest, ACallDuringAnotherOneIsRefused) {
  absl::Notification is_inside, may_go_on;
  auto runner = For(Through).Create(Function([&](CalculatorContext* cc) {
    if (!is_inside.HasBeenNotified()) is_inside.Notify();
    may_go_on.WaitForNotification();
    return SendSum(cc);
  }));
  SYNCLINE_ASSERT_OK(runner.status());
  std::thread first(
      [&runner] { EXPECT_EQ(ValueOf(runner->Run(MakePacket<int>(1))), 1); });
  is_inside.WaitForNotification();
  EXPECT_EQ(runner->Run(MakePacket<int>(2)).status().code(),
            absl::StatusCode::kUnavailable);
  EXPECT_EQ(runner->Close().code(), absl::StatusCode::kUnavailable);
  may_go_on.Notify();
  first.join();
  EXPECT_EQ(ValueOf(runner->Run(MakePacket<int>(3))), 3);
}

TEST_P(FunctionRunnerTest, ManyThreadsGetTheirAnswersOrAreRefused) {
  auto runner = For(Through).Create(Plus(1));
  SYNCLINE_ASSERT_OK(runner.status());
  std::atomic<int> answered{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 100; ++i) {
        const auto result = runner->Run(MakePacket<int>(1000 * t + i));
        if (result.ok()) {
          EXPECT_EQ(result->Get(), 1000 * t + i + 1);
          ++answered;
        } else {
          EXPECT_EQ(result.status().code(), absl::StatusCode::kUnavailable);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(answered, 0);
}

TEST_P(FunctionRunnerTest, ACallFromWithinTheGraphIsRefused) {
  IntRunner* self = nullptr;
  absl::Status inner;
  auto runner = For(Through).Create(Function([&](CalculatorContext* cc) {
    inner = self->Run(MakePacket<int>(1)).status();
    return SendSum(cc);
  }));
  SYNCLINE_ASSERT_OK(runner.status());
  self = &*runner;
  EXPECT_EQ(ValueOf(runner->Run(MakePacket<int>(1))), 1);
  EXPECT_EQ(inner.code(), absl::StatusCode::kUnavailable);
}

TEST(FunctionRunnerThreadTest, EverythingRunsOnTheCallingThreadByDefault) {
  std::thread::id id;
  auto runner = Runner::For(Through).Create(Function([&](auto* cc) {
    id = std::this_thread::get_id();
    return SendSum(cc);
  }));
  SYNCLINE_ASSERT_OK(runner.status());
  EXPECT_EQ(ValueOf(runner->Run(MakePacket<int>(1))), 1);
  EXPECT_EQ(id, std::this_thread::get_id());
}

TEST(FunctionRunnerThreadTest, TheGraphsOwnDefaultExecutorIsKept) {
  const auto build = [](Stream<int> in, SidePacket<TestFunction> function,
                        Graph& graph) {
    graph.AddExecutor("ThreadPoolExecutor")
        .SetName("")
        .GetOptions<ThreadPoolExecutorOptions>()
        .set_num_threads(1);
    return Through(in, function, graph);
  };
  std::thread::id id;
  auto runner = Runner::For(build).Create(Function([&](auto* cc) {
    id = std::this_thread::get_id();
    return SendSum(cc);
  }));
  SYNCLINE_ASSERT_OK(runner.status());
  EXPECT_EQ(ValueOf(runner->Run(MakePacket<int>(1))), 1);
  EXPECT_NE(id, std::this_thread::get_id());
}

struct Greeting {
  std::string text;
};
constexpr GraphService<Greeting> kGreeting("greeting");

class Greet : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<std::string>();
    cc->Outputs().Index(0).Set<std::string>();
    cc->UseService(kGreeting);
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        ::syncline::MakePacket<std::string>(
            absl::StrCat(cc->Service(kGreeting).GetObject().text, " ",
                         cc->Inputs().Index(0).Get<std::string>()))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(Greet);

Stream<std::string> AddGreet(Stream<std::string> name, Graph& graph) {
  auto& greet = graph.AddNode("Greet");
  name >> greet.In(0);
  return greet.Out(0).Cast<std::string>();
}

TEST(FunctionRunnerCreateTest, GivesServices) {
  auto runner =
      Runner::For(AddGreet)
          .SetService(kGreeting, std::make_shared<Greeting>(Greeting{"Hello"}))
          .Create();
  SYNCLINE_ASSERT_OK(runner.status());
  const auto result = runner->Run(MakePacket<std::string>("graph"));
  SYNCLINE_ASSERT_OK(result.status());
  EXPECT_EQ(result->Get(), "Hello graph");
}

TEST(FunctionRunnerCreateTest, ReportsAMissingService) {
  const absl::Status status = Runner::For(AddGreet).Create().status();
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("greeting"), HasSubstr("Greet")));
}

TEST(FunctionRunnerCreateTest, ReportsAnErrorOfOpen) {
  const auto build = [](Stream<int> in, SidePacket<TestFunction> open,
                        Graph& graph) {
    auto& node = graph.AddNode("TestLambda");
    in >> node.In(0);
    open >> node.SideIn("OPEN");
    return node.Out(0).Cast<int>();
  };
  const absl::Status status =
      Runner::For(build)
          .Create(Function([](auto*) { return absl::AbortedError("no"); }))
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_THAT(std::string(status.message()), HasSubstr("TestLambda"));
}

TEST(FunctionRunnerCreateTest, ReportsWhatTheFunctionReports) {
  const auto build = [](Stream<int> in) -> absl::StatusOr<Stream<int>> {
    return absl::NotFoundError("no model");
  };
  EXPECT_EQ(Runner::For(build).Create().status(),
            absl::NotFoundError("no model"));
}

TEST(FunctionRunnerCreateTest, ReportsMistakesOfTheGraph) {
  const auto build = [](Stream<int> in, Graph& graph) {
    return graph.AddNode("NoSuchCalculator").Out(0).Cast<int>();
  };
  EXPECT_THAT(std::string(Runner::For(build).Create().status().message()),
              HasSubstr("NoSuchCalculator"));
  const auto unconnected = [](Stream<int> in, Graph& graph) {
    graph.AddNode("TestLambda").In(0);
    return in;
  };
  EXPECT_THAT(std::string(Runner::For(unconnected).Create().status().message()),
              HasSubstr("Missing source"));
}

TEST(FunctionRunnerCreateTest, RefusesSources) {
  const auto build = [](Stream<int> in, Graph& graph) {
    return graph.AddNode("TestLambda").Out(0).Cast<int>();
  };
  const absl::Status status = Runner::For(build).Create().status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("TestLambda"), HasSubstr("is a source")));
}

TEST(FunctionRunnerCreateTest, RefusesInputsThatTheFunctionDoesNotTake) {
  const auto build = [](Stream<int> in, Graph& graph) {
    graph.In("MORE") >> graph.AddNode("TestLambda").In(0);
    return in;
  };
  EXPECT_EQ(Runner::For(build).Create().status().code(),
            absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace builder
}  // namespace api2
}  // namespace syncline
