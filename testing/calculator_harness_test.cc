// One calculator on literal inputs: what it is shown, and what it sent.
#include "testing/calculator_harness.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/calculator_framework.h"
#include "framework/config/packet_generator_wrapper_calculator.pb.h"
#include "framework/graph_clock.h"
#include "framework/graph_service.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr GraphService<std::string> kPrefix("prefix");

// Adds what its inputs have at one time. The sum goes out at that time, and
// "<prefix><sum>" where somebody is interested.
class AddCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (CollectionItemId id = cc->Inputs().BeginId("IN");
         id < cc->Inputs().EndId("IN"); ++id) {
      cc->Inputs().Get(id).Set<int>();
    }
    cc->Outputs().Tag("SUM").Set<int>();
    cc->Outputs().Tag("TEXT").Set<std::string>().Optional();
    cc->InputSidePackets().Tag("START").Set<int>().Optional();
    cc->OutputSidePackets().Tag("COUNT").Set<int>().Optional();
    cc->UseService(kPrefix).Optional();
    cc->SetTimestampOffset(0);
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    if (cc->InputSidePackets().HasTag("START")) {
      start_ = cc->InputSidePackets().Tag("START").Get<int>();
    }
    cc->Outputs().Tag("SUM").SetHeader(cc->Inputs().Get("IN", 0).Header());
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    int sum = start_;
    for (CollectionItemId id = cc->Inputs().BeginId("IN");
         id < cc->Inputs().EndId("IN"); ++id) {
      const InputStreamShard& input = cc->Inputs().Get(id);
      if (!input.IsEmpty()) sum += input.Get<int>();
    }
    if (sum < 0) return absl::OutOfRangeError("negative sum");
    cc->GetCounter("sums")->Increment();
    ++count_;
    cc->Outputs().Tag("SUM").AddPacket(
        MakePacket<int>(sum).At(cc->InputTimestamp()));
    if (cc->Outputs().HasTag("TEXT")) {
      cc->Outputs().Tag("TEXT").AddPacket(
          MakePacket<std::string>(Prefix(cc) + std::to_string(sum))
              .At(cc->InputTimestamp()));
    }
    return absl::OkStatus();
  }

  absl::Status Close(CalculatorContext* cc) override {
    if (cc->OutputSidePackets().HasTag("COUNT")) {
      cc->OutputSidePackets().Tag("COUNT").Set(MakePacket<int>(count_));
    }
    return absl::OkStatus();
  }

 private:
  static std::string Prefix(CalculatorContext* cc) {
    const auto prefix = cc->Service(kPrefix);
    return prefix.IsAvailable() ? prefix.GetObject() : "";
  }

  int start_ = 0;
  int count_ = 0;
};
REGISTER_CALCULATOR(AddCalculator);

constexpr char kAdd[] = R"pb(
  calculator: "AddCalculator"
  input_stream: "IN:0:a"
  input_stream: "IN:1:b"
  output_stream: "SUM:sum"
)pb";

Packet Number(int value, int64_t timestamp) {
  return MakePacket<int>(value).At(Timestamp(timestamp));
}
Packet Bound(int64_t timestamp) { return Packet().At(Timestamp(timestamp)); }

// "value@timestamp ..."
std::string Shown(const std::vector<Packet>& packets) {
  std::string result;
  for (const Packet& packet : packets) {
    result += std::to_string(packet.Get<int>()) + "@" +
              packet.Timestamp().DebugString() + " ";
  }
  return result;
}

TEST(CalculatorHarnessTest, PacketsOfOneTimestampComeInOneCall) {
  CalculatorHarness harness(kAdd);
  harness.Feed("IN", {Number(1, 10), Number(2, 20)});
  harness.Feed("IN:1", {Number(4, 20), Number(8, 30)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(Shown(harness.Output("SUM")), "1@10 6@20 8@30 ");
  EXPECT_THAT(harness.process_calls(),
              ElementsAre(Timestamp(10), Timestamp(20), Timestamp(30)));
  EXPECT_EQ(harness.OutputBound("SUM"), Timestamp::Done());
  EXPECT_EQ(harness.CounterValue("sums"), 3);
  EXPECT_EQ(harness.CounterValue("no such"), 0);
}

TEST(CalculatorHarnessTest, EachRunStartsAfresh) {
  CalculatorHarness harness(kAdd);
  harness.Feed("IN", {Number(1, 10)});
  SYNCLINE_ASSERT_OK(harness.Run());
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(Shown(harness.Output("SUM")), "1@10 ");
  EXPECT_EQ(harness.CounterValue("sums"), 1);
}

TEST(CalculatorHarnessTest, BoundsMoveByTheOffsetWithAndWithoutCalls) {
  CalculatorHarness harness(kAdd);
  harness.Feed("IN", {Bound(5), Number(1, 10)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.OutputBounds("SUM"),
              ElementsAre(Timestamp(6), Timestamp(11), Timestamp::Done()));
  EXPECT_THAT(harness.process_calls(), ElementsAre(Timestamp(10)));
}

TEST(CalculatorHarnessTest, SidePacketsHeadersAndServicesGoInAndOut) {
  CalculatorHarness harness(R"pb(
    calculator: "AddCalculator"
    input_stream: "IN:a"
    output_stream: "SUM:sum"
    output_stream: "TEXT:text"
    input_side_packet: "START:start"
    output_side_packet: "COUNT:count"
  )pb");
  harness.SetSidePacket("START", MakePacket<int>(100));
  harness.SetHeader("IN", MakePacket<std::string>("header"));
  SYNCLINE_ASSERT_OK(
      harness.SetService(kPrefix, std::make_shared<std::string>("sum ")));
  harness.Feed("IN", {Number(1, 10)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(harness.Output("TEXT")[0].Get<std::string>(), "sum 101");
  EXPECT_EQ(harness.OutputHeader("SUM").Get<std::string>(), "header");
  EXPECT_EQ(harness.OutputSidePacket("COUNT").Get<int>(), 1);
}

TEST(CalculatorHarnessTest, AnOptionalSidePacketMayBeLeftOut) {
  CalculatorHarness harness(R"pb(
    calculator: "AddCalculator"
    input_stream: "IN:a"
    output_stream: "SUM:sum"
    input_side_packet: "START:start"
  )pb");
  harness.Feed("IN", {Number(1, 10)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(Shown(harness.Output("SUM")), "1@10 ");
}

TEST(CalculatorHarnessTest, ErrorsAreAsAGraphWordsThem) {
  CalculatorHarness harness(kAdd);
  harness.Feed("IN", {Number(1, 10), Number(-1, 20)});
  EXPECT_THAT(harness.Run(),
              StatusIs(StatusCode::kOutOfRange,
                       "Calculator::Process() for node \"AddCalculator\" "
                       "failed: negative sum (at timestamp 20)"));
  EXPECT_EQ(Shown(harness.Output("SUM")), "1@10 ") << "what came before";

  EXPECT_THAT(CalculatorHarness(R"pb(calculator: "AddCalculater")pb").Run(),
              StatusIs(StatusCode::kNotFound,
                       AllOf(HasSubstr("Unable to find Calculator "
                                       "\"AddCalculater\""),
                             HasSubstr("AddCalculator"))));
  EXPECT_THAT(CalculatorHarness(R"pb(calculator: "AddCalculator"
                                     input_stream: "INPUT:a")pb")
                  .Run(),
              StatusIs(StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("AddCalculator::GetContract failed to "
                                       "validate: "),
                             HasSubstr("\"INPUT\""), HasSubstr("\"SUM\""))));
  EXPECT_THAT(CalculatorHarness("calculator: ").Run(),
              StatusIs(StatusCode::kInvalidArgument));
}

TEST(CalculatorHarnessTest, WhatTheTestGivesIsCheckedToo) {
  {
    CalculatorHarness harness(kAdd);
    harness.Feed("INN", {Number(1, 1)});
    EXPECT_THAT(harness.Run(),
                StatusIs(StatusCode::kInvalidArgument,
                         AllOf(HasSubstr("\"INN\""), HasSubstr("\"IN:1\""))));
  }
  {
    CalculatorHarness harness(kAdd);
    harness.Feed("IN", {Number(1, 2), Number(1, 1)});
    EXPECT_THAT(harness.Run(), StatusIs(StatusCode::kInvalidArgument,
                                        HasSubstr("is 3 but received 1")));
  }
  {
    CalculatorHarness harness(kAdd);
    harness.Feed("IN", {MakePacket<float>(1).At(Timestamp(1))});
    EXPECT_THAT(harness.Run(),
                StatusIs(StatusCode::kInvalidArgument, HasSubstr("\"float\"")));
  }
  {
    CalculatorHarness harness(kAdd);
    harness.SetSidePacket("START", MakePacket<int>(1));
    EXPECT_THAT(harness.Run(),
                StatusIs(StatusCode::kInvalidArgument, HasSubstr("\"START\"")));
  }
}

TEST(CalculatorHarnessDeathTest,
     AskingForAPortThatIsNotThereNamesThoseThatAre) {
  CalculatorHarness harness(kAdd);
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.Output("SUM"), IsEmpty());
  EXPECT_DEATH(harness.Output("SUMS"), "\"SUMS\".*it has \"SUM\"");
}

// What it does is said by its options.
class ScriptedCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& type : cc->Inputs()) type.Set<int>();
    for (PacketType& type : cc->Outputs()) type.Set<int>();
    const std::string& script = Script(*cc);
    if (script == "immediate") {
      cc->SetInputStreamHandler("ImmediateInputStreamHandler");
    }
    if (script == "sync_set") {
      cc->SetInputStreamHandler("SyncSetInputStreamHandler");
    }
    cc->SetProcessTimestampBounds(script == "bounds");
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    if (Script(*cc) == "close_in_open") cc->Outputs().Index(0).Close();
    return Script(*cc) == "stop_in_open" ? tool::StatusStop()
                                         : absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const std::string& script = Script(*cc);
    ++calls_;
    if (script == "source") {
      if (calls_ > 3) return tool::StatusStop();
      Send(cc, Timestamp(calls_ * 10));
    } else if (script == "go_back") {
      Send(cc, Timestamp(20 - calls_));
    } else if (script == "lower_bound") {
      cc->Outputs().Index(0).SetNextTimestampBound(Timestamp(20 - calls_));
    } else if (script == "stop") {
      Send(cc, cc->InputTimestamp());
      return tool::StatusStop();
    } else if (script == "two_errors") {
      cc->Outputs().Index(0).AddPacket(MakePacket<int>(1));
      return absl::AbortedError("returned");
    } else if (script == "immediate") {
      for (const InputStreamShard& input : cc->Inputs()) {
        if (!input.IsEmpty()) cc->GetCounter(input.Name())->Increment();
      }
    } else if (script == "endless" || script == "close_in_open") {
      Send(cc, Timestamp(calls_));
    }
    return absl::OkStatus();
  }

  absl::Status Close(CalculatorContext* cc) override {
    if (Script(*cc) == "two_errors") Send(cc, Timestamp(99));
    return absl::OkStatus();
  }

 private:
  template <typename C>
  static const std::string& Script(const C& cc) {
    return cc.template Options<PacketGeneratorWrapperCalculatorOptions>()
        .packet_generator();
  }
  static void Send(CalculatorContext* cc, Timestamp timestamp) {
    cc->Outputs().Index(0).AddPacket(MakePacket<int>(1).At(timestamp));
  }

  int calls_ = 0;
};
REGISTER_CALCULATOR(ScriptedCalculator);

CalculatorGraphConfig::Node Scripted(const std::string& script, int inputs) {
  CalculatorGraphConfig::Node node;
  node.set_calculator("ScriptedCalculator");
  for (int i = 0; i < inputs; ++i) {
    node.add_input_stream("in" + std::to_string(i));
  }
  node.add_output_stream("out");
  node.mutable_options()
      ->MutableExtension(PacketGeneratorWrapperCalculatorOptions::ext)
      ->set_packet_generator(script);
  return node;
}

TEST(CalculatorHarnessTest, ASourceIsCalledUntilItStops) {
  CalculatorHarness harness(Scripted("source", 0));
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(Shown(harness.Output("")), "1@10 1@20 1@30 ");
  EXPECT_EQ(harness.process_calls(), std::vector<Timestamp>(4, Timestamp(0)));
  EXPECT_FALSE(harness.stop_requested());
}

TEST(CalculatorHarnessTest, ASourceThatNeverStopsIsAnError) {
  CalculatorHarness harness(Scripted("endless", 0));
  harness.SetMaxSourceCalls(100);
  EXPECT_THAT(harness.Run(), StatusIs(StatusCode::kResourceExhausted,
                                      HasSubstr("ScriptedCalculator")));
}

TEST(CalculatorHarnessTest, AStopOfANodeWithInputsIsNotedAndInputsGoOn) {
  CalculatorHarness harness(Scripted("stop", 1));
  harness.Feed("", {Number(1, 1), Number(1, 2)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_TRUE(harness.stop_requested());
  EXPECT_EQ(Shown(harness.Output("")), "1@1 1@2 ");
}

TEST(CalculatorHarnessTest, AStopInOpenIsAnErrorAndProcessIsNotCalled) {
  CalculatorHarness harness(Scripted("stop_in_open", 1));
  harness.Feed("", {Number(1, 1)});
  EXPECT_THAT(harness.Run(),
              StatusIs(StatusCode::kInternal, HasSubstr("Calculator::Open()")));
  EXPECT_THAT(harness.process_calls(), IsEmpty());
}

TEST(CalculatorHarnessTest, MistakesAtOutputsAreErrorsAcrossCalls) {
  CalculatorHarness go_back(Scripted("go_back", 1));
  go_back.Feed("", {Number(1, 1), Number(1, 2)});
  EXPECT_THAT(go_back.Run(), StatusIs(StatusCode::kInvalidArgument,
                                      HasSubstr("is 20 but received 18")));
  CalculatorHarness lower_bound(Scripted("lower_bound", 1));
  lower_bound.Feed("", {Number(1, 1), Number(1, 2)});
  EXPECT_THAT(lower_bound.Run(),
              StatusIs(StatusCode::kUnknown,
                       AllOf(HasSubstr("18"), HasSubstr("19 already"))));
  CalculatorHarness closed(Scripted("close_in_open", 1));
  closed.Feed("", {Number(1, 1)});
  EXPECT_THAT(closed.Run(),
              StatusIs(StatusCode::kFailedPrecondition,
                       HasSubstr("Packet sent to closed stream \"out\"")));
}

TEST(CalculatorHarnessTest, AfterAnErrorWhatCloseSendsIsDropped) {
  CalculatorHarness harness(Scripted("two_errors", 1));
  harness.Feed("", {Number(1, 1)});
  EXPECT_THAT(
      harness.Run(),
      StatusIs(StatusCode::kUnknown, AllOf(HasSubstr("timestamp not specified"),
                                           HasSubstr("returned"))));
  EXPECT_THAT(harness.Output(""), IsEmpty());
}

TEST(CalculatorHarnessTest, BoundsCauseCallsWhereTheContractAsks) {
  CalculatorHarness harness(Scripted("bounds", 1));
  harness.Feed("", {Bound(1), Number(1, 2), Bound(7)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.process_calls(),
              ElementsAre(Timestamp(1), Timestamp(2), Timestamp(7)));
}

TEST(CalculatorHarnessTest, AnImmediateNodeTakesPacketsOneByOne) {
  CalculatorHarness harness(Scripted("immediate", 2));
  harness.Feed("", {Number(1, 1), Number(1, 2)});
  harness.Feed(":1", {Number(1, 2)});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(harness.process_calls(),
              ElementsAre(Timestamp(1), Timestamp(2), Timestamp(2)));
  EXPECT_EQ(harness.CounterValue("in0"), 2);
  EXPECT_EQ(harness.CounterValue("in1"), 1);
}

// Adds up how old its packets are, and says of each when it was acquired.
class AgesCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("IN").Set<int>();
    cc->KeepMessageTimes("IN");
    cc->Inputs().Tag("OTHER").Set<int>().Optional();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const InputStream& in = cc->Inputs().Tag("IN");
    const PacketTimes& times = in.MessageTimes();
    if (cc->Inputs().HasTag("OTHER")) {
      EXPECT_EQ(in.IsEmpty(), times == PacketTimes());
      EXPECT_EQ(cc->Inputs().Tag("OTHER").MessageTimes().arrival_ns, 9);
      return absl::OkStatus();
    }
    EXPECT_GE(times.arrival_ns, times.publication_ns);
    EXPECT_LE(times.arrival_ns, cc->Clock()->NowNs());
    age_ns_ += times.publication_ns - times.acquisition_ns;
    cc->Outputs().Index(0).AddPacket(
        Number(static_cast<int>(age_ns_), cc->InputTimestamp().Value()),
        {.acquisition_ns = times.acquisition_ns});
    return absl::OkStatus();
  }

 private:
  std::int64_t age_ns_ = 0;
};
REGISTER_CALCULATOR(AgesCalculator);

TEST(CalculatorHarnessTest, AnInputHasTheMessageTimesThatItWasFedWith) {
  CalculatorHarness harness(R"pb(
    calculator: "AgesCalculator"
    input_stream: "IN:in"
    output_stream: "age"
  )pb");
  harness.Feed("IN", {Number(1, 10), Number(2, 20)},
               {.acquisition_ns = -5, .publication_ns = 0, .arrival_ns = 0});
  harness.Feed("IN", {Bound(25), Number(3, 30)});
  for (int run = 0; run < 2; ++run) {
    SYNCLINE_ASSERT_OK(harness.Run());
    EXPECT_EQ(Shown(harness.Output("")), "5@10 10@20 10@30 ")
        << "without another time it is acquired when it is published";
    const std::vector<PacketTimes>& sent = harness.OutputTimes("");
    ASSERT_EQ(sent.size(), 3);
    EXPECT_EQ(sent[1].acquisition_ns, -5);
    EXPECT_EQ(sent[1].publication_ns, PacketTimes::kNone) << "not given";
    EXPECT_GE(sent[2].acquisition_ns, 0) << "by the clock";
  }
}

TEST(CalculatorHarnessTest, AnInputWithoutAPacketHasNoMessageTimes) {
  CalculatorHarness harness(R"pb(
    calculator: "AgesCalculator"
    input_stream: "IN:in"
    input_stream: "OTHER:other"
    output_stream: "age"
    input_stream_info { tag_index: "OTHER" message_times: true }
  )pb");
  harness.Feed("IN", {Number(1, 10)});
  harness.Feed("OTHER", {Number(1, 10), Number(1, 20)}, {.arrival_ns = 9});
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(harness.process_calls().size(), 2);
}

TEST(CalculatorHarnessTest, MessageTimesOfAPortThatIsNotThereAreAnError) {
  CalculatorHarness harness(R"pb(
    calculator: "AgesCalculator"
    input_stream: "IN:in"
    output_stream: "age"
    input_stream_info { tag_index: "IN:1" message_times: true }
  )pb");
  EXPECT_THAT(harness.Run(), StatusIs(StatusCode::kInvalidArgument,
                                      AllOf(HasSubstr("\"AgesCalculator\""),
                                            HasSubstr("\"IN:1\""))));
}

TEST(CalculatorHarnessTest, OtherRulesOfJoiningNeedAGraph) {
  EXPECT_THAT(CalculatorHarness(Scripted("sync_set", 2)).Run(),
              StatusIs(StatusCode::kUnimplemented,
                       HasSubstr("\"SyncSetInputStreamHandler\"")));
}

}  // namespace
}  // namespace syncline
