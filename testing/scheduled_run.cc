#include "testing/scheduled_run.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "framework/base/status_macros.h"
#include "framework/plan/compile.h"
#include "testing/explored_devices.h"

namespace syncline {
namespace {

using Items = std::vector<ScheduleOutcome::Item>;

// How long nothing may move in a run where only time or another thread can
// bring anything.
constexpr absl::Duration kLongestStill = absl::Seconds(1);

std::string ItemText(const Items& items, std::size_t i) {
  if (i >= items.size()) return "nothing";
  constexpr std::size_t kLongest = 80;
  std::string value = items[i].value.substr(0, kLongest);
  return absl::StrCat(value, " at ", items[i].timestamp.DebugString());
}

// So that the graph can be run without ever waiting in it.
CalculatorGraphConfig OnApplicationThread(CalculatorGraphConfig config) {
  auto* const executors = config.mutable_executor();
  executors->erase(std::remove_if(executors->begin(), executors->end(),
                                  [](const ExecutorConfig& executor) {
                                    return executor.name().empty() ||
                                           executor.name() == "default";
                                  }),
                   executors->end());
  config.set_num_threads(0);
  executors->Add()->set_type("ApplicationThreadExecutor");
  return config;
}

class OneRun {
 public:
  // All borrowed, apart from `devices`: null where no node uses devices.
  OneRun(const GraphPlan& plan, std::unique_ptr<ExploredDevices> devices,
         const ScheduleInputs& inputs, const PrintPacket& print,
         ScheduleChooser* chooser)
      : plan_(plan),
        inputs_(inputs),
        print_(print),
        chooser_(*chooser),
        devices_(std::move(devices)) {
    graph_.emplace();
  }

  absl::StatusOr<ScheduleOutcome> Run(const std::vector<std::string>& observed);

 private:
  // A packet whose value is read when the run is over: to read it waits for its
  // device, and that would hide a wait that is missing.
  struct Kept {
    Items* items;
    std::size_t place;
    Packet packet;
  };

  absl::Status Observe(const std::vector<std::string>& observed);
  absl::Status NoteItem(const Packet& packet, Items* items);
  absl::Status ReadKept();
  void Feed();
  absl::Status Add(const std::string& stream, const Packet& packet);
  // What runs while the application does something else. False after an error.
  bool RunMeanwhile();
  absl::Status Finish();
  void RunToTheEnd();

  const GraphPlan& plan_;
  const ScheduleInputs& inputs_;
  const PrintPacket& print_;
  ScheduleChooser& chooser_;
  ScheduleOutcome outcome_;
  absl::Status print_error_;
  // Before all that has their memory. Null where no node uses devices.
  const std::unique_ptr<ExploredDevices> devices_;
  std::vector<Kept> kept_;
  absl::optional<CalculatorGraph> graph_;
};

absl::StatusOr<ScheduleOutcome> OneRun::Run(
    const std::vector<std::string>& observed) {
  SYNCLINE_RETURN_IF_ERROR(graph_->SetTaskChooser(&chooser_));
  SYNCLINE_RETURN_IF_ERROR(graph_->Initialize(plan_));
  if (devices_ != nullptr) {
    SYNCLINE_RETURN_IF_ERROR(devices_->GiveTo(&*graph_));
  }
  SYNCLINE_RETURN_IF_ERROR(Observe(observed));
  SYNCLINE_RETURN_IF_ERROR(graph_->StartRun(inputs_.side_packets));
  Feed();
  outcome_.status = Finish();
  SYNCLINE_RETURN_IF_ERROR(ReadKept());
  graph_.reset();
  outcome_.choices = chooser_.choices();
  return std::move(outcome_);
}

// --- What comes out

absl::Status OneRun::Observe(const std::vector<std::string>& observed) {
  for (const std::string& stream : observed) {
    Items* const items = &outcome_.streams[stream];
    SYNCLINE_RETURN_IF_ERROR(graph_->ObserveOutputStream(
        stream, [this, items](const Packet& packet) {
          return NoteItem(packet, items);
        }));
  }
  if (devices_ == nullptr) return absl::OkStatus();
  // A packet was sent: a moment between two calls.
  for (const PlanStream& stream : plan_.streams()) {
    SYNCLINE_RETURN_IF_ERROR(graph_->ObserveOutputStream(
        std::string(stream.name), [this](const Packet& packet) {
          devices_->MayGoOn();
          return absl::OkStatus();
        }));
  }
  return absl::OkStatus();
}

absl::Status OneRun::NoteItem(const Packet& packet, Items* items) {
  if (devices_ != nullptr && devices_->HasPendingWork(packet)) {
    kept_.push_back({items, items->size(), packet});
    items->push_back({packet.Timestamp(), ""});
    return absl::OkStatus();
  }
  const absl::StatusOr<std::string> value = print_(packet);
  if (!value.ok()) return print_error_ = value.status();
  items->push_back({packet.Timestamp(), *value});
  return absl::OkStatus();
}

absl::Status OneRun::ReadKept() {
  SYNCLINE_RETURN_IF_ERROR(print_error_);
  for (const Kept& kept : kept_) {
    if (!outcome_.status.ok()) {
      // A device that failed has no values. How far a stream came before an
      // error is not compared.
      kept.items->resize(std::min(kept.items->size(), kept.place));
      continue;
    }
    SYNCLINE_ASSIGN_OR_RETURN(kept.items->at(kept.place).value,
                              print_(kept.packet));
  }
  kept_.clear();
  return absl::OkStatus();
}

// --- The application

// Adds the packets of all inputs, as one of the many applications that could
// have done so: the order between streams is free, and so is how much the
// graph has done in between.
void OneRun::Feed() {
  std::map<std::string, std::size_t> next;
  for (;;) {
    std::vector<const std::string*> open;
    for (const auto& [stream, packets] : inputs_.streams) {
      if (next[stream] < packets.size()) open.push_back(&stream);
    }
    if (open.empty()) break;
    const std::string& stream =
        *open[open.size() == 1 ? 0 : chooser_.Choose(open.size())];
    const Packet& packet = inputs_.streams.at(stream)[next[stream]++];
    // An error is the run's, and comes with its status.
    if (!Add(stream, packet).ok()) break;
    if (chooser_.Choose(2) == 1 && !RunMeanwhile()) break;
  }
  (void)graph_->CloseAllInputStreams().ok();
}

absl::Status OneRun::Add(const std::string& stream, const Packet& packet) {
  using Mode = CalculatorGraph::GraphInputStreamAddMode;
  if (devices_ != nullptr) {
    graph_->SetGraphInputStreamAddMode(Mode::ADD_IF_NOT_FULL);
    for (;;) {
      const absl::Status added = graph_->AddPacketToInputStream(stream, packet);
      if (!absl::IsUnavailable(added) || graph_->HasError()) return added;
      // There may be room when a device has done more.
      if (!graph_->RunEpoch(absl::InfiniteDuration()).ok()) return added;
      if (!devices_->GoOn()) break;
    }
    // Only the graph itself can make room, when it sees who waits.
    graph_->SetGraphInputStreamAddMode(Mode::WAIT_TILL_NOT_FULL);
  }
  return graph_->AddPacketToInputStream(stream, packet);
}

bool OneRun::RunMeanwhile() {
  if (devices_ == nullptr) return graph_->WaitUntilIdle().ok();
  if (!graph_->RunEpoch(absl::InfiniteDuration()).ok()) return false;
  devices_->MayGoOn();
  return true;
}

// --- The end

absl::Status OneRun::Finish() {
  if (devices_ != nullptr) RunToTheEnd();
  return graph_->WaitUntilDone();
}

void OneRun::RunToTheEnd() {
  absl::Time still_since = absl::Now();
  for (;;) {
    const absl::StatusOr<CalculatorGraph::EpochReport> report =
        graph_->RunEpoch(absl::InfiniteDuration());
    if (!report.ok() || report->is_finished) return;
    if (devices_->GoOn() || report->tasks > 0) {
      still_since = absl::Now();
      continue;
    }
    // A time may come, or another thread do something.
    absl::SleepFor(absl::Milliseconds(1));
    if (report->next_ns.has_value()) still_since = absl::Now();
    if (absl::Now() - still_since > kLongestStill) break;
  }
  graph_->RecordError(absl::UnavailableError(absl::StrCat(
      "Detected a deadlock: no call is ready, no device has work left, and "
      "nothing has come from outside for ",
      absl::FormatDuration(kLongestStill), ".\n", graph_->Explain())));
}

}  // namespace

std::string DifferenceOf(const ScheduleOutcome& a, const ScheduleOutcome& b) {
  for (const auto& [stream, items] : a.streams) {
    const Items& others = b.streams.at(stream);
    // After an error it is a matter of chance how far each stream came.
    const bool both_ended = a.status.ok() && b.status.ok();
    const std::size_t size = both_ended ? std::max(items.size(), others.size())
                                        : std::min(items.size(), others.size());
    for (std::size_t i = 0; i < size; ++i) {
      if (i < items.size() && i < others.size() && items[i] == others[i]) {
        continue;
      }
      return absl::StrCat("packet ", i, " of stream \"", stream, "\" is ",
                          ItemText(items, i), " in the one and ",
                          ItemText(others, i), " in the other");
    }
  }
  if (a.status.code() == b.status.code()) return "";
  return absl::StrCat("the run ends with \"", a.status.ToString(),
                      "\" in the one and with \"", b.status.ToString(),
                      "\" in the other");
}

// --- ScheduledGraph

ScheduledGraph::ScheduledGraph(GraphPlan plan, bool uses_devices)
    : plan_(std::move(plan)), uses_devices_(uses_devices) {
  std::set<int> outputs;
  for (const PlanGraphOutput& output : plan_.graph_outputs()) {
    if (output.stream >= 0) outputs.insert(output.stream);
  }
  for (const PlanStream& stream : plan_.streams()) {
    if (outputs.empty() || outputs.count(stream.id) > 0) {
      observed_.emplace_back(stream.name);
    }
  }
}

absl::StatusOr<ScheduledGraph> ScheduledGraph::Compile(
    const CalculatorGraphConfig& config) {
  CompileOptions options;
  options.log_warnings = false;
  SYNCLINE_ASSIGN_OR_RETURN(GraphPlan plan,
                            ::syncline::Compile(config, options));
  const bool uses_devices = ExploredDevices::AreUsedBy(plan);
  if (uses_devices) {
    SYNCLINE_ASSIGN_OR_RETURN(
        plan, ::syncline::Compile(OnApplicationThread(plan.Config()), options));
  }
  return ScheduledGraph(std::move(plan), uses_devices);
}

absl::StatusOr<ScheduleOutcome> ScheduledGraph::Run(
    const ScheduleInputs& inputs, const PrintPacket& print,
    ScheduleChooser* chooser) const {
  std::unique_ptr<ExploredDevices> devices;
  if (uses_devices_) {
    SYNCLINE_ASSIGN_OR_RETURN(devices, ExploredDevices::Make(plan_, chooser));
  }
  return OneRun(plan_, std::move(devices), inputs, print, chooser)
      .Run(observed_);
}

}  // namespace syncline
