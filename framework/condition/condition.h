// ConditionBase: what a node waits for besides its inputs.
//
//   class EvenSecondsCondition : public ConditionBase {
//    public:
//     absl::StatusOr<ConditionResult> Check(const NodeFacts& facts) override {
//       const std::int64_t second = facts.now_ns / 1'000'000'000;
//       if (second % 2 == 0) return ConditionResult::Ready();
//       return ConditionResult::WaitUntil((second + 1) * 1'000'000'000,
//                                         "an even second");
//     }
//   };
//   REGISTER_CONDITION(EvenSecondsCondition);
//
// and in a graph
//
//   node { ... condition { name: "even" type: "EvenSecondsCondition" } }
//
// A node is called when its input stream handler is ready and all of its
// conditions are. A condition can delay an input set, never invent one.
//
// THE HOOKS, in the order in which a run calls them:
//
//   Initialize   reads the options. Also when a graph is only compiled, on an
//                object that is dropped then: it must not do anything else.
//   Start        a run begins: here are clock, allocators and listener.
//   UpdateState, Check   may the node be called? Whenever something that the
//                node waits for may have changed.
//   OnDispatch   all are ready, and a call is on its way: what it will use up
//                is set aside now, as other calls may follow before it is over.
//                Then comes BeforeExecute or, if there is no call after all
//                (the run is ending, ...), OnDispatchUndone.
//   BeforeExecute, OnExecute   around Process, on its thread; after Process and
//                before what it sent is passed on.
//   Stop         the run is over.
//
// WHO SEES A CHANGE. A run looks again after each call of the node, when its
// inputs change, and at target_ns. A condition has to tell of any other change
// by Notify(), which any thread may call. Hooks that answer a question must not
// call Notify(), because they would be asked again for ever.
//
// Thread rule: one hook at a time, and everything before it is visible to it;
// only where a node has max_in_flight above 1, BeforeExecute and OnExecute may
// run beside the others. What a condition offers to calculators looks after
// itself.
// Tested by condition_test.

#ifndef SYNCLINE_FRAMEWORK_CONDITION_CONDITION_H_
#define SYNCLINE_FRAMEWORK_CONDITION_CONDITION_H_

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/base/typed_registry.h"
#include "framework/condition/condition_result.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/packet/packet.h"

namespace syncline {

class Allocator;
class GraphClock;

// A port of the node, as a condition sees it.
struct ConditionPort {
  std::string tag;
  int index = 0;
  std::string stream;
};

// The facts about a node that a condition may use for its answer.
struct NodeFacts {
  struct Input {
    // How many packets wait.
    std::int64_t queued = 0;
    // No packet will come any more.
    bool is_done = false;
    // When the oldest packet that waits arrived, by the graph's clock. Only of
    // inputs with ConditionSetup::WatchArrivals, and with packets; else -1.
    std::int64_t front_arrival_ns = -1;
    // When that packet was acquired, by the graph's clock. Only for inputs that
    // keep message times, and with packets.
    absl::optional<std::int64_t> front_acquisition_ns;
    // The oldest packet that waits. Only with WatchFront; else empty.
    Packet front;
  };
  struct Output {
    // How many packets every reader has room for. Only for outputs with
    // WatchRoom.
    std::int64_t room = std::numeric_limits<std::int64_t>::max();
  };

  // The graph's clock, in nanoseconds.
  std::int64_t now_ns = 0;
  // By port, in the order of the node's ports.
  absl::Span<const Input> inputs;
  absl::Span<const Output> outputs;
  // An input set waits to be processed, or the node is a source.
  bool has_input_set = false;
};

// What the conditions of a node have asked for. Ports are places among those of
// the node.
struct ConditionRequests {
  // The ports that Input() and Output() have found.
  std::vector<int> named_inputs;
  std::vector<int> named_outputs;
  std::vector<int> watched_arrivals;
  std::vector<int> watched_fronts;
  // Outputs, each with the room from which on the node is looked at.
  std::vector<std::pair<int, std::int64_t>> watched_rooms;
};

// The place for which a condition is made, and the facts that it asks for.
class ConditionSetup {
 public:
  // All arguments are borrowed. What the condition asks for is added to
  // `requests`.
  ConditionSetup(const SynclineOptions* options,
                 absl::Span<const ConditionPort> inputs,
                 absl::Span<const ConditionPort> outputs,
                 absl::Span<const std::string> allocators,
                 ConditionRequests* requests)
      : options_(options),
        inputs_(inputs),
        outputs_(outputs),
        allocators_(allocators),
        requests_(*requests) {}

  // The options of type T, or the defaults. If the condition has options of a
  // type that Initialize has not asked for, that is an error, since they would
  // have no effect.
  template <typename T>
  const T& Options() const {
    asked_.push_back(T::ext.number());
    return options_->GetExtension(T::ext);
  }

  absl::Span<const ConditionPort> inputs() const { return inputs_; }
  absl::Span<const ConditionPort> outputs() const { return outputs_; }
  // The port that `tag_index` means: "TAG:index", "TAG", ":index", the name of
  // its stream, or "" for the only port. Errors name the option, `option`.
  // INVALID_ARGUMENT lists the ports that there are. A port that was asked for
  // has no default condition of `gxf_defaults`.
  absl::StatusOr<int> Input(absl::string_view option,
                            absl::string_view tag_index) const;
  absl::StatusOr<int> Output(absl::string_view option,
                             absl::string_view tag_index) const;
  // INVALID_ARGUMENT if the graph has no such allocator.
  absl::Status CheckAllocator(absl::string_view option,
                              absl::string_view name) const;

  // Asks for more NodeFacts.
  void WatchArrivals(int input) { requests_.watched_arrivals.push_back(input); }
  void WatchFront(int input) { requests_.watched_fronts.push_back(input); }
  // The node is looked at again when the room at `output`, in packets, comes up
  // to `min_room`.
  void WatchRoom(int output, std::int64_t min_room) {
    requests_.watched_rooms.emplace_back(output, min_room);
  }

  // --- For the engine.
  // INVALID_ARGUMENT if there are options that nobody asked for.
  absl::Status CheckOptions() const;

 private:
  const SynclineOptions* const options_;
  const absl::Span<const ConditionPort> inputs_;
  const absl::Span<const ConditionPort> outputs_;
  const absl::Span<const std::string> allocators_;
  // What was asked for, which changes no answer: numbers of extensions, and
  // ports.
  mutable std::vector<int> asked_;
  ConditionRequests& requests_;
};

// What a run gives to its conditions.
struct ConditionRun {
  // The graph's clock; lives as long as the run.
  GraphClock* clock = nullptr;
  // An allocator of the graph by name; null if there is none.
  std::function<std::shared_ptr<Allocator>(absl::string_view)> allocator;
};

// Is told that the answer of a condition may have changed. Called on any
// thread.
class ConditionListener {
 public:
  virtual ~ConditionListener() = default;
  virtual void OnConditionChanged() = 0;
};

// What the answers of a condition depend on.
enum class ConditionDependence : std::uint8_t {
  // Packets, timestamps, counts: the same in each run.
  kPackets,
  // The graph's clock: the same in each run if that is simulated.
  kClock,
  // The speed of the machine, or other programs. A graph with `deterministic:
  // true` cannot have such a condition.
  kOutside,
};

// The number of packets that have to wait at these inputs together, until all
// of them have ended. With fewer packets the condition holds its node back,
// however much time passes.
struct PacketNeed {
  std::vector<int> inputs;
  std::int64_t min_packets = 0;
  const char* option = "";  // that says so
};

class ConditionBase {
 public:
  virtual ~ConditionBase() = default;
  ConditionBase(const ConditionBase&) = delete;
  ConditionBase& operator=(const ConditionBase&) = delete;

  // --- The hooks; see the top. An error ends the run, and names node and
  // condition.
  virtual absl::Status Initialize(ConditionSetup* setup) {
    return absl::OkStatus();
  }
  virtual absl::Status Start(const ConditionRun& run) {
    return absl::OkStatus();
  }
  // Called right before each Check.
  virtual absl::Status UpdateState(const NodeFacts& facts) {
    return absl::OkStatus();
  }
  virtual absl::StatusOr<ConditionResult> Check(const NodeFacts& facts) = 0;
  // `result`: what Check said; in a group it need not be READY. False: what is
  // to be set aside is not there any more. Then the node waits for Notify, and
  // conditions that had said true get OnDispatchUndone.
  virtual absl::StatusOr<bool> OnDispatch(const NodeFacts& facts,
                                          const ConditionResult& result) {
    return true;
  }
  virtual void OnDispatchUndone() {}
  virtual void BeforeExecute() {}
  virtual absl::Status OnExecute(std::int64_t now_ns) {
    return absl::OkStatus();
  }
  virtual void Stop() {}

  // Both are valid after Initialize. The default is the most careful answer.
  virtual ConditionDependence DependsOn() const {
    return ConditionDependence::kOutside;
  }
  // A graph is refused if a queue that drops packets never holds so many. A run
  // may end with packets in a node that waits for more packets in this way, or
  // that is held by conditions. Packets left in other nodes are an error.
  virtual std::vector<PacketNeed> PacketNeeds() const { return {}; }

  // For reports about a node that this condition holds: what it waits for, more
  // exactly than the reason of its result says it; empty: no more is known.
  // Called on any thread, at any time, without a lock.
  virtual std::string WaitText() const { return ""; }

  // --- For the engine.

  // Null: there is no listener. When this has returned, the listener before is
  // not called any more, except for a call that is going on.
  void SetListener(std::shared_ptr<ConditionListener> listener)
      ABSL_LOCKS_EXCLUDED(listener_mutex_);

 protected:
  ConditionBase() = default;

  // Says that the answer may have changed. To be called on any thread, without
  // a lock, but not in UpdateState, Check and OnDispatch. Costs little if the
  // node waits for nothing.
  void Notify() ABSL_LOCKS_EXCLUDED(listener_mutex_);

 private:
  Mutex listener_mutex_;
  std::shared_ptr<ConditionListener> listener_ ABSL_GUARDED_BY(listener_mutex_);
};

// Condition types by name.
using ConditionRegistry = GlobalFactoryRegistry<std::unique_ptr<ConditionBase>>;

}  // namespace syncline

// Registers a class with a default constructor under its own name, ...
#define REGISTER_CONDITION(name)                                     \
  REGISTER_FACTORY_FUNCTION_QUALIFIED(::syncline::ConditionRegistry, \
                                      condition_registration, name,  \
                                      [] { return std::make_unique<name>(); })
// ... and under another one too: an identifier, perhaps with namespaces.
#define REGISTER_CONDITION_ALIAS(name, alias)                        \
  REGISTER_FACTORY_FUNCTION_QUALIFIED(::syncline::ConditionRegistry, \
                                      condition_alias, alias,        \
                                      [] { return std::make_unique<name>(); })

#endif  // SYNCLINE_FRAMEWORK_CONDITION_CONDITION_H_
