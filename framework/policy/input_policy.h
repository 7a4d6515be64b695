// InputPolicy: when a node is ready, and with which packets.
//
// A policy is what a graph calls an input stream handler: "wait until every
// stream is settled", "take whatever comes", ... It looks at the queues of one
// node and decides; the node has the lock, the queues and the calls. A policy
// object belongs to one node in one run.
//
// How a node uses it, with its lock held all the time:
//
//   queue p got a packet, or its bound rose ...... OnChange(p)
//   a call could start ........................... Evaluate(), again and again
//                                                  while it says kProcess and
//                                                  calls may overlap
//   it does start ................................ Take(timestamp, &inputs)
//
// Between Evaluate and Take nothing changes, except that queues may grow if
// TakesWhenCallStarts(). Work is incremental: OnChange and Evaluate take
// constant time, seen over a run; only Take may look at all ports.
//
// UNDER THE NODE'S LOCK. All functions but constructor and destructor are
// called with the lock of the node held, also those of a user's class, because
// the arrival of a packet and the decision about it are one step. So a policy
// calls nothing but its queues. It takes no lock, waits for nobody, calls no
// graph and writes no log. No packet may be destroyed in a policy, because the
// destructor of its value may run any code. The policy gives packets back to a
// queue, by DropFront, DropBefore or Discard, and the node releases them when
// it holds no lock.
//
// Thread rule: one thread at a time (the node's lock).
// Tested by the conformance suite in policy_conformance_test, for all policies.

#ifndef SYNCLINE_FRAMEWORK_POLICY_INPUT_POLICY_H_
#define SYNCLINE_FRAMEWORK_POLICY_INPUT_POLICY_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/port_layout.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/stream/input_queue.h"

namespace syncline {

class TimeoutPolicy;

struct Readiness {
  enum class State : std::uint8_t {
    // Nothing to do. `timestamp` is the lowest time at which the inputs may
    // still have something: what a node with an offset passes on.
    kWait,
    // Process can be called, with input timestamp `timestamp`.
    kProcess,
    // Nothing can come any more: Close can be called.
    kClose,
  };
  State state = State::kWait;
  Timestamp timestamp;

  friend bool operator==(const Readiness&, const Readiness&) = default;
};

// For a policy without a packet for a call: no packet comes below `bound`. With
// process_timestamp_bounds there is a call at the last time that is settled on
// all inputs, unless `last_taken` says that one was there already.
inline Readiness WaitOrSettle(Timestamp bound, bool process_timestamp_bounds,
                              Timestamp last_taken) {
  if (process_timestamp_bounds) {
    const Timestamp settled = bound.PreviousAllowedInStream();
    if (settled > last_taken) return {Readiness::State::kProcess, settled};
  }
  return {Readiness::State::kWait, bound};
}

// For Take: gives the call the first packet that waits at one input. REQUIRES:
// !queue->empty().
inline void TakeFront(InputQueue* queue, InputStream* input) {
  Packet packet = queue->TakeFront();
  input->Fill(std::move(packet), queue->Done());
}
inline void ShowSettled(const InputQueue& queue, InputStream* input) {
  input->Fill(Packet().At(queue.SettledTimestamp()), queue.Done());
}

// How many of the packets of a stream were part of calls.
struct MatchReport {
  int port = 0;
  std::int64_t matched = 0;
  std::int64_t total = 0;
};

// What a policy is made for. All of it is borrowed and outlives the policy.
// There is one queue for each port of `layout`, in the order of ids.
struct PolicyPorts {
  absl::Span<InputQueue> queues;
  const PortLayout* layout = nullptr;
  const SynclineOptions* options = nullptr;
  // Process is called for settled timestamps without packets too.
  bool process_timestamp_bounds = false;
};

class InputPolicy {
 public:
  virtual ~InputPolicy() = default;

  // The front of `port`, or its bound, changed. May drop packets, of other
  // ports too if DropsPackets().
  virtual void OnChange(int port) = 0;
  // Changes nothing that can be seen, with one exception: a policy that
  // TakesWhenCallStarts says kProcess once for each Take, and kWait in between.
  virtual Readiness Evaluate() const = 0;
  // A task was made of the call of which Evaluate has said kProcess. Only where
  // TakesWhenCallStarts; the call takes its inputs later.
  virtual void OnTaskMade() {}
  // Fills each stream with its packet of the input set at `timestamp`, which
  // Evaluate gave, or with an empty packet at the time up to which the stream
  // is settled. Returns the input timestamp of the call: `timestamp`, unless
  // the policy TakesWhenCallStarts.
  virtual Timestamp Take(Timestamp timestamp, InputStreamSet* inputs) = 0;

  // OnChange is called for each packet, also behind others.
  virtual bool SeesEveryPacket() const { return false; }
  // OnChange is called for each bound, also behind packets.
  virtual bool SeesEveryBound() const { return false; }
  // OnChange and Take may drop packets that wait at any port.
  virtual bool DropsPackets() const { return false; }
  // The input set is taken when the call starts, not when it becomes ready.
  virtual bool TakesWhenCallStarts() const { return false; }
  // Timestamps of different calls may repeat or fall, so they cannot overlap.
  virtual bool RepeatsTimestamps() const { return false; }
  // How many input sets one call takes, one after the other; see
  // DefaultInputStreamHandler.
  virtual int BatchSize() const { return 1; }
  // The timestamps of calls rise, so a node can have an offset.
  virtual bool HasOneOrder() const { return true; }
  // For policies that drop packets: a stream that deserves a warning, because
  // few of its packets match. To be called until there is none.
  virtual absl::optional<MatchReport> TakeReport() { return absl::nullopt; }
  // The policy itself, if it has a timeout; else null.
  virtual TimeoutPolicy* AsTimeoutPolicy() { return nullptr; }
  // To be asked when Evaluate says kClose. An error means that the policy
  // cannot go on because of what came in: the run ends with it.
  virtual absl::Status status() const { return absl::OkStatus(); }
};

// What the graph has to know of a kind of policy before it makes one.
// input_policy_registry.h finds kinds by name.
struct InputPolicyKind {
  std::function<std::unique_ptr<InputPolicy>(const PolicyPorts&)> create;
  // Packets are taken in order of arrival: their timestamps may go back.
  bool ignores_time = false;
  // False: the order of calls depends on which packet comes first.
  bool is_deterministic = true;
  // True: even then each packet gets its call, in the order of its stream. So a
  // calculator whose contract asks for this handler and promises
  // SetOrderIndependent(true) is welcome in a graph with `deterministic: true`.
  bool keeps_packets = false;
  // What to do then in a graph with `deterministic: true`: the end of an error
  // text. Null: the only advice is to use another handler.
  const char* deterministic_advice = nullptr;
  // The policy does not wait for ever: its AsTimeoutPolicy() is not null.
  bool has_timeout = false;
  // The default rule; see single_input_readiness.h.
  bool is_default = false;
};

// The kinds of policies that the nodes of a plan have.
class NodePolicies {
 public:
  const InputPolicyKind& operator[](int node) const {
    return kinds_[of_nodes_[node]];
  }
  std::size_t size() const { return of_nodes_.size(); }

  // Returns the number of the kind.
  int AddKind(InputPolicyKind kind) {
    kinds_.push_back(std::move(kind));
    return static_cast<int>(kinds_.size()) - 1;
  }
  const InputPolicyKind& kind(int number) const { return kinds_[number]; }
  // The next node has this kind.
  void AddNode(int kind) { of_nodes_.push_back(kind); }

 private:
  // Many nodes have few kinds.
  std::vector<InputPolicyKind> kinds_;
  std::vector<int> of_nodes_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_INPUT_POLICY_H_
