#include "framework/trace/convert/profile_ready.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "framework/trace/trace_event.h"

namespace syncline {
namespace {

bool Overlap(const std::vector<ProfiledCall>& calls) {
  return std::adjacent_find(calls.begin(), calls.end(),
                            [](const ProfiledCall& a, const ProfiledCall& b) {
                              return b.begin_us < a.end_us;
                            }) != calls.end();
}

// A step, by thread and place.
struct StepPlace {
  std::size_t thread = 0;
  std::size_t number = 0;
};

class ReadyNotes {
 public:
  explicit ReadyNotes(std::vector<std::vector<ProfileStep>>* steps)
      : steps_(*steps) {}

  void Complete(int num_nodes) {
    nodes_.resize(static_cast<std::size_t>(num_nodes));
    moved_.resize(steps_.size());
    for (std::size_t thread = 0; thread < steps_.size(); ++thread) {
      for (std::size_t i = 0; i < steps_[thread].size(); ++i) {
        Add({thread, i});
      }
    }
    for (Node& node : nodes_) Match(&node);
    Move();
  }

 private:
  struct Call {
    std::int64_t timestamp = 0;
    ProfiledCall times;
    std::size_t thread = 0;
  };
  struct Node {
    std::vector<StepPlace> ready;
    std::vector<Call> calls;
  };

  ProfileStep& At(const StepPlace& place) {
    return steps_[place.thread][place.number];
  }

  void Add(const StepPlace& place) {
    ProfileStep& step = At(place);
    if (step.IsReadyForProcess()) {
      // It matches no call, as long as it is not known which.
      step.event.timestamp = std::numeric_limits<std::int64_t>::max();
      nodes_[step.event.id()].ready.push_back(place);
      return;
    }
    if (step.call.begin != TraceKind::kProcessBegin) return;
    std::vector<Call>& calls =
        nodes_[static_cast<std::size_t>(step.call.node)].calls;
    if (step.kind == ProfileStep::kStart) {
      calls.push_back({step.call.timestamp, {step.us, step.us}, place.thread});
    } else if (step.kind == ProfileStep::kFinish &&
               step.started_us.has_value()) {
      calls.push_back(
          {step.call.timestamp, {*step.started_us, step.us}, place.thread});
    }
  }

  void Match(Node* node) {
    std::sort(node->ready.begin(), node->ready.end(),
              [this](const StepPlace& a, const StepPlace& b) {
                return At(a).us < At(b).us;
              });
    std::vector<std::int64_t> ready_us;
    for (const StepPlace& place : node->ready) ready_us.push_back(At(place).us);
    const std::vector<Call> calls = Merged(std::move(node->calls));
    std::vector<ProfiledCall> times;
    for (const Call& call : calls) times.push_back(call.times);
    const auto matched = MatchReady(ready_us, times);
    for (std::size_t i = 0; i < calls.size(); ++i) {
      if (!matched[i].has_value()) continue;
      const StepPlace& place = node->ready[*matched[i]];
      ProfileStep& step = At(place);
      step.event.timestamp = calls[i].timestamp;
      // At one time, events of the thread with the lower number come first.
      if (step.us == calls[i].times.begin_us &&
          calls[i].thread <= place.thread) {
        moved_[calls[i].thread].push_back(step);
        step.is_moved = true;
      }
    }
  }

  // The first begin and the last end of each timestamp, in the order of time.
  static std::vector<Call> Merged(std::vector<Call> calls) {
    std::sort(calls.begin(), calls.end(), [](const Call& a, const Call& b) {
      return std::tie(a.timestamp, a.times.begin_us) <
             std::tie(b.timestamp, b.times.begin_us);
    });
    std::vector<Call> merged;
    for (const Call& call : calls) {
      if (merged.empty() || merged.back().timestamp != call.timestamp) {
        merged.push_back(call);
      } else {
        std::int64_t& end_us = merged.back().times.end_us;
        end_us = std::max(end_us, call.times.end_us);
      }
    }
    std::sort(merged.begin(), merged.end(), [](const Call& a, const Call& b) {
      return a.times.begin_us < b.times.begin_us;
    });
    return merged;
  }

  // Before all other steps of that time.
  void Move() {
    for (std::size_t thread = 0; thread < steps_.size(); ++thread) {
      std::vector<ProfileStep>& steps = steps_[thread];
      std::erase_if(steps,
                    [](const ProfileStep& step) { return step.is_moved; });
      steps.insert(steps.begin(), moved_[thread].begin(), moved_[thread].end());
    }
  }

  std::vector<std::vector<ProfileStep>>& steps_;
  std::vector<Node> nodes_;
  // By thread.
  std::vector<std::vector<ProfileStep>> moved_;
};

}  // namespace

std::vector<absl::optional<std::size_t>> MatchReady(
    const std::vector<std::int64_t>& ready_us,
    const std::vector<ProfiledCall>& calls) {
  const bool overlap = Overlap(calls);
  std::vector<absl::optional<std::size_t>> matched;
  std::size_t next = 0;
  for (const ProfiledCall& call : calls) {
    absl::optional<std::size_t>& of_call = matched.emplace_back();
    while (next < ready_us.size() && ready_us[next] <= call.begin_us) {
      of_call = next++;
      if (overlap) break;
    }
  }
  return matched;
}

void TellWhichWereReady(int num_nodes,
                        std::vector<std::vector<ProfileStep>>* steps) {
  ReadyNotes(steps).Complete(num_nodes);
}

}  // namespace syncline
