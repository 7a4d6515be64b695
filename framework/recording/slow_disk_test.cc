// A graph whose recording cannot keep up, as its packets are larger than what
// may wait for the disk: it waits, or packets are left out and counted, and
// whoever replays the recording learns of it.

#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph/test_log_capture.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/recording/graph_player.h"
#include "framework/recording/graph_recorder.h"
#include "framework/recording/recording_file.h"
#include "framework/recording/recording_queue.h"
#include "framework/recording/recording_reader.h"
#include "framework/recording/recording_test_support.h"
#include "framework/recording/replay_check.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr std::int64_t kPackets = 100;
constexpr std::size_t kLarge = 100'000;

// Sends what it gets, with one character more.
class GrowCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<std::string>();
    cc->Outputs().Index(0).Set<std::string>();
    cc->SetTimestampOffset(0);
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::string>(cc->Inputs().Index(0).Get<std::string>() + "y")
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(GrowCalculator);

CalculatorGraphConfig TwoInputs(int threads) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "a"
    input_stream: "b"
    node { calculator: "GrowCalculator" input_stream: "a" output_stream: "c" }
    node { calculator: "GrowCalculator" input_stream: "b" output_stream: "d" }
  )pb");
  config.set_num_threads(threads);
  return config;
}

// One value for all, so sending costs nothing and writing does.
absl::Status Send(CalculatorGraph* graph, const std::string& input,
                  std::size_t bytes) {
  const Packet packet = MakePacket<std::string>(bytes, 'x');
  for (std::int64_t i = 1; i <= kPackets; ++i) {
    SYNCLINE_RETURN_IF_ERROR(
        graph->AddPacketToInputStream(input, packet.At(Timestamp(i))));
  }
  return graph->CloseInputStream(input);
}

// Two threads send `bytes` a packet while the graph is recorded with room for
// hardly one large packet.
GraphRecorder::Counts RecordSlowly(const std::string& path, int threads,
                                   RecordingQueue::WhenFull when_full,
                                   std::vector<std::string> streams) {
  CalculatorGraph graph;
  SYNCLINE_EXPECT_OK(graph.Initialize(TwoInputs(threads)));
  RecordingOptions options;
  options.streams = std::move(streams);
  options.when_full = when_full;
  options.max_waiting_bytes = 1;
  auto recorder = GraphRecorder::Create(&graph, path, options);
  SYNCLINE_EXPECT_OK(recorder.status());
  if (!recorder.ok()) return {};
  SYNCLINE_EXPECT_OK((*recorder)->Start({}));
  SYNCLINE_EXPECT_OK(graph.StartRun({}));
  std::thread other([&] { SYNCLINE_EXPECT_OK(Send(&graph, "b", kLarge)); });
  SYNCLINE_EXPECT_OK(Send(&graph, "a", kLarge));
  other.join();
  const absl::Status run = graph.WaitUntilDone();
  SYNCLINE_EXPECT_OK(run);
  SYNCLINE_EXPECT_OK((*recorder)->Finish(run));
  return (*recorder)->counts();
}

absl::Status Replay(const std::string& path, int threads,
                    const RecordingRange& range = {}) {
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(graph.Initialize(TwoInputs(threads)));
  SYNCLINE_ASSIGN_OR_RETURN(auto recording, RecordingReader::Open(path));
  SYNCLINE_ASSIGN_OR_RETURN(auto check,
                            ReplayCheck::Create(&graph, path, range));
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun({}));
  SYNCLINE_RETURN_IF_ERROR(PlayRecording(*recording, &graph, {}));
  SYNCLINE_RETURN_IF_ERROR(graph.WaitUntilDone());
  return check->Finish();
}

TEST(SlowDiskTest, TheGraphWaitsLosesNothingAndTheLogSaysSoOnce) {
  for (const int threads : {1, 2, 8}) {
    const std::string path = NewPath("block.syncline");
    const LogCapture log;
    const GraphRecorder::Counts counts =
        RecordSlowly(path, threads, RecordingQueue::WhenFull::kBlock, {"*"});
    EXPECT_EQ(counts.packets, 4 * kPackets);
    EXPECT_EQ(counts.dropped, 0);
    EXPECT_GT(counts.waits, 0);
    const auto warnings = log.With("disk is too slow");
    ASSERT_THAT(warnings, SizeIs(1));
    EXPECT_THAT(warnings[0],
                AllOf(HasSubstr(path), HasSubstr("the graph waits"),
                      HasSubstr("stream \""), HasSubstr("nothing is lost"),
                      HasSubstr("--record_when_full=drop")));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto summaries, recording->Summarize());
    for (const RecordingReader::StreamSummary& summary : summaries) {
      EXPECT_EQ(summary.packets, kPackets);
      EXPECT_EQ(summary.missing, 0);
    }
    SYNCLINE_EXPECT_OK(Replay(path, threads));
  }
}

// What is there and what is missing, of each stream in order, is what was sent.
void ExpectGapsAtTheirPlaces(const RecordingReader& recording) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(RecordingEvents events, recording.Events({}));
  std::map<int, std::int64_t> next;
  RecordedEvent event;
  while (true) {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const bool more, events.Next(&event));
    if (!more) break;
    std::int64_t& sent = next[event.stream];
    if (event.kind == RecordedEvent::kGap) sent += event.packets;
    if (event.kind != RecordedEvent::kPacket) continue;
    EXPECT_EQ(event.timestamp, Timestamp(++sent));
  }
  EXPECT_EQ(next.size(), 4u);
  for (const auto& [stream, sent] : next) EXPECT_EQ(sent, kPackets);
}

TEST(SlowDiskTest, WhatIsDroppedIsCountedAndAGapAtItsPlace) {
  for (const int threads : {1, 2, 8}) {
    const std::string path = NewPath("drop.syncline");
    const LogCapture log;
    const GraphRecorder::Counts counts =
        RecordSlowly(path, threads, RecordingQueue::WhenFull::kDrop, {"*"});
    EXPECT_GT(counts.packets, 0);
    EXPECT_GT(counts.dropped, 0);
    EXPECT_EQ(counts.packets + counts.dropped, 4 * kPackets);
    EXPECT_EQ(counts.waits, 0);
    const auto warnings = log.With("disk is too slow");
    ASSERT_THAT(warnings, SizeIs(1));
    EXPECT_THAT(warnings[0],
                AllOf(HasSubstr(path), HasSubstr("packets are dropped"),
                      HasSubstr("--record_when_full=block")));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto summaries, recording->Summarize());
    std::int64_t packets = 0;
    std::int64_t missing = 0;
    for (const RecordingReader::StreamSummary& summary : summaries) {
      EXPECT_EQ(summary.packets + summary.missing, kPackets);
      packets += summary.packets;
      missing += summary.missing;
    }
    EXPECT_EQ(packets, counts.packets);
    EXPECT_EQ(missing, counts.dropped);
    ExpectGapsAtTheirPlaces(*recording);
  }
}

TEST(SlowDiskTest, AReplayWithoutSomeInputsSaysSoAndIsNotCompared) {
  const std::string path = NewPath("inputs.syncline");
  RecordSlowly(path, 2, RecordingQueue::WhenFull::kDrop, {"*"});
  const absl::Status status = Replay(path, 2);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr(path), HasSubstr("has gaps"),
                    HasSubstr("packets of the graph input \""),
                    HasSubstr("--record_when_full=block")));

  CalculatorGraph graph;
  SYNCLINE_ASSERT_OK(graph.Initialize(TwoInputs(2)));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
  SYNCLINE_ASSERT_OK(graph.StartRun({}));
  const LogCapture log;
  SYNCLINE_EXPECT_OK(PlayRecording(*recording, &graph, {}));
  SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
  EXPECT_THAT(log.With("has gaps"), SizeIs(1));
}

// As if only the outputs had come too fast.
TEST(SlowDiskTest, WhatIsMissingOfOtherStreamsIsNoDifference) {
  const std::string path = NewPath("outputs.syncline");
  RecordSlowly(path, 2, RecordingQueue::WhenFull::kBlock, {"*"});
  SYNCLINE_ASSERT_OK(ChangeRecording(path, R"sql(
    CREATE TEMP TABLE gone AS
      SELECT seq, timestamp FROM packet
      WHERE stream = (SELECT id FROM stream WHERE name = 'c')
        AND (timestamp BETWEEN 3 AND 5 OR timestamp = 9 OR timestamp > 98);
    INSERT INTO gap SELECT seq, 2, 3 FROM gone WHERE timestamp = 3;
    INSERT INTO gap SELECT seq, 2, 1 FROM gone WHERE timestamp = 9;
    INSERT INTO gap SELECT seq, 2, 2 FROM gone WHERE timestamp = 99;
    DELETE FROM packet WHERE seq IN (SELECT seq FROM gone);
  )sql"));
  SYNCLINE_EXPECT_OK(Replay(path, 2));
  // A range may begin anywhere in a gap.
  RecordingRange range;
  range.from = Timestamp(4);
  const absl::Status status = Replay(path, 2, range);
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(status.message(), AllOf(HasSubstr("stream \"c\""),
                                      HasSubstr("without --from and --to")));
  // What is there still counts.
  SYNCLINE_ASSERT_OK(
      ChangeRecording(path,
                      "UPDATE packet SET data = 'z' WHERE stream = 2 AND "
                      "timestamp = 50"));
  EXPECT_THAT(Replay(path, 2).message(),
              HasSubstr("\"c\" differs from the recording at its packet 46, "
                        "timestamp 50"));
}

}  // namespace
}  // namespace syncline
