// What is said of a type: what its registration, its contract, its options and
// an extension say.

#include "tools/describe_type.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/component/parameter.h"
#include "framework/expansion/subgraph.h"
#include "framework/extension.h"
#include "framework/parameter.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"
#include "tools/contract_description.h"
#include "tools/option_comments.h"
#include "tools/option_parameters.h"
#include "tools/text_table.h"

namespace describe_test {

using syncline::CalculatorBase;
using syncline::CalculatorContext;
using syncline::CalculatorContract;
using syncline::Parameter;
using syncline::Registrar;

// Ports of all sorts.
class PortsCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("IMAGE").Set<int>();
    cc->Inputs().Tag("MASK").Set<float>().Optional();
    if (cc->Inputs().HasTag("EXTRA")) {
      cc->Inputs().Tag("EXTRA").Set<std::string>();
      cc->Outputs().Tag("EXTRA").SetSameAs(&cc->Inputs().Tag("EXTRA"));
    }
    cc->Inputs().Get("MANY", 1).SetAny();
    cc->Inputs().Get("MANY", 0).SetAny();
    cc->Outputs().Index(0).Set<bool>();
    cc->InputSidePackets().Tag("MODEL").Set<std::vector<float>>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(::describe_test::PortsCalculator);

// One of two inputs, never both, and an output of that type.
class EitherCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    const bool has_left = cc->Inputs().HasTag("LEFT");
    const bool has_right = cc->Inputs().HasTag("RIGHT");
    RET_CHECK(has_left != has_right) << "either LEFT or RIGHT";
    if (has_left) cc->Inputs().Tag("LEFT").Set<int>();
    if (has_right) cc->Inputs().Tag("RIGHT").Set<float>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(::describe_test::EitherCalculator);

// As many outputs as inputs, and at least one.
class EqualCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    RET_CHECK_EQ(cc->Inputs().NumEntries(""), cc->Outputs().NumEntries(""));
    RET_CHECK_GE(cc->Inputs().NumEntries(""), 1);
    for (int i = 0; i < cc->Inputs().NumEntries(""); ++i) {
      cc->Inputs().Index(i).SetAny();
      cc->Outputs().Index(i).SetSameAs(&cc->Inputs().Index(i));
    }
    cc->Inputs().Tag("ALLOW").Set<bool>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(::describe_test::EqualCalculator);

// Refuses everything, in its own way.
class ThrowingCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    throw std::runtime_error("thrown by the contract");
  }
  absl::Status Process(CalculatorContext* cc) override {
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(::describe_test::ThrowingCalculator);

class BlinkCalculator : public CalculatorBase {
 public:
  struct Parameters {
    Parameter<int> count;
    Parameter<std::string> color;

    void RegisterParameters(Registrar* registrar) {
      registrar->Add(&count, {.key = "count",
                              .headline = "Blinks",
                              .description = "How often the lamp blinks.",
                              .default_value = 3,
                              .min = 1});
      registrar->Add(&color, {.key = "color"});
    }
  };

  static absl::Status GetContract(CalculatorContract* cc) {
    return syncline::CheckParameters<Parameters>(cc);
  }
  absl::Status Process(CalculatorContext* cc) override {
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(::describe_test::BlinkCalculator);

SYNCLINE_EXTENSION(lamps) {
  extension->SetInfo({0xabc, 1}, "lamps", "Lamps of all kinds", "A. Smith",
                     "1.2.3", "Apache-2.0");
  extension->SetDisplayInfo("Lamps", "Light", "Lamps");
  extension->Add<BlinkCalculator, CalculatorBase>(
      {0xabc, 2}, "describe_test::BlinkCalculator", "Blinks at a steady pace.",
      "Blink", "A lamp that blinks");
}

class PairSubgraph : public syncline::Subgraph {
 public:
  absl::StatusOr<syncline::CalculatorGraphConfig> GetConfig(
      const SubgraphOptions& options) override {
    return syncline::ParseTextProtoOrDie<syncline::CalculatorGraphConfig>(
        R"pb(
          input_stream: "IN:in" output_stream: "out"
        )pb");
  }
};
REGISTER_SYNCLINE_GRAPH(::describe_test::PairSubgraph);

}  // namespace describe_test

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Described(absl::string_view name) {
  const absl::StatusOr<std::string> text = DescribeType(name);
  SYNCLINE_EXPECT_OK(text);
  return text.ok() ? *text : "";
}

std::vector<std::string> PortsOf(const std::string& type) {
  const auto factory = CalculatorBaseRegistry::CreateByName(type);
  SYNCLINE_EXPECT_OK(factory);
  if (!factory.ok()) return {};
  std::vector<std::string> ports;
  for (const PortDescription& port : DescribeContract(type, **factory).ports) {
    ports.push_back(absl::StrCat(port.where, " ", port.name, " ", port.type,
                                 port.optional ? " optional" : ""));
  }
  return ports;
}

TEST(TextTableTest, ColumnsAreAsWideAsTheyNeedToBe) {
  EXPECT_EQ(TextTable({{"a", "bb", "c"}, {"aaa", "b", "cc"}}),
            "a    bb  c\naaa  b   cc\n");
  EXPECT_EQ(TextTable({}), "");
}

TEST(TextTableTest, TheLastColumnBreaksBetweenWords) {
  std::string words;
  for (int i = 0; i < 30; ++i) words += "word ";
  const std::string table = TextTable({{"key", words}});
  EXPECT_THAT(table, HasSubstr("\n     word word"));
  for (absl::string_view line : absl::StrSplit(table, '\n')) {
    EXPECT_LE(line.size(), 100);
  }
}

TEST(DescribeContractTest, PortsAreFoundWithTheirTypes) {
  EXPECT_THAT(
      PortsOf("describe_test.PortsCalculator"),
      ElementsAre("input_stream IMAGE int", "input_stream MANY any type",
                  "input_stream MANY:1 any type",
                  "input_stream MASK float optional",
                  "input_stream EXTRA string optional", "output_stream  bool",
                  "output_stream EXTRA string optional",
                  "input_side_packet MODEL ::std::vector<float>"));
}

TEST(DescribeContractTest, PortsThatExcludeOneAnotherAreFoundEach) {
  EXPECT_THAT(PortsOf("describe_test.EitherCalculator"),
              ElementsAre("input_stream LEFT int optional",
                          "input_stream RIGHT float optional"));
  EXPECT_THAT(Described("describe_test.EitherCalculator"),
              HasSubstr("either LEFT or RIGHT"));
}

TEST(DescribeContractTest, PortsThatAreOnlyCountedAreTriedOut) {
  EXPECT_THAT(PortsOf("describe_test.EqualCalculator"),
              ElementsAre("input_stream  any type", "input_stream ALLOW bool",
                          "output_stream  any type"));
  EXPECT_THAT(Described("describe_test.EqualCalculator"),
              Not(HasSubstr("refused")));
}

TEST(DescribeTypeTest, AContractThatThrowsIsDescribedByWhatItThrew) {
  EXPECT_THAT(
      Described("describe_test.ThrowingCalculator"),
      AllOf(HasSubstr("thrown by the contract"), HasSubstr("calculator")));
}

TEST(DescribeTypeTest, ACalculatorIsDescribedWithItsOptions) {
  const std::string text = Described("GateCalculator");
  EXPECT_THAT(text,
              AllOf(ContainsRegex("kind +calculator"),
                    ContainsRegex(
                        "registered at +calculators/core/gate_calculator.cc:"),
                    ContainsRegex("input_stream +.no tag. +any type *\n"),
                    ContainsRegex("input_stream +ALLOW +bool +optional"),
                    Not(HasSubstr("refused")),
                    HasSubstr("options syncline.GateCalculatorOptions"),
                    ContainsRegex("empty_packets_as_allow +bool +optional +The "
                                  "meaning of an empty ALLOW")));
  EXPECT_EQ(Described("mediapipe.GateCalculator"), text);
  EXPECT_EQ(Described("::syncline::GateCalculator"), text);
}

TEST(DescribeTypeTest, WhatAnExtensionSaysComesOnTop) {
  const std::string text = Described("describe_test.BlinkCalculator");
  EXPECT_THAT(
      text, AllOf(ContainsRegex("display name +Blink\n"),
                  ContainsRegex("brief +A lamp that blinks\n"),
                  ContainsRegex("description +Blinks at a steady pace.\n"),
                  ContainsRegex("category +Light\n"),
                  ContainsRegex("base +CalculatorBase\n"),
                  ContainsRegex("id +00000000-0000-0abc-0000-000000000002\n"),
                  ContainsRegex("extension +\"lamps\" .Lamps of all kinds.\n"),
                  ContainsRegex("version +1.2.3\n"),
                  ContainsRegex("author +A. Smith\n"),
                  ContainsRegex("licence +Apache-2.0\n")));
  EXPECT_EQ(Described("00000000-0000-0abc-0000-000000000002"), text);
}

TEST(DescribeTypeTest, RegisteredParametersAreATable) {
  EXPECT_THAT(Described("describe_test.BlinkCalculator"),
              AllOf(ContainsRegex("count +int32 +3 +Blinks. How often the lamp "
                                  "blinks. .at least 1.\n"),
                    ContainsRegex("color +string +mandatory")));
}

TEST(OptionParametersTest, AFieldIsAParameterWithItsCommentAsHeadline) {
  google::protobuf::FileDescriptorProto file;
  ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"pb(
        name: "options.proto"
        message_type {
          name: "Options"
          field {
            name: "count"
            number: 1
            type: TYPE_INT32
            label: LABEL_OPTIONAL
            default_value: "3"
          }
          field {
            name: "mode"
            number: 2
            type: TYPE_ENUM
            type_name: "Mode"
            label: LABEL_REPEATED
          }
          field {
            name: "long_names"
            number: 5
            type: TYPE_ENUM
            type_name: "LongNames"
            label: LABEL_OPTIONAL
          }
          field {
            name: "name"
            number: 3
            type: TYPE_STRING
            label: LABEL_OPTIONAL
            default_value: "a\nb"
          }
          field {
            name: "inner"
            number: 4
            type: TYPE_MESSAGE
            type_name: "Options"
            label: LABEL_OPTIONAL
          }
        }
        enum_type {
          name: "Mode"
          value { name: "FAST" number: 0 }
          value { name: "GOOD" number: 1 }
        }
        enum_type {
          name: "LongNames"
          value { name: "A_RATHER_LONG_NAME" number: 0 }
          value { name: "ANOTHER_LONG_NAME" number: 1 }
        }
        source_code_info {
          location {
            path: [ 4, 0, 2, 0 ]
            span: [ 1, 2, 3 ]
            leading_comments: " How many there are. At most\n 5 of them.\n"
          }
        }
      )pb",
      &file));
  google::protobuf::FileDescriptorSet set;
  *set.add_file() = file;
  static const std::string& bytes = *new std::string(set.SerializeAsString());
  EXPECT_TRUE(AddOptionComments(bytes.data(), bytes.size()));
  EXPECT_TRUE(AddOptionComments(bytes.data(), bytes.size()));
  EXPECT_FALSE(AddOptionComments("no set", 6));
  google::protobuf::DescriptorPool pool;
  ASSERT_NE(pool.BuildFile(file), nullptr);
  const std::vector<ParameterInfo> parameters =
      OptionParameters(*pool.FindMessageTypeByName("Options"));
  ASSERT_EQ(parameters.size(), 5);
  EXPECT_EQ(parameters[0].headline, "How many there are");
  EXPECT_EQ(parameters[0].description, "At most 5 of them.");
  EXPECT_EQ(parameters[0].type, "int32");
  EXPECT_EQ(parameters[0].default_value, "3");
  EXPECT_EQ(parameters[1].headline, "mode");
  EXPECT_EQ(parameters[1].type, "list of FAST|GOOD");
  EXPECT_FALSE(parameters[1].default_value.has_value());
  EXPECT_EQ(parameters[2].type, "enum");
  EXPECT_EQ(parameters[2].range, "A_RATHER_LONG_NAME or ANOTHER_LONG_NAME");
  EXPECT_EQ(parameters[3].default_value, "\"a\\nb\"");
  EXPECT_EQ(parameters[4].type, "Options");
  for (const ParameterInfo& parameter : parameters) {
    EXPECT_FALSE(parameter.mandatory());
  }
}

TEST(DescribeTypeTest, ASubgraphIsDescribedWithItsInterface) {
  EXPECT_THAT(
      Described("describe_test.PairSubgraph"),
      AllOf(ContainsRegex("kind +subgraph"), ContainsRegex("input_stream +IN "),
            ContainsRegex("output_stream +.no tag.")));
}

TEST(DescribeTypeTest, OtherKindsAreDescribedWithTheirOptions) {
  const CalculatorGraph graph;  // brings what a graph can have
  EXPECT_THAT(Described("ThreadPoolExecutor"),
              AllOf(ContainsRegex("kind +executor"),
                    HasSubstr("syncline.ThreadPoolExecutorOptions"),
                    ContainsRegex("num_threads +int32")));
  EXPECT_THAT(Described("SyncSetInputStreamHandler"),
              AllOf(ContainsRegex("kind +input stream handler"),
                    HasSubstr("SyncSetInputStreamHandlerOptions")));
}

TEST(DescribeTypeTest, ABaseIsDescribedTooAlthoughNoGraphCanNameIt) {
  EXPECT_THAT(
      Described("CalculatorBase"),
      AllOf(ContainsRegex("kind +calculator"), HasSubstr("Processes packets")));
}

TEST(DescribeTypeTest, AnExtensionIsDescribedWithItsComponents) {
  const std::string text = Described("lamps");
  EXPECT_THAT(
      text,
      AllOf(ContainsRegex("kind +extension"), ContainsRegex("version +1.2.3"),
            ContainsRegex("describe_test.BlinkCalculator +calculator "
                          "+A lamp that blinks")));
  EXPECT_EQ(Described("00000000-0000-0abc-0000-000000000001"), text);
}

TEST(DescribeTypeTest, AnUnknownTypeNamesTheNearestOfAnyKind) {
  EXPECT_THAT(DescribeType("GateCalculater"),
              StatusIs(absl::StatusCode::kNotFound,
                       AllOf(HasSubstr("\"GateCalculater\""),
                             HasSubstr("Did you mean \"GateCalculator\""))));
  EXPECT_THAT(DescribeType("xyzzy"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("--list_types")));
  EXPECT_THAT(DescribeType(""), StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(DescribeType(std::string(100000, 'x')),
              StatusIs(absl::StatusCode::kNotFound));
  EXPECT_THAT(DescribeType("00000000-0000-0abc-0000-000000000009"),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr("0abc-0000-000000000009")));
}

TEST(DescribeTypeTest, TheListHasAllKindsWithWhatIsSaidInBrief) {
  const std::string text = ListTypes();
  EXPECT_THAT(
      text,
      AllOf(ContainsRegex("calculator .[0-9]+.\n"), HasSubstr("GateCalculator"),
            ContainsRegex("describe_test.BlinkCalculator +A lamp that blinks"),
            ContainsRegex("subgraph .[0-9]+.\n"),
            ContainsRegex("executor .[0-9]+.\n"),
            HasSubstr("SyncSetInputStreamHandler"),
            ContainsRegex("ManualClock +clock +Jumps"),
            ContainsRegex("lamps +1.2.3 +Lamps")));
  EXPECT_THAT(text, Not(HasSubstr("ClassThatIsNotThere")));
}

}  // namespace
}  // namespace syncline
