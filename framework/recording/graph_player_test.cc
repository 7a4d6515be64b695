// A replay gets all that the recorded run was given: headers, packets, bounds
// and ends of inputs; and a recording that it cannot be given says why.

#include "framework/recording/graph_player.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/recording/graph_recorder.h"
#include "framework/recording/recording_file.h"
#include "framework/recording/recording_reader.h"
#include "framework/recording/recording_test_support.h"
#include "framework/recording/replay_check.h"
#include "framework/run/output_stream_poller.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Packets = std::map<std::string, Packet>;

// Values of both inputs, plus the header of the first; -1 for a value that is
// not there.
class JoinCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Inputs().Index(1).Set<int>();
    cc->Outputs().Index(0).Set<std::vector<int>>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const Packet& header = cc->Inputs().Index(0).Header();
    std::vector<int> values = {header.IsEmpty() ? -1 : header.Get<int>()};
    for (const int i : {0, 1}) {
      const auto& input = cc->Inputs().Index(i);
      values.push_back(input.IsEmpty() ? -1 : input.Get<int>());
    }
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::vector<int>>(std::move(values))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(JoinCalculator);

CalculatorGraphConfig JoinGraph(int threads) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "a"
    input_stream: "b"
    node {
      calculator: "JoinCalculator"
      input_stream: "a"
      input_stream: "b"
      output_stream: "joined"
    }
  )pb");
  config.set_num_threads(threads);
  return config;
}

Packet Int(int value, std::int64_t timestamp) {
  return MakePacket<int>(value).At(Timestamp(timestamp));
}

// What an application may do with inputs, but for their last ends.
absl::Status Feed(CalculatorGraph* graph) {
  SYNCLINE_RETURN_IF_ERROR(graph->AddPacketToInputStream("a", Int(1, 10)));
  SYNCLINE_RETURN_IF_ERROR(graph->AddPacketToInputStream("b", Int(2, 10)));
  SYNCLINE_RETURN_IF_ERROR(
      graph->SetInputStreamTimestampBound("b", Timestamp(25)));
  SYNCLINE_RETURN_IF_ERROR(graph->AddPacketToInputStream("a", Int(3, 20)));
  SYNCLINE_RETURN_IF_ERROR(graph->CloseInputStream("b"));
  SYNCLINE_RETURN_IF_ERROR(graph->AddPacketToInputStream("a", Int(4, 30)));
  SYNCLINE_RETURN_IF_ERROR(graph->AddPacketToInputStream("a", Int(5, 40)));
  SYNCLINE_RETURN_IF_ERROR(
      graph->SetInputStreamTimestampBound("a", Timestamp::PostStream()));
  SYNCLINE_RETURN_IF_ERROR(
      graph->SetInputStreamTimestampBound("a", Timestamp::OneOverPostStream()));
  return graph->CloseAllInputStreams();
}

absl::Status Record(const std::string& path, int threads,
                    const Packets& headers,
                    const std::function<absl::Status(CalculatorGraph*)>& feed,
                    const std::vector<std::string>& streams = {"*"}) {
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(graph.Initialize(JoinGraph(threads)));
  RecordingOptions options;
  options.streams = streams;
  SYNCLINE_ASSIGN_OR_RETURN(auto recorder,
                            GraphRecorder::Create(&graph, path, options));
  SYNCLINE_RETURN_IF_ERROR(recorder->Start({}, headers));
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun({}, headers));
  SYNCLINE_RETURN_IF_ERROR(feed(&graph));
  absl::Status run = graph.WaitUntilDone();
  SYNCLINE_RETURN_IF_ERROR(recorder->Finish(run));
  return run;
}

// With or without the recorded headers.
absl::Status Replay(const std::string& path, bool has_headers = true,
                    int threads = 2) {
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(graph.Initialize(JoinGraph(threads)));
  SYNCLINE_ASSIGN_OR_RETURN(auto recording, RecordingReader::Open(path));
  SYNCLINE_RETURN_IF_ERROR(CheckFits(*recording, graph.plan()));
  SYNCLINE_ASSIGN_OR_RETURN(auto check, ReplayCheck::Create(&graph, path, {}));
  Packets headers;
  if (has_headers) {
    SYNCLINE_ASSIGN_OR_RETURN(headers, RecordedHeaders(*recording));
  }
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun({}, headers));
  SYNCLINE_RETURN_IF_ERROR(PlayRecording(*recording, &graph, {}));
  SYNCLINE_RETURN_IF_ERROR(graph.WaitUntilDone());
  return check->Finish();
}

std::vector<std::string> EventsOf(const std::string& path) {
  const auto recording = RecordingReader::Open(path);
  SYNCLINE_EXPECT_OK(recording.status());
  if (!recording.ok()) return {};
  return EventTexts(**recording, {});
}

std::string Bytes(int value) {
  return std::string(reinterpret_cast<const char*>(&value), sizeof(value));
}

TEST(GraphPlayerTest, BoundsAndEndsOfInputsAreRecordedInTheirOrder) {
  const std::string path = NewPath("ends.syncline");
  SYNCLINE_ASSERT_OK(Record(path, 2, {}, Feed, {"a", "b"}));
  EXPECT_THAT(EventsOf(path),
              ElementsAre("a@10=" + Bytes(1), "b@10=" + Bytes(2), "b<25",
                          "a@20=" + Bytes(3), "b|", "a@30=" + Bytes(4),
                          "a@40=" + Bytes(5), "a<Timestamp::PostStream()",
                          "a<Timestamp::OneOverPostStream()", "a|"));
}

TEST(GraphPlayerTest, AReplayThatIsRecordedIsTheSameRecording) {
  const std::string path = NewPath("first.syncline");
  SYNCLINE_ASSERT_OK(Record(path, 2, {}, Feed, {"a", "b"}));
  for (const int threads : {1, 2, 8}) {
    const std::string again = NewPath("again.syncline");
    SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
    SYNCLINE_ASSERT_OK(Record(again, threads, {},
                              [&](CalculatorGraph* graph) {
                                return PlayRecording(*recording, graph, {});
                              },
                              {"a", "b"}));
    EXPECT_EQ(EventsOf(again), EventsOf(path));
  }
}

TEST(GraphPlayerTest, AnInputThatEndedEarlyEndsEarlyAgain) {
  const std::string path = NewPath("early.syncline");
  SYNCLINE_ASSERT_OK(Record(path, 2, {}, Feed));
  for (const int threads : {1, 2, 8}) {
    CalculatorGraph graph;
    SYNCLINE_ASSERT_OK(graph.Initialize(JoinGraph(threads)));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(OutputStreamPoller poller,
                                  graph.AddOutputStreamPoller("joined"));
    SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
    SYNCLINE_ASSERT_OK(graph.StartRun({}));
    PlayOptions options;
    std::vector<int> joined;
    options.before_packet = [&](const RecordedEvent&, const Packet&) {
      SYNCLINE_EXPECT_OK(graph.WaitUntilIdle());
      joined.push_back(poller.QueueSize());
      return true;
    };
    SYNCLINE_EXPECT_OK(PlayRecording(*recording, &graph, options));
    SYNCLINE_EXPECT_OK(graph.WaitUntilDone());
    // Before the second packet of "a" its bound lets the node go on, before the
    // last one the end of "b".
    EXPECT_THAT(joined, ElementsAre(0, 0, 1, 2, 3));
  }
}

TEST(GraphPlayerTest, HeadersOfInputsAreRecordedAndReplayed) {
  const std::string path = NewPath("headers.syncline");
  SYNCLINE_ASSERT_OK(
      Record(path, 2, {{"a", MakePacket<int>(7)}, {"b", Packet()}}, Feed));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Packets headers,
                                RecordedHeaders(*recording));
  ASSERT_EQ(headers.size(), 1u);
  EXPECT_EQ(headers.at("a").Get<int>(), 7);
  for (const int threads : {1, 2, 8}) {
    SYNCLINE_EXPECT_OK(Replay(path, /*has_headers=*/true, threads));
  }
  EXPECT_THAT(Replay(path, /*has_headers=*/false).message(),
              HasSubstr("\"joined\" differs from the recording at its packet "
                        "1"));
}

struct NoBytes {};

TEST(GraphPlayerTest, AHeaderWithoutBytesIsRefusedAtTheStart) {
  EXPECT_THAT(Record(NewPath("no_bytes.syncline"), 2,
                     {{"a", MakePacket<NoBytes>()}}, Feed)
                  .message(),
              AllOf(HasSubstr("the header of graph input \"a\" cannot be "
                              "recorded"),
                    HasSubstr("NoBytes"), HasSubstr("SYNCLINE_REGISTER_TYPE")));
}

// As releases before version 2 wrote them.
TEST(GraphPlayerTest, ARecordingOfVersion1IsReplayed) {
  const std::string path = NewPath("version1.syncline");
  SYNCLINE_ASSERT_OK(Record(path, 2, {}, Feed));
  SYNCLINE_ASSERT_OK(
      ChangeRecording(path,
                      "DROP TABLE input_header;"
                      "DELETE FROM bound WHERE bound > 9223372036854775800;"
                      "PRAGMA user_version = 1;"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
  EXPECT_THAT(recording->header().stream_headers, IsEmpty());
  SYNCLINE_EXPECT_OK(Replay(path));
}

TEST(GraphPlayerTest, ARecordingOfVersion2IsReplayed) {
  const std::string path = NewPath("version2.syncline");
  SYNCLINE_ASSERT_OK(Record(path, 2, {{"a", MakePacket<int>(7)}}, Feed));
  SYNCLINE_ASSERT_OK(
      ChangeRecording(path,
                      "ALTER TABLE input_header RENAME TO stream_header;"
                      "PRAGMA user_version = 2;"));
  SYNCLINE_EXPECT_OK(Replay(path));
}

// A program that was killed had not recorded all that it sent.
TEST(GraphPlayerTest, ARecordingThatWasCutShortIsComparedUpToItsEnd) {
  const std::string path = NewPath("cut.syncline");
  SYNCLINE_ASSERT_OK(Record(path, 2, {}, Feed));
  SYNCLINE_ASSERT_OK(ChangeRecording(
      path, "DELETE FROM packet WHERE stream = 2 AND timestamp > 10"));
  EXPECT_THAT(Replay(path).message(), HasSubstr("rec   has ended"));
  SYNCLINE_ASSERT_OK(
      ChangeRecording(path, "DELETE FROM info WHERE key = 'ended'"));
  SYNCLINE_EXPECT_OK(Replay(path));
}

// When a run is interrupted, or fails, packets are on their way.
TEST(GraphPlayerTest, ARunThatDidNotEndWellIsComparedUpToItsEnd) {
  const std::string path = NewPath("interrupted.syncline");
  SYNCLINE_ASSERT_OK(Record(path, 2, {}, Feed));
  SYNCLINE_ASSERT_OK(ChangeRecording(
      path,
      "DELETE FROM packet WHERE stream = 2 AND timestamp > 10;"
      "UPDATE info SET value = 'CANCELLED: x' WHERE key = 'ended'"));
  SYNCLINE_EXPECT_OK(Replay(path));
  SYNCLINE_ASSERT_OK(ChangeRecording(
      path, "UPDATE packet SET timestamp = 9 WHERE stream = 2"));
  EXPECT_THAT(Replay(path).message(), HasSubstr("at its packet 1"));
}

TEST(GraphPlayerTest, AnotherTypeIsADifferenceWhateverItsBytesAre) {
  const std::string path = NewPath("types.syncline");
  SYNCLINE_ASSERT_OK(Record(path, 2, {}, Feed));
  SYNCLINE_ASSERT_OK(ChangeRecording(
      path, "UPDATE stream SET type = '::std::vector<float>' WHERE id = 2"));
  EXPECT_THAT(Replay(path).message(),
              AllOf(HasSubstr("\"joined\" differs from the recording at 10"),
                    HasSubstr("of type \"::std::vector<int>\""),
                    HasSubstr("has \"::std::vector<float>\"")));
}

// Plays, and ends the run if that fails.
absl::Status Play(const std::string& path) {
  SYNCLINE_ASSIGN_OR_RETURN(auto recording, RecordingReader::Open(path));
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(graph.Initialize(JoinGraph(2)));
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun({}));
  absl::Status status = PlayRecording(*recording, &graph, {});
  graph.Cancel();
  graph.WaitUntilDone().IgnoreError();
  return status;
}

TEST(GraphPlayerTest, AnUnknownTypeIsNamedWithThePacket) {
  const std::string path = NewPath("unknown.syncline");
  SYNCLINE_ASSERT_OK(Record(path, 2, {{"a", MakePacket<int>(7)}}, Feed));
  SYNCLINE_ASSERT_OK(ChangeRecording(
      path,
      "UPDATE stream SET type = '::elsewhere::Pose' WHERE name = "
      "'b'; UPDATE input_header SET type = '::elsewhere::Pose'"));
  EXPECT_THAT(Play(path).message(), AllOf(HasSubstr("of stream \"b\" at 10"),
                                          HasSubstr("::elsewhere::Pose")));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto recording, RecordingReader::Open(path));
  EXPECT_THAT(RecordedHeaders(*recording).status().message(),
              AllOf(HasSubstr("the header of graph input \"a\""),
                    HasSubstr("::elsewhere::Pose")));
}

TEST(GraphPlayerTest, AValueThatIsNoneOfItsTypeIsNamedWithThePacket) {
  const std::string path = NewPath("value.syncline");
  SYNCLINE_ASSERT_OK(Record(path, 2, {}, Feed));
  SYNCLINE_ASSERT_OK(
      ChangeRecording(path, "UPDATE packet SET data = x'00' WHERE stream = 1"));
  const absl::Status status = Play(path);
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(status.message(), HasSubstr("of stream \"b\" at 10"));
}

TEST(GraphPlayerTest, APacketOfATypeThatTheGraphDoesNotTakeIsAnError) {
  const std::string path = NewPath("type.syncline");
  SYNCLINE_ASSERT_OK(Record(path, 2, {}, Feed));
  SYNCLINE_ASSERT_OK(ChangeRecording(
      path, "UPDATE stream SET type = 'string' WHERE name = 'a'"));
  EXPECT_THAT(
      Play(path).message(),
      HasSubstr(
          "Packet type mismatch on a calculator receiving from stream \"a\""));
}

}  // namespace
}  // namespace syncline
