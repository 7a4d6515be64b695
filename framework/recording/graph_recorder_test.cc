// A graph that is recorded, played again and compared.

#include "framework/recording/graph_recorder.h"

#include <sys/resource.h>

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/packet_times.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/packet/type_map.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/recording/graph_player.h"
#include "framework/recording/recording_reader.h"
#include "framework/recording/recording_test_support.h"
#include "framework/recording/replay_check.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// The sum of all numbers so far, times a factor.
class SumCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->InputSidePackets().Tag("FACTOR").Set<int>();
    cc->SetTimestampOffset(0);
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    sum_ += cc->Inputs().Index(0).Get<int>();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(sum_ * cc->InputSidePackets().Tag("FACTOR").Get<int>())
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

 private:
  int sum_ = 0;
};
REGISTER_CALCULATOR(SumCalculator);

struct Opaque {};

class MakeOpaqueCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    cc->Outputs().Index(0).Set<Opaque>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(MakeOpaqueCalculator);

// A type whose values cannot always be written.
struct Odd {
  int value;
};
SYNCLINE_REGISTER_TYPE(
    Odd, "::syncline::Odd",
    [](const Packet& packet, std::string* bytes) -> absl::Status {
      const int value = packet.Get<Odd>().value;
      if (value % 2 == 0) throw std::runtime_error("it is even");
      *bytes = absl::StrCat(value);
      return absl::OkStatus();
    },
    nullptr);

CalculatorGraphConfig SumGraph(int threads) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "a"
    input_stream: "b"
    node {
      calculator: "SumCalculator"
      input_stream: "a"
      output_stream: "sums"
      input_side_packet: "FACTOR:factor"
    }
    node {
      calculator: "SumCalculator"
      input_stream: "b"
      output_stream: "others"
      input_side_packet: "FACTOR:factor"
    }
  )pb");
  config.set_num_threads(threads);
  return config;
}

using SidePackets = std::map<std::string, Packet>;

SidePackets Factor(int factor) { return {{"factor", MakePacket<int>(factor)}}; }

// Ten packets into each input, recorded.
void Record(const std::string& path, const RecordingOptions& options,
            int threads = 2) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(SumGraph(threads)));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recorder,
                                GraphRecorder::Create(&graph, path, options));
  SYNCLINE_ASSERT_OK(recorder->Start(Factor(3)));
  SYNCLINE_ASSERT_OK(graph.StartRun(Factor(3)));
  for (int i = 1; i <= 10; ++i) {
    SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
        "a", MakePacket<int>(i).At(Timestamp(10 * i))));
    SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
        "b", MakePacket<int>(100 * i).At(Timestamp(10 * i))));
  }
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  const absl::Status run = graph.WaitUntilDone();
  SYNCLINE_ASSERT_OK(run);
  SYNCLINE_ASSERT_OK(recorder->Finish(run));
}

RecordingOptions Everything() {
  RecordingOptions options;
  options.streams = {"*"};
  return options;
}

// Plays into a graph with this factor, and compares.
absl::Status Replay(const std::string& path, int factor, int threads = 2,
                    const PlayOptions& options = {}) {
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(graph.Initialize(SumGraph(threads)));
  SYNCLINE_ASSIGN_OR_RETURN(auto recording, RecordingReader::Open(path));
  SYNCLINE_RETURN_IF_ERROR(CheckFits(*recording, graph.plan()));
  RecordingRange range;
  range.from = options.from;
  range.to = options.to;
  SYNCLINE_ASSIGN_OR_RETURN(auto check,
                            ReplayCheck::Create(&graph, path, range));
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun(Factor(factor)));
  SYNCLINE_RETURN_IF_ERROR(PlayRecording(*recording, &graph, options));
  SYNCLINE_RETURN_IF_ERROR(graph.WaitUntilDone());
  return check->Finish();
}

TEST(GraphRecorderTest, InputsAreRecordedByDefaultInTheirOrder) {
  const std::string path = NewPath("inputs.syncline");
  Record(path, {});
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
  EXPECT_EQ(recording->ended(), "OK");
  ASSERT_EQ(recording->header().streams.size(), 2u);
  EXPECT_EQ(recording->header().streams[0].type, "int");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const SidePackets side_packets,
                                RecordedSidePackets(*recording));
  EXPECT_EQ(side_packets.at("factor").Get<int>(), 3);
  RecordingRange range;
  range.packets_only = true;
  SYNCLINE_ASSERT_OK_AND_ASSIGN(RecordingEvents events,
                                recording->Events(range));
  RecordedEvent event;
  for (int i = 1; i <= 10; ++i) {
    for (const int stream : {0, 1}) {
      SYNCLINE_ASSERT_OK_AND_ASSIGN(const bool more, events.Next(&event));
      ASSERT_TRUE(more);
      EXPECT_EQ(event.stream, stream);
      EXPECT_EQ(event.timestamp, Timestamp(10 * i));
    }
  }
}

TEST(GraphRecorderTest, AReplayIsTheSameForAnyNumberOfThreads) {
  for (const int threads : {1, 2, 8}) {
    const std::string path = NewPath("same.syncline");
    Record(path, Everything(), threads);
    for (const int replay_threads : {1, 2, 8}) {
      SYNCLINE_EXPECT_OK(Replay(path, 3, replay_threads));
    }
  }
}

TEST(GraphRecorderTest, TheFirstDifferenceIsShownWithWhatIsAroundIt) {
  const std::string path = NewPath("difference.syncline");
  Record(path, Everything());
  const absl::Status status = Replay(path, 4);
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("\"sums\" differs from the recording at its "
                              "packet 1, timestamp 10"),
                    HasSubstr("rec                    10  3\n"),
                    HasSubstr("now                    10  4\n"),
                    HasSubstr("rec                    20  9\n"),
                    HasSubstr("1 more of the recorded streams differs")));
}

TEST(GraphRecorderTest, WhatIsMissingIsADifference) {
  const std::string path = NewPath("missing.syncline");
  Record(path, Everything());
  PlayOptions options;
  int packets = 0;
  options.before_packet = [&](const RecordedEvent&, const Packet&) {
    return ++packets <= 11;
  };
  const absl::Status status = Replay(path, 3, 2, options);
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("\"others\" differs from the recording at its "
                              "packet 6"),
                    HasSubstr("now   has ended")));
}

TEST(GraphRecorderTest, APartIsPlayedAndCompared) {
  const std::string path = NewPath("part.syncline");
  Record(path, Everything());
  PlayOptions options;
  options.to = Timestamp(50);
  SYNCLINE_EXPECT_OK(Replay(path, 3, 2, options));
}

// Sends when its packets were acquired and published.
class TimesCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).Set<std::vector<std::int64_t>>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const PacketTimes& times = cc->Inputs().Index(0).MessageTimes();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::vector<std::int64_t>>(
            std::vector<std::int64_t>{times.acquisition_ns,
                                      times.publication_ns})
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(TimesCalculator);

CalculatorGraphConfig TimesGraph() {
  return ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "in"
    node {
      calculator: "TimesCalculator"
      input_stream: "in"
      output_stream: "times"
      input_stream_info { tag_index: ":0" message_times: true }
    }
  )pb");
}

// One packet with both times, one with an acquisition, one without any.
void RecordTimes(const std::string& path) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(TimesGraph()));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      auto recorder, GraphRecorder::Create(&graph, path, Everything()));
  SYNCLINE_ASSERT_OK(recorder->Start({}));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  const auto add = [&graph](int i, const PacketTimes& times) {
    SYNCLINE_EXPECT_OK(graph.AddPacketToInputStream(
        "in", MakePacket<int>(i).At(Timestamp(i)), times));
  };
  add(1, {.acquisition_ns = 17, .publication_ns = 40});
  add(2, {.acquisition_ns = 23});
  add(3, {});
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  const absl::Status run = graph.WaitUntilDone();
  SYNCLINE_ASSERT_OK(run);
  SYNCLINE_ASSERT_OK(recorder->Finish(run));
}

absl::Status ReplayTimes(const std::string& path) {
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(graph.Initialize(TimesGraph()));
  SYNCLINE_ASSIGN_OR_RETURN(auto recording, RecordingReader::Open(path));
  SYNCLINE_ASSIGN_OR_RETURN(auto check, ReplayCheck::Create(&graph, path, {}));
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun({}));
  SYNCLINE_RETURN_IF_ERROR(PlayRecording(*recording, &graph, {}));
  SYNCLINE_RETURN_IF_ERROR(graph.WaitUntilDone());
  return check->Finish();
}

TEST(GraphRecorderTest, MessageTimesAreRecordedAndPlayedAgain) {
  const std::string path = NewPath("times.syncline");
  RecordTimes(path);
  SYNCLINE_EXPECT_OK(ReplayTimes(path));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
  RecordingRange range;
  range.stream = recording->FindStream("in");
  range.packets_only = true;
  SYNCLINE_ASSERT_OK_AND_ASSIGN(RecordingEvents events,
                                recording->Events(range));
  RecordedEvent event;
  ASSERT_TRUE(events.Next(&event).value());
  EXPECT_EQ(event.times.acquisition_ns, 17);
  EXPECT_EQ(event.times.publication_ns, 40);
  ASSERT_TRUE(events.Next(&event).value());
  EXPECT_EQ(event.times.acquisition_ns, 23);
  EXPECT_GT(event.times.publication_ns, 40);
  ASSERT_TRUE(events.Next(&event).value());
  EXPECT_EQ(event.times.acquisition_ns, event.times.publication_ns);
}

TEST(GraphRecorderTest, ARecordingOfAnOlderVersionIsPlayedWithoutTimes) {
  const std::string path = NewPath("old_times.syncline");
  RecordTimes(path);
  SYNCLINE_ASSERT_OK(
      ChangeRecording(path, "DROP TABLE packet_time; PRAGMA user_version = 3"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(RecordingEvents events, recording->Events({}));
  RecordedEvent event;
  ASSERT_TRUE(events.Next(&event).value());
  EXPECT_EQ(event.times, PacketTimes());
  // The clock of the replay is another.
  EXPECT_THAT(ReplayTimes(path).message(),
              HasSubstr("stream \"times\" differs"));
}

// A process may have a thousand files open, and a graph more streams.
TEST(GraphRecorderTest, AThousandStreamsAreComparedWithFewOpenFiles) {
  constexpr int kStreams = 1'000;
  CalculatorGraphConfig config;
  config.add_input_stream("s0");
  for (int i = 1; i <= kStreams; ++i) {
    CalculatorGraphConfig::Node* const node = config.add_node();
    node->set_calculator("SumCalculator");
    node->add_input_side_packet("FACTOR:factor");
    node->add_input_stream(absl::StrCat("s", i - 1));
    node->add_output_stream(absl::StrCat("s", i));
  }
  const std::string path = NewPath("streams.syncline");
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few = {64, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  {
    CalculatorGraph graph;
    SYNCLINE_ASSERT_OK(graph.Initialize(config));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(
        auto recorder, GraphRecorder::Create(&graph, path, Everything()));
    SYNCLINE_ASSERT_OK(recorder->Start(Factor(1)));
    SYNCLINE_ASSERT_OK(graph.StartRun(Factor(1)));
    for (int i = 1; i <= 3; ++i) {
      SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
          "s0", MakePacket<int>(i).At(Timestamp(i))));
    }
    SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
    const absl::Status run = graph.WaitUntilDone();
    SYNCLINE_ASSERT_OK(run);
    SYNCLINE_ASSERT_OK(recorder->Finish(run));
  }
  {
    CalculatorGraph graph;
    SYNCLINE_ASSERT_OK(graph.Initialize(config));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(auto check,
                                  ReplayCheck::Create(&graph, path, {}));
    SYNCLINE_ASSERT_OK(graph.StartRun(Factor(1)));
    SYNCLINE_ASSERT_OK(PlayRecording(*recording, &graph, {}));
    SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
    SYNCLINE_EXPECT_OK(check->Finish());
    EXPECT_EQ(check->packets(), 3 * kStreams);
  }
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST(GraphRecorderTest, ARecordingOfAnotherGraphIsRefused) {
  const std::string path = NewPath("other.syncline");
  Record(path, {});
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        input_stream: "a"
        input_stream: "c"
      )pb")));
  const absl::Status status = CheckFits(*recording, graph.plan());
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr("this one has no input \"b\""),
                    HasSubstr("no packets for the input \"c\"")));
  EXPECT_THAT(ReplayCheck::Create(&graph, path, {}).status().message(),
              HasSubstr("inputs of the graph only"));
}

TEST(GraphRecorderTest, AGraphWithoutInputsNeedsStreamsToBeChosen) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(CalculatorGraphConfig()));
  EXPECT_THAT(GraphRecorder::Create(&graph, NewPath("no_inputs.syncline"), {})
                  .status()
                  .message(),
              AllOf(HasSubstr("has no inputs to record"),
                    HasSubstr("--record_streams")));
}

TEST(GraphRecorderTest, ATypeWithoutBytesIsRefusedAtTheStart) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        input_stream: "a"
        node {
          calculator: "MakeOpaqueCalculator"
          input_stream: "a"
          output_stream: "opaque"
        }
      )pb")));
  RecordingOptions options;
  options.streams = {"opaque"};
  const std::string path = NewPath("opaque.syncline");
  EXPECT_THAT(GraphRecorder::Create(&graph, path, options).status().message(),
              AllOf(HasSubstr("\"opaque\" cannot be recorded"),
                    HasSubstr("Opaque"), HasSubstr("SYNCLINE_REGISTER_TYPE")));
  options.streams = {"nothing"};
  EXPECT_EQ(GraphRecorder::Create(&graph, path, options).status().code(),
            absl::StatusCode::kNotFound);
  // "*" leaves such streams out.
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      auto recorder, GraphRecorder::Create(&graph, path, Everything()));
  EXPECT_EQ(recorder->streams().size(), 1u);
}

TEST(GraphRecorderTest, APacketThatCannotBeWrittenEndsTheRunAndIsNamed) {
  const std::string path = NewPath("odd.syncline");
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
        input_stream: "in"
      )pb")));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recorder,
                                GraphRecorder::Create(&graph, path, {}));
  SYNCLINE_ASSERT_OK(recorder->Start({}));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  for (const int i : {1, 3, 4}) {
    SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
        "in", MakePacket<Odd>(Odd{i}).At(Timestamp(i))));
  }
  // The run has the error once the packet was to be written.
  while (!graph.HasError()) absl::SleepFor(absl::Milliseconds(1));
  graph.CloseAllInputStreams().IgnoreError();
  const absl::Status run = graph.WaitUntilDone();
  EXPECT_THAT(run.message(),
              AllOf(HasSubstr("recording failed"),
                    HasSubstr("stream \"in\" at 4"), HasSubstr("it is even")));
  EXPECT_THAT(recorder->Finish(run).message(), HasSubstr("it is even"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
  EXPECT_FALSE(recording->ended().has_value());
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto summaries, recording->Summarize());
  EXPECT_EQ(summaries[0].packets, 2);
}

TEST(GraphRecorderTest, EachRunOfAGraphHasARecorderOfItsOwn) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(SumGraph(2)));
  std::vector<std::unique_ptr<GraphRecorder>> recorders;
  for (const int run : {1, 2}) {
    const std::string path = NewPath(absl::StrCat("run", run, ".syncline"));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recorder,
                                  GraphRecorder::Create(&graph, path, {}));
    SYNCLINE_ASSERT_OK(recorder->Start(Factor(1)));
    EXPECT_EQ(recorder->Start(Factor(1)).code(),
              absl::StatusCode::kFailedPrecondition);
    SYNCLINE_ASSERT_OK(graph.StartRun(Factor(1)));
    for (int i = 0; i < run; ++i) {
      SYNCLINE_ASSERT_OK(graph.AddPacketToInputStream(
          "a", MakePacket<int>(i).At(Timestamp(i))));
    }
    SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
    SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
    SYNCLINE_ASSERT_OK(recorder->Finish(absl::OkStatus()));
    const absl::Status again = recorder->Start(Factor(1));
    EXPECT_EQ(again.code(), absl::StatusCode::kFailedPrecondition);
    EXPECT_THAT(again.message(), AllOf(HasSubstr(path), HasSubstr("for each")));
    recorders.push_back(std::move(recorder));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto summaries, recording->Summarize());
    EXPECT_EQ(summaries[0].packets, run);
  }
  EXPECT_EQ(recorders[0]->counts().packets, 1);
}

TEST(GraphRecorderTest, AFileThatCannotBeWrittenEndsTheRun) {
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(SumGraph(2)));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(
      auto recorder, GraphRecorder::Create(&graph, "/no/such/folder/file", {}));
  EXPECT_THAT(recorder->Start({}).message(), HasSubstr("/no/such/folder/file"));
}

TEST(GraphRecorderTest, ARecorderThatIsNotFinishedSaysSo) {
  const std::string path = NewPath("unfinished.syncline");
  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(SumGraph(2)));
  {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recorder,
                                  GraphRecorder::Create(&graph, path, {}));
    SYNCLINE_ASSERT_OK(recorder->Start(Factor(1)));
    SYNCLINE_ASSERT_OK(graph.StartRun(Factor(1)));
    SYNCLINE_ASSERT_OK(
        graph.AddPacketToInputStream("a", MakePacket<int>(1).At(Timestamp(1))));
  }
  // The graph goes on without it.
  SYNCLINE_ASSERT_OK(
      graph.AddPacketToInputStream("a", MakePacket<int>(1).At(Timestamp(2))));
  SYNCLINE_ASSERT_OK(graph.CloseAllInputStreams());
  SYNCLINE_ASSERT_OK(graph.WaitUntilDone());
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
  EXPECT_THAT(recording->ended().value(), HasSubstr("destroyed before Finish"));
}

}  // namespace
}  // namespace syncline
