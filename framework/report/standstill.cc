#include "framework/report/standstill.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/graph_text/node_names.h"
#include "framework/plan/graph_plan.h"
#include "framework/report/node_wait.h"
#include "framework/report/run_view.h"
#include "framework/report/wait_search.h"
#include "framework/report/wait_step.h"
#include "framework/scheduler/waiters.h"

namespace syncline {
namespace {

// Lines of a chain that are shown.
constexpr std::size_t kMostLines = 16;

const std::string& What(const WaitStep& step) { return step.what; }
const std::string& ToldAs(const WaitStep& step) {
  return step.told_as.empty() ? step.what : step.told_as;
}

// What is said of the last step of a chain, and of the one before. `what`: of
// one step.
std::string CauseText(const WaitSearch& search,
                      const std::vector<WaitStep>& chain,
                      const std::string& (*what)(const WaitStep&)) {
  const WaitStep& last = chain.back();
  if (chain.size() == 1) {
    return absl::StrCat(search.Name(last), " ", what(last));
  }
  const WaitStep& before = chain[chain.size() - 2];
  const bool is_named =
      last.who != WaitStep::kApplication &&
      absl::StrContains(before.what, absl::StrCat(" at ", search.Name(last)));
  return absl::StrCat(
      search.Name(before), " ", what(before), ", and ",
      is_named ? "that node"
               : absl::StrCat(search.Name(last), ", ", before.relation, ","),
      " ", what(last));
}

// A chain that comes back to itself is a cause, too: a back edge that nobody
// has started, or full queues that hold back what would empty them.
void DescribeLoop(const WaitSearch& search, absl::Span<const WaitStep> loop,
                  Standstill* standstill) {
  const auto back = absl::c_find_if(
      loop, [](const WaitStep& step) { return step.goes_back; });
  if (back != loop.end()) {
    standstill->cause = absl::StrCat(
        search.Name(*back), " ", back->what,
        ", a back edge, which nothing has started: ", search.Name(back->next),
        " sends it only after ", search.Name(*back), " has sent something");
    standstill->advice = back->advice;
    return;
  }
  const auto pause =
      absl::c_find_if(loop, [](const WaitStep& step) { return step.is_pause; });
  std::vector<std::string> parts;
  for (const WaitStep& step : loop) {
    parts.push_back(absl::StrCat(search.Name(step), " ", step.what));
  }
  standstill->cause = absl::StrCat(
      pause == loop.end() ? "nodes wait for each other: "
                          : "full queues hold back what would empty them: ",
      absl::StrJoin(parts, ", and "));
  if (pause != loop.end()) standstill->advice = pause->advice;
}

Standstill Describe(const WaitSearch& search,
                    const std::vector<WaitStep>& chain) {
  Standstill standstill;
  for (const WaitStep& step : chain) {
    standstill.chain.push_back(absl::StrCat(search.Name(step), " ", step.what));
    if (step.who >= 0) standstill.last_node = step.who;
  }
  const WaitStep& last = chain.back();
  standstill.advice = last.advice;
  standstill.lasting = last.lasting;
  standstill.may_be_device = last.may_be_device;
  standstill.waits_for_time = last.waits_for_time;
  if (last.next != WaitStep::kNobody) {
    DescribeLoop(
        search, absl::MakeConstSpan(chain).subspan(WaitSearch::FindLoop(chain)),
        &standstill);
    standstill.told_as = standstill.cause;
    return standstill;
  }
  standstill.cause = CauseText(search, chain, What);
  standstill.told_as = CauseText(search, chain, ToldAs);
  standstill.is_new_once_moved = last.is_new_once_moved;
  standstill.is_new_if_longer = last.is_new_if_longer;
  return standstill;
}

// Of causes with a lower rank something has to be done.
int HarmlessRank(const WaitStep& cause) {
  return cause.waits_for_time ? 2 : cause.may_be_device ? 1 : 0;
}

std::string WaiterText(const GraphPlan& plan, const WaitReason& waiter) {
  using For = WaitReason::For;
  const std::string stream =
      waiter.stream < 0
          ? ""
          : absl::StrCat(" of ", Quoted(plan.streams()[waiter.stream].name));
  switch (waiter.what) {
    case For::kDone:
      return "WaitUntilDone()";
    case For::kIdle:
      return "WaitUntilIdle()";
    case For::kObservedOutput:
      return "WaitForObservedOutput()";
    case For::kRoom:
      return absl::StrCat("AddPacketToInputStream()", stream);
    case For::kPacket:
      return absl::StrCat("Next() of a poller", stream);
    case For::kTasks:
      return "RunEpoch()";
    case For::kOther:
      return "a thread";
  }
  return "";
}

// Who feeds a graph input in place of the application waits for room.
bool IsFeeder(const GraphPlan& plan, const RunView& view,
              const WaitReason& waiter) {
  if (waiter.what != WaitReason::For::kRoom || waiter.stream < 0) return false;
  const PortRef input = plan.streams()[waiter.stream].producer;
  return input.node < 0 &&
         static_cast<std::size_t>(input.port) < view.inputs.size() &&
         !view.inputs[input.port].feeder.empty();
}

}  // namespace

Standstill FindStandstill(const GraphPlan& plan, const RunView& view) {
  const WaitSearch search(plan, view);
  struct Found {
    int waiters = 0;
    std::vector<WaitStep> chain;  // the longest
  };
  // By what is said of the last one in the chain.
  std::map<std::string, Found> causes;
  const auto counts_more = [](const Found& one, const Found& other) {
    const int rank = HarmlessRank(one.chain.back());
    const int other_rank = HarmlessRank(other.chain.back());
    return rank == other_rank ? one.waiters > other.waiters : rank < other_rank;
  };
  const Found* most = nullptr;
  for (WaitStep& start : search.Starts()) {
    std::vector<WaitStep> chain = search.Follow(std::move(start));
    Found& found = causes[Describe(search, chain).chain.back()];
    ++found.waiters;
    if (chain.size() > found.chain.size()) found.chain = std::move(chain);
    if (most == nullptr || counts_more(found, *most)) most = &found;
  }
  return most == nullptr ? Standstill() : Describe(search, most->chain);
}

std::vector<StillLoop> FindStillLoops(const GraphPlan& plan,
                                      const RunView& view) {
  const WaitSearch search(plan, view);
  std::vector<StillLoop> loops;
  for (WaitSearch::LoopStart& start : search.StillLoopStarts()) {
    const int gate = start.step.who;
    const std::vector<WaitStep> chain = search.Follow(std::move(start.step));
    const WaitStep& last = chain.back();
    if (last.in_vain_after == 0 || start.is_in_call != last.is_in_call) {
      continue;
    }
    loops.push_back({.gate = gate,
                     .standstill = Describe(search, chain),
                     .in_vain_after = last.in_vain_after});
  }
  return loops;
}

std::vector<NodeWait> FindWaits(const GraphPlan& plan, const RunView& view) {
  const WaitSearch search(plan, view);
  std::vector<NodeWait> waits;
  std::vector<bool> is_known(plan.nodes().size());
  for (WaitStep& start : search.Starts()) {
    for (WaitStep& step : search.Follow(std::move(start))) {
      if (step.who < 0 || is_known[step.who]) continue;
      is_known[step.who] = true;
      waits.push_back({.node = step.who,
                       .for_node = std::max(step.next, -1),
                       .stream = step.stream,
                       .what = std::move(step.what)});
    }
  }
  return waits;
}

std::string StandstillText(const Standstill& standstill) {
  if (standstill.cause.empty()) return "";
  std::string text = absl::StrCat(standstill.cause, standstill.lasting, ".\n");
  const std::vector<std::string>& chain = standstill.chain;
  if (chain.size() > 2) {
    absl::StrAppend(&text, "What waits for that:\n");
    const std::size_t left_out =
        chain.size() > kMostLines ? chain.size() - kMostLines : 0;
    if (left_out > 0) {
      absl::StrAppend(&text, "  (", left_out, " more before these)\n");
    }
    for (std::size_t i = left_out; i < chain.size(); ++i) {
      absl::StrAppend(&text, "  ", chain[i], "\n");
    }
  }
  if (!standstill.advice.empty()) {
    absl::StrAppend(&text, "What to do: ", standstill.advice, "\n");
  }
  return text;
}

std::string WaitersText(const GraphPlan& plan, const RunView& view) {
  std::map<std::string, int> waiters;
  for (const WaitReason& waiter : view.waiters) {
    if (view.program_waits && (waiter.what == WaitReason::For::kDone ||
                               IsFeeder(plan, view, waiter))) {
      continue;
    }
    ++waiters[WaiterText(plan, waiter)];
  }
  if (waiters.empty()) return "";
  return absl::StrCat(
      "Who waits for the run: ",
      absl::StrJoin(waiters, ", ",
                    [](std::string* out, const auto& waiter) {
                      absl::StrAppend(out, waiter.first);
                      if (waiter.second > 1) {
                        absl::StrAppend(out, " (", waiter.second, " threads)");
                      }
                    }),
      ".\n");
}

}  // namespace syncline
