// What graph templates expand to, and what is said of those that do not.

#include "framework/graph_text/expand_template.h"

#include <algorithm>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/config/callback_packet_calculator.pb.h"
#include "framework/config/field_data.pb.h"
#include "framework/config/node_chain_subgraph.pb.h"
#include "framework/config/switch_container.pb.h"
#include "framework/graph_text/graph_positions.h"
#include "framework/graph_text/template_text.h"
#include "gmock/gmock.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Of TemplateDict, without its outer braces.
TemplateDict Arguments(const std::string& text) {
  TemplateDict arguments;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &arguments))
      << text;
  return arguments;
}

absl::StatusOr<CalculatorGraphConfig> TryExpand(
    const std::string& text, const std::string& arguments = "") {
  const absl::StatusOr<CalculatorGraphTemplate> read =
      ReadTemplateText(text, "t.pbtxt");
  if (!read.ok()) return read.status();
  return ExpandTemplate(*read, Arguments(arguments));
}

CalculatorGraphConfig Expand(const std::string& text,
                             const std::string& arguments = "") {
  const auto config = TryExpand(text, arguments);
  EXPECT_TRUE(config.ok()) << config.status() << "\n" << text;
  return config.ok() ? *config : CalculatorGraphConfig();
}

std::string Shown(const CalculatorGraphConfig& config) {
  google::protobuf::TextFormat::Printer printer;
  printer.SetExpandAny(true);
  printer.SetSingleLineMode(true);
  std::string text;
  printer.PrintToString(config, &text);
  return std::string(absl::StripSuffix(text, " "));
}

// The value of an expression, as text.
std::string Value(const std::string& expression,
                  const std::string& arguments = "") {
  const auto config =
      TryExpand(absl::StrCat("package: % ", expression, " %"), arguments);
  return config.ok() ? config->package()
                     : std::string(config.status().message());
}

// --- Expressions

TEST(TemplateValuesTest, NumbersAddAndTextsJoin) {
  EXPECT_EQ(Value("1 + 2"), "3");
  EXPECT_EQ(Value("\"1\" + \"2\""), "3");
  EXPECT_EQ(Value("\"a\" + 1 + 2"), "a12");
  EXPECT_EQ(Value("1 + 2 + \"a\""), "3a");
  EXPECT_EQ(Value("7 - 2 - 1"), "4");
  EXPECT_EQ(Value("7 / 2 * 2"), "7");
  EXPECT_EQ(Value("1 / 3"), "0.33333333333333331");
  EXPECT_EQ(Value("1000000 * 1000000"), "1000000000000");
  EXPECT_EQ(Value("-2"), "-2");
  EXPECT_EQ(Value("0.5"), "0.5");
}

TEST(TemplateValuesTest, ComparisonsGoByNumberOrByLetters) {
  EXPECT_EQ(Value("10 > 9"), "1");
  EXPECT_EQ(Value("\"10\" > \"9\""), "1");
  EXPECT_EQ(Value("\"10\" > \"9a\""), "0");
  EXPECT_EQ(Value("\"1.0\" == 1"), "1");
  EXPECT_EQ(Value("\"a\" != \"b\""), "1");
  EXPECT_EQ(Value("\"a\" <= \"a\""), "1");
  EXPECT_EQ(Value("2 < 1"), "0");
  EXPECT_EQ(Value("2 >= 3"), "0");
}

TEST(TemplateValuesTest, LogicStopsAtWhatDecides) {
  EXPECT_EQ(Value("0 && unknown"), "0");
  EXPECT_EQ(Value("1 || unknown"), "1");
  EXPECT_EQ(Value("1 && \"yes\""), "1");
  EXPECT_EQ(Value("!\"no\" && !0 && !\"0\" && !false && !list()"), "1");
  EXPECT_EQ(Value("true && list(1) && dict(a: 1)"), "1");
}

TEST(TemplateValuesTest, FunctionsDoWhatTheirNamesSay) {
  EXPECT_EQ(Value("min(3, 1, 2)"), "1");
  EXPECT_EQ(Value("max(\"b\", \"c\", \"a\")"), "c");
  EXPECT_EQ(Value("lowercase(\"AbC\") + uppercase(\"d\")"), "abcD");
  EXPECT_EQ(Value("size(\"abc\") + size(list(1, 2)) + size(dict(a: 1))"), "6");
  EXPECT_EQ(Value("concat(\"a\", 1, \"b\")"), "a1b");
  EXPECT_EQ(Value("size(concat(list(1), list(2, 3), 4))"), "4");
  EXPECT_EQ(Value("dict(a: dict(b: \"c\")).a.b"), "c");
}

TEST(TemplateValuesTest, KeysOfDictsAreEvaluated) {
  EXPECT_EQ(Value("dict('a', 1, 'b', 2).b"), "2");
  EXPECT_EQ(Value("dict(\"a\" + 1: 2).a1"), "2");
  EXPECT_EQ(Value("dict(k: 1).x", "arg { key: \"k\" value { str: \"x\" } }"),
            "1");
  EXPECT_EQ(Value("dict(k: 1).k"), "1") << "k is no parameter";
}

TEST(TemplateValuesTest, AParameterIsAConditionByItsWord) {
  constexpr char kText[] = "%if (v)% num_threads: 4 %end%";
  const auto threads_of = [&](absl::string_view value) {
    return Expand(kText, absl::StrCat("arg { key: \"v\" value { str: \"", value,
                                      "\" } }"))
        .num_threads();
  };
  for (const char* const no : {"no", "f", "n", "False", "FALSE", "0"}) {
    EXPECT_EQ(threads_of(no), 0) << no;
  }
  for (const char* const yes : {"yes", "t", "y", "True", "1"}) {
    EXPECT_EQ(threads_of(yes), 4) << yes;
  }
}

TEST(TemplateValuesTest, ArgumentsAreTextsNumbersListsAndDicts) {
  constexpr char kArguments[] = R"(
    arg { key: "t" value { str: "x" } }
    arg { key: "n" value { num: 2.5 } }
    arg { key: "l" value { element { str: "a" } element { num: 1 } } }
    arg { key: "d" value { dict { arg { key: "k" value { str: "v" } } } } }
    arg { key: "e" value { } }
    arg { key: "t" value { str: "last" } }
  )";
  EXPECT_EQ(Value("t + n + size(l) + d.k + size(e)", kArguments), "last2.52v0");
}

TEST(TemplateValuesTest, ParametersHaveDefaultsInOrder) {
  constexpr char kText[] =
      "%param a: 2% %param b: a + 1% %param c% type: % b %";
  EXPECT_EQ(Expand(kText).type(), "3");
  EXPECT_EQ(Expand(kText, "arg { key: \"a\" value { num: 7 } }").type(), "8");
}

TEST(TemplateValuesTest, ErrorsNameThePlaceAndTheTemplate) {
  const struct {
    const char* expression;
    absl::StatusCode code;
    const char* error;
  } cases[] = {
      {"nam", absl::StatusCode::kNotFound,
       "parameter \"nam\" has no value: give it in TemplateSubgraphOptions, or "
       "a default with %param nam: ...%. Did you mean \"name\"?"},
      {"!name", absl::StatusCode::kInvalidArgument,
       "\"v\" is no condition: use true or false"},
      {"1 / 0", absl::StatusCode::kInvalidArgument, "division by 0"},
      {"\"a\" * 2", absl::StatusCode::kInvalidArgument,
       "\"a\" is no number, for \"*\""},
      {"list(1) < 2", absl::StatusCode::kInvalidArgument,
       "a list of 1 cannot be compared"},
      {"name.x", absl::StatusCode::kInvalidArgument,
       "\"v\" has no \"x\": it is no dictionary"},
      {"dict(abc: 1).abd", absl::StatusCode::kNotFound,
       "has no \"abd\". Did you mean \"abc\"?"},
      {"dict(a: 1) + 1", absl::StatusCode::kInvalidArgument,
       "a dictionary cannot be joined"},
      {"dict(a: 1)", absl::StatusCode::kInvalidArgument,
       "a dictionary is no value for field "
       "\"syncline.CalculatorGraphConfig.package\" (string)"},
      {"lowercase(list())", absl::StatusCode::kInvalidArgument,
       "takes no a list of 0"},
  };
  for (const auto& c : cases) {
    const absl::Status status =
        TryExpand(absl::StrCat("type: \"T\"\n%param name: \"v\"%\n  package: %",
                               c.expression, "%"))
            .status();
    EXPECT_EQ(status.code(), c.code) << c.expression;
    EXPECT_THAT(
        std::string(status.message()),
        AllOf(HasSubstr("t.pbtxt:3:12: template \"T\": "), HasSubstr(c.error)));
  }
}

TEST(TemplateValuesTest, AllErrorsComeAtOnceAndOnlyOnce) {
  const std::string message(
      TryExpand("type: %a%\npackage: %b%\n"
                "%for (x : list(1, 2, 3))% node { name: %c% } %end%")
          .status()
          .message());
  EXPECT_THAT(message,
              AllOf(HasSubstr("t.pbtxt:1:7:"), HasSubstr("t.pbtxt:2:10:"),
                    HasSubstr("t.pbtxt:3:40:")));
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 2);
}

// --- Expansion

TEST(ExpandTemplateTest, ALoopRepeatsItsFieldsForEachElement) {
  EXPECT_EQ(Shown(Expand(R"(
              node { name: "first" }
              %for (x : list("a", "b"))%
                node { name: %x% calculator: "A" }
                node { name: % x + x % }
                input_stream: % x %
              %end%
              node { name: "last" }
              input_stream: "c"
            )")),
            "node { name: \"first\" } "
            "node { name: \"a\" calculator: \"A\" } node { name: \"aa\" } "
            "node { name: \"b\" calculator: \"A\" } node { name: \"bb\" } "
            "node { name: \"last\" } "
            "input_stream: \"a\" input_stream: \"b\" input_stream: \"c\"");
}

TEST(ExpandTemplateTest, ConditionsAndLoopsNest) {
  EXPECT_EQ(
      Shown(Expand(R"(
              %for (x : list(1, 2))%
                %for (y : list(1, 2))%
                  %if (x != y)% node { name: % "n" + x + y % } %end%
                  %if (x == y)%
                    node {
                      name: "same"
                      %for (z : list(x, y))% input_stream: % "s" + z % %end%
                    }
                  %end%
                %end%
              %end%
            )")),
      "node { name: \"same\" input_stream: \"s1\" input_stream: \"s1\" } "
      "node { name: \"n12\" } node { name: \"n21\" } "
      "node { name: \"same\" input_stream: \"s2\" input_stream: \"s2\" }");
}

TEST(ExpandTemplateTest, AFieldThatIsThereOnceMayHaveAlternatives) {
  constexpr char kText[] = R"(
    %if (n > 4)% num_threads: 4 %end%
    %if (n <= 4)% num_threads: %n% %if (n == 0)% type: "none" %end% %end%
    %if (n == 7)% input_stream_handler { input_stream_handler: % "H" + n % } %end%
  )";
  EXPECT_EQ(Shown(Expand(kText, "arg { key: \"n\" value { num: 3 } }")),
            "num_threads: 3");
  EXPECT_EQ(Shown(Expand(kText, "arg { key: \"n\" value { num: 7 } }")),
            "num_threads: 4 "
            "input_stream_handler { input_stream_handler: \"H7\" }");
  EXPECT_EQ(Shown(Expand(kText, "arg { key: \"n\" value { str: \"0\" } }")),
            "type: \"none\"");
}

TEST(ExpandTemplateTest, ALoopVariableHidesAParameterOfItsName) {
  EXPECT_EQ(Shown(Expand("%param x: \"p\"% input_stream: %x% "
                         "%for (x : list(\"a\"))% input_stream: %x% %end% "
                         "input_stream: %x%")),
            "input_stream: \"p\" input_stream: \"a\" input_stream: \"p\"");
}

TEST(ExpandTemplateTest, AListGivesEachOfItsValues) {
  EXPECT_EQ(Shown(Expand("input_stream: [\"a\", %list(\"b\", \"c\")%, \"d\"]")),
            "input_stream: \"a\" input_stream: \"b\" input_stream: \"c\" "
            "input_stream: \"d\"");
  EXPECT_EQ(Shown(Expand("num_threads: %list(3)% type: %list()%")),
            "num_threads: 3");
  EXPECT_THAT(
      std::string(TryExpand("num_threads: %list(1, 2)%").status().message()),
      HasSubstr("t.pbtxt:1:14: template: field "
                "\"syncline.CalculatorGraphConfig.num_threads\" "
                "(int32) takes one value, and gets 2."));
  EXPECT_THAT(std::string(TryExpand("%for (x : list(1, 2))% type: %x% %end%")
                              .status()
                              .message()),
              HasSubstr("takes one value, and gets 2."));
}

TEST(ExpandTemplateTest, ValuesReachIntoOptionsOfBothStyles) {
  const CalculatorGraphConfig config = Expand(R"(
    %param n: 5%
    node {
      options { [mediapipe.NodeChainSubgraphOptions.ext] { chain_length: %n% } }
      node_options {
        [type.googleapis.com/mediapipe.CallbackPacketCalculatorOptions] {
          type: % "POST_STREAM_PACKET" %
        }
      }
      node_options {
        [type.googleapis.com/mediapipe.SwitchContainerOptions] {
          enable: % n > 4 %
          %for (i : list(1, 2))%
            contained_node { calculator: % "mediapipe.C" + i % }
          %end%
        }
      }
    }
  )");
  EXPECT_EQ(Shown(config),
            "node { options { [syncline.NodeChainSubgraphOptions.ext] { "
            "chain_length: 5 } } node_options { "
            "[type.googleapis.com/syncline.CallbackPacketCalculatorOptions] { "
            "type: POST_STREAM_PACKET } } node_options { "
            "[type.googleapis.com/syncline.SwitchContainerOptions] { "
            "contained_node { calculator: \"syncline.C1\" } "
            "contained_node { calculator: \"syncline.C2\" } "
            "enable: true } } }");
}

// FieldData has a field of every type.
std::string Encoded(const std::string& field, const std::string& value) {
  const auto config = TryExpand(absl::StrCat(
      "graph_options { [type.googleapis.com/syncline.FieldData] { ", field,
      ": %", value, "% } }"));
  if (!config.ok()) return "error";
  FieldData data;
  EXPECT_TRUE(config->graph_options(0).UnpackTo(&data));
  return data.ShortDebugString();
}

TEST(ExpandTemplateTest, ValuesAreOfTheTypeOfTheirField) {
  EXPECT_EQ(Encoded("int32_value", "-5"), "int32_value: -5");
  EXPECT_EQ(Encoded("int64_value", "\"9007199254740993\""),
            "int64_value: 9007199254740993");
  EXPECT_EQ(Encoded("uint32_value", "4e9"), "uint32_value: 4000000000");
  EXPECT_EQ(Encoded("uint64_value", "7"), "uint64_value: 7");
  EXPECT_EQ(Encoded("double_value", "1 / 4"), "double_value: 0.25");
  EXPECT_EQ(Encoded("float_value", "0.5"), "float_value: 0.5");
  EXPECT_EQ(Encoded("bool_value", "1 == 1"), "bool_value: true");
  EXPECT_EQ(Encoded("bool_value", "\"false\""), "bool_value: false");
  EXPECT_EQ(Encoded("string_value", "1.5"), "string_value: \"1.5\"");
  EXPECT_EQ(Encoded("int32_value", "0.5"), "error");
  EXPECT_EQ(Encoded("int32_value", "3e9"), "error");
  EXPECT_EQ(Encoded("uint32_value", "-1"), "error");
  EXPECT_EQ(Encoded("uint64_value", "2e19"), "error");
  EXPECT_EQ(Encoded("float_value", "1e300"), "error");
  EXPECT_EQ(Encoded("bool_value", "\"maybe\""), "error");
  EXPECT_EQ(Encoded("int32_value", "\"x\""), "error");
}

TEST(ExpandTemplateTest, PackedValuesAreReplacedOneByOne) {
  EXPECT_THAT(Expand("profiler_config { trace_event_types_disabled: [1, %2%, 3]"
                     " trace_event_types_disabled: %list(4, 5)% }")
                  .profiler_config()
                  .trace_event_types_disabled(),
              ElementsAre(1, 2, 3, 4, 5));
}

// --- Templates that no text gives

TEST(ExpandTemplateTest, WithoutCountsARuleHoldsThoseWithItsPath) {
  CalculatorGraphTemplate foreign;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(
      R"pb(
        config {
          node { name: "x" }
          node { name: "y" }
        }
        rule {
          path: "/1[0]"
          op: "for"
          param: "i"
          arg {
            op: "list"
            arg { op: "literal" param: "a" }
            arg { param: "b" }
          }
        }
        rule { path: "/1[0]/1[0]" param: "i" field_type: TYPE_STRING }
        rule {
          path: "/1[1]/1"
          op: "paren"
          arg { param: "b" }
        }
      )pb",
      &foreign));
  EXPECT_EQ(Shown(*ExpandTemplate(
                foreign, Arguments("arg { key: \"b\" value { str: \"B\" } }"))),
            "node { name: \"a\" } node { name: \"B\" } node { name: \"B\" }");
}

TEST(ExpandTemplateTest, RulesThatMakeNoSenseAreErrors) {
  for (const char* rule :
       {"path: \"\" op: \"literal\"", "path: \"/x\" op: \"literal\"",
        "path: \"/1[0\" op: \"literal\"", "path: \"/1[-1]\" op: \"literal\"",
        "path: \"/1[0]\" op: \"literal\"", "path: \"/10[0]\" op: \"for\"",
        "path: \"/10[0]\" op: \"?\" arg { } arg { }",
        "path: \"/10[0]\" op: \"foo\" arg { op: \"literal\" }",
        "path: \"/10[0]/1[0]/2[0]\" op: \"literal\" param: \"\xff\"",
        "path: \"/10[0]\" op: \".\"", "path: \"/10[0]\" op: \"size\"",
        "path: \"/10[0]\" op: \"+\"", "path: \"/8[0]\" param: \"x\"",
        "path: \"/1[0]\" op: \"if\" arg { op: \"literal\" param: \"1\" } "
        "field_value: \"\\377\" field_type: TYPE_MESSAGE nested_rules: 7"}) {
    CalculatorGraphTemplate bad;
    ASSERT_TRUE(google::protobuf::TextFormat::ParseFromString(
        absl::StrCat("config { input_stream: \"a\" } rule { ", rule, " }"),
        &bad))
        << rule;
    EXPECT_FALSE(ExpandTemplate(bad).ok()) << rule;
  }
}

// --- Where nodes come from

std::string PlacesOf(const CalculatorGraphTemplate& graph_template,
                     const std::string& arguments = "") {
  std::shared_ptr<const GraphPositions> positions;
  const auto config =
      ExpandTemplate(graph_template, Arguments(arguments), &positions);
  EXPECT_TRUE(config.ok()) << config.status();
  if (positions == nullptr) return "none";
  std::string places;
  for (int i = 0; config.ok() && i < config->node_size(); ++i) {
    const FilePosition place = positions->Node(i);
    absl::StrAppend(&places, config->node(i).name(), "@", place.file, ":",
                    place.line, ":", place.column, " ");
  }
  return places;
}

constexpr char kPlaces[] = R"(node { name: "a" }
%param l: list(1, 2)%
%for (x : l)%
  node { name: % "b" + x % }
 node { name: "c" %for (y : l)% input_stream: %y% %end% }
%end%
%if (size(l) > 2)% node { name: "no" } %end%
node [ { name: "d" }, { name: "e" } ]
%if (1)% num_threads: 4 %end% node { name: "f" }
)";

TEST(ExpandTemplateTest, NodesKnowThePlaceOfTheTemplateTheyCameFrom) {
  const auto graph_template = ReadTemplateText(kPlaces, "t.pbtxt");
  ASSERT_TRUE(graph_template.ok()) << graph_template.status();
  constexpr char kExpected[] =
      "a@t.pbtxt:1:1 b1@t.pbtxt:4:3 c@t.pbtxt:5:2 b2@t.pbtxt:4:3 "
      "c@t.pbtxt:5:2 d@t.pbtxt:8:8 e@t.pbtxt:8:23 f@t.pbtxt:9:31 ";
  EXPECT_EQ(PlacesOf(*graph_template), kExpected);
  // Its binary form keeps them.
  CalculatorGraphTemplate again;
  ASSERT_TRUE(again.ParseFromString(graph_template->SerializeAsString()));
  EXPECT_EQ(PlacesOf(again), kExpected);
}

TEST(ExpandTemplateTest, PlacesThatAreNotThereAreNotMadeUp) {
  CalculatorGraphTemplate by_hand;
  by_hand.mutable_config()->add_node()->set_name("a");
  by_hand.mutable_config()->add_node()->set_name("b");
  EXPECT_EQ(PlacesOf(by_hand), "none");
  by_hand.add_node_line(7);
  EXPECT_EQ(PlacesOf(by_hand), "a@<text>:0:0 b@<text>:0:0 ");
  by_hand.add_node_column(-1);
  EXPECT_EQ(PlacesOf(by_hand), "a@<text>:7:-1 b@<text>:0:0 ");
}

TEST(ExpandTemplateTest, APlaceholderDoesNotMoveWhatFollows) {
  const auto read = ReadTemplateText(
      "%param b% %param e%\n"
      "node { node_options { "
      "[type.googleapis.com/syncline.CallbackPacketCalculatorOptions] { "
      "type: %e% } } node_options { "
      "[type.googleapis.com/syncline.SwitchContainerOptions] { "
      "enable: %b% bad: 1 } } }",
      "t.pbtxt");
  EXPECT_THAT(std::string(read.status().message()),
              HasSubstr("t.pbtxt:2:188: message "
                        "\"syncline.SwitchContainerOptions\" has no field "
                        "\"bad\""));
}

TEST(ExpandTemplateTest, InvalidUtf8IsAnError) {
  EXPECT_THAT(std::string(TryExpand("type: % \"\\377\" %").status().message()),
              HasSubstr("no UTF-8"));
}

// --- Limits

absl::StatusCode CodeOf(const std::string& text) {
  return TryExpand(text).status().code();
}

TEST(ExpandTemplateTest, WorkHasALimit) {
  // 2^40 letters.
  std::string doubling = "%param p0: \"x\"%";
  for (int i = 1; i <= 40; ++i) {
    absl::StrAppend(&doubling, "%param p", i, ": p", i - 1, " + p", i - 1, "%");
  }
  EXPECT_EQ(CodeOf(doubling + "type: %p40%"),
            absl::StatusCode::kResourceExhausted);
  // 10^12 rounds without a node, and with one.
  std::string loops;
  for (int i = 0; i < 12; ++i) {
    absl::StrAppend(&loops, "%for (i : list(0,1,2,3,4,5,6,7,8,9))%");
  }
  std::string ends;
  for (int i = 0; i < 12; ++i) ends += "%end%";
  EXPECT_EQ(CodeOf(absl::StrCat(loops, "%if (0)% node { } %end%", ends)),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(CodeOf(absl::StrCat(loops, "node { }", ends)),
            absl::StatusCode::kResourceExhausted);
  // Lists of lists.
  std::string lists = "%param p0: list(1, 2)%";
  for (int i = 1; i <= 40; ++i) {
    absl::StrAppend(&lists, "%param p", i, ": concat(p", i - 1, ", p", i - 1,
                    ")%");
  }
  EXPECT_EQ(CodeOf(lists + "input_stream: %p40%"),
            absl::StatusCode::kResourceExhausted);
}

// Copies of long texts are work, wherever they are made.
TEST(ExpandTemplateTest, CopiesOfLongTextsHaveALimit) {
  const std::string text(100'000, 'x');
  // A list of 2^20 such texts.
  std::string lists = absl::StrCat("%param p0: list(\"", text, "\")%");
  for (int i = 1; i <= 20; ++i) {
    absl::StrAppend(&lists, "%param p", i, ": p", i - 1, " + p", i - 1, "%");
  }
  EXPECT_EQ(CodeOf(lists + "num_threads: %size(p20)%"),
            absl::StatusCode::kResourceExhausted);
  // Four nested loops of ten rounds, and in each something with a long text.
  const std::string given =
      absl::StrCat("%param d: dict(a: \"", text, "\")% %param l: list(\"", text,
                   "\", 1)% %param t: \"", text, "\"%");
  for (const char* work : {"size(d.a)", "max(t, 1, 2, 3)", "d.a < 3", "l"}) {
    std::string loops = given;
    for (int i = 0; i < 4; ++i) {
      absl::StrAppend(&loops, "%for (i : list(0,1,2,3,4,5,6,7,8,9))%");
    }
    absl::StrAppend(&loops, "node { max_in_flight: %", work,
                    "% } %end% %end% %end% %end%");
    EXPECT_THAT(std::string(TryExpand(loops).status().message()),
                HasSubstr("it takes more work than it should"))
        << work;
  }
}

// Names that resemble one that is not there are looked for a few times only.
TEST(ExpandTemplateTest, MistakesInLoopsTakeNotLong) {
  std::string text;
  for (int i = 0; i < 10'000; ++i) {
    absl::StrAppend(&text, "%param parameter", i, ": 1%");
  }
  for (int i = 0; i < 4; ++i) {
    absl::StrAppend(&text, "%for (i : list(0,1,2,3,4,5,6,7,8,9))%");
  }
  text += "node { max_in_flight: % paramter % } %end% %end% %end% %end%";
  EXPECT_THAT(std::string(TryExpand(text).status().message()),
              AllOf(HasSubstr("parameter \"paramter\" has no value"),
                    HasSubstr("Did you mean \"parameter0\"")));
}

// A binary template may have as many fields as rules.
TEST(ExpandTemplateTest, ManyUnknownFieldsAreNoMoreWorkThanTheyAreMany) {
  constexpr int kFields = 40'000;
  CalculatorGraphTemplate graph_template;
  auto* unknown =
      graph_template.mutable_config()->GetReflection()->MutableUnknownFields(
          graph_template.mutable_config());
  for (int i = 0; i < kFields; ++i) {
    unknown->AddVarint(100'000 + i, 1);
    TemplateExpression* rule = graph_template.add_rule();
    rule->set_path(absl::StrCat("/", 100'000 + i, "[0]"));
    rule->set_op("literal");
    rule->set_param("2");
    rule->set_field_type(FieldDescriptorProto::TYPE_INT32);
  }
  const auto config = ExpandTemplate(graph_template);
  ASSERT_TRUE(config.ok()) << config.status();
  EXPECT_EQ(config->GetReflection()->GetUnknownFields(*config).field_count(),
            kFields);
}

TEST(ExpandTemplateTest, ALargeGraphIsWellWithinTheLimit) {
  constexpr char kText[] = R"(
    %param l: list(0,1,2,3,4,5,6,7,8,9)%
    %for (a : l)% %for (b : l)% %for (c : l)%
      node { calculator: "A" name: % "n" + a + b + c % input_stream: "in" }
    %end% %end% %end%
  )";
  EXPECT_EQ(Expand(kText).node_size(), 1000);
}

TEST(ExpandTemplateTest, DeepTemplatesAreRefused) {
  CalculatorGraphTemplate deep;
  TemplateExpression* expression = deep.add_rule();
  expression->set_path("/20[0]");
  for (int i = 0; i < 5000; ++i) {
    expression->set_op("!");
    expression = expression->add_arg();
  }
  EXPECT_THAT(std::string(ExpandTemplate(deep).status().message()),
              HasSubstr("nested too deep"));
  TemplateDict arguments;
  TemplateArgument* argument = arguments.add_arg()->mutable_value();
  for (int i = 0; i < 5000; ++i) argument = argument->add_element();
  EXPECT_THAT(std::string(ExpandTemplate(CalculatorGraphTemplate(), arguments)
                              .status()
                              .message()),
              HasSubstr("nested too deep"));
  CalculatorGraphTemplate loops;
  for (int i = 0; i < 5000; ++i) {
    TemplateExpression* rule = loops.add_rule();
    rule->set_path("/1[0:0]");
    rule->set_op("if");
    rule->set_nested_rules(5000);
    TemplateExpression* one = rule->add_arg();
    one->set_op("literal");
    one->set_param("1");
  }
  EXPECT_THAT(std::string(ExpandTemplate(loops).status().message()),
              HasSubstr("nested too deep"));
}

}  // namespace
}  // namespace syncline
