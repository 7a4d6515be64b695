#include "framework/graph/standstill_watch.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "framework/base/graph_clock.h"
#include "framework/base/misuse.h"
#include "framework/base/steady_time.h"
#include "framework/condition/condition_result.h"
#include "framework/node/node_snapshot.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/run_view.h"
#include "framework/report/standstill.h"
#include "framework/run/graph_run.h"
#include "framework/run/run_life.h"
#include "framework/scheduler/application_thread_executor.h"
#include "framework/scheduler/waiters.h"
#include "glog/logging.h"

namespace syncline {
namespace {

// How often it looks while `after` passes: so much later than the last packet
// has moved does the time begin to count, at most.
constexpr std::int64_t kLooks = 50;
constexpr std::int64_t kShortestPauseNs = 1'000'000;
constexpr std::int64_t kLongestPauseNs = 20'000'000;
// Looking at the nodes takes no more than one part in so many of the time.
constexpr std::int64_t kPartsForNodes = 10;
// How often it looks at the loops of a run that goes on, while `after` passes;
// and the same as above of the time that this takes.
constexpr std::int64_t kLooksAtLoops = 20;
constexpr std::int64_t kPartsForLoops = 100;
// How much longer than any wait before it a wait for a device may last, and how
// much longer than before something lasts that is told once more.
constexpr std::int64_t kTimesLonger = 3;
// So often the same cause is told, as long as it lasts no longer than before.
constexpr int kTimesTold = 2;
// A cause that has not come for so many times `after` is forgotten.
constexpr std::int64_t kTimesForgotten = 60;
// Of more causes, and two of each node, all are forgotten.
constexpr std::size_t kMostTold = 100;

bool HasLoops(const GraphPlan& plan) {
  return absl::c_any_of(plan.nodes(), [](const PlanNode& node) {
    return absl::c_any_of(
        node.inputs, [](const PlanInput& input) { return input.back_edge; });
  });
}

}  // namespace

absl::StatusOr<std::unique_ptr<StandstillWatch>> StandstillWatch::Start(
    Settings settings, std::shared_ptr<GraphRun> run,
    std::shared_ptr<WaitPoint> wait_point) {
  std::unique_ptr<StandstillWatch> watch(new StandstillWatch(
      std::move(settings), std::move(run), std::move(wait_point)));
  const absl::Status status = watch->SetAlarm(SteadyNowNs() + watch->pause_ns_);
  if (status.ok()) return watch;
  return absl::Status(
      status.code(),
      absl::StrCat("The watch that ExplainStandstills() asks for: ",
                   status.message(), " The run does without it."));
}

StandstillWatch::StandstillWatch(Settings settings,
                                 std::shared_ptr<GraphRun> run,
                                 std::shared_ptr<WaitPoint> wait_point)
    : settings_(std::move(settings)),
      after_ns_(absl::ToInt64Nanoseconds(settings_.after)),
      pause_ns_(
          std::clamp(after_ns_ / kLooks, kShortestPauseNs, kLongestPauseNs)),
      run_(std::move(run)),
      has_loops_(HasLoops(run_->plan())),
      wait_point_(std::move(wait_point)),
      still_since_ns_(SteadyNowNs()) {}

absl::Status StandstillWatch::SetAlarm(std::int64_t steady_ns) {
  return alarm_.SetAt(steady_ns);
}

void StandstillWatch::Wake() {
  const std::int64_t now_ns = SteadyNowNs();
  std::int64_t next_ns = now_ns + pause_ns_;
  const absl::Status status = CatchExceptions([&] { next_ns = Look(now_ns); });
  if (!status.ok()) {
    LOG(WARNING) << "No look for a standstill of the run: " << status;
  }
  // This cannot fail, because the thread of the alarm runs already.
  SetAlarm(next_ns).IgnoreError();
}

std::int64_t StandstillWatch::Look(std::int64_t now_ns) {
  const std::uint64_t progress = run_->Progress();
  if (progress != progress_) {
    progress_ = progress;
    NoteProgress(now_ns);
  }
  const Waiters::Seen waiters = wait_point_->LookAtWaiters(now_ns);
  const bool is_waited_for =
      settings_.program_waits || waiters.since_ns != Waiters::kNever;
  if (!is_waited_for || run_->life().IsFinished()) return now_ns + pause_ns_;
  const std::int64_t since_ns =
      settings_.program_waits ? still_since_ns_
                              : std::max(still_since_ns_, waiters.since_ns);
  const std::int64_t due_ns =
      std::max(SaturatingAddNs(since_ns, after_ns_), look_at_nodes_at_ns_);
  if (now_ns < due_ns) {
    if (has_loops_ && now_ns >= look_at_loops_at_ns_) LookAtLoops(now_ns);
    return std::min(now_ns + pause_ns_, due_ns);
  }
  LookAtNodes(now_ns);
  // Looking at many nodes takes a while, and little changes without progress.
  const std::int64_t after_look_ns = SteadyNowNs();
  look_at_nodes_at_ns_ = SaturatingAddNs(
      after_look_ns,
      std::max(after_ns_, kPartsForNodes * (after_look_ns - now_ns)));
  return after_look_ns + pause_ns_;
}

void StandstillWatch::LookAtNodes(std::int64_t now_ns) {
  RunView view = run_->look().View();
  // No call has ended since then, so each of them has lasted at least as long.
  view.still_ns = now_ns - still_since_ns_;
  for (RunView::Call& call : view.calls) call.lasts_ns = view.still_ns;
  // What was seen may be a mixture of two moments.
  if (run_->Progress() != progress_) return;
  // A time that is over, and that nobody serves, is waited for no more.
  if (view.next_time_in_ns != ConditionResult::kNoTarget &&
      view.next_time_in_ns > -after_ns_) {
    return;
  }
  if (view.sleeps_on_clock) return;
  const Standstill standstill = FindStandstill(run_->plan(), view);
  if (standstill.may_be_device) {
    waits_for_device_ = true;
    if (view.still_ns < std::max(absl::ToInt64Nanoseconds(kShortestTold),
                                 kTimesLonger * longest_wait_ns_)) {
      return;
    }
  }
  if (standstill.cause.empty()) return;
  stands_as_ = standstill.told_as;
  if (IsNews(standstill, MovedBy(standstill, view), view.still_ns, now_ns)) {
    Tell(standstill, view);
  }
}

bool StandstillWatch::IsNews(const Standstill& standstill, std::uint64_t moved,
                             std::int64_t lasts_ns, std::int64_t now_ns) {
  const std::size_t most = kMostTold + 2 * run_->plan().nodes().size();
  if (told_.size() >= most && !told_.contains(standstill.told_as)) {
    told_.clear();
  }
  ToldCause& told = told_[standstill.told_as];
  const std::int64_t before_ns = std::exchange(told.found_at_ns, now_ns);
  if (moved != told.moved &&
      (now_ns - lasts_ns - before_ns) / kTimesForgotten > after_ns_) {
    told.times = 0;
    told.longest_ns = 0;
  }
  if (told.times > 0) {
    if (!standstill.is_new_once_moved || moved == told.moved) return false;
    const int times = standstill.is_new_if_longer ? 1 : kTimesTold;
    if (told.times >= times && lasts_ns < kTimesLonger * told.longest_ns) {
      return false;
    }
  }
  ++told.times;
  told.moved = moved;
  return true;
}

void StandstillWatch::LookAtLoops(std::int64_t now_ns) {
  const RunView view = run_->look().View();
  std::map<int, LoopWait> loops;
  for (const StillLoop& loop : FindStillLoops(run_->plan(), view)) {
    LoopWait wait = {.told_as = loop.standstill.told_as,
                     .last_node = loop.standstill.last_node,
                     .moved = MovedBy(loop.standstill, view),
                     .since_ns = now_ns};
    const auto before = loops_.find(loop.gate);
    if (before != loops_.end() && before->second.IsSame(wait)) {
      wait = before->second;
    }
    const std::int64_t lasts_ns = now_ns - wait.since_ns;
    if (!wait.is_told && lasts_ns / loop.in_vain_after >= after_ns_) {
      // Another node may wait for the same, as where one loop is inside of
      // another. Once everything else stands still, too, it is known already.
      const auto is_told = [&wait](const auto& other) {
        return other.second.is_told &&
               other.second.last_node == wait.last_node &&
               other.second.moved == wait.moved;
      };
      if (absl::c_any_of(loops, is_told) || absl::c_any_of(loops_, is_told)) {
        wait.is_told = true;
      } else if (IsNews(loop.standstill, wait.moved, lasts_ns, now_ns)) {
        wait.is_told = true;
        Tell(loop.standstill, view);
      }
    }
    loops[loop.gate] = std::move(wait);
  }
  for (const auto& [gate, before] : loops_) {
    const auto now = loops.find(gate);
    if (now == loops.end() || !now->second.IsSame(before)) {
      NoteEnd(before.told_as, now_ns - before.since_ns, now_ns);
    }
  }
  loops_ = std::move(loops);
  const std::int64_t after_look_ns = SteadyNowNs();
  look_at_loops_at_ns_ = SaturatingAddNs(
      after_look_ns, std::max(after_ns_ / kLooksAtLoops,
                              kPartsForLoops * (after_look_ns - now_ns)));
}

void StandstillWatch::NoteEnd(const std::string& told_as,
                              std::int64_t lasted_ns, std::int64_t now_ns) {
  const auto told = told_.find(told_as);
  if (told == told_.end()) return;
  told->second.longest_ns = std::max(told->second.longest_ns, lasted_ns);
  if (lasted_ns >= after_ns_) told->second.found_at_ns = now_ns;
}

void StandstillWatch::Tell(const Standstill& standstill, const RunView& view) {
  const std::string text =
      absl::StrCat(StandstillText(standstill), WaitersText(run_->plan(), view));
  const absl::Status status = CallUserCode([&] { settings_.tell(text); });
  if (!status.ok()) {
    LOG(WARNING) << "Who is told of standstills failed: " << status;
  }
}

void StandstillWatch::NoteProgress(std::int64_t now_ns) {
  if (std::exchange(waits_for_device_, false)) {
    longest_wait_ns_ = std::max(longest_wait_ns_, now_ns - still_since_ns_);
  }
  NoteEnd(std::exchange(stands_as_, ""), now_ns - still_since_ns_, now_ns);
  still_since_ns_ = now_ns;
  look_at_nodes_at_ns_ = 0;
}

std::uint64_t StandstillWatch::MovedBy(const Standstill& standstill,
                                       const RunView& view) const {
  if (standstill.last_node < 0) return progress_;
  const NodeSnapshot& node = view.nodes[standstill.last_node];
  std::int64_t moved = 0;
  for (const NodeSnapshot::Input& input : node.inputs) {
    moved += input.packets_added - input.queue_size;
  }
  for (const NodeSnapshot::Output& output : node.outputs) {
    moved += output.packets_added;
  }
  return static_cast<std::uint64_t>(moved);
}

}  // namespace syncline
