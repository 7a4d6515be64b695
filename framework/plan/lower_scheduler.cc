// Replaces what a graph's `scheduler` says of threads by executors.
//
//   GreedyScheduler, EpochScheduler           ApplicationThreadExecutor
//   MultiThreadScheduler, EventBasedScheduler a pool of worker_thread_number
//   thread_pool { name: "p" }                 executor "p"; its nodes run there
//   ... member { node: "n" pin: true }        executor "p:n" of one thread
//
// Its settings for the end of a run stay; see PlanSettings. Runs after
// LowerLegacy and before LowerNumThreads.
//
// Tested by lower_scheduler_test.

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/base/hash_map.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/graph_text/node_names.h"
#include "framework/plan/assign_executors.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/passes.h"
#include "framework/plan/plan_tables.h"

namespace syncline {
namespace {

using ThreadPool = SchedulerConfig::ThreadPool;

constexpr absl::string_view kTypes[] = {"GreedyScheduler", "EpochScheduler",
                                        "MultiThreadScheduler",
                                        "EventBasedScheduler"};

// The niceness of threads of priority 0, 1 and 2.
constexpr int kNiceness[] = {10, 0, -10};

absl::string_view WithoutNamespace(absl::string_view type) {
  for (const absl::string_view prefix :
       {"nvidia::gxf::", "holoscan::", "syncline.", "syncline::"}) {
    if (absl::ConsumePrefix(&type, prefix)) break;
  }
  return type;
}

class SchedulerPass {
 public:
  explicit SchedulerPass(CompileState* state)
      : state_(*state), scheduler_(*state->config().mutable_scheduler()) {}

  void Run() {
    if (!CheckType()) return;
    CheckNumbers();
    MakeDefaultExecutor();
    IndexNodes();
    for (const ThreadPool& pool : scheduler_.thread_pool()) AddPool(pool);
    CheckAllocation();
    scheduler_.clear_type();
    scheduler_.clear_worker_thread_number();
    scheduler_.clear_check_recession_period_ms();
    scheduler_.clear_thread_pool_allocation_auto();
    scheduler_.clear_pin_cores();
    scheduler_.clear_thread_pool();
    if (scheduler_.ByteSizeLong() == 0) state_.config().clear_scheduler();
  }

 private:
  void Error(absl::string_view message) {
    state_.FieldError("scheduler", 0, absl::StrCat("scheduler: ", message));
  }

  bool CheckType() {
    type_ = std::string(WithoutNamespace(scheduler_.type()));
    if (type_.empty() || absl::c_linear_search(kTypes, type_)) return true;
    const std::vector<std::string> known(std::begin(kTypes), std::end(kTypes));
    Error(absl::StrCat("there is no scheduler of type ",
                       Quoted(scheduler_.type()), ".",
                       state_.DidYouMeanOrKnown(type_, known)));
    return false;
  }

  bool HasOneThread() const {
    return type_ == "GreedyScheduler" || type_ == "EpochScheduler";
  }

  void CheckNumbers() {
    if (scheduler_.worker_thread_number() < 0) {
      Error(absl::StrCat("worker_thread_number must be positive, and is ",
                         scheduler_.worker_thread_number(), "."));
    }
    // NaN is an error, too.
    if (!(scheduler_.check_recession_period_ms() >= 0)) {
      Error("check_recession_period_ms must not be negative.");
    }
    const bool says_threads = scheduler_.worker_thread_number() != 0 ||
                              scheduler_.pin_cores_size() > 0;
    if (type_.empty() && says_threads) {
      Error("worker_thread_number and pin_cores need a type.");
    }
    if (!HasOneThread()) return;
    if (says_threads) {
      Error(absl::StrCat(type_,
                         " has no worker_thread_number and no pin_cores: "
                         "everything runs on the thread that waits."));
    }
    if (scheduler_.thread_pool().empty()) return;
    state_.warnings.push_back(absl::StrCat(
        "scheduler: ", type_,
        " runs everything on one thread; its thread_pool is ignored."));
    scheduler_.clear_thread_pool();
  }

  void MakeDefaultExecutor() {
    if (type_.empty()) return;
    CalculatorGraphConfig& config = state_.config();
    if (HasDefaultExecutor(config) || config.num_threads() != 0) {
      return Error(
          "its type says how many threads the graph has, and so does "
          "num_threads or an executor without a name: only one of them may.");
    }
    ExecutorConfig* const executor = config.add_executor();
    if (HasOneThread()) return executor->set_type("ApplicationThreadExecutor");
    SetThreads(std::max(1, scheduler_.worker_thread_number()),
               scheduler_.pin_cores(), executor);
  }

  template <typename Cores>
  static ThreadPoolExecutorOptions* SetThreads(int threads, const Cores& cores,
                                               ExecutorConfig* executor) {
    ThreadPoolExecutorOptions* const options =
        executor->mutable_options()->MutableExtension(
            ThreadPoolExecutorOptions::ext);
    options->set_num_threads(threads);
    for (const int core : cores) options->add_cpu(core);
    return options;
  }

  void AddExecutor(const std::string& name, int threads,
                   const ThreadPool& pool) {
    ExecutorConfig* const executor = state_.config().add_executor();
    executor->set_name(name);
    executor->set_type("ThreadPoolExecutor");
    ThreadPoolExecutorOptions* const options =
        SetThreads(threads, pool.pin_cores(), executor);
    if (!pool.has_priority()) return;
    options->set_nice_priority_level(
        kNiceness[std::clamp(pool.priority(), 0, 2)]);
  }

  void IndexNodes() {
    if (scheduler_.thread_pool().empty()) return;
    CalculatorGraphConfig& config = state_.config();
    for (int i = 0; i < config.node_size(); ++i) {
      nodes_.emplace(BaseName(config.node(i)), i);
    }
  }

  void AddPool(const ThreadPool& pool) {
    const std::string label = absl::StrCat("thread_pool ", Quoted(pool.name()));
    if (pool.name().empty()) return Error("a thread_pool has no name.");
    if (pool.initial_size() < 0) {
      Error(absl::StrCat(label, ": initial_size must not be negative, and is ",
                         pool.initial_size(), "."));
    }
    if (pool.priority() < 0 || pool.priority() > 2) {
      Error(absl::StrCat(label, ": priority must be 0, 1 or 2, and is ",
                         pool.priority(), "."));
    }
    bool is_shared = false;
    for (const ThreadPool::Member& member : pool.member()) {
      is_shared |= !member.pin();
      if (!Assign(member, pool, label) || !member.pin()) continue;
      AddExecutor(absl::StrCat(pool.name(), ":", member.node()), 1, pool);
    }
    if (is_shared && pool.initial_size() == 0) {
      Error(absl::StrCat(label,
                         ": nodes that are not pinned need an initial_size."));
    }
    if (pool.initial_size() > 0) {
      AddExecutor(pool.name(), pool.initial_size(), pool);
    }
  }

  bool Assign(const ThreadPool::Member& member, const ThreadPool& pool,
              const std::string& label) {
    const auto found = nodes_.find(member.node());
    if (found == nodes_.end()) {
      std::vector<std::string> known;
      for (const auto& [name, node] : nodes_) {
        if (known.size() == CompileState::kMaxCandidates) break;
        known.push_back(name);
      }
      std::sort(known.begin(), known.end());
      Error(absl::StrCat(label, ": the graph has no node ",
                         Quoted(member.node()), ".",
                         state_.DidYouMeanOrKnown(member.node(), known)));
      return false;
    }
    CalculatorGraphConfig::Node* const node =
        state_.config().mutable_node(found->second);
    if (!node->executor().empty()) {
      Error(absl::StrCat(label, ": node ", Quoted(member.node()),
                         " runs on executor ", Quoted(node->executor()),
                         " already."));
      return false;
    }
    node->set_executor(member.pin()
                           ? absl::StrCat(pool.name(), ":", member.node())
                           : pool.name());
    return true;
  }

  void CheckAllocation() {
    if (!scheduler_.has_thread_pool_allocation_auto() ||
        scheduler_.thread_pool_allocation_auto()) {
      return;
    }
    for (const auto& node : state_.config().node()) {
      if (!node.executor().empty()) continue;
      Error(absl::StrCat(
          "with thread_pool_allocation_auto: false each node is a member of a "
          "thread_pool, but ",
          Quoted(BaseName(node)), " is not."));
      return;
    }
  }

  CompileState& state_;
  SchedulerConfig& scheduler_;
  std::string type_;
  HashMap<std::string, int> nodes_;
};

}  // namespace

void LowerScheduler(CompileState* state) {
  if (state->config().has_scheduler()) SchedulerPass(state).Run();
}

}  // namespace syncline
