// SyncSetInputStreamHandler: groups of inputs that do not wait for each other.
//
//   sync_set { tag_index: "A" tag_index: "B" }     C forms a set of its own
//
//   A        10          30
//   B        10                 | bound 21
//   C                20
//
//   calls    10: A B       the set A, B is settled at 10
//            20: C         A and B show empty packets, settled at 20
//            30 waits for B
//
// Of the sets that are ready, the one with the lowest time goes first. If times
// are equal, the set that the options name first goes first. A set that has
// ended is left out. When all sets have ended, the node closes. Inputs that no
// set names form one more set.
//
// Within a set, everything depends on timestamps alone. Which set comes first
// depends on what arrives first: input timestamps of the node may repeat or
// fall, as soon as there are two sets.
//
// Thread rule: as InputPolicy.
// Tested by sync_sets_policy_test and policy_conformance_test.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "framework/calculator/input_stream.h"
#include "framework/config/sync_set_input_stream_handler.pb.h"
#include "framework/packet/timestamp.h"
#include "framework/policy/built_in_policies.h"
#include "framework/policy/default_policy.h"
#include "framework/policy/input_policy.h"
#include "framework/policy/lowest_time.h"
#include "framework/policy/port_option.h"

namespace syncline {
namespace {

// The ports of each set. The plan has checked the names; one that is wrong all
// the same is passed over.
std::vector<std::vector<int>> PortsOfSets(const PolicyPorts& ports) {
  std::vector<bool> is_named(ports.queues.size());
  std::vector<std::vector<int>> sets;
  for (const SyncSetInputStreamHandlerOptions::SyncSet& set :
       ports.options->GetExtension(SyncSetInputStreamHandlerOptions::ext)
           .sync_set()) {
    std::vector<int> members;
    for (const std::string& tag_index : set.tag_index()) {
      const int port = PortOfOption(ports, tag_index);
      if (port < 0 || is_named[port]) continue;
      is_named[port] = true;
      members.push_back(port);
    }
    if (!members.empty()) sets.push_back(std::move(members));
  }
  std::vector<int> others;
  for (int port = 0; port < static_cast<int>(is_named.size()); ++port) {
    if (!is_named[port]) others.push_back(port);
  }
  if (!others.empty()) sets.push_back(std::move(others));
  return sets;
}

class SyncSetsPolicy final : public InputPolicy {
 public:
  SyncSetsPolicy(const PolicyPorts& ports,
                 std::vector<std::vector<int>> ports_of_sets)
      : queues_(ports.queues),
        places_(queues_.size()),
        ready_(static_cast<int>(ports_of_sets.size())),
        waiting_(static_cast<int>(ports_of_sets.size())) {
    const int size = static_cast<int>(ports_of_sets.size());
    sets_.reserve(size);
    for (int set = 0; set < size; ++set) {
      int slot = 0;
      for (const int port : ports_of_sets[set]) places_[port] = {set, slot++};
      sets_.emplace_back(queues_, std::move(ports_of_sets[set]),
                         ports.process_timestamp_bounds);
      Update(set);
    }
  }

  void OnChange(int port) override {
    const Place place = places_[port];
    sets_[place.set].OnChange(place.slot);
    Update(place.set);
  }

  Readiness Evaluate() const override {
    if (ready_.lowest() < Timestamp::Done()) {
      return {Readiness::State::kProcess, ready_.lowest()};
    }
    if (waiting_.lowest() < Timestamp::Done()) {
      return {Readiness::State::kWait, waiting_.lowest()};
    }
    return {Readiness::State::kClose, Timestamp::Done()};
  }

  Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) override {
    const int taken = ready_.index();
    sets_[taken].Take(timestamp, inputs);
    Update(taken);
    for (int port = 0; port < static_cast<int>(queues_.size()); ++port) {
      if (places_[port].set == taken) continue;
      ShowSettled(queues_[port], &inputs->Get(port));
    }
    return timestamp;
  }

  bool RepeatsTimestamps() const override { return sets_.size() > 1; }
  bool HasOneOrder() const override { return sets_.size() <= 1; }

 private:
  struct Place {
    int set = 0;
    int slot = 0;
  };

  void Update(int set) {
    const Readiness now = sets_[set].Evaluate();
    const auto time_if = [&now](Readiness::State state) {
      return now.state == state ? now.timestamp : Timestamp::Done();
    };
    ready_.Set(set, time_if(Readiness::State::kProcess));
    waiting_.Set(set, time_if(Readiness::State::kWait));
  }

  const absl::Span<InputQueue> queues_;
  std::vector<Place> places_;  // by port
  std::vector<InputSetReadiness> sets_;
  // By set: the time at which a set is ready, and the time that it waits for.
  // Done() if it is not ready, or does not wait. Both are Done() for a set that
  // has ended.
  LowestTime ready_;
  LowestTime waiting_;
};

}  // namespace

std::unique_ptr<InputPolicy> MakeSyncSetsPolicy(const PolicyPorts& ports) {
  return std::make_unique<SyncSetsPolicy>(ports, PortsOfSets(ports));
}

}  // namespace syncline
