// The public face of extensions, parameters and the log, as a program uses
// them: components of every kind have their base, a graph carries values of
// parameters, and levels of the log go from a graph to its nodes.

#include "framework/extension.h"

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/graph_clock.h"
#include "framework/calculator_framework.h"
#include "framework/condition/condition.h"
#include "framework/expansion/subgraph.h"
#include "framework/graph/calculator_graph.h"
#include "framework/log.h"
#include "framework/memory/allocator.h"
#include "framework/parameter.h"
#include "framework/policy/input_policy.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/scheduler/executor.h"
#include "glog/logging.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace extension_test {

using namespace syncline;  // as code of a user may do

// Logs its count at DEBUG.
class LampCalculator : public CalculatorBase {
 public:
  struct Parameters {
    Parameter<int> count;

    void RegisterParameters(Registrar* registrar) {
      registrar->Add(&count, {.key = "count", .headline = "Blinks", .max = 9});
    }
  };

  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Outputs().Index(0).Set<int>();
    return CheckParameters<Parameters>(cc);
  }
  absl::Status Open(CalculatorContext* cc) override {
    SYNCLINE_ASSIGN_OR_RETURN(parameters_, ReadParameters<Parameters>(cc));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    SYNCLINE_LOG(DEBUG) << "blinks " << parameters_.count.get();
    return tool::StatusStop();
  }

 private:
  Parameters parameters_;
};
REGISTER_CALCULATOR(::extension_test::LampCalculator);

class LampSubgraph : public Subgraph {
 public:
  absl::StatusOr<CalculatorGraphConfig> GetConfig(
      const SubgraphOptions& options) override {
    return ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
      output_stream: "out"
      node {
        name: "inner"
        calculator: "extension_test.LampCalculator"
        output_stream: "out"
        node_options {
          [type.googleapis.com/syncline.Parameters] {
            parameter { key: "count" int_value: 2 }
          }
        }
      }
    )pb");
  }
};
REGISTER_SYNCLINE_GRAPH(::extension_test::LampSubgraph);

struct LampExecutor : Executor {};
struct LampPolicy : InputPolicy {};
struct LampCondition : ConditionBase {};
struct LampClock : GraphClock {};
struct LampAllocator : Allocator {};

SYNCLINE_EXTENSION(lamps) {
  extension->SetInfo({0x51, 1}, "lamps", "", "", "1.0", "");
  extension->Add<LampCalculator, CalculatorBase>(
      {0x51, 2}, "extension_test::LampCalculator", "Blinks.");
  extension->Add<LampSubgraph, Subgraph>({0x51, 3},
                                         "extension_test::LampSubgraph");
  extension->Add<LampExecutor, Executor>({0x51, 4}, "LampExecutor");
  extension->Add<LampPolicy, InputPolicy>({0x51, 5}, "LampPolicy");
  extension->Add<LampCondition, ConditionBase>({0x51, 6}, "LampCondition");
  extension->Add<LampClock, GraphClock>({0x51, 7}, "LampClock");
  extension->Add<LampAllocator, Allocator>({0x51, 8}, "LampAllocator");
}

}  // namespace extension_test

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The lines of the log that contain "blinks".
class Lines : public google::LogSink {
 public:
  Lines() { google::AddLogSink(this); }
  ~Lines() override { google::RemoveLogSink(this); }
  void send(google::LogSeverity, const char*, const char*, int,
            const google::LogMessageTime&, const char* message,
            size_t length) override {
    const std::string line(message, length);
    if (line.find("blinks") != line.npos) lines_.push_back(line);
  }
  const std::vector<std::string>& lines() const { return lines_; }

 private:
  std::vector<std::string> lines_;
};

absl::Status RunGraph(const std::string& text) {
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(text)));
  return graph.Run();
}

std::string LampNode(absl::string_view name, absl::string_view fields,
                     absl::string_view values) {
  return absl::StrCat("node { name: '", name,
                      "' calculator: 'extension_test.LampCalculator' "
                      "output_stream: '",
                      name, "_out' ", fields,
                      " node_options { [type.googleapis.com/"
                      "syncline.Parameters] { ",
                      values, "} } }");
}

constexpr char kTwo[] = "parameter { key: 'count' int_value: 2 }";

TEST(ExtensionTest, ComponentsOfEveryKindHaveTheirBase) {
  std::vector<std::string> kinds;
  for (std::uint64_t low = 2; low <= 8; ++low) {
    const absl::StatusOr<ComponentInfo> component =
        ComponentFactory::Global().Find(ComponentId{0x51, low});
    SYNCLINE_ASSERT_OK(component);
    kinds.push_back(component->kind);
  }
  EXPECT_THAT(kinds, ElementsAre("calculator", "subgraph", "executor",
                                 "input stream handler", "condition", "clock",
                                 "allocator"));
  SYNCLINE_EXPECT_OK(ComponentFactory::Global().problems());
}

TEST(ExtensionTest, WhatSynclineOffersIsDescribed) {
  for (const char* const name :
       {"ManualClock", "BlockMemoryPool", "ThreadPoolExecutor",
        "PeriodicCondition", "BehaviorCondition"}) {
    const absl::StatusOr<ComponentInfo> component =
        ComponentFactory::Global().Find(name);
    SYNCLINE_ASSERT_OK(component);
    EXPECT_NE(component->description, "") << name;
    EXPECT_EQ(component->extension->name, "syncline") << name;
  }
}

TEST(ExtensionTest, AComponentHasTheParametersOfItsClass) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      const ComponentInfo lamp,
      ComponentFactory::Global().Find("extension_test.LampCalculator"));
  ASSERT_EQ(lamp.parameters.size(), 1);
  EXPECT_EQ(lamp.parameters[0].headline, "Blinks");
}

TEST(ExtensionTest, AGraphWithAWrongParameterIsRefusedWithItsNode) {
  EXPECT_THAT(
      RunGraph(
          LampNode("lamp", "", "parameter { key: 'count' int_value: 10 }")),
      StatusIs(absl::StatusCode::kInvalidArgument,
               AllOf(HasSubstr("\"lamp\""), HasSubstr("\"count\" is 10"),
                     HasSubstr("at most 9"))));
  EXPECT_THAT(RunGraph(LampNode("lamp", "", "")),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"lamp\""), HasSubstr("\"count\""),
                             HasSubstr("mandatory"))));
}

TEST(ExtensionTest, ANodeLogsAtItsOwnLevelAndElseAtThatOfTheGraph) {
  const Lines log;
  SYNCLINE_EXPECT_OK(RunGraph(LampNode("silent", "", kTwo)));
  EXPECT_THAT(log.lines(), IsEmpty());
  SYNCLINE_EXPECT_OK(RunGraph(LampNode("a", "log_level: 'DEBUG'", kTwo) +
                              LampNode("b", "", kTwo)));
  EXPECT_THAT(log.lines(),
              ElementsAre("DEBUG \"a\" (extension_test.LampCalculator): "
                          "blinks 2"));
  const Lines second;
  SYNCLINE_EXPECT_OK(RunGraph("log_level: '5'" +
                              LampNode("a", "log_level: 'INFO'", kTwo) +
                              LampNode("b", "", kTwo)));
  EXPECT_THAT(second.lines(), ElementsAre(HasSubstr("\"b\"")));
}

TEST(ExtensionTest, GlogsFlagsAreReadWhenAGraphStarts) {
  const Lines log;
  FLAGS_v = 1;
  SYNCLINE_EXPECT_OK(RunGraph(LampNode("a", "", kTwo)));
  FLAGS_v = 0;
  SYNCLINE_EXPECT_OK(RunGraph(LampNode("b", "", kTwo)));
  EXPECT_THAT(log.lines(), ElementsAre(HasSubstr("\"a\"")));
}

TEST(ExtensionTest, TheNodesOfASubgraphHaveTheLevelOfItsNode) {
  const Lines log;
  SYNCLINE_EXPECT_OK(
      RunGraph("log_level: 'ERROR' node { name: 'outer' "
               "calculator: 'extension_test.LampSubgraph' "
               "log_level: 'DEBUG' output_stream: 'out' }"));
  EXPECT_THAT(log.lines(), ElementsAre(HasSubstr("\"outer__inner\"")));
}

TEST(ExtensionTest, ALevelThatIsNoneIsAnErrorOfTheGraph) {
  EXPECT_THAT(RunGraph(LampNode("lamp", "log_level: 'LOUD'", kTwo)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("\"lamp\""), HasSubstr("log_level"),
                             HasSubstr("\"LOUD\""))));
  const absl::Status status = RunGraph(
      "log_level: '9'" + LampNode("a", "", kTwo) + LampNode("b", "", kTwo));
  EXPECT_THAT(status,
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("\"9\"")));
  // The line is logged once, and not once for each node.
  EXPECT_EQ(std::string(status.message()).find("\"9\""),
            std::string(status.message()).rfind("\"9\""));
}

}  // namespace
}  // namespace syncline
