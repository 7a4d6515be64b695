// Small graphs whose results are worked out by hand. Joins are in
// reference_join_test.
#include "testing/reference_run.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/reference_test_support.h"

namespace syncline {
namespace {

using testing::HasSubstr;

// Sends 0, 1, 2 at 0, 10, 20 and stops with the last. "endless" does not.
class CountCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Outputs().Index(0).Set<int>();
    for (PacketType& type : cc->InputSidePackets()) type.Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(next_).At(Timestamp(10 * next_)));
    ++next_;
    return next_ == 3 && cc->NodeName() != "endless" ? tool::StatusStop()
                                                     : absl::OkStatus();
  }

 private:
  int next_ = 0;
};
REGISTER_CALCULATOR(CountCalculator);

// Passes even numbers on, 5 later; the offset says so unless the node is called
// "silent".
class EvenLaterCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    if (cc->GetNodeName() != "silent") cc->SetTimestampOffset(5);
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const Packet& packet = cc->Inputs().Index(0).Value();
    if (packet.Get<int>() % 2 != 0) return absl::OkStatus();
    cc->Outputs().Index(0).AddPacket(packet.At(packet.Timestamp() + 5));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(EvenLaterCalculator);

// Passes packets on. Fails at 13, stops the graph at 7, and sends -1 in Close
// at PostStream if it sent nothing. The first number goes into side packet.
class WatchCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    for (PacketType& type : cc->OutputSidePackets()) type.Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const Packet& packet = cc->Inputs().Index(0).Value();
    if (packet.Get<int>() == 13) return absl::DataLossError("it is 13");
    cc->Outputs().Index(0).AddPacket(packet);
    if (cc->OutputSidePackets().NumEntries() > 0 && !has_sent_) {
      cc->OutputSidePackets().Index(0).Set(packet.At(Timestamp::Unset()));
    }
    has_sent_ = true;
    return packet.Get<int>() == 7 ? tool::StatusStop() : absl::OkStatus();
  }
  absl::Status Close(CalculatorContext* cc) override {
    if (has_sent_) return absl::OkStatus();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(-1).At(Timestamp::PostStream()));
    return absl::OkStatus();
  }

 private:
  bool has_sent_ = false;
};
REGISTER_CALCULATOR(WatchCalculator);

// Adds a side packet to each number. A header says what it adds.
class AddSideCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->InputSidePackets().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    cc->Outputs().Index(0).SetHeader(cc->InputSidePackets().Index(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const int sum = cc->Inputs().Index(0).Get<int>() +
                    cc->InputSidePackets().Index(0).Get<int>() +
                    (cc->Inputs().Index(0).Header().IsEmpty()
                         ? 0
                         : 100 * cc->Inputs().Index(0).Header().Get<int>());
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(sum).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(AddSideCalculator);

// MAIN plus LOOP, at the time of MAIN.
class SumsMainCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("MAIN").Set<int>();
    cc->Inputs().Tag("LOOP").Set<int>();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const Packet& main = cc->Inputs().Tag("MAIN").Value();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(main.Get<int>() + cc->Inputs().Tag("LOOP").Get<int>())
            .At(main.Timestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(SumsMainCalculator);

// Sends 1000 at Min in Open, then what it gets.
class FirstCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(1000).At(Timestamp::Min()));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(FirstCalculator);

TEST(ReferenceRunTest, AnOffsetMovesBoundsWithoutPackets) {
  // The number 1, at 10, is odd and swallowed. The node that asks for bounds
  // hears of it if there is an offset: all up to 10 + 5 is settled.
  const auto run = [&](const std::string& name) {
    return Text(RunGraph(absl::StrCat(R"(
        node { calculator: "CountCalculator" output_stream: "count" }
        node { calculator: "EvenLaterCalculator" input_stream: "count"
               output_stream: "later" name: ")",
                                      name, R"(" }
        node { calculator: "TellCalculator" name: "bounds"
               input_stream: "later" output_stream: "out" })")),
                "out");
  };
  EXPECT_EQ(run("offset"), "5:0 | 15:- | 25:2 ||");
  EXPECT_EQ(run("silent"), "5:0 | 25:2 ||");
}

TEST(ReferenceRunTest, ABackEdgeBringsTheLastResult) {
  const auto result = RunGraph(R"(
    input_stream: "a"
    node { calculator: "SumsMainCalculator" input_stream: "MAIN:a"
           input_stream: "LOOP:loop" output_stream: "sum"
           input_stream_info { tag_index: "LOOP" back_edge: true }
           input_stream_handler {
             input_stream_handler: "BarrierInputStreamHandler" } }
    node { calculator: "FirstCalculator" input_stream: "sum"
           output_stream: "loop" })",
                               InputsOf({{"a", {{T(1), 1}, {T(2), 2}}}}));
  EXPECT_EQ(Text(result, "sum"), "1:1001 | 2:1003 ||");
  EXPECT_EQ(Text(result, "loop"), "Timestamp::Min():1000 | 1:1001 | 2:1003 ||");
}

TEST(ReferenceRunTest, ALoopThatWaitsForItselfIsLeftOpen) {
  const auto result = RunGraph(R"(
    input_stream: "a"
    node { calculator: "SumsMainCalculator" input_stream: "MAIN:a"
           input_stream: "LOOP:loop" output_stream: "sum"
           input_stream_info { tag_index: "LOOP" back_edge: true } }
    node { calculator: "WatchCalculator" input_stream: "sum"
           output_stream: "loop" })",
                               InputsOf({{"a", {{T(1), 1}}}}));
  SYNCLINE_ASSERT_OK(result.status());
  SYNCLINE_EXPECT_OK(result->status);
  EXPECT_EQ(Text(result, "sum"), "");
  // Close is called at the end of the run, but what it sends reaches nobody.
  EXPECT_EQ(Text(result, "loop"), "");
}

constexpr char kSidePacket[] = R"(
    input_stream: "a"
    node { calculator: "AddSideCalculator" input_stream: "a"
           output_stream: "sum" input_side_packet: "first" }
    node { calculator: "AddSideCalculator" input_stream: "sum"
           output_stream: "out" input_side_packet: "given" }
    node { calculator: "WatchCalculator" input_stream: "a"
           output_stream: "watched" output_side_packet: "first" })";

TEST(ReferenceRunTest, ANodeOpensWhenItsSidePacketIsThere) {
  ReferenceInputs inputs = InputsOf({{"a", {{T(1), 5}, {T(2), 6}}}});
  inputs.side_packets["given"] = MakePacket<int>(30);
  const auto result = RunGraph(kSidePacket, inputs);
  EXPECT_EQ(Text(result, "sum"), "1:10 | 2:11 ||");
  // The header of `sum` is 5.
  EXPECT_EQ(Text(result, "out"), "1:540 | 2:541 ||");
  ASSERT_EQ(result->side_packets.count("first"), 1);
  EXPECT_EQ(result->side_packets.at("first").Get<int>(), 5);
}

TEST(ReferenceRunTest, ASidePacketThatIsMissingIsAnError) {
  EXPECT_EQ(RunGraph(kSidePacket).status().code(),
            absl::StatusCode::kInvalidArgument);
}

TEST(ReferenceRunTest, PreStreamComesFirstAndAlone) {
  EXPECT_EQ(Text(RunGraph(Join("", R"(input_stream: "a")"),
                          InputsOf({{"a", {{Timestamp::PreStream(), 1}}}})),
                 "out"),
            "Timestamp::PreStream():1 ||");
  // The other stream goes on. What comes of it cannot go out any more: nothing
  // follows a packet at PreStream.
  const auto result = RunGraph(
      Join("", kPortsAB),
      InputsOf({{"a", {{Timestamp::PreStream(), 1}}}, {"b", {{T(10), 2}}}}));
  EXPECT_EQ(Text(result, "out"), "Timestamp::PreStream():1 -");
  EXPECT_EQ(result->status.code(), absl::StatusCode::kInvalidArgument);
}

TEST(ReferenceRunTest, PostStreamComesWhenAllElseIsOver) {
  const auto result = RunGraph(R"(
      input_stream: "a" input_stream: "b"
      node { calculator: "WatchCalculator" input_stream: "a"
             output_stream: "last" }
      node { calculator: "TellCalculator" input_stream: "last"
             input_stream: "b" output_stream: "out" name: "join" })",
                               InputsOf({{"a", {}}, {"b", {}}}));
  EXPECT_EQ(Text(result, "last"), "Timestamp::PostStream():-1 ||");
  EXPECT_EQ(Text(result, "out"), "Timestamp::PostStream():-1 - ||");
}

TEST(ReferenceRunTest, SourcesSendUntilTheyStop) {
  EXPECT_EQ(Text(RunGraph(R"(node { calculator: "CountCalculator"
                               output_stream: "out" })"),
                 "out"),
            "0:0 | 10:1 | 20:2 ||");
}

TEST(ReferenceRunTest, ALaterLayerBeginsWhenTheEarlierIsOver) {
  // The side packet of the first layer's numbers opens the second's source.
  const std::string graph = R"(
      node { calculator: "CountCalculator" output_stream: "a" }
      node { calculator: "WatchCalculator" input_stream: "a"
             output_stream: "b" output_side_packet: "first" }
      node { calculator: "CountCalculator" output_stream: "out"
             source_layer: LAYER input_side_packet: "first" })";
  const auto run = [&](int first_layer, int second_layer) {
    std::string text = graph;
    text.replace(text.find("LAYER"), 5, absl::StrCat(second_layer));
    text.replace(text.find("output_stream: \"a\""), 0,
                 absl::StrCat("source_layer: ", first_layer, " "));
    return RunGraph(text);
  };
  EXPECT_EQ(Text(run(0, 1), "out"), "0:0 | 10:1 | 20:2 ||");
  EXPECT_EQ(Text(run(0, 0), "out"), "0:0 | 10:1 | 20:2 ||");
  const auto inverted = run(1, 0);
  SYNCLINE_ASSERT_OK(inverted.status());
  EXPECT_THAT(inverted->status.ToString(), HasSubstr("deadlock"));
}

TEST(ReferenceRunTest, CallsThatMayOverlapGiveTheSame) {
  EXPECT_EQ(Text(RunGraph(R"(input_stream: "a"
                  node { calculator: "TellCalculator" input_stream: "a"
                         output_stream: "out" max_in_flight: 4 name: "four" })",
                          InputsOf({{"a", {{T(1), 1}, {T(2), 2}, {T(3), 3}}}})),
                 "out"),
            "1:1 | 2:2 | 3:3 ||");
}

constexpr char kTwoWatch[] = R"(
    input_stream: "a" input_stream: "b"
    node { calculator: "CountCalculator" output_stream: "count"
           name: "endless" }
    node { calculator: "WatchCalculator" input_stream: "a" output_stream: "x" }
    node { calculator: "WatchCalculator" input_stream: "b" output_stream: "y" })";

TEST(ReferenceRunTest, AStopOfANodeEndsTheSourcesAndNothingElse) {
  const auto result =
      RunGraph(kTwoWatch, InputsOf({{"a", {{T(1), 7}, {T(2), 8}}}, {"b", {}}}));
  SYNCLINE_ASSERT_OK(result.status());
  SYNCLINE_EXPECT_OK(result->status);
  EXPECT_EQ(Text(result, "x"), "1:7 | 2:8 ||");
  EXPECT_EQ(Text(result, "count"), " ||");
}

TEST(ReferenceRunTest, ASourceThatDoesNotStopIsGivenUp) {
  EXPECT_EQ(
      RunGraph(kTwoWatch, InputsOf({{"a", {}}, {"b", {}}}), {.max_calls = 100})
          .status()
          .code(),
      absl::StatusCode::kResourceExhausted);
}

TEST(ReferenceRunTest, TheFirstErrorEndsTheRun) {
  const auto result =
      RunGraph(kTwoWatch, InputsOf({{"a", {{T(1), 1}, {T(2), 13}, {T(3), 3}}},
                                    {"b", {{T(1), 1}}}}));
  SYNCLINE_ASSERT_OK(result.status());
  EXPECT_EQ(result->status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(result->status.ToString(), HasSubstr("it is 13"));
  EXPECT_EQ(result->errors.size(), 1);
  EXPECT_EQ(Text(result, "x"), "1:1");
  EXPECT_EQ(Text(result, "y"), "");
}

TEST(ReferenceRunTest, OrAllOthersGoOnAsFarAsTheyCan) {
  const auto result =
      RunGraph(kTwoWatch,
               InputsOf({{"a", {{T(1), 1}, {T(2), 13}, {T(3), 3}}},
                         {"b", {{T(1), 1}, {T(2), 7}, {T(3), 13}}}}),
               {.stop_at_error = false});
  SYNCLINE_ASSERT_OK(result.status());
  EXPECT_EQ(result->errors.size(), 2);
  EXPECT_EQ(Text(result, "x"), "1:1");
  EXPECT_EQ(Text(result, "y"), "1:1 | 2:7");
}

TEST(ReferenceRunTest, InputsThatGoBackAreRefused) {
  EXPECT_EQ(
      RunGraph(Join("", kPortsAB), InputsOf({{"a", {{T(2), 1}, {T(2), 2}}}}))
          .status()
          .code(),
      absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(
      RunGraph(Join("", kPortsAB), InputsOf({{"nobody", {}}})).status().code(),
      absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace syncline
