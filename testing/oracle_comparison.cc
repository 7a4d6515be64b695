#include "testing/oracle_comparison.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <thread>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "framework/base/status_macros.h"
#include "framework/base/status_text.h"
#include "framework/calculator_graph.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/plan/compile.h"
#include "testing/random_graph.h"

namespace syncline {
namespace {

// Ends the process if it is not destroyed in time: a run that hangs should say
// where, and not wait for the test to be killed.
class Watchdog {
 public:
  Watchdog(const CalculatorGraph& graph, std::string name)
      : thread_([this, &graph, name = std::move(name)] {
          std::unique_lock<std::mutex> lock(mutex_);
          if (done_.wait_for(lock, std::chrono::seconds(60),
                             [this] { return is_done_; })) {
            return;
          }
          std::cerr << "A run does not end. " << name << "\n"
                    << graph.Explain() << std::endl;
          std::abort();
        }) {}
  ~Watchdog() {
    {
      std::lock_guard<std::mutex> lock(mutex_);
      is_done_ = true;
    }
    done_.notify_one();
    thread_.join();
  }

 private:
  std::mutex mutex_;
  std::condition_variable done_;
  bool is_done_ = false;
  std::thread thread_;
};

void SetDefaultExecutor(int threads, CalculatorGraphConfig* config) {
  ExecutorConfig* const executor = config->add_executor();
  if (threads == 0) {
    executor->set_type("ApplicationThreadExecutor");
    return;
  }
  executor->set_type("ThreadPoolExecutor");
  executor->mutable_options()
      ->MutableExtension(ThreadPoolExecutorOptions::ext)
      ->set_num_threads(threads);
}

absl::Status Feed(const GraphInputEvent& event, CalculatorGraph* graph) {
  switch (event.kind) {
    case GraphInputEvent::Kind::kPacket:
      return graph->AddPacketToInputStream(event.stream, event.packet);
    case GraphInputEvent::Kind::kBound:
      return graph->SetInputStreamTimestampBound(event.stream, event.bound);
    case GraphInputEvent::Kind::kClose:
      return graph->CloseInputStream(event.stream);
  }
  return absl::InternalError("no such event");
}

std::string PacketText(const std::vector<Packet>& packets, size_t i,
                       const PrintPacket& print) {
  if (i >= packets.size()) return "nothing";
  const absl::StatusOr<std::string> value = print(packets[i]);
  constexpr size_t kLongest = 80;
  return absl::StrCat(
      value.ok() ? value->substr(0, kLongest) : value.status().ToString(),
      " at ", packets[i].Timestamp().DebugString());
}

absl::StatusOr<bool> AreEqual(const Packet& a, const Packet& b,
                              const PrintPacket& print) {
  SYNCLINE_ASSIGN_OR_RETURN(const std::string a_value, print(a));
  SYNCLINE_ASSIGN_OR_RETURN(const std::string b_value, print(b));
  return a.Timestamp() == b.Timestamp() && a_value == b_value;
}

absl::Status CompareStatus(const ReferenceResult& reference,
                           const EngineResult& engine) {
  if (reference.errors.empty()) {
    return PrefixStatus("the reference run is OK, the engine's is not: ",
                        engine.status);
  }
  for (const absl::Status& error : reference.errors) {
    if (absl::StrContains(engine.status.message(), error.message())) {
      return absl::OkStatus();
    }
  }
  return absl::InternalError(absl::StrCat(
      "the reference run fails with ", reference.errors.front().ToString(),
      " and ", reference.errors.size() - 1, " others, the engine's with ",
      engine.status.ToString()));
}

absl::Status CompareStream(const std::string& name,
                           const std::vector<Packet>& reference,
                           const std::vector<Packet>& engine, bool is_prefix,
                           const PrintPacket& print) {
  for (size_t i = 0; i < std::max(reference.size(), engine.size()); ++i) {
    if (i == engine.size() && is_prefix) break;
    if (i < std::min(reference.size(), engine.size())) {
      SYNCLINE_ASSIGN_OR_RETURN(const bool are_equal,
                                AreEqual(reference[i], engine[i], print));
      if (are_equal) continue;
    }
    return absl::InternalError(absl::StrCat(
        "stream \"", name, "\" differs in packet ", i, ": the reference run ",
        "has ", PacketText(reference, i, print), ", the engine has ",
        PacketText(engine, i, print), "; of ", reference.size(), " and ",
        engine.size(), " packets."));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<EngineResult> RunOnEngine(
    CalculatorGraphConfig config, const ReferenceInputs& inputs, int threads,
    const std::string& name,
    const std::function<absl::Status(CalculatorGraph&)>& before_run,
    const std::function<void(CalculatorGraph&)>& after_run) {
  SetDefaultExecutor(threads, &config);
  EngineResult result;
  CalculatorGraph graph;
  SYNCLINE_RETURN_IF_ERROR(graph.Initialize(std::move(config)));
  for (const PlanStream& stream : graph.plan().streams()) {
    const std::string name(stream.name);
    std::vector<Packet>* const packets = &result.streams[name];
    SYNCLINE_RETURN_IF_ERROR(
        graph.ObserveOutputStream(name, [packets](const Packet& packet) {
          packets->push_back(packet);
          return absl::OkStatus();
        }));
  }
  // Written on the thread of the watch, which has ended when it is read.
  graph.ExplainStandstills(
      absl::Seconds(1),
      [&result](const std::string& text) { result.told_standstill = text; });
  const Watchdog watchdog(graph, name);
  if (before_run) SYNCLINE_RETURN_IF_ERROR(before_run(graph));
  SYNCLINE_RETURN_IF_ERROR(graph.StartRun(inputs.side_packets));
  absl::Status fed;
  for (const GraphInputEvent& event : inputs.events) {
    fed = Feed(event, &graph);
    if (!fed.ok()) break;
  }
  if (fed.ok()) fed = graph.CloseAllInputStreams();
  if (!fed.ok() && !graph.HasError()) {
    graph.Cancel();
    (void)graph.WaitUntilDone();
    return fed;
  }
  result.status = graph.WaitUntilDone();
  if (after_run) after_run(graph);
  for (const PlanSidePacket& side_packet : graph.plan().side_packets()) {
    const absl::StatusOr<Packet> packet =
        graph.GetOutputSidePacket(side_packet.name);
    if (packet.ok()) result.side_packets[side_packet.name] = *packet;
  }
  return result;
}

absl::Status CompareResults(const ReferenceResult& reference,
                            const EngineResult& engine,
                            const PrintPacket& print) {
  const bool has_errors = !reference.errors.empty();
  absl::Status status = CompareStatus(reference, engine);
  if (!engine.told_standstill.empty()) {
    status.Update(absl::InternalError(absl::StrCat(
        "the engine says that a run stands still which ends by itself: ",
        engine.told_standstill)));
  }
  for (const auto& [name, stream] : reference.streams) {
    const auto found = engine.streams.find(name);
    if (found == engine.streams.end()) {
      return absl::InternalError(
          absl::StrCat("the engine has no stream \"", name, "\""));
    }
    status.Update(
        CompareStream(name, stream.packets, found->second, has_errors, print));
  }
  for (const auto& [name, packet] : reference.side_packets) {
    const auto found = engine.side_packets.find(name);
    if (found == engine.side_packets.end()) {
      if (has_errors) continue;
      status.Update(absl::InternalError(absl::StrCat(
          "side packet \"", name, "\" is missing in the engine's run")));
    } else {
      SYNCLINE_ASSIGN_OR_RETURN(const bool are_equal,
                                AreEqual(packet, found->second, print));
      if (are_equal) continue;
      status.Update(absl::InternalError(
          absl::StrCat("side packet \"", name, "\" differs")));
    }
  }
  for (const auto& [name, packet] : engine.side_packets) {
    if (reference.side_packets.count(name) > 0) continue;
    status.Update(absl::InternalError(absl::StrCat(
        "side packet \"", name, "\" is there only in the engine's run")));
  }
  return status;
}

absl::Status CompareWithOracle(const RandomCase& random_case, int threads) {
  const std::string name = absl::StrCat(
      "Seed ", random_case.seed(), " with ",
      threads == 0 ? "the application's thread" : absl::StrCat(threads),
      threads == 0 ? "" : " threads");
  const auto compare = [&]() -> absl::Status {
    SYNCLINE_ASSIGN_OR_RETURN(const GraphPlan plan,
                              Compile(random_case.graph()));
    const ReferenceInputs inputs = InputsOf(random_case);
    SYNCLINE_ASSIGN_OR_RETURN(
        const ReferenceResult reference,
        RunReference(plan, inputs, {.stop_at_error = false}));
    SYNCLINE_ASSIGN_OR_RETURN(
        const EngineResult engine,
        RunOnEngine(random_case.graph(), inputs, threads,
                    absl::StrCat(name, ":\n", RandomCaseText(random_case))));
    return CompareResults(reference, engine);
  };
  absl::Status status = compare();
  if (status.ok()) return status;
  return absl::Status(status.code(),
                      absl::StrCat(name, ": ", status.message(), "\n",
                                   RandomCaseText(random_case)));
}

}  // namespace syncline
