// What a program whose graph is recorded leaves when it is killed, or its disk
// is full: a file that opens, with everything up to at most a tenth of a second
// before, in order.

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <new>
#include <random>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/status_macros.h"
#include "framework/base/steady_time.h"
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
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

// --- The program

// As many as any run here sends, and more.
constexpr std::int64_t kMostPackets = 100'000;
constexpr std::size_t kPacketBytes = 1'000;

// What the program lets its parent know, in memory that outlives it.
struct Progress {
  std::atomic<bool> has_started{false};
  // When the packet of this number had been sent; 0: not yet.
  std::array<std::atomic<std::int64_t>, kMostPackets + 2> sent_ns{};
  std::array<char, 1'000> run_error{};
  std::array<char, 1'000> recording_error{};
};

class SharedProgress {
 public:
  SharedProgress()
      : memory_(mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (memory_ == MAP_FAILED) std::abort();
    new (memory_) Progress;
  }
  ~SharedProgress() { munmap(memory_, sizeof(Progress)); }
  SharedProgress(const SharedProgress&) = delete;
  SharedProgress& operator=(const SharedProgress&) = delete;

  Progress* operator->() const { return static_cast<Progress*>(memory_); }
  Progress* get() const { return static_cast<Progress*>(memory_); }

 private:
  void* const memory_;
};

// Says when it is made; `number` is its timestamp.
Packet NumberedPacket(std::int64_t number) {
  std::string text = absl::StrCat(SteadyNowNs(), " ");
  text.resize(kPacketBytes, 'x');
  return MakePacket<std::string>(std::move(text)).At(Timestamp(number));
}

// Some ten thousand packets a second.
void Pace(std::int64_t number) {
  if (number % 4 == 0) absl::SleepFor(absl::Microseconds(200));
}

Progress* progress_of_source = nullptr;

class NumberSource : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Outputs().Index(0).Set<std::string>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    // The one before has gone on when the next one is asked for.
    progress_of_source->sent_ns[number_] = SteadyNowNs();
    if (number_ == kMostPackets) return absl::OutOfRangeError("the end");
    Pace(++number_);
    cc->Outputs().Index(0).AddPacket(NumberedPacket(number_));
    return absl::OkStatus();
  }

 private:
  std::int64_t number_ = 0;
};
REGISTER_CALCULATOR(NumberSource);

// Hands its packets on.
class HandOnCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<std::string>();
    cc->Outputs().Index(0).SetSameAs(&cc->Inputs().Index(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(HandOnCalculator);

struct Program {
  std::string path;
  int threads = 1;
  // Else a thread of the application sends.
  bool has_source = false;
};

CalculatorGraphConfig ConfigOf(const Program& program) {
  auto config = ParseTextProtoOrDie<CalculatorGraphConfig>(R"pb(
    node {
      calculator: "HandOnCalculator"
      input_stream: "numbers"
      output_stream: "out"
    }
  )pb");
  config.set_num_threads(program.threads);
  if (program.has_source) {
    auto* const source = config.add_node();
    source->set_calculator("NumberSource");
    source->add_output_stream("numbers");
  } else {
    config.add_input_stream("numbers");
  }
  return config;
}

absl::Status Send(CalculatorGraph* graph, Progress* progress) {
  for (std::int64_t number = 1; number <= kMostPackets; ++number) {
    Pace(number);
    SYNCLINE_RETURN_IF_ERROR(
        graph->AddPacketToInputStream("numbers", NumberedPacket(number)));
    progress->sent_ns[number] = SteadyNowNs();
  }
  return graph->CloseAllInputStreams();
}

absl::Status RunProgram(const Program& program, Progress* progress) {
  progress_of_source = progress;
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(graph.Initialize(ConfigOf(program)));
  RecordingOptions options;
  options.streams = {"numbers", "out"};
  SYNCLINE_ASSIGN_OR_RETURN(
      auto recorder, GraphRecorder::Create(&graph, program.path, options));
  SYNCLINE_RETURN_IF_ERROR(recorder->Start({}));
  progress->has_started = true;
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun({}));
  // What is wrong is what the run ends with.
  if (!program.has_source) Send(&graph, progress).IgnoreError();
  const absl::Status run = graph.WaitUntilDone();
  const absl::Status recording = recorder->Finish(run);
  std::snprintf(progress->run_error.data(), progress->run_error.size(), "%s",
                run.ToString().c_str());
  std::snprintf(progress->recording_error.data(),
                progress->recording_error.size(), "%s",
                recording.ToString().c_str());
  return absl::OkStatus();
}

// In a process of its own: this one has a single thread.
pid_t Launch(const Program& program, Progress* progress,
             const std::function<bool()>& prepare = nullptr) {
  const pid_t child = fork();
  if (child != 0) return child;
  if (prepare != nullptr && !prepare()) _exit(2);
  _exit(RunProgram(program, progress).ok() ? 0 : 1);
}

// --- What it left

struct Left {
  // How many of each stream.
  std::int64_t numbers = 0;
  std::int64_t out = 0;
};

// Opens the file, and looks whether all is in order and nothing between.
Left Read(const std::string& path) {
  Left left;
  const auto recording = RecordingReader::Open(path);
  SYNCLINE_EXPECT_OK(recording.status());
  if (!recording.ok()) return left;
  EXPECT_FALSE((*recording)->ended().has_value());
  auto events = (*recording)->Events({});
  SYNCLINE_EXPECT_OK(events.status());
  RecordedEvent event;
  std::int64_t seq = 0;
  std::int64_t last_made_ns = 0;
  while (events.ok()) {
    const absl::StatusOr<bool> more = events->Next(&event);
    SYNCLINE_EXPECT_OK(more.status());
    if (!more.ok() || !*more) break;
    EXPECT_EQ(event.seq, ++seq);
    if (event.kind != RecordedEvent::kPacket) continue;
    std::int64_t& count = event.stream == 0 ? left.numbers : left.out;
    EXPECT_EQ(event.timestamp, Timestamp(++count));
    EXPECT_EQ(event.data.size(), kPacketBytes);
    std::int64_t made_ns = 0;
    EXPECT_TRUE(absl::SimpleAtoi(
        absl::string_view(event.data).substr(0, event.data.find(' ')),
        &made_ns));
    if (event.stream != 0) continue;
    EXPECT_GE(made_ns, last_made_ns);
    last_made_ns = made_ns;
  }
  EXPECT_LE(left.out, left.numbers);
  return left;
}

// Sleeps until then; returns by how much the machine was late at worst to let a
// thread go on.
absl::Duration SleepUntil(std::int64_t end_ns) {
  constexpr std::int64_t kStepNs = 2'000'000;
  std::int64_t worst_ns = 0;
  for (std::int64_t now_ns = SteadyNowNs(); now_ns < end_ns;) {
    const std::int64_t step_ns = std::min(kStepNs, end_ns - now_ns);
    absl::SleepFor(absl::Nanoseconds(step_ns));
    const std::int64_t then_ns = std::exchange(now_ns, SteadyNowNs());
    worst_ns = std::max(worst_ns, now_ns - then_ns - step_ns);
  }
  return absl::Nanoseconds(worst_ns);
}

// More in the long test.
int Kills() {
  const char* const kills = std::getenv("SYNCLINE_KILLS");
  int count = 0;
  return kills != nullptr && absl::SimpleAtoi(kills, &count) ? count : 20;
}

TEST(RecordedProgramTest, AKilledOneLeavesAllUpToATenthOfASecondBefore) {
  constexpr std::array<int, 3> kThreads = {1, 2, 8};
  std::mt19937 random(8);
  absl::Duration worst_age;
  absl::Duration worst_lateness;
  std::int64_t packets = 0;
  for (int round = 0; round < Kills(); ++round) {
    Program program;
    program.path = NewPath("killed.syncline");
    program.threads = kThreads[round % 3];
    program.has_source = round % 2 == 1;
    SharedProgress progress;
    const pid_t child = Launch(program, progress.get());
    int status = 0;
    while (!progress->has_started) {
      ASSERT_EQ(waitpid(child, &status, WNOHANG), 0) << "it ended at once";
      absl::SleepFor(absl::Milliseconds(1));
    }
    const std::int64_t moment_ns =
        SteadyNowNs() + static_cast<std::int64_t>(random() % 300'000'000);
    const absl::Duration lateness = SleepUntil(moment_ns);
    const std::int64_t killed_ns = SteadyNowNs();
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "exit " << WEXITSTATUS(status);

    const Left left = Read(program.path);
    packets += left.numbers;
    const std::int64_t first_lost_ns = progress->sent_ns[left.numbers + 1];
    const absl::Duration age =
        first_lost_ns == 0 ? absl::ZeroDuration()
                           : absl::Nanoseconds(killed_ns - first_lost_ns);
    // A machine that is too busy to let a thread go on when it should holds the
    // recorder's up, too: that is no time in which it could have written.
    EXPECT_LE(age, absl::Milliseconds(100) + lateness)
        << "round " << round << ", " << program.threads << " threads";
    worst_age = std::max(worst_age, age);
    worst_lateness = std::max(worst_lateness, lateness);
    if (HasFailure()) break;
  }
  std::printf(
      "%d kills: %lld packets left, the oldest that was lost %.1f ms old; the "
      "machine was late by %.1f ms at most\n",
      Kills(), static_cast<long long>(packets),
      absl::ToDoubleMilliseconds(worst_age),
      absl::ToDoubleMilliseconds(worst_lateness));
  EXPECT_GT(packets, 100 * Kills());
  EXPECT_GT(worst_age, absl::ZeroDuration());
}

// A file that may not grow any more stands for a disk that is full. (The test
// passes on one, too: with TEST_TMPDIR in a small file system.)
bool LimitFiles() {
  signal(SIGXFSZ, SIG_IGN);
  const rlimit limit = {2'000'000, 2'000'000};
  return setrlimit(RLIMIT_FSIZE, &limit) == 0;
}

TEST(RecordedProgramTest, AFullDiskEndsTheRunAndWhatWasCommittedStays) {
  for (const int threads : {1, 2, 8}) {
    for (const bool has_source : {false, true}) {
      const std::string path = NewPath("full.syncline");
      SharedProgress progress;
      const pid_t child =
          Launch({path, threads, has_source}, progress.get(), LimitFiles);
      int status = 0;
      waitpid(child, &status, 0);
      ASSERT_TRUE(WIFEXITED(status));
      EXPECT_EQ(WEXITSTATUS(status), 0);
      EXPECT_THAT(progress->run_error.data(),
                  AllOf(HasSubstr("recording failed"), HasSubstr(path),
                        AnyOf(HasSubstr("room"), HasSubstr("is full")),
                        Not(HasSubstr("observer"))));
      EXPECT_THAT(progress->recording_error.data(), HasSubstr(path));
      EXPECT_GT(Read(path).numbers, 100);
    }
  }
}

}  // namespace
}  // namespace syncline
