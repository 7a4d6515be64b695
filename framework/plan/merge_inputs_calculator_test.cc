// The calculator of `merge` alone: which timestamps and bounds it gives.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/call.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/invoke.h"
#include "framework/calculator/test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr char kTwoInputs[] = R"(calculator: "MergeInputsCalculator"
    input_stream: "a" input_stream: "b" output_stream: "ab")";

std::unique_ptr<CalculatorBaseFactory> Factory() {
  return CalculatorBaseRegistry::CreateByName("MergeInputsCalculator").value();
}

// The error of the contract for a node with these ports.
std::string ContractError(const std::string& ports) {
  const CalculatorGraphConfig::Node node =
      ParseNode("calculator: \"MergeInputsCalculator\" " + ports);
  CalculatorContract contract;
  EXPECT_TRUE(contract.Initialize(node).ok());
  return std::string(InvokeGetContract(*Factory(), &contract).message());
}

class MergeInputsTest : public ::testing::Test {
 protected:
  MergeInputsTest()
      : node_(kTwoInputs,
              [this](CalculatorContract* cc) {
                EXPECT_TRUE(InvokeGetContract(*factory_, cc).ok());
              }),
        calculator_(InvokeCreate(*factory_, &node_.context()).value()) {}

  void Open() {
    EXPECT_TRUE(
        InvokeOpen(calculator_.get(), &node_.Begin(CallPhase::kOpen)).ok());
  }
  // A call with what is at each input: a packet, or an empty one that says up
  // to where the input is settled. Returns the timestamps of what is sent.
  std::vector<Timestamp> Call(Packet a, Packet b) {
    CalculatorContext& cc =
        node_.Begin(CallPhase::kProcess, Timestamp(0), bound_);
    cc.Inputs().Index(0).Fill(std::move(a), false);
    cc.Inputs().Index(1).Fill(std::move(b), false);
    status_ = InvokeProcess(calculator_.get(), &cc);
    EXPECT_TRUE(cc.call().ok()) << cc.call().status();
    const OutputStream& output = cc.Outputs().Index(0);
    bound_ = output.NextTimestampBound();
    std::vector<Timestamp> sent;
    for (const Packet& packet : output.packets()) {
      sent.push_back(packet.Timestamp());
    }
    return sent;
  }
  static Packet At(int timestamp) {
    return MakePacket<int>(timestamp).At(Timestamp(timestamp));
  }
  static Packet Settled(int timestamp) {
    return Packet().At(Timestamp(timestamp));
  }

  const std::unique_ptr<CalculatorBaseFactory> factory_ = Factory();
  TestNode node_;
  const std::unique_ptr<CalculatorBase> calculator_;
  absl::Status status_;
  Timestamp bound_ = Timestamp::PreStream();  // of the output
};

TEST(MergeInputsContractTest, InputsAndTheOutputHaveNoTag) {
  EXPECT_EQ(ContractError("input_stream: \"a\" output_stream: \"b\""), "");
  const auto error = HasSubstr("inputs without a tag, and one output");
  EXPECT_THAT(ContractError("output_stream: \"b\""), error);
  EXPECT_THAT(ContractError("input_stream: \"X:a\" output_stream: \"b\""),
              error);
  EXPECT_THAT(ContractError("input_stream: \"a\" input_stream: \"X:c\" "
                            "output_stream: \"b\""),
              error);
  EXPECT_THAT(ContractError("input_stream: \"a\""), error);
  EXPECT_THAT(ContractError("input_stream: \"a\" output_stream: \"X:b\""),
              error);
  EXPECT_THAT(ContractError("input_stream: \"a\" output_stream: \"b\" "
                            "output_stream: \"X:c\""),
              error);
}

TEST(MergeInputsContractTest, AllHaveOneTypeAndPacketsComeAsTheyArrive) {
  const CalculatorGraphConfig::Node node = ParseNode(kTwoInputs);
  CalculatorContract contract;
  ASSERT_TRUE(contract.Initialize(node).ok());
  ASSERT_TRUE(InvokeGetContract(*Factory(), &contract).ok());
  EXPECT_EQ(contract.Inputs().Index(1).GetSameAs(),
            contract.Outputs().Index(0).GetSameAs());
  EXPECT_TRUE(contract.Outputs().Index(0).IsAny());
  EXPECT_EQ(contract.GetInputStreamHandler(), "ArrivalOrderInputStreamHandler");
  EXPECT_TRUE(contract.GetProcessTimestampBounds());
}

TEST_F(MergeInputsTest, APacketKeepsATimestampThatIsAboveTheOneBefore) {
  Open();
  EXPECT_THAT(Call(At(3), Packet()), ElementsAre(Timestamp(3)));
  EXPECT_THAT(Call(Packet(), At(7)), ElementsAre(Timestamp(7)));
  EXPECT_TRUE(status_.ok());
}

TEST_F(MergeInputsTest, AnotherGetsTheNextPossibleOne) {
  Open();
  Call(At(5), Packet());
  EXPECT_THAT(Call(Packet(), At(5)), ElementsAre(Timestamp(6)));
  EXPECT_THAT(Call(Packet(), At(2)), ElementsAre(Timestamp(7)));
}

TEST_F(MergeInputsTest, PacketsOfOneCallAreSentInTheOrderOfInputs) {
  Open();
  EXPECT_THAT(Call(At(9), At(4)), ElementsAre(Timestamp(9), Timestamp(10)));
  EXPECT_EQ(node_.context().Outputs().Index(0).packets()[1].Get<int>(), 4);
}

TEST_F(MergeInputsTest, APacketOfAStreamOfOnePacketGetsAnOrdinaryTimestamp) {
  Open();
  EXPECT_THAT(Call(MakePacket<int>(1).At(Timestamp::PreStream()), Packet()),
              ElementsAre(Timestamp::Min()));
  EXPECT_THAT(Call(Packet(), MakePacket<int>(2).At(Timestamp::PostStream())),
              ElementsAre(Timestamp::Min() + 1));
}

TEST_F(MergeInputsTest, TheOutputIsSettledWhereAllInputsAre) {
  Open();
  EXPECT_THAT(Call(Settled(10), Packet()), IsEmpty());
  EXPECT_LT(bound_, Timestamp(0)) << "of the other input nothing is known";
  Call(Settled(10), Settled(4));
  EXPECT_EQ(bound_, Timestamp(5));
  Call(Settled(10), Settled(20));
  EXPECT_EQ(bound_, Timestamp(11));
}

TEST_F(MergeInputsTest, ABoundThatIsKnownIsNotForgotten) {
  Open();
  Call(Settled(10), Settled(4));
  // An input at which nothing has come or changed shows an empty packet without
  // a time.
  Call(Packet(), Settled(8));
  EXPECT_EQ(bound_, Timestamp(9));
}

TEST_F(MergeInputsTest, ABoundNeverGoesBackBehindAPacket) {
  Open();
  Call(At(5), Packet());
  Call(Packet(), At(5));
  Call(Settled(5), Settled(5));
  EXPECT_EQ(bound_, Timestamp(7)) << "after the packet that was moved to 6";
}

TEST_F(MergeInputsTest, AfterTheLastTimestampThereIsNoPlaceForAPacket) {
  Open();
  Call(MakePacket<int>(1).At(Timestamp::Max()), Packet());
  EXPECT_TRUE(status_.ok());
  EXPECT_THAT(Call(Packet(), At(3)), IsEmpty());
  EXPECT_EQ(status_.code(), absl::StatusCode::kOutOfRange);
  EXPECT_THAT(std::string(status_.message()),
              HasSubstr("the packet of \"b\" at 3 comes after one at "
                        "Timestamp::Max()"));
}

TEST_F(MergeInputsTest, TheHeaderIsThatOfTheFirstInputThatHasOne) {
  node_.context().Inputs().Index(1).SetHeader(MakePacket<int>(2));
  Open();
  EXPECT_EQ(node_.context().Outputs().Index(0).Header().Get<int>(), 2);
  node_.context().Inputs().Index(0).SetHeader(MakePacket<int>(1));
  Open();
  EXPECT_EQ(node_.context().Outputs().Index(0).Header().Get<int>(), 1);
}

TEST_F(MergeInputsTest, MessageTimesGoOnWithTheirPackets) {
  Open();
  Call(At(1), Packet());
  EXPECT_THAT(node_.context().Outputs().Index(0).times(), IsEmpty());
  node_.context().Inputs().Index(0).SetMessageTimes({.acquisition_ns = 42});
  Call(At(2), Packet());
  ASSERT_EQ(node_.context().Outputs().Index(0).times().size(), 1);
  EXPECT_EQ(node_.context().Outputs().Index(0).times()[0].acquisition_ns, 42);
}

}  // namespace
}  // namespace syncline
