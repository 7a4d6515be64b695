#include "framework/plan/check_settings.h"

#include <algorithm>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/plan/compile_state.h"

namespace syncline {
namespace {

using ::absl::StatusCode;

void CheckNode(int index, CompileState* state) {
  const CalculatorGraphConfig::Node& node = state->node(index);
  if (node.max_in_flight() < 0) {
    state->NodeError(index, StatusCode::kInvalidArgument,
                     absl::StrCat("max_in_flight must not be negative, and is ",
                                  node.max_in_flight(), "."));
  }
  if (node.max_in_flight() > 1 && state->drafts[index].is_source()) {
    state->NodeError(
        index, StatusCode::kInvalidArgument,
        absl::StrCat("a source is never called in parallel with itself: "
                     "max_in_flight must be 0 or 1, and is ",
                     node.max_in_flight(), "."));
  }
  if (node.buffer_size_hint() < -1) {
    state->NodeError(
        index, StatusCode::kInvalidArgument,
        absl::StrCat("buffer_size_hint must not be negative, and is ",
                     node.buffer_size_hint(), "."));
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

// Those of Syncline's own. REQUIRES: max_queue_size is known.
void CheckQueueSettings(const CalculatorGraphConfig& config,
                        CompileState* state) {
  PlanSettings& settings = state->tables->settings;
  if (config.max_queue_bytes() < -1) {
    state->FieldError(
        "max_queue_bytes", 0, StatusCode::kInvalidArgument,
        absl::StrCat("max_queue_bytes must be positive, or 0 or -1 for no "
                     "limit, and is ",
                     config.max_queue_bytes(), "."));
  }
  if (config.max_queue_bytes() > 0) {
    settings.max_queue_bytes = config.max_queue_bytes();
  }
  if (config.max_queue_size_ceiling() < 0) {
    state->FieldError("max_queue_size_ceiling", 0, StatusCode::kInvalidArgument,
                      absl::StrCat("max_queue_size_ceiling must not be "
                                   "negative, and is ",
                                   config.max_queue_size_ceiling(), "."));
  }
  settings.max_queue_size_ceiling =
      config.max_queue_size_ceiling() > 0
          ? config.max_queue_size_ceiling()
          : DefaultCeiling(settings.max_queue_size);
  if (config.max_queue_bytes_ceiling() < 0) {
    state->FieldError("max_queue_bytes_ceiling", 0,
                      StatusCode::kInvalidArgument,
                      absl::StrCat("max_queue_bytes_ceiling must not be "
                                   "negative, and is ",
                                   config.max_queue_bytes_ceiling(), "."));
  }
  settings.max_queue_bytes_ceiling =
      std::max<std::int64_t>(0, config.max_queue_bytes_ceiling());
  if (config.queue_warning_size() < -1) {
    state->FieldError("queue_warning_size", 0, StatusCode::kInvalidArgument,
                      absl::StrCat("queue_warning_size must be positive, 0 for "
                                   "the default or -1 for no warning, and is ",
                                   config.queue_warning_size(), "."));
  }
  if (config.queue_warning_size() != 0) {
    settings.queue_warning_size = std::max(0, config.queue_warning_size());
  }
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
  if (settings.max_queue_size < -1) {
    state->FieldError("max_queue_size", 0, StatusCode::kInvalidArgument,
                      absl::StrCat("max_queue_size must be positive, 0 for the "
                                   "default or -1 for no limit, and is ",
                                   config.max_queue_size(), "."));
  }
  for (int i = 0; i < config.node_size(); ++i) {
    CheckNode(i, state);
    if (settings.max_queue_size != -1) {
      settings.max_queue_size =
          std::max(settings.max_queue_size, config.node(i).buffer_size_hint());
    }
  }
  CheckQueueSettings(config, state);
}

}  // namespace syncline
