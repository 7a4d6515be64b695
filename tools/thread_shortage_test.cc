// Threads that the system does not give: whichever of those that a run asks for
// is refused, for its pools, times, reports and recording, or for what waits
// for signals, there is a status, and nothing aborts.
//
// pthread_create() and the start of a std::thread are this file's own:
// -Wl,--wrap puts them in the place of the others.

#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/calculator_graph.h"
#include "framework/port/parse_text_proto.h"
#include "framework/recording.h"
#include "gtest/gtest.h"
#include "tools/interruption.h"

namespace {

// Threads until one is refused; below 0: all are given.
std::atomic<int> left{-1};

bool IsRefused() { return left.load() >= 0 && left.fetch_sub(1) == 1; }

}  // namespace

extern "C" {

int __real_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*start)(void*), void* argument);
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                          void* (*start)(void*), void* argument) {
  if (IsRefused()) return EAGAIN;
  return __real_pthread_create(thread, attributes, start, argument);
}

// std::thread::_M_start_thread(unique_ptr<_State>, void (*)()).
void __real__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    void* thread, void* state, void (*depend)());
void __wrap__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    void* thread, void* state, void (*depend)()) {
  if (IsRefused()) {
    throw std::system_error(
        std::make_error_code(std::errc::resource_unavailable_try_again));
  }
  __real__ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
      thread, state, depend);
}

}  // extern "C"

namespace syncline {
namespace {

class ShortageSource : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    if (next_ == 10) return tool::StatusStop();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(next_).At(Timestamp(next_)));
    ++next_;
    return absl::OkStatus();
  }

 private:
  int next_ = 0;
};
REGISTER_CALCULATOR(ShortageSource);

constexpr char kGraph[] = R"pb(
  num_threads: 2
  executor {
    name: "own"
    type: "ThreadPoolExecutor"
    options {
      [syncline.ThreadPoolExecutorOptions.ext] { num_threads: 2 }
    }
  }
  scheduler { max_duration_ms: 60000 }
  runtime_info { enable_graph_runtime_info: true }
  node { calculator: "ShortageSource" output_stream: "a" }
  node { calculator: "ShortageSource" output_stream: "b" executor: "own" }
)pb";

// What each part says; OK if all goes well.
absl::Status RunOnce(const std::string& path) {
  CalculatorGraph graph;
  absl::Status status =
      graph.Initialize(ParseTextProtoOrDie<CalculatorGraphConfig>(kGraph));
  if (!status.ok()) return status;
  graph.ExplainStandstills();
  const Interruption interruption("test", [&graph] { graph.Cancel(); });
  RecordingOptions options;
  options.streams = {"a", "b"};
  absl::StatusOr<std::unique_ptr<GraphRecorder>> recorder =
      GraphRecorder::Create(&graph, path, options);
  if (!recorder.ok()) return recorder.status();
  status = (*recorder)->Start({});
  if (!status.ok()) return status;
  status = graph.StartRun({});
  if (!status.ok()) return status;
  status = graph.WaitUntilDone();
  status.Update((*recorder)->Finish(status));
  return status;
}

TEST(ThreadShortageTest, AnyThreadMayBeRefused) {
  int refused = 0;
  int statuses = 0;
  for (int number = 1;; ++number) {
    const std::string path =
        absl::StrCat(::testing::TempDir(), "/shortage", number, ".syncline");
    left.store(number);
    const absl::Status status = RunOnce(path);
    const bool was_refused = left.exchange(-1) <= 0;
    if (!was_refused) {
      EXPECT_TRUE(status.ok()) << status;
      break;
    }
    ++refused;
    if (status.ok()) continue;
    ++statuses;
    if (absl::StrContains(status.message(), "no thread to write")) {
      EXPECT_FALSE(std::filesystem::exists(path)) << "in the way of a new try";
    }
    EXPECT_EQ(status.code(), absl::StatusCode::kResourceExhausted)
        << "thread " << number << ": " << status;
  }
  // Two pools of two threads, the recorder's, the reports', that of times, and
  // two without which a run does: the one that waits for signals, and the one
  // that looks for a standstill.
  EXPECT_EQ(refused, 9);
  EXPECT_EQ(statuses, 7);
}

// Who reads a file waits for that beside it, and a number that is closed would
// look like a signal.
TEST(ThreadShortageTest, WithoutAThreadForSignalsThereIsNothingToWaitFor) {
  left.store(1);
  const Interruption interruption("test", [] {});
  EXPECT_EQ(left.exchange(-1), 0);
  EXPECT_EQ(interruption.fd(), -1);
  EXPECT_EQ(interruption.signal(), 0);
}

}  // namespace
}  // namespace syncline
