#include "framework/run/persistent_calculators.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/context.h"
#include "framework/calculator/counter_factory.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/calculator/service.h"
#include "framework/plan/graph_plan.h"
#include "framework/port/status_matchers.h"
#include "framework/report/report_test_support.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

// What happens to objects of TestKept, by the names of their nodes.
std::vector<std::string>& Events() {
  static auto* const events = new std::vector<std::string>();
  return *events;
}
// The node whose object cannot be made.
std::string& FailingNode() {
  static auto* const node = new std::string();
  return *node;
}

struct TestService {};
constexpr GraphService<TestService> kTestService("persistent_calculators_test");

class TestKept : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->UseService(kTestService).Optional();
    return absl::OkStatus();
  }
  explicit TestKept(CalculatorContext* cc)
      : node_(cc->NodeName()),
        node_id_(cc->NodeId()),
        service_(cc->Service(kTestService).IsAvailable()
                     ? &cc->Service(kTestService).GetObject()
                     : nullptr) {
    if (node_ == FailingNode()) throw std::runtime_error("no camera");
    cc->GetCounter("made")->Increment();
    Events().push_back("make " + node_);
    EXPECT_EQ(cc->InputSidePackets().NumEntries(), 0);
  }
  ~TestKept() override { Events().push_back("destroy " + node_); }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }

  const std::string& node() const { return node_; }
  int node_id() const { return node_id_; }
  const TestService* service() const { return service_; }

 private:
  const std::string node_;
  const int node_id_;
  const TestService* const service_;
};
REGISTER_CALCULATOR(TestKept);

class PersistentCalculatorsTest : public ::testing::Test {
 protected:
  PersistentCalculatorsTest() {
    Events().clear();
    FailingNode().clear();
  }
  static GraphPlan MakePlan() {
    return TestPlan(R"(
      node { name: "a" calculator: "TestKept" persistent: true }
      node { name: "b" calculator: "TestKept" }
      node { name: "c" calculator: "TestKept" persistent: true }
      node { name: "d" calculator: "TestKept" persistent: true })");
  }
  absl::Status MakeMissing(PersistentCalculators* kept) {
    return kept->MakeMissing(plan_, &counters_, &services_);
  }
  static std::string NodeOf(const PersistentCalculators& kept, int node) {
    const auto* const calculator = static_cast<TestKept*>(kept.Of(node));
    return calculator == nullptr ? "" : calculator->node();
  }

  const GraphPlan plan_ = MakePlan();
  BasicCounterFactory counters_;
  GraphServiceManager services_;
};

TEST_F(PersistentCalculatorsTest, SeeTheirNodeCountersAndServices) {
  const auto service = std::make_shared<TestService>();
  SYNCLINE_ASSERT_OK(services_.SetServiceObject(kTestService, service));
  PersistentCalculators kept;
  SYNCLINE_ASSERT_OK(MakeMissing(&kept));
  const auto* const calculator = static_cast<TestKept*>(kept.Of(2));
  EXPECT_EQ(calculator->node_id(), 2);
  EXPECT_EQ(calculator->service(), service.get());
  EXPECT_THAT(
      counters_.GetCounterSet()->GetCountersValues(),
      ElementsAre(Pair("a-made", 1), Pair("c-made", 1), Pair("d-made", 1)));
}

TEST_F(PersistentCalculatorsTest, AreThoseOfPersistentNodes) {
  PersistentCalculators kept;
  EXPECT_EQ(kept.Of(0), nullptr);
  SYNCLINE_ASSERT_OK(MakeMissing(&kept));
  EXPECT_EQ(NodeOf(kept, 0), "a");
  EXPECT_EQ(kept.Of(1), nullptr);
  EXPECT_EQ(NodeOf(kept, 2), "c");
  EXPECT_EQ(NodeOf(kept, 3), "d");
  EXPECT_EQ(kept.Of(4), nullptr);
}

TEST_F(PersistentCalculatorsTest,
       AreMadeInOrderOnceAndDestroyedInReverseOrder) {
  {
    PersistentCalculators kept;
    SYNCLINE_ASSERT_OK(MakeMissing(&kept));
    EXPECT_THAT(Events(), ElementsAre("make a", "make c", "make d"));
    Events().clear();
    SYNCLINE_ASSERT_OK(MakeMissing(&kept));
    EXPECT_THAT(Events(), IsEmpty());
  }
  EXPECT_THAT(Events(), ElementsAre("destroy d", "destroy c", "destroy a"));
}

TEST_F(PersistentCalculatorsTest,
       AnErrorNamesTheNodeAndTheNextCallGoesOnThere) {
  PersistentCalculators kept;
  FailingNode() = std::string("c");
  EXPECT_THAT(MakeMissing(&kept).message(),
              AllOf(HasSubstr("\"c\""), HasSubstr("no camera")));
  EXPECT_THAT(Events(), ElementsAre("make a"));
  EXPECT_EQ(kept.Of(2), nullptr);
  FailingNode().clear();
  SYNCLINE_ASSERT_OK(MakeMissing(&kept));
  EXPECT_THAT(Events(), ElementsAre("make a", "make c", "make d"));
  EXPECT_EQ(NodeOf(kept, 2), "c");
}

}  // namespace
}  // namespace syncline
