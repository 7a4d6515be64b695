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
    result_ = EngineResult();
    const Watchdog watchdog(*graph_, name_);
    SYNCLINE_RETURN_IF_ERROR(graph_->StartRun(inputs_.side_packets));
    // The run may need this thread.
    std::thread releaser([this] {
      (void)faults_->WaitUntilBlocked();
      faults_->Release();
    });
    // An error of the graph refuses inputs, and is the status of the run.
    (void)FeedAll();
    result_.status = graph_->WaitUntilDone();
    faults_->Release();
    releaser.join();
    for (const PlanSidePacket& side_packet : graph_->plan().side_packets()) {
      const absl::StatusOr<Packet> packet =
          graph_->GetOutputSidePacket(side_packet.name);
      if (packet.ok()) result_.side_packets[side_packet.name] = *packet;
    }
    return std::move(result_);
  }

  void ExpectNothingLeft() const {
    EXPECT_EQ(Lifetimes::live_calculators, 0) << name_;
    EXPECT_EQ(Lifetimes::live_packets, live_inputs_) << name_;
  }

 private:
  absl::Status Initialize(const RandomCase& random_case, int threads) {
    SYNCLINE_ASSIGN_OR_RETURN(const GraphPlan plan,
                              Compile(random_case.graph()));
    SYNCLINE_ASSIGN_OR_RETURN(
        reference_, RunReference(plan, inputs_, {.stop_at_error = false}));
    SYNCLINE_ASSIGN_OR_RETURN(faults_,
                              FaultInjection::Create(random_case.graph()));
    CalculatorGraphConfig config = faults_->config();
    ExecutorConfig* const executor = config.add_executor();
    executor->set_type(threads == 0 ? "ApplicationThreadExecutor"
                                    : "ThreadPoolExecutor");
    if (threads > 0) {
      executor->mutable_options()
          ->MutableExtension(ThreadPoolExecutorOptions::ext)
          ->set_num_threads(threads);
    }
    graph_ = std::make_unique<CalculatorGraph>();
    faults_->SetGraph(graph_.get());
    SYNCLINE_RETURN_IF_ERROR(graph_->Initialize(config));
    for (const PlanStream& stream : graph_->plan().streams()) {
      SYNCLINE_RETURN_IF_ERROR(graph_->ObserveOutputStream(
          stream.name, [packets = &streams_[stream.name]](const Packet& packet) {
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
  EngineResult result_;
  std::unique_ptr<CalculatorGraph> graph_;
  absl::Status status_;
};

}  // namespace
}  // namespace syncline
