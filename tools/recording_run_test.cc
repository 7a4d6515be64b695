// What --step, --speed, --from and --to do to a replay. Times have lower bounds
// only: a busy machine may be late.

#include "tools/recording_run.h"

#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_bytes.h"
#include "framework/packet/timestamp.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "framework/recording/recording_file.h"
#include "framework/recording/recording_writer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/recording_flags.h"

namespace syncline {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The numbers 1, 2, ... at 10, 20, ..., which came at these times; with bounds
// as an application may set them: one before, and the end with the last.
std::string Recorded(const std::vector<absl::Duration>& arrivals,
                     bool has_bounds = false) {
  const std::string path = ::testing::TempDir() + "/run.syncline";
  std::remove(path.c_str());
  RecordingHeader header;
  header.graph = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    input_stream: "in"
    node {
      calculator: "PassThroughCalculator"
      input_stream: "in"
      output_stream: "out"
    }
  )pb");
  header.streams = {{"in", true, "int"}, {"out", false, "int"}};
  auto writer = RecordingWriter::Create(path, header).value();
  std::int64_t seq = 0;
  if (has_bounds) {
    SYNCLINE_EXPECT_OK(writer->AppendBound(++seq, 0, Timestamp(1), 0));
  }
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    const int n = static_cast<int>(i) + 1;
    for (const int stream : {0, 1}) {
      SYNCLINE_EXPECT_OK(
          writer->AppendPacket(++seq, stream, Timestamp(10 * n),
                               absl::ToInt64Nanoseconds(arrivals[i]),
                               BytesOfPacket(MakePacket<int>(n)).value()));
    }
  }
  if (has_bounds) {
    SYNCLINE_EXPECT_OK(
        writer->AppendBound(++seq, 0, Timestamp::Done(),
                            absl::ToInt64Nanoseconds(arrivals.back())));
  }
  SYNCLINE_EXPECT_OK(writer->Finish("OK"));
  return path;
}

std::vector<absl::Duration> AtOnce(int count) {
  return std::vector<absl::Duration>(count);
}

struct Result {
  absl::Status status;
  std::vector<std::string> summary;
  // Timestamps that came out, and how long after the start of the replay.
  std::vector<std::int64_t> timestamps;
  std::vector<absl::Duration> times;
};

// One replay as run_graph makes it. `when_idle` is told how many packets came
// out so far.
Result Replayed(
    const RecordingRequest& request,
    const std::function<void(int)>& when_idle = [](int) {},
    int interrupt_fd = -1) {
  Result result;
  CalculatorGraph graph;
  auto run = RecordingRun::Open(request).value();
  SYNCLINE_EXPECT_OK(graph.Initialize(run->replay()->header().graph));
  std::atomic<int> seen = 0;
  const absl::Time start = absl::Now();
  SYNCLINE_EXPECT_OK(graph.ObserveOutputStream(
      "out", [&result, &seen, start](const Packet& packet) {
        result.timestamps.push_back(packet.Timestamp().Value());
        result.times.push_back(absl::Now() - start);
        ++seen;
        return absl::OkStatus();
      }));
  SYNCLINE_EXPECT_OK(run->Attach(&graph));
  SYNCLINE_EXPECT_OK(run->Start({}, {}));
  SYNCLINE_EXPECT_OK(graph.StartRun({}));
  SYNCLINE_EXPECT_OK(
      run->Feed(&graph, interrupt_fd, [&] { when_idle(seen.load()); }));
  result.status = run->Finish(graph.WaitUntilDone(), /*was_interrupted=*/false);
  result.summary = run->Summary();
  return result;
}

// Standard input, while it lives, is what is written here.
class StandardInput {
 public:
  StandardInput() : before_(dup(STDIN_FILENO)) {
    EXPECT_EQ(pipe(ends_), 0);
    EXPECT_EQ(dup2(ends_[0], STDIN_FILENO), STDIN_FILENO);
  }
  ~StandardInput() {
    End();
    dup2(before_, STDIN_FILENO);
    close(before_);
    close(ends_[0]);
  }

  void Write(const std::string& text) {
    EXPECT_EQ(write(ends_[1], text.data(), text.size()),
              static_cast<ssize_t>(text.size()));
  }
  void End() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  const int before_;
  int ends_[2] = {-1, -1};
};

RecordingRequest Steps(int count) {
  RecordingRequest request;
  request.replay = Recorded(AtOnce(count));
  request.steps = true;
  return request;
}

// When somebody is asked, all that was let through has had its effects, and
// nothing else has: Enter comes only then.
TEST(StepTest, EachEnterSendsOnePacketAndTheGraphIsIdleThen) {
  StandardInput input;
  std::vector<int> seen;
  const Result result = Replayed(Steps(4), [&](int out) {
    seen.push_back(out);
    input.Write("\n");
  });
  SYNCLINE_EXPECT_OK(result.status);
  EXPECT_THAT(seen, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(result.timestamps, ElementsAre(10, 20, 30, 40));
}

TEST(StepTest, TheEndOfStandardInputEndsTheReplayCleanly) {
  StandardInput input;
  input.Write("\n\n");
  input.End();
  RecordingRequest request = Steps(4);
  request.compares = true;
  const Result result = Replayed(request);
  SYNCLINE_EXPECT_OK(result.status);
  EXPECT_THAT(result.timestamps, ElementsAre(10, 20));
  EXPECT_THAT(result.summary,
              ElementsAre("the replay was ended before the recording was, so "
                          "nothing was compared"));
}

TEST(StepTest, AnInterruptionEndsTheWaitForEnter) {
  StandardInput input;
  int interrupt[2];
  ASSERT_EQ(pipe(interrupt), 0);
  const Result result = Replayed(
      Steps(4),
      [&](int out) {
        if (out == 0) return input.Write("\n");
        EXPECT_EQ(write(interrupt[1], "x", 1), 1);
      },
      interrupt[0]);
  EXPECT_THAT(result.timestamps, ElementsAre(10));
  close(interrupt[0]);
  close(interrupt[1]);
}

TEST(SpeedTest, GapsAreAsLongAsTheyWereOrShorterByTheSpeed) {
  const std::vector<absl::Duration> arrivals = {
      absl::Seconds(5), absl::Milliseconds(5'040), absl::Milliseconds(5'120)};
  RecordingRequest request;
  request.replay = Recorded(arrivals);
  request.compares = true;
  for (const double speed : {1.0, 2.0}) {
    request.play.speed = speed;
    const Result result = Replayed(request);
    SYNCLINE_EXPECT_OK(result.status);
    ASSERT_EQ(result.times.size(), 3u);
    // From the first packet on: it does not wait for the 5 s before it.
    for (int i = 1; i < 3; ++i) {
      EXPECT_GE(result.times[i], (arrivals[i] - arrivals[0]) / speed);
    }
  }
}

// Neither what was before the part nor what came after it takes time, such as
// the end of the stream five hours later.
TEST(SpeedTest, OnlyThePartThatIsPlayedTakesTime) {
  const std::vector<absl::Duration> arrivals = {
      absl::ZeroDuration(), absl::Hours(5),
      absl::Hours(5) + absl::Milliseconds(40), absl::Hours(10)};
  RecordingRequest request;
  request.replay = Recorded(arrivals, /*has_bounds=*/true);
  request.play.speed = 1;
  request.play.from = Timestamp(20);
  request.play.to = Timestamp(30);
  const Result result = Replayed(request);
  SYNCLINE_EXPECT_OK(result.status);
  EXPECT_THAT(result.timestamps, ElementsAre(20, 30));
  EXPECT_GE(result.times[1] - result.times[0], absl::Milliseconds(20));
  EXPECT_THAT(result.summary, IsEmpty());

  // No packets, no time.
  request.play.from = request.play.to = Timestamp(21);
  EXPECT_THAT(Replayed(request).timestamps, IsEmpty());
}

TEST(SpeedTest, AnInterruptionEndsTheWaitForTheTime) {
  RecordingRequest request;
  request.replay = Recorded({absl::ZeroDuration(), absl::Hours(5)});
  request.play.speed = 1;
  int interrupt[2];
  ASSERT_EQ(pipe(interrupt), 0);
  EXPECT_EQ(write(interrupt[1], "x", 1), 1);
  const Result result = Replayed(
      request, [](int) {}, interrupt[0]);
  EXPECT_THAT(result.timestamps, ElementsAre(10));
  EXPECT_THAT(result.summary, Contains(HasSubstr("was ended before")));
  close(interrupt[0]);
  close(interrupt[1]);
}

TEST(RangeTest, BothEndsArePlayed) {
  RecordingRequest request;
  request.replay = Recorded(AtOnce(5));
  request.compares = true;
  request.play.from = Timestamp(20);
  request.play.to = Timestamp(40);
  Result result = Replayed(request);
  SYNCLINE_EXPECT_OK(result.status);
  EXPECT_THAT(result.timestamps, ElementsAre(20, 30, 40));
  EXPECT_THAT(result.summary,
              ElementsAre("3 packets are the same as in the recording"));
  request.play.from = request.play.to = Timestamp(30);
  EXPECT_THAT(Replayed(request).timestamps, ElementsAre(30));
  request.play.from = Timestamp(21);
  request.play.to = Timestamp(29);
  result = Replayed(request);
  SYNCLINE_EXPECT_OK(result.status);
  EXPECT_THAT(result.timestamps, IsEmpty());
}

}  // namespace
}  // namespace syncline
