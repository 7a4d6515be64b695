#include "framework/plan/assign_executors.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/base/hash_map.h"
#include "framework/base/thread_limits.h"
#include "framework/base/unread_options.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/graph_text/node_names.h"
#include "framework/plan/compile_state.h"

namespace syncline {
namespace {

constexpr absl::string_view kThreadPool = "ThreadPoolExecutor";
constexpr absl::string_view kApplicationThread = "ApplicationThreadExecutor";
constexpr int kDefaultExecutor = 0;

bool IsReserved(absl::string_view name) {
  return name == "default" || name == "gpu" || absl::StartsWith(name, "__");
}

std::string Label(const ExecutorConfig& config) {
  if (config.name().empty()) return "the default executor";
  return absl::StrCat("executor ", Quoted(config.name()));
}

// The framework's own types may be written with its namespace.
bool IsType(absl::string_view type, absl::string_view ours) {
  if (type == ours) return true;
  absl::ConsumePrefix(&type, ".");
  return absl::ConsumePrefix(&type, "syncline.") && type == ours;
}

ExecutorKind KindOf(const ExecutorConfig& config) {
  if (config.type().empty()) {
    return config.name().empty() ? ExecutorKind::kThreadPool
                                 : ExecutorKind::kFromApplication;
  }
  if (IsType(config.type(), kThreadPool)) return ExecutorKind::kThreadPool;
  if (IsType(config.type(), kApplicationThread)) {
    return ExecutorKind::kApplicationThread;
  }
  return ExecutorKind::kRegistered;
}

class ExecutorPass {
 public:
  explicit ExecutorPass(CompileState* state)
      : state_(*state), executors_(state->tables->executors) {}

  void Run() {
    // The default executor is number 0, wherever it stands in the config.
    for (const bool is_default : {true, false}) {
      for (int i = 0; i < state_.config().executor_size(); ++i) {
        at_ = i;
        const ExecutorConfig& config = state_.config().executor(i);
        if (config.name().empty() == is_default) AddExecutor(config);
      }
    }
    for (int i = 0; i < static_cast<int>(state_.drafts.size()); ++i) {
      AssignNode(i);
    }
  }

 private:
  void AddExecutor(const ExecutorConfig& config) {
    CheckName(config);
    const ExecutorKind kind = KindOf(config);
    if (kind == ExecutorKind::kApplicationThread && !config.name().empty()) {
      Error(config,
            "type \"ApplicationThreadExecutor\" is for the default executor "
            "only.");
    }
    if (kind == ExecutorKind::kRegistered) {
      CheckType(config);
    } else {
      CheckOptionsOf(kind, config);
    }
    PlanExecutor executor{.id = static_cast<int>(executors_.size()),
                          .name = config.name(),
                          .type = config.type(),
                          .kind = kind,
                          .options = &config.options(),
                          .location = Place(config)};
    if (kind == ExecutorKind::kThreadPool) {
      executor.num_threads = CheckThreadPool(config);
      executor.useful_threads = UsefulThreads();
    }
    ids_.try_emplace(config.name(), executor.id);
    executors_.push_back(std::move(executor));
  }

  void CheckName(const ExecutorConfig& config) {
    const std::string& name = config.name();
    if (IsReserved(name)) {
      Error(config,
            absl::StrCat(Quoted(name), " is a reserved executor name."));
    }
    if (ids_.contains(name)) {
      Error(config,
            absl::StrCat("there is more than one ExecutorConfig with the name ",
                         Quoted(name), "."));
    }
  }

  void CheckType(const ExecutorConfig& config) {
    const std::string& package = state_.config().package();
    if (ExecutorTypes().IsRegistered(package, config.type())) return;
    std::vector<std::string> known = ExecutorTypes().names().Names();
    if (config.name().empty()) known.emplace_back(kApplicationThread);
    Error(config,
          absl::StrCat(Quoted(config.type()),
                       " is not a registered executor type.",
                       state_.DidYouMeanOrKnown(config.type(), known),
                       " A type of your own is registered with "
                       "REGISTER_EXECUTOR, in a library that is linked with "
                       "alwayslink = True; or give the executor with "
                       "CalculatorGraph::SetExecutor(), and leave its type "
                       "out."));
  }

  // An executor of a registered type may read what it likes.
  void CheckOptionsOf(ExecutorKind kind, const ExecutorConfig& config) {
    std::vector<int> read;
    if (kind == ExecutorKind::kThreadPool) {
      read.push_back(ThreadPoolExecutorOptions::ext.number());
    }
    const absl::Status unread =
        CheckOptionsAreRead(config.options(), read, "executor");
    if (unread.ok()) return;
    if (state_.options.strict) return Error(config, unread.message());
    state_.warnings.push_back(
        absl::StrCat(Place(config), Label(config), ": ", unread.message()));
  }

  // Returns the number of threads; 0 where it is to be chosen.
  int CheckThreadPool(const ExecutorConfig& config) {
    const auto& options =
        config.options().GetExtension(ThreadPoolExecutorOptions::ext);
    const int threads = options.num_threads();
    const bool may_choose = config.name().empty() && config.type().empty();
    if (may_choose ? threads < -1 : threads <= 0) {
      Error(config, !options.has_num_threads()
                        ? std::string("num_threads is not specified in "
                                      "ThreadPoolExecutorOptions.")
                        : absl::StrCat("num_threads must be positive, and is ",
                                       threads, "."));
      return 1;
    }
    if (threads > kMaxPoolThreads) {
      Error(config, absl::StrCat("num_threads is ", threads, ", and more than ",
                                 kMaxPoolThreads, " are not granted."));
      return 1;
    }
    CheckThreads(config, options);
    return std::max(threads, 0);
  }

  void CheckThreads(const ExecutorConfig& config,
                    const ThreadPoolExecutorOptions& options) {
    if (options.has_stack_size() &&
        (options.stack_size() <= 0 || options.stack_size() > kMaxStackBytes)) {
      Error(config, absl::StrCat("stack_size must be positive and at most ",
                                 kMaxStackBytes, " bytes, and is ",
                                 options.stack_size(), "."));
    }
    if (!IsNiceLevel(options.nice_priority_level())) {
      Error(config,
            absl::StrCat("nice_priority_level must be from -20 to 19, and is ",
                         options.nice_priority_level(), "."));
    }
  }

  // More threads than this could not all be busy.
  int UsefulThreads() const {
    const int nodes = static_cast<int>(state_.drafts.size());
    return std::max(
        {nodes - state_.generator_count, state_.generator_count, 1});
  }

  void AssignNode(int node) {
    const std::string& name = state_.node(node).executor();
    if (name.empty()) {
      state_.drafts[node].executor = kDefaultExecutor;
      return;
    }
    if (IsReserved(name)) {
      state_.NodeError(
          node, absl::StrCat(Quoted(name), " is a reserved executor name."));
      return;
    }
    const auto found = ids_.find(name);
    if (found != ids_.end()) {
      state_.drafts[node].executor = found->second;
      return;
    }
    if (state_.errors.full()) return state_.errors.CountOnly();
    state_.NodeError(
        node, absl::StrCat(
                  "executor ", Quoted(name),
                  " is not declared in an ExecutorConfig of the graph.",
                  state_.DidYouMeanOrKnown(
                      name, CompileState::Candidates(executors_)),
                  " Declare it with executor { name: ", Quoted(name),
                  " type: \"ThreadPoolExecutor\" options { "
                  "[syncline.ThreadPoolExecutorOptions.ext] { num_threads: 1 "
                  "} } }, or leave it out for the default executor."));
  }

  void Error(const ExecutorConfig& config, absl::string_view message) {
    if (state_.errors.full()) return state_.errors.CountOnly();
    state_.errors.Add(absl::InvalidArgumentError(
        absl::StrCat(Place(config), Label(config), ": ", message)));
  }

  // `file:12: ` of the executor being added; nothing when unknown.
  std::string Place(const ExecutorConfig& config) const {
    const bool made = config.name().empty() && state_.made_default_executor;
    return state_.origins.FieldPrefix(made ? "num_threads" : "executor",
                                      made ? 0 : at_);
  }

  CompileState& state_;
  int at_ = 0;  // place in the config of the executor being added
  std::vector<PlanExecutor>& executors_;
  HashMap<std::string, int> ids_;
};

}  // namespace

bool HasDefaultExecutor(const CalculatorGraphConfig& config) {
  return absl::c_any_of(config.executor(), [](const ExecutorConfig& executor) {
    return executor.name().empty();
  });
}

void LowerNumThreads(CompileState* state) {
  CalculatorGraphConfig& config = state->config();
  const bool has_default = HasDefaultExecutor(config);
  if (has_default && config.num_threads() != 0) {
    state->FieldError("num_threads", 0,
                      "ExecutorConfig for the default executor and the "
                      "graph-level num_threads field should not both be "
                      "specified.");
  }
  if (!has_default) {
    state->made_default_executor = true;
    ExecutorConfig* added = config.add_executor();
    if (config.num_threads() != 0) {
      added->mutable_options()
          ->MutableExtension(ThreadPoolExecutorOptions::ext)
          ->set_num_threads(config.num_threads());
    }
  }
  config.clear_num_threads();
}

void AssignExecutors(CompileState* state) { ExecutorPass(state).Run(); }

}  // namespace syncline
