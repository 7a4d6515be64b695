// Numbers that apply to the graph or to one node: queue limits, calls in
// flight.
//
// max_queue_size 0 means 100 and -1 no limit; the largest buffer_size_hint of
// any node raises it for all. Values without a meaning are errors.
//
// Runs after ConnectPorts; fills PlanTables::settings.
//
// Tested by check_settings_test.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/base/log_levels.h"
#include "framework/base/status_text.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/node_names.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/handler_options.h"
#include "framework/plan/passes.h"
#include "framework/plan/plan_tables.h"
#include "framework/trace/convert/graph_profile_options.h"

namespace syncline {
namespace {

constexpr int kDefaultMaxQueueSize = 100;

absl::Status CheckLogLevel(const std::string& text) {
  if (text.empty()) return absl::OkStatus();
  return PrefixStatus("log_level: ", ParseLogLevel(text).status());
}

void CheckBatch(int index, CompileState* state) {
  const CalculatorGraphConfig::Node& node = state->node(index);
  const BatchConfig& batch = node.batch();
  std::string problem;
  if (batch.max_size() < 0 || batch.max_size() > kMaxBatchSize) {
    problem = absl::StrCat("max_size must be from 0 to ", kMaxBatchSize,
                           ", and is ", batch.max_size());
  } else if (batch.max_delay_ns() < 0) {
    problem = absl::StrCat("max_delay_ns must not be negative, and is ",
                           batch.max_delay_ns());
  } else if (batch.max_delay_ns() > 0 && batch.max_size() <= 1) {
    problem = "max_delay_ns needs a max_size above 1";
  } else if (batch.max_size() > 1 && state->drafts[index].inputs.empty()) {
    problem = "a node without input streams has no input sets";
  } else if (batch.max_size() > 1 && node.max_in_flight() > 1) {
    problem = "it can have a batch or a max_in_flight above 1, but not both";
  }
  if (problem.empty()) return;
  state->NodeError(index, absl::StrCat("batch: ", problem, "."));
}

void CheckNode(int index, CompileState* state) {
  const CalculatorGraphConfig::Node& node = state->node(index);
  if (node.max_in_flight() < 0) {
    state->NodeError(index,
                     absl::StrCat("max_in_flight must not be negative, and is ",
                                  node.max_in_flight(), "."));
  }
  if (node.max_in_flight() > 1 && state->drafts[index].is_source()) {
    state->NodeWarning(
        index, absl::StrCat("max_in_flight is ", node.max_in_flight(),
                            ", but a source is never called in parallel with "
                            "itself: one call runs at a time."));
  }
  CheckBatch(index, state);
  if (node.buffer_size_hint() < -1) {
    state->NodeError(
        index, absl::StrCat("buffer_size_hint must not be negative, and is ",
                            node.buffer_size_hint(), "."));
  }
  // The graph's level is in its nodes by now, and was looked at once.
  if (node.log_level() == state->config().log_level()) return;
  if (const absl::Status level = CheckLogLevel(node.log_level()); !level.ok()) {
    state->NodeError(index, level);
  }
}

// Queues may grow to resolve a deadlock, but not without end: what they hold
// may be all of the memory.
int DefaultCeiling(int max_queue_size) {
  constexpr int kFactor = 10;
  constexpr int kAtLeast = 1000;
  if (max_queue_size > std::numeric_limits<int>::max() / kFactor) {
    return std::numeric_limits<int>::max();
  }
  return kFactor * std::max(kAtLeast / kFactor, max_queue_size);
}

// An error unless the number of the graph is at least `least`; `rule` says what
// it must be.
void CheckNumber(absl::string_view field, std::int64_t value,
                 std::int64_t least, absl::string_view rule,
                 CompileState* state) {
  if (value >= least) return;
  state->FieldError(
      field, 0, absl::StrCat(field, " must ", rule, ", and is ", value, "."));
}

// Checks the settings of queues that only Syncline has. REQUIRES:
// max_queue_size is known.
void CheckQueueSettings(const CalculatorGraphConfig& config,
                        CompileState* state) {
  PlanSettings& settings = state->tables->settings;
  CheckNumber("max_queue_bytes", config.max_queue_bytes(), -1,
              "be positive, or 0 or -1 for no limit", state);
  if (config.max_queue_bytes() > 0) {
    settings.max_queue_bytes = config.max_queue_bytes();
  }
  CheckNumber("max_queue_size_ceiling", config.max_queue_size_ceiling(), 0,
              "not be negative", state);
  settings.max_queue_size_ceiling =
      config.max_queue_size_ceiling() > 0
          ? config.max_queue_size_ceiling()
          : DefaultCeiling(settings.max_queue_size);
  CheckNumber("max_queue_bytes_ceiling", config.max_queue_bytes_ceiling(), 0,
              "not be negative", state);
  settings.max_queue_bytes_ceiling =
      std::max<std::int64_t>(0, config.max_queue_bytes_ceiling());
  CheckNumber("queue_warning_size", config.queue_warning_size(), -1,
              "be positive, 0 for the default or -1 for no warning", state);
  if (config.queue_warning_size() != 0) {
    settings.queue_warning_size = std::max(0, config.queue_warning_size());
  }
  CheckNumber("queue_error_size", config.queue_error_size(), -1,
              "be positive, or 0 or -1 for none", state);
  settings.queue_error_size = std::max(0, config.queue_error_size());
  CheckNumber("max_memory_bytes", config.max_memory_bytes(), -1,
              "be positive, 0 for half of the memory there is or -1 for no "
              "limit",
              state);
  settings.max_memory_bytes = config.max_memory_bytes();
  if (config.has_check_device_access()) {
    settings.check_device_access = config.check_device_access();
  }
}

// The graph input that `info` is about; null, with an error, if it is none.
PlanGraphInput* FindGraphInput(const GraphInputInfo& info, int index,
                               CompileState* state) {
  const int stream = state->stream_ids.Find(state->streams, info.stream());
  if (stream >= 0) {
    const PortRef producer = state->streams[stream].producer;
    if (producer.node < 0) return &state->tables->graph_inputs[producer.port];
  }
  if (state->excused_names.contains(info.stream())) return nullptr;
  state->FieldError(
      "graph_input_info", index,
      absl::StrCat("graph_input_info: the graph has no input_stream ",
                   Quoted(info.stream()), ".",
                   state->DidYouMeanOrKnown(
                       info.stream(),
                       CompileState::Candidates(state->tables->graph_inputs))));
  return nullptr;
}

// What is wrong with it by itself, or "".
std::string GraphInputInfoProblem(const GraphInputInfo& info) {
  if (!GraphInputInfo::BadTimestamps_IsValid(info.bad_timestamps())) {
    return absl::StrCat("bad_timestamps is ",
                        static_cast<int>(info.bad_timestamps()),
                        ", which is none of ERROR, REJECT, DROP, CLAMP and "
                        "REORDER");
  }
  if (info.bad_timestamps() == GraphInputInfo::REORDER) {
    if (info.reorder_window() <= 0) {
      return absl::StrCat("REORDER needs a positive reorder_window, and it is ",
                          info.reorder_window());
    }
    if (info.max_held_packets() >= 0) return "";
    return absl::StrCat("max_held_packets must not be negative, and is ",
                        info.max_held_packets());
  }
  if (info.reorder_window() == 0 && info.max_held_packets() == 0) return "";
  return "reorder_window and max_held_packets are for bad_timestamps: REORDER "
         "only";
}

void CheckGraphInputs(const CalculatorGraphConfig& config,
                      CompileState* state) {
  constexpr int kDefaultMaxHeldPackets = 10000;
  HashSet<const PlanGraphInput*> seen;
  for (int i = 0; i < config.graph_input_info_size(); ++i) {
    if (state->errors.full()) return;
    const GraphInputInfo& info = config.graph_input_info(i);
    PlanGraphInput* const input = FindGraphInput(info, i, state);
    if (input == nullptr) continue;
    std::string problem = GraphInputInfoProblem(info);
    if (!seen.insert(input).second) problem = "there is more than one for it";
    if (!problem.empty()) {
      state->FieldError(
          "graph_input_info", i,
          absl::StrCat("graph_input_info of input_stream ",
                       Quoted(info.stream()), ": ", problem, "."));
      continue;
    }
    input->bad_timestamps = info.bad_timestamps();
    input->reorder_window = info.reorder_window();
    input->max_held_packets = info.max_held_packets() > 0
                                  ? info.max_held_packets()
                                  : kDefaultMaxHeldPackets;
  }
}

void CheckAllocators(const CalculatorGraphConfig& config, CompileState* state) {
  HashSet<absl::string_view> names;
  for (int i = 0; i < config.allocator_size(); ++i) {
    if (state->errors.full()) return;
    const std::string& name = config.allocator(i).name();
    if (names.insert(name).second) continue;
    state->FieldError(
        "allocator", i,
        absl::StrCat("there is more than one allocator ", Quoted(name),
                     "; give each a name of its own."));
  }
}

// What is left of the scheduler: see lower_scheduler.cc.
void CheckEndOfRun(const SchedulerConfig& scheduler, PlanSettings* settings) {
  constexpr std::int64_t kNsPerMs = 1'000'000;
  constexpr std::int64_t kMostMs =
      std::numeric_limits<std::int64_t>::max() / kNsPerMs;
  if (scheduler.has_max_duration_ms() && scheduler.max_duration_ms() >= 0) {
    settings->max_duration_ns =
        std::min(scheduler.max_duration_ms(), kMostMs) * kNsPerMs;
  }
  if (scheduler.has_stop_on_deadlock()) {
    settings->stop_on_deadlock = scheduler.stop_on_deadlock();
  }
  const std::int64_t timeout_ms = scheduler.stop_on_deadlock_timeout();
  settings->deadlock_timeout_ns =
      timeout_ms < 0 ? -1 : std::min(timeout_ms, kMostMs) * kNsPerMs;
}

void CheckProfiler(const ProfilerConfig& profiler, CompileState* state) {
  const absl::Status status = ReadProfilerConfig(profiler).status();
  if (status.ok()) return;
  state->FieldError("profiler_config", 0, status.message(), status.code());
}

}  // namespace

void CheckSettings(CompileState* state) {
  const CalculatorGraphConfig& config = state->config();
  PlanSettings& settings = state->tables->settings;
  settings.report_deadlock = config.report_deadlock();
  settings.deterministic = config.deterministic();
  settings.max_queue_size = config.max_queue_size() == 0
                                ? kDefaultMaxQueueSize
                                : config.max_queue_size();
  CheckNumber("max_queue_size", settings.max_queue_size, -1,
              "be positive, 0 for the default or -1 for no limit", state);
  if (const absl::Status level = CheckLogLevel(config.log_level());
      !level.ok()) {
    state->FieldError("log_level", 0, level.message(), level.code());
  }
  for (int i = 0; i < config.node_size(); ++i) {
    CheckNode(i, state);
    if (settings.max_queue_size != -1) {
      settings.max_queue_size =
          std::max(settings.max_queue_size, config.node(i).buffer_size_hint());
    }
  }
  CheckQueueSettings(config, state);
  CheckEndOfRun(config.scheduler(), &settings);
  CheckGraphInputs(config, state);
  CheckAllocators(config, state);
  CheckProfiler(config.profiler_config(), state);
}

}  // namespace syncline
