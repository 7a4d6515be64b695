// A fault in every one of 200 random graphs: each run ends, says what was
// wrong, leaves nothing behind, and the same graph object then runs as the
// oracle says.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "framework/calculator_graph.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/plan/compile.h"
#include "framework/port/status_matchers.h"
#include "gtest/gtest.h"
#include "testing/fault_injection.h"
#include "testing/lifetimes.h"
#include "testing/oracle_comparison.h"
#include "testing/random_graph.h"
#include "testing/reference_run.h"

namespace syncline {
namespace {

constexpr int kSeedsPerTest = 25;

// Ends the process, saying where the graph is, if not destroyed in a minute.
class Watchdog {
 public:
  Watchdog(const CalculatorGraph& graph, const std::string& name)
      : thread_([this, &graph, name] {
          MutexLock lock(&mutex_);
          while (!is_done_) {
            if (!done_.WaitWithTimeout(&mutex_, absl::Minutes(1))) continue;
            std::cerr << "A run does not end: " << name << "\n"
                      << graph.Explain() << std::endl;
            std::abort();
          }
        }) {}
  ~Watchdog() {
    {
      MutexLock lock(&mutex_);
      is_done_ = true;
    }
    done_.SignalAll();
    thread_.join();
  }

 private:
  Mutex mutex_;
  CondVar done_;
  bool is_done_ ABSL_GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

// A random graph that can be run more than once.
class Subject {
 public:
  Subject(const RandomCase& random_case, int threads)
      : name_(absl::StrCat("seed ", random_case.seed(), " with ", threads,
                           " threads\n", RandomCaseText(random_case))),
        inputs_(InputsOf(random_case)) {
    for (GraphInputEvent& event : inputs_.events) {
      if (event.kind != GraphInputEvent::Kind::kPacket) continue;
      event.packet = MakeCounted<std::int64_t>(event.packet.Get<std::int64_t>())
                         .At(event.packet.Timestamp());
    }
    live_inputs_ = Lifetimes::live_packets;
    status_ = Initialize(random_case, threads);
  }
  ~Subject() { graph_ = nullptr; }

  const absl::Status& status() const { return status_; }
  const std::string& name() const { return name_; }
  const ReferenceResult& reference() const { return reference_; }
  FaultInjection& faults() { return *faults_; }

  absl::StatusOr<EngineResult> Run() {
    const Watchdog watchdog(*graph_, name_);
    SYNCLINE_RETURN_IF_ERROR(graph_->StartRun(inputs_.side_packets));
    // The run may need this thread.
    std::thread releaser([this] {
      (void)faults_->WaitUntilBlocked();
      faults_->Release();
    });
    // An error of the graph refuses inputs, and is the status of the run.
    (void)FeedAll();
    EngineResult result;
    result.status = graph_->WaitUntilDone();
    faults_->Release();
    releaser.join();
    for (auto& [name, packets] : streams_) {
      result.streams[name] = std::move(packets);
      packets.clear();
    }
    for (const PlanSidePacket& side_packet : graph_->plan().side_packets()) {
      const absl::StatusOr<Packet> packet =
          graph_->GetOutputSidePacket(side_packet.name);
      if (packet.ok()) result.side_packets[side_packet.name] = *packet;
    }
    return result;
  }

  void ExpectNothingLeft() const {
    EXPECT_EQ(Lifetimes::live_calculators, 0) << name_;
    EXPECT_EQ(Lifetimes::live_packets, live_inputs_) << name_;
  }

 private:
  absl::Status Initialize(const RandomCase& random_case, int threads) {
    CalculatorGraphConfig config = random_case.graph();
    ExecutorConfig* const executor = config.add_executor();
    executor->set_type(threads == 0 ? "ApplicationThreadExecutor"
                                    : "ThreadPoolExecutor");
    if (threads > 0) {
      executor->mutable_options()
          ->MutableExtension(ThreadPoolExecutorOptions::ext)
          ->set_num_threads(threads);
    }
    SYNCLINE_ASSIGN_OR_RETURN(faults_, FaultInjection::Create(config));
    // With the wrapped calculators, whose type errors name.
    SYNCLINE_ASSIGN_OR_RETURN(const GraphPlan plan, Compile(faults_->config()));
    SYNCLINE_ASSIGN_OR_RETURN(
        reference_, RunReference(plan, inputs_, {.stop_at_error = false}));
    graph_ = std::make_unique<CalculatorGraph>();
    faults_->SetGraph(graph_.get());
    SYNCLINE_RETURN_IF_ERROR(graph_->Initialize(faults_->config()));
    for (const PlanStream& stream : graph_->plan().streams()) {
      const std::string name(stream.name);
      SYNCLINE_RETURN_IF_ERROR(graph_->ObserveOutputStream(
          name, [packets = &streams_[name]](const Packet& packet) {
            packets->push_back(packet);
            return absl::OkStatus();
          }));
    }
    return absl::OkStatus();
  }

  absl::Status FeedAll() {
    for (const GraphInputEvent& event : inputs_.events) {
      switch (event.kind) {
        case GraphInputEvent::Kind::kPacket:
          SYNCLINE_RETURN_IF_ERROR(
              graph_->AddPacketToInputStream(event.stream, event.packet));
          break;
        case GraphInputEvent::Kind::kBound:
          SYNCLINE_RETURN_IF_ERROR(
              graph_->SetInputStreamTimestampBound(event.stream, event.bound));
          break;
        case GraphInputEvent::Kind::kClose:
          SYNCLINE_RETURN_IF_ERROR(graph_->CloseInputStream(event.stream));
      }
    }
    return graph_->CloseAllInputStreams();
  }

  const std::string name_;
  ReferenceInputs inputs_;
  int live_inputs_ = 0;
  ReferenceResult reference_;
  std::unique_ptr<FaultInjection> faults_;
  std::map<std::string, std::vector<Packet>> streams_;
  std::unique_ptr<CalculatorGraph> graph_;
  absl::Status status_;
};

bool HasErrorOf(const ReferenceResult& reference, const absl::Status& status) {
  return std::any_of(reference.errors.begin(), reference.errors.end(),
                     [&](const absl::Status& error) {
                       return absl::StrContains(status.message(),
                                                error.message());
                     });
}

// A node without streams, and one in a loop or behind it, is closed when the
// run has ended, and what it returns then is ignored.
bool ClosesAfterTheEnd(Subject& subject, const std::string& name) {
  const auto is_open = [&](const std::string& port) {
    const std::string stream = port.substr(port.rfind(':') + 1);
    return !subject.reference().streams.at(stream).is_closed;
  };
  for (const auto& node : subject.faults().config().node()) {
    if (node.name() != name) continue;
    const auto& inputs = node.input_stream();
    const auto& outputs = node.output_stream();
    return (inputs.empty() && outputs.empty()) ||
           std::any_of(inputs.begin(), inputs.end(), is_open) ||
           std::any_of(outputs.begin(), outputs.end(), is_open);
  }
  return false;
}

bool HasRightStatus(const Fault& fault, Subject& subject,
                    const absl::Status& status) {
  // The graph may have had an error of its own, and earlier.
  if (HasErrorOf(subject.reference(), status)) return true;
  switch (fault.kind) {
    case FaultKind::kCancel:
      // Near the end there may be nothing left to cancel.
      return status.code() == absl::StatusCode::kCancelled ||
             (status.ok() && fault.call == CallPhase::kClose);
    case FaultKind::kLateTimestamp:
      // Readers that ignore time take it, and may pass it on to others.
      return status.ok() || absl::StrContains(status.message(), fault.node) ||
             absl::StrContains(status.message(), "that is too early");
    default:
      return absl::StrContains(status.message(), FaultText(fault));
  }
}

// How a run has to end in which `fault` has happened.
absl::Status CheckEnd(const Fault& fault, Subject& subject,
                      const EngineResult& result) {
  const bool is_ignored =
      fault.kind != FaultKind::kCancel && fault.call == CallPhase::kClose &&
      result.status.ok() && ClosesAfterTheEnd(subject, fault.node);
  if (is_ignored || fault.kind == FaultKind::kBlock ||
      fault.kind == FaultKind::kDelay) {
    return CompareResults(subject.reference(), result);
  }
  if (HasRightStatus(fault, subject, result.status)) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("After ", FaultText(fault),
                                          " the run ended with ",
                                          result.status.ToString()));
}

class FaultCampaignTest : public LifetimesTest,
                          public ::testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(TwentyFives, FaultCampaignTest, testing::Range(0, 8));

TEST_P(FaultCampaignTest, EveryRunEndsAndTheNextIsRight) {
  static constexpr int kThreads[] = {0, 1, 2, 8};
  int happened = 0;
  for (int i = 0; i < kSeedsPerTest; ++i) {
    const std::uint64_t seed = GetParam() * kSeedsPerTest + i;
    Subject subject(MakeRandomCase(seed), kThreads[seed % 4]);
    SYNCLINE_ASSERT_OK(subject.status()) << subject.name();
    const Fault fault = subject.faults().RandomFault(seed);
    SYNCLINE_ASSERT_OK(subject.faults().Add(fault));
    {
      SYNCLINE_ASSERT_OK_AND_ASSIGN(const EngineResult result, subject.Run());
      if (!subject.faults().happened().empty()) {
        ++happened;
        SYNCLINE_ASSERT_OK(CheckEnd(fault, subject, result)) << subject.name();
      } else {
        SYNCLINE_ASSERT_OK(CompareResults(subject.reference(), result))
            << subject.name();
      }
    }
    subject.ExpectNothingLeft();
    subject.faults().Clear();
    {
      SYNCLINE_ASSERT_OK_AND_ASSIGN(const EngineResult again, subject.Run());
      SYNCLINE_ASSERT_OK(CompareResults(subject.reference(), again))
          << "after " << FaultText(fault) << ", " << subject.name();
    }
    subject.ExpectNothingLeft();
  }
  // A campaign in which nothing goes wrong shows nothing.
  EXPECT_GT(happened, kSeedsPerTest / 3);
  RecordProperty("faults", happened);
}

}  // namespace
}  // namespace syncline
