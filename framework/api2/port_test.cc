// Ports as constants: what the compiler knows about them, what they write into
// a contract, and which tags are valid.

#include "framework/api2/port.h"

#include <memory>
#include <string>
#include <type_traits>

#include "absl/status/status.h"
#include "framework/api2/const_str.h"
#include "framework/api2/tag.h"
#include "framework/calculator_framework.h"
#include "framework/config/calculator.pb.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace api2 {
namespace {

using ::testing::HasSubstr;

// --- Constants

TEST(PortTest, KnowsItsTagAndType) {
  static constexpr auto port = Input<int>("FOO");
  EXPECT_EQ(std::string(port.Tag()), "FOO");
  EXPECT_EQ(port.type_id(), kTypeId<int>);
  EXPECT_FALSE(port.IsOptional());
  EXPECT_FALSE(port.IsMultiple());
}

TEST(PortTest, IsMadeOfAnyTextOrTag) {
  static constexpr absl::string_view kText = "FOO";
  static constexpr Input<int> kOfText{kText};
  static constexpr Output<int>::Optional kOfTag{MPP_TAG("BAR")};
  static constexpr SideInput<int>::Multiple kOfNothing{absl::string_view("")};
  static constexpr Input<int>::SideFallback kFallback{kText};
  EXPECT_STREQ(kOfText.Tag(), "FOO");
  EXPECT_STREQ(kOfTag.Tag(), "BAR");
  EXPECT_STREQ(kOfNothing.Tag(), "");
  EXPECT_STREQ(kFallback.Tag(), "FOO");
}

TEST(PortTest, KnowsWhetherItIsOptionalOrMultiple) {
  static constexpr auto optional = Input<float>::Optional("BAR");
  static_assert(optional.IsOptional() && !optional.IsMultiple());
  static constexpr auto multiple = Output<float>::Multiple("BAR");
  static_assert(multiple.IsMultiple() && !multiple.IsOptional());
  using Fallback = Input<int>::SideFallback;
  static_assert(!Fallback::kOptional && Fallback::Optional::kOptional);
  static_assert(
      std::is_same_v<Fallback::Optional, Input<int>::Optional::SideFallback>);
}

static constexpr Input<OneOf<int, float>> kOneOf{"ONE_OF"};
static constexpr Input<AnyType> kAny{"ANY"};
static constexpr Output<SameType<kOneOf>> kSame{"SAME"};
static constexpr Output<SameType<kSame>> kSameAgain{"SAME_AGAIN"};
static constexpr Output<SameType<kAny>> kSameAny{"SAME_ANY"};

TEST(PortTest, SameTypeHasThePayloadOfTheOtherPort) {
  static_assert(std::is_same_v<decltype(kSame)::PayloadT, OneOf<int, float>>);
  static_assert(
      std::is_same_v<decltype(kSameAgain)::PayloadT, OneOf<int, float>>);
  static_assert(std::is_same_v<decltype(kSameAny)::PayloadT, AnyType>);
}

struct NotCopyable {
  explicit NotCopyable(int) {}
  NotCopyable(const NotCopyable&) = delete;
  NotCopyable& operator=(const NotCopyable&) = delete;
};

TEST(PortTest, PayloadsNeedNotBeCopyable) {
  static constexpr Input<NotCopyable> kIn{"IN"};
  static constexpr Output<NotCopyable> kOut{"OUT"};
  static constexpr SideInput<NotCopyable> kSideIn{"IN"};
  static constexpr SideOutput<NotCopyable> kSideOut{"OUT"};
  EXPECT_EQ(kIn.type_id(), kOut.type_id());
  EXPECT_EQ(kSideIn.type_id(), kSideOut.type_id());
}

// --- Contracts

// A contract for a node with these ports.
class ContractForPortTest : public ::testing::Test {
 protected:
  void Connect(const std::string& node_text) {
    node_ = ParseTextProtoOrDie<CalculatorGraphConfig::Node>(node_text);
    contract_ = std::make_unique<CalculatorContract>();
    SYNCLINE_ASSERT_OK(contract_->Initialize(node_, "Test"));
  }
  CalculatorContract* cc() { return contract_.get(); }
  std::string InputType(const std::string& tag, int index = 0) {
    return contract_->Inputs().Get(tag, index).DebugTypeName();
  }
  std::string OutputType(const std::string& tag, int index = 0) {
    return contract_->Outputs().Get(tag, index).DebugTypeName();
  }

 private:
  CalculatorGraphConfig::Node node_;
  std::unique_ptr<CalculatorContract> contract_;
};

TEST_F(ContractForPortTest, EachKindOfTypeIsWrittenDown) {
  Connect(R"pb(
    input_stream: "INT:a"
    input_stream: "ONE_OF:b"
    input_stream: "ANY:c"
    input_stream: "NONE:d"
    output_stream: "SAME:e"
    output_stream: "SAME_ANY:f"
  )pb");
  SYNCLINE_EXPECT_OK(Input<int>("INT").AddToContract(cc()));
  SYNCLINE_EXPECT_OK(kOneOf.AddToContract(cc()));
  SYNCLINE_EXPECT_OK(kAny.AddToContract(cc()));
  SYNCLINE_EXPECT_OK(Input<NoneType>("NONE").AddToContract(cc()));
  SYNCLINE_EXPECT_OK(kSame.AddToContract(cc()));
  SYNCLINE_EXPECT_OK(kSameAny.AddToContract(cc()));
  EXPECT_EQ(InputType("INT"), "int");
  EXPECT_EQ(InputType("ONE_OF"), "OneOf<int, float>");
  EXPECT_EQ(InputType("ANY"), "[Any Type]");
  EXPECT_EQ(InputType("NONE"), "[No Type]");
  EXPECT_EQ(OutputType("SAME"), "OneOf<int, float>");
  EXPECT_EQ(cc()->Outputs().Tag("SAME_ANY").GetSameAs(),
            &cc()->Inputs().Tag("ANY"));
}

TEST_F(ContractForPortTest, AMissingPortIsAnErrorUnlessItIsOptional) {
  Connect("");
  SYNCLINE_EXPECT_OK(Input<int>("NEEDED").AddToContract(cc()));
  SYNCLINE_EXPECT_OK(Input<int>::Optional("MAYBE").AddToContract(cc()));
  SYNCLINE_EXPECT_OK(Input<int>::Multiple("MANY").AddToContract(cc()));
  EXPECT_THAT(
      ValidatePacketTypeSet(cc()->Inputs()),
      StatusIs(absl::StatusCode::kInvalidArgument,
               ::testing::AllOf(HasSubstr("\"NEEDED\""),
                                ::testing::Not(HasSubstr("\"MAYBE\"")),
                                ::testing::Not(HasSubstr("\"MANY\"")))));
}

TEST_F(ContractForPortTest, EveryElementOfAMultiplePortGetsTheType) {
  Connect(R"pb(input_stream: "MANY:0:a" input_stream: "MANY:1:b")pb");
  static constexpr Input<int>::Multiple kMany{"MANY"};
  SYNCLINE_EXPECT_OK(kMany.AddToContract(cc()));
  SYNCLINE_EXPECT_OK(ValidatePacketTypeSet(cc()->Inputs()));
  EXPECT_EQ(InputType("MANY", 1), "int");
  EXPECT_EQ(kMany(cc()).Count(), 2);
  EXPECT_TRUE(kMany(cc())[1].IsConnected());
}

static constexpr Input<AnyType>::Multiple kManyIn{""};
static constexpr Output<SameType<kManyIn>>::Multiple kManyOut{""};
static constexpr Output<SameType<kManyIn>> kOneOut{"OUT"};

TEST_F(ContractForPortTest, MultiplePortsOfSameTypeGoElementByElement) {
  Connect(R"pb(
    input_stream: "a"
    input_stream: "b"
    output_stream: "c"
    output_stream: "d"
    output_stream: "e"
    output_stream: "OUT:f"
  )pb");
  SYNCLINE_EXPECT_OK(kManyIn.AddToContract(cc()));
  SYNCLINE_EXPECT_OK(kManyOut.AddToContract(cc()));
  SYNCLINE_EXPECT_OK(kOneOut.AddToContract(cc()));
  const auto same_as = [this](const std::string& tag, int index) {
    return cc()->Outputs().Get(tag, index).GetSameAs();
  };
  EXPECT_EQ(same_as("", 0), &cc()->Inputs().Index(0));
  EXPECT_EQ(same_as("", 1), &cc()->Inputs().Index(1));
  EXPECT_EQ(same_as("", 2), &cc()->Inputs().Index(0));
  EXPECT_EQ(same_as("OUT", 0), &cc()->Inputs().Index(0));
}

TEST_F(ContractForPortTest, SameTypeAsAPortThatIsNotConnectedIsAnyType) {
  static constexpr Input<int>::Optional kMaybe{"MAYBE"};
  static constexpr Output<SameType<kMaybe>> kOut{"OUT"};
  Connect(R"pb(output_stream: "OUT:f" output_stream: "g")pb");
  SYNCLINE_EXPECT_OK(kMaybe.AddToContract(cc()));
  SYNCLINE_EXPECT_OK(kManyIn.AddToContract(cc()));
  SYNCLINE_EXPECT_OK(kOut.AddToContract(cc()));
  SYNCLINE_EXPECT_OK(kManyOut.AddToContract(cc()));
  EXPECT_EQ(OutputType("OUT"), "[Any Type]");
  EXPECT_EQ(OutputType(""), "[Any Type]");
  SYNCLINE_EXPECT_OK(ValidatePacketTypeSet(cc()->Inputs()));
}

TEST_F(ContractForPortTest, UpdatesMayChangeWhatAPortCarries) {
  Connect(R"pb(input_stream: "ANY:a" output_stream: "SAME:b")pb");
  SYNCLINE_EXPECT_OK(kAny.AddToContract(cc()));
  SYNCLINE_EXPECT_OK(kSame.AddToContract(cc()));
  kAny(cc()).Set<std::string>();
  kSame(cc()).SetSameAs(kAny(cc()));
  EXPECT_EQ(OutputType("SAME"), cc()->Inputs().Tag("ANY").DebugTypeName());
  kAny(cc()).SetOneOf<int, float>();
  EXPECT_EQ(OutputType("SAME"), "OneOf<int, float>");
  kSame(cc()).SetAny();
  EXPECT_EQ(OutputType("SAME"), "[Any Type]");
  // The port is not connected, so these change nothing.
  EXPECT_FALSE(kSameAny(cc()).IsConnected());
  kSameAny(cc()).Set<int>();
}

TEST_F(ContractForPortTest, ASideFallbackIsAStreamOrASidePacket) {
  static constexpr Input<int>::SideFallback kIn{"IN"};
  Connect(R"pb(input_stream: "IN:a")pb");
  SYNCLINE_EXPECT_OK(kIn.AddToContract(cc()));
  EXPECT_EQ(InputType("IN"), "int");
  SYNCLINE_EXPECT_OK(ValidatePacketTypeSet(cc()->Inputs()));
  SYNCLINE_EXPECT_OK(ValidatePacketTypeSet(cc()->InputSidePackets()));

  Connect(R"pb(input_side_packet: "IN:a")pb");
  SYNCLINE_EXPECT_OK(kIn.AddToContract(cc()));
  EXPECT_EQ(cc()->InputSidePackets().Tag("IN").DebugTypeName(), "int");
  SYNCLINE_EXPECT_OK(ValidatePacketTypeSet(cc()->Inputs()));
  SYNCLINE_EXPECT_OK(ValidatePacketTypeSet(cc()->InputSidePackets()));
}

TEST_F(ContractForPortTest, ASideFallbackIsNotBoth) {
  static constexpr Input<int>::SideFallback kIn{"IN"};
  Connect(R"pb(input_stream: "IN:a" input_side_packet: "IN:b")pb");
  EXPECT_THAT(
      kIn.AddToContract(cc()),
      StatusIs(absl::StatusCode::kInvalidArgument,
               ::testing::AllOf(HasSubstr("\"Test\""), HasSubstr("\"IN\""),
                                HasSubstr("but not both"))));
}

TEST_F(ContractForPortTest, ASideFallbackIsNotNeitherUnlessItIsOptional) {
  static constexpr Input<int>::SideFallback kIn{"IN"};
  Connect("");
  EXPECT_THAT(kIn.AddToContract(cc()),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("must be connected")));
  static constexpr Input<int>::SideFallback::Optional kMaybe{"IN"};
  SYNCLINE_EXPECT_OK(kMaybe.AddToContract(cc()));
  SYNCLINE_EXPECT_OK(ValidatePacketTypeSet(cc()->Inputs()));
  EXPECT_FALSE(kMaybe(cc()).IsConnected());
}

TEST_F(ContractForPortTest, AnElementThatIsNotThereIsAMisuseThatNamesThePort) {
  Connect(R"pb(calculator: "X" input_stream: "MANY:a")pb");
  static constexpr Input<int>::Multiple kMany{"MANY"};
  EXPECT_DEATH(kMany(cc())[1],
               "no port the input stream \"MANY:1\" of node \"Test\" \\(X\\): "
               "Count\\(\\) is 1");
}

// --- Tags

TEST(TagTest, AreLiteralsOfCapitalsDigitsAndUnderscores) {
  static_assert(internal::IsValidTag(""));
  static_assert(internal::IsValidTag("A_1"));
  static_assert(internal::IsValidTag("_A"));
  static_assert(!internal::IsValidTag("1A"));
  static_assert(!internal::IsValidTag("a"));
  static_assert(!internal::IsValidTag("A:1"));
}

TEST(TagDeathTest, APortWithAnotherTagIsAMisuseAtRunTimeToo) {
  const char* tag = "lower";
  EXPECT_DEATH(Input<int>{tag}, "\"lower\" is not a tag");
}

TEST(TagTest, HaveATypeEach) {
  constexpr auto tag = MPP_TAG("TAG");
  static_assert(tag == MPP_TAG("TAG"));
  static_assert(!(tag == MPP_TAG("OTHER")));
  static_assert(internal::is_tag(tag));
  static_assert(!internal::is_tag(7));
  static_assert(!internal::is_tag("FOO"));
  EXPECT_EQ(tag.str(), "TAG");
}

TEST(ConstStrTest, IsATextThatTheCompilerKnows) {
  static constexpr const_str text("some");
  static_assert(text.len() == 4);
  static_assert(text == const_str("some"));
  static_assert(!(text == const_str("other")));
  EXPECT_EQ(absl::string_view(text), "some");
}

}  // namespace
}  // namespace api2
}  // namespace syncline
