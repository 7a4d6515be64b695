#include "framework/run/run_sources.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "framework/base/mutex.h"
#include "framework/plan/graph_plan.h"
#include "framework/run/idle_decision.h"

namespace syncline {
namespace {

// After this many calls, a source that stays the first of its layer lets the
// other sources of the layer be called.
constexpr int kMostCallsInPlace = 4;

constexpr int kNoLayer = std::numeric_limits<int>::max();

}  // namespace

RunSources::RunSources(const GraphPlan& plan)
    : plan_(plan),
      unopened_nodes_(static_cast<int>(plan.nodes().size())),
      calls_in_place_(plan.sources().size()),
      waiting_to_add_(plan.sources().size()),
      full_queues_(plan.sources().size()),
      is_parked_(plan.sources().size()),
      states_(plan.sources().size(), State::kUnopened) {
  int id = 0;
  for (const PlanSource& source : plan.sources()) {
    (source.node >= 0 ? source_nodes_ : graph_inputs_).push_back(id++);
  }
  unstarted_ = static_cast<int>(source_nodes_.size());
}

// --- States

void RunSources::NoteOpened(int source) {
  MutexLock lock(&mutex_);
  states_[source] = State::kPending;
}

void RunSources::NoteClosed(int source) {
  MutexLock lock(&mutex_);
  if (states_[source] < State::kActive) --unstarted_;
  states_[source] = State::kClosed;
}

int RunSources::LowestLayer(State state) const {
  int lowest = kNoLayer;
  for (const int source : source_nodes_) {
    if (states_[source] == state) lowest = std::min(lowest, Layer(source));
  }
  return lowest;
}

std::vector<int> RunSources::StartNextLayer(bool only_the_first) {
  std::vector<int> started;
  MutexLock lock(&mutex_);
  if (only_the_first && has_started_) return started;
  const int layer = LowestLayer(State::kPending);
  for (const int source : source_nodes_) {
    if (states_[source] != State::kPending || Layer(source) != layer) continue;
    states_[source] = State::kActive;
    --unstarted_;
    started.push_back(source);
  }
  has_started_ |= !started.empty();
  return started;
}

bool RunSources::IsPending(int source) const {
  MutexLock lock(&mutex_);
  return states_[source] == State::kPending;
}

bool RunSources::AllStarted() const {
  MutexLock lock(&mutex_);
  return unstarted_ == 0;
}

// --- Full queues

void RunSources::NoteFullQueue(int source_set, int change, bool is_node,
                               std::vector<int>* resumed) {
  (is_node ? full_node_queues_ : full_poller_queues_).fetch_add(change);
  MutexLock lock(&mutex_);
  plan_.ForEachSource(source_set, [&](int source) {
    mutex_.AssertHeld();  // the visitor is called at once
    const int count = full_queues_[source].fetch_add(change) + change;
    if (change > 0 || count != 0) return;
    const bool is_source_node = plan_.sources()[source].node >= 0;
    // A source that is not parked need not be brought back.
    if (is_source_node && !is_parked_[source]) return;
    is_parked_[source] = false;
    resumed->push_back(source);
  });
}

bool RunSources::ParkIfPaused(int source, std::vector<int>* released) {
  MutexLock lock(&mutex_);
  if (!IsPaused(source)) return false;
  is_parked_[source] = true;
  // Another thread may have stopped the sources, and have looked for parked
  // ones just before this one was parked.
  if (is_stopping()) *released = UnparkAll();
  return true;
}

std::vector<int> RunSources::UnparkAll() {
  std::vector<int> parked;
  for (const int source : source_nodes_) {
    if (is_parked_[source]) parked.push_back(source);
    is_parked_[source] = false;
  }
  return parked;
}

// --- Turns and the end

// Without this, a source that sends nothing would be called again and again,
// and the other sources of its layer never.
bool RunSources::GivesWay(int source, bool keeps_its_place) {
  int& calls = calls_in_place_[source];
  calls = keeps_its_place && calls_in_place_.size() > 1 ? calls + 1 : 0;
  if (calls < kMostCallsInPlace) return false;
  calls = 0;
  return true;
}

bool RunSources::Stop(std::vector<int>* released) {
  if (is_stopping_.exchange(true)) return false;
  MutexLock lock(&mutex_);
  *released = UnparkAll();
  return true;
}

void RunSources::AddTo(IdleState* state) const {
  state->has_full_queue = full_node_queues_.load() > 0;
  state->has_full_poller = full_poller_queues_.load() > 0;
  for (const int source : graph_inputs_) {
    if (!IsPaused(source)) continue;
    state->has_full_input = true;
    // Only a paused input counts: at another one, the calls that wait are about
    // to go on.
    if (waiting_to_add_[source].load() > 0) state->application_waits = true;
  }
  // A run without source nodes, which idles after each packet, needs no lock.
  if (source_nodes_.empty()) return;
  MutexLock lock(&mutex_);
  for (const int source : source_nodes_) {
    if (states_[source] == State::kPending) ++state->pending_sources;
    if (states_[source] == State::kActive) ++state->active_sources;
  }
  state->lower_layer_is_unopened =
      state->pending_sources > 0 &&
      LowestLayer(State::kUnopened) < LowestLayer(State::kPending);
}

}  // namespace syncline
