#include "framework/run/gated_nodes.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "framework/condition/condition_result.h"
#include "framework/node/node.h"
#include "framework/node/node_conditions.h"
#include "framework/plan/make_conditions.h"
#include "framework/report/run_reports.h"
#include "framework/run/idle_decision.h"
#include "framework/run/run_nodes.h"
#include "framework/run/run_timers.h"

namespace syncline {

void GatedNodes::WatchRooms(Node* node, const MadeConditions& conditions) {
  for (const auto& [port, min_room] : conditions.watched_rooms) {
    const int stream = node->outputs().stream(port);
    room_watchers_[stream].push_back(node);
    for (const ReaderPort& reader : run_nodes_.ReadersOf(stream).ports) {
      // A queue with a limit reports anyway that it is no longer full, so a
      // condition that asks for one free place needs no watch.
      if (min_room <= 1 &&
          reader.node->plan().inputs[reader.port].queue_policy ==
              InputStreamInfo::BLOCK) {
        continue;
      }
      reader.node->WatchRoom(reader.port);
    }
  }
}

bool GatedNodes::HoldForTime() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const Node* node) {
    return node->HeldBy().target_ns != ConditionResult::kNoTarget;
  });
}

std::int64_t GatedNodes::NextTime(RunTimers* timers) const {
  // A time that a node no longer waits for does not count.
  return timers->NextCurrent([this](int node, std::int64_t target_ns) {
    return run_nodes_[node]->NextTarget() == target_ns;
  });
}

bool GatedNodes::WaitsForRoom(const Node& node,
                              const ConditionResult& held_by) {
  return held_by.state == ConditionState::kWait &&
         node.conditions() != nullptr &&
         !node.conditions()->made().watched_rooms.empty();
}

std::vector<ShortRoom> GatedNodes::FindShortRooms() const {
  std::vector<ShortRoom> rooms;
  for (const Node* const node : nodes_) {
    if (!WaitsForRoom(*node, node->HeldBy())) continue;
    for (const auto& [port, wanted] :
         node->conditions()->made().watched_rooms) {
      for (const ReaderPort& reader :
           run_nodes_.ReadersOf(node->outputs().stream(port)).ports) {
        const std::int64_t room = reader.node->Room(reader.port);
        if (room >= wanted) continue;
        rooms.push_back({.node = node->plan().id,
                         .queue = {reader.node->plan().id, reader.port},
                         .wanted = wanted,
                         .room = room});
      }
    }
  }
  return rooms;
}

void GatedNodes::AddHeld(IdleState* state) const {
  for (const Node* const node : nodes_) {
    const ConditionResult by = node->HeldBy();
    if (by.state == ConditionState::kReady) {
      state->is_held |= node->HasPackets() && node->WaitsForConditions();
      continue;
    }
    state->is_held = true;
    if (node->is_source()) ++state->held_sources;
    if (by.state == ConditionState::kWaitEvent) state->waits_for_outside = true;
    if (WaitsForRoom(*node, by)) state->waits_for_room = true;
  }
  state->lacks_room = state->waits_for_room && !FindShortRooms().empty();
}

void GatedNodes::StopConditions() {
  for (Node* const node : nodes_) {
    if (node->conditions() != nullptr) node->conditions()->Stop();
  }
}

}  // namespace syncline
