// Persistent nodes: one object for all runs of a graph, with Open and Close in
// each, whatever became of the run before.
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/api2/node.h"
#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "framework/test_service.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/graph_harness.h"
#include "testing/lifetimes.h"
#include "testing/scenarios/diary.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Diary& TheDiary() {
  static auto& diary = *new Diary();
  return diary;
}

// Loads once in its life, passes its inputs on plus how often it was opened,
// and fails where the side packet FAIL says: "open", "process" or "close". Its
// constructor fails while `fails_to_be_made`.
class KeeperCalculator : public CountedCalculator {
 public:
  static inline bool fails_to_be_made = false;

  static absl::Status GetContract(CalculatorContract* cc) {
    if (cc->Inputs().NumEntries() > 0) {
      cc->Inputs().Index(0).Set<int>();
      cc->Outputs().Index(0).Set<int>();
    }
    cc->InputSidePackets().Tag("FAIL").Set<std::string>();
    cc->SetTimestampOffset(0);
    return absl::OkStatus();
  }
  explicit KeeperCalculator(CalculatorContext* cc) : name_(cc->NodeName()) {
    if (fails_to_be_made) throw std::runtime_error("no device");
    TheDiary().Add(absl::StrCat("make ", name_));
  }
  ~KeeperCalculator() override {
    TheDiary().Add(absl::StrCat("destroy ", name_));
  }
  absl::Status Open(CalculatorContext* cc) override {
    if (!is_loaded_) TheDiary().Add(absl::StrCat("load ", name_));
    is_loaded_ = true;
    ++opened_;
    if (Fails(cc, "open")) return absl::DataLossError("bad open");
    EXPECT_FALSE(is_open_);
    is_open_ = true;
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    if (Fails(cc, "process")) return absl::DataLossError("bad process");
    cc->GetCounter("calls")->Increment();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(cc->Inputs().Index(0).Get<int>() + opened_)
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
  absl::Status Close(CalculatorContext* cc) override {
    EXPECT_TRUE(is_open_);
    is_open_ = false;
    if (Fails(cc, "close")) return absl::DataLossError("bad close");
    return absl::OkStatus();
  }

 private:
  static bool Fails(CalculatorContext* cc, absl::string_view where) {
    return cc->InputSidePackets().Tag("FAIL").Get<std::string>() == where;
  }

  const std::string name_;
  bool is_loaded_ = false;
  bool is_open_ = false;
  int opened_ = 0;
};
REGISTER_CALCULATOR(KeeperCalculator);

constexpr char kTwoKeepers[] = R"pb(
  input_stream: "in"
  input_side_packet: "fail"
  node {
    calculator: "KeeperCalculator"
    name: "first"
    persistent: true
    input_stream: "in"
    output_stream: "between"
    input_side_packet: "FAIL:fail"
  }
  node {
    calculator: "KeeperCalculator"
    name: "fresh"
    input_stream: "between"
    output_stream: "out"
    input_side_packet: "FAIL:never"
  }
  input_side_packet: "never"
  node {
    calculator: "KeeperCalculator"
    name: "last"
    persistent: true
    input_side_packet: "FAIL:never"
  })pb";

class PersistentNodesTest : public WorkersTest {
 protected:
  void SetUp() override { TheDiary().Take(); }

  static void Prepare(GraphHarness* graph, const std::string& fail) {
    graph->SetSidePacket("fail", MakePacket<std::string>(fail));
    graph->SetSidePacket("never", MakePacket<std::string>(""));
  }
  // A run that goes well, the `count`-th that opened "first".
  static void ExpectRun(GraphHarness* graph, int count) {
    Prepare(graph, "");
    SYNCLINE_ASSERT_OK(graph->Start());
    graph->Feed("in", {{0, 10}, {5, 20}});
    SYNCLINE_ASSERT_OK(graph->Finish());
    graph->Expect("out", {{0, 11 + count}, {5, 21 + count}});
  }
};
SYNCLINE_TEST_WITH_ALL_WORKERS(PersistentNodesTest);

TEST_P(PersistentNodesTest, KeepTheirObjectAndWhatItLoadedForAllRuns) {
  GraphHarness graph(kTwoKeepers, GetParam());
  ExpectRun(&graph, 1);
  const std::vector<std::string> first = TheDiary().Take();
  EXPECT_THAT(first, ::testing::IsSupersetOf({"make first", "make last",
                                              "make fresh", "load first",
                                              "load last", "destroy fresh"}));
  // In the order of the nodes, before anything is opened.
  EXPECT_EQ(first[0], "make first");
  EXPECT_EQ(first[1], "make last");
  for (int run = 2; run < 5; ++run) {
    ExpectRun(&graph, run);
    EXPECT_THAT(TheDiary().Take(),
                ElementsAre("make fresh", "load fresh", "destroy fresh"));
  }
  EXPECT_EQ(Lifetimes::live_calculators, 2);
  graph.Destroy();
  EXPECT_THAT(TheDiary().Take(), ElementsAre("destroy last", "destroy first"));
}

TEST_P(PersistentNodesTest, AreOpenedAgainAfterRunsThatFailed) {
  GraphHarness graph(kTwoKeepers, GetParam());
  int opened = 0;
  for (const char* const where : {"open", "process", "close"}) {
    Prepare(&graph, where);
    SYNCLINE_ASSERT_OK(graph.Start());
    graph.Add("in", 0, 1).IgnoreError();
    EXPECT_THAT(graph.Finish(),
                StatusIs(absl::StatusCode::kDataLoss,
                         AllOf(HasSubstr("\"first\""),
                               HasSubstr(absl::StrCat("bad ", where)))));
    ++opened;
    ExpectRun(&graph, ++opened);
  }
  EXPECT_EQ(Lifetimes::live_calculators, 2);
}

TEST_P(PersistentNodesTest, AreClosedByACancelAndStay) {
  GraphHarness graph(kTwoKeepers, GetParam());
  ExpectRun(&graph, 1);
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Idle();
  graph.graph().Cancel();
  EXPECT_THAT(graph.Finish(), StatusIs(absl::StatusCode::kCancelled));
  ExpectRun(&graph, 3);
}

TEST_P(PersistentNodesTest, AreDestroyedWithAGraphThatIsStillRunning) {
  GraphHarness graph(kTwoKeepers, GetParam());
  Prepare(&graph, "");
  SYNCLINE_ASSERT_OK(graph.Start());
  graph.Feed("in", {{0, 10}});
  graph.Destroy();
  EXPECT_EQ(Lifetimes::live_calculators, 0);
}

TEST_P(PersistentNodesTest, BelongToOneGraphEach) {
  GraphHarness one(kTwoKeepers, GetParam());
  GraphHarness other(kTwoKeepers, GetParam());
  ExpectRun(&one, 1);
  ExpectRun(&one, 2);
  ExpectRun(&other, 1);
  EXPECT_EQ(Lifetimes::live_calculators, 4);
  one.Destroy();
  ExpectRun(&other, 2);
}

TEST_P(PersistentNodesTest, ThatCannotBeMadeFailTheStartAndAreTriedAgain) {
  GraphHarness graph(kTwoKeepers, GetParam());
  Prepare(&graph, "");
  KeeperCalculator::fails_to_be_made = true;
  EXPECT_THAT(graph.Start().message(), HasSubstr("\"first\""));
  KeeperCalculator::fails_to_be_made = false;
  ExpectRun(&graph, 1);
}

TEST_P(PersistentNodesTest, CountAcrossRunsAsAllNodesDo) {
  GraphHarness graph(kTwoKeepers, GetParam());
  ExpectRun(&graph, 1);
  ExpectRun(&graph, 2);
  EXPECT_EQ(graph.graph().GetCounterFactory()->GetCounter("first-calls")->Get(),
            4);
}

// Typed, asks for it in its contract, and uses a service of the graph.
class TypedKeeper : public api2::Node {
 public:
  static constexpr api2::Input<int> kIn{"IN"};
  static constexpr api2::Output<int> kOut{"OUT"};
  SYNCLINE_NODE_CONTRACT(kIn, kOut);

  static absl::Status UpdateContract(CalculatorContract* cc) {
    cc->SetPersistent(true);
    cc->UseService(kTestService);
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    service_value_ = cc->Service(kTestService).GetObject()["delta"];
    ++opened_;
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    kOut(cc).Send(*kIn(cc) + service_value_ + opened_);
    return absl::OkStatus();
  }

 private:
  int service_value_ = 0;
  int opened_ = 0;
};
SYNCLINE_REGISTER_NODE(TypedKeeper);

TEST_P(PersistentNodesTest, MayAskForItInTheirContractAndUseServices) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       node {
                         calculator: "TypedKeeper"
                         input_stream: "IN:in"
                         output_stream: "OUT:out"
                       })pb",
                     GetParam());
  auto service = std::make_shared<TestServiceObject>();
  (*service)["delta"] = 100;
  SYNCLINE_ASSERT_OK(graph.SetService(kTestService, service));
  for (int run = 1; run < 4; ++run) {
    SYNCLINE_ASSERT_OK(graph.Start());
    graph.Feed("in", {{0, 0}});
    SYNCLINE_ASSERT_OK(graph.Finish());
    graph.Expect("out", {{0, 100 + run}});
  }
}

TEST_P(PersistentNodesTest, WithParallelCallsShareTheOneObject) {
  GraphHarness graph(R"pb(
                       input_stream: "in"
                       node {
                         calculator: "SumCalculator"
                         persistent: true
                         max_in_flight: 4
                         input_stream: "in"
                         output_stream: "out"
                       })pb",
                     GetParam());
  for (int run = 0; run < 3; ++run) {
    SYNCLINE_ASSERT_OK(graph.Start());
    for (int t = 0; t < 20; ++t) graph.Feed("in", {{t, t}});
    SYNCLINE_ASSERT_OK(graph.Finish());
    EXPECT_EQ(graph.Count("out"), 20);
    EXPECT_EQ(Lifetimes::live_calculators, 1);
  }
}

TEST(PersistentNodeConfigTest, IsAnErrorOnASubgraph) {
  const auto graph = std::make_unique<GraphHarness>(R"pb(
    input_stream: "in"
    input_side_packet: "fail"
    node {
      calculator: "SwitchContainer"
      name: "both"
      persistent: true
      input_stream: "in"
    })pb");
  EXPECT_THAT(graph->Initialize(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"both\""), HasSubstr("persistent"))));
}

}  // namespace
}  // namespace syncline
