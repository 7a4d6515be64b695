// Invocation: one call of a node's calculator, which is ready or runs.
//
// A node has as many invocations as calls may run at once, and uses them again
// and again. Each has a context of its own, with inputs and outputs. From the
// moment when its call is ready until the call is finished, an invocation
// belongs to the thread that runs it, and so do the outputs of the node, unless
// calls overlap.
//
// An invocation with several input sets is a batch. One call of Process sees
// them all if the node's config has a `batch`; otherwise Process is called for
// each of them, one after the other.
//
// Thread rule: one owner at a time; the node's lock hands it over.

#ifndef SYNCLINE_FRAMEWORK_NODE_INVOCATION_H_
#define SYNCLINE_FRAMEWORK_NODE_INVOCATION_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "framework/calculator/context.h"
#include "framework/packet/timestamp.h"
#include "framework/scheduler/task.h"

namespace syncline {

class Node;

// One input set of an invocation.
struct InputSet {
  CalculatorContext* context = nullptr;  // the node's
  Timestamp timestamp;
};

// One cache line.
class alignas(64) Invocation final : public Task {
 public:
  // What the invocation calls. The plain kinds are the short way of Process:
  // see Node for which nodes take it.
  enum class Kind : std::uint8_t {
    kOpen,
    // Process, for sources and for everything that the kinds below leave out.
    kProcess,
    // Process of a node that sends only to Node::sent_ports().
    kToSome,
    kClose,
    // Process of a node that is no source, makes one call for each input set,
    // one after the other, and sends only packets and bounds. The plain kinds
    // are the last ones, so that one comparison finds both.
    kPlain,
    // Both kPlain and kToSome.
    kPlainToSome
  };

  // kProcess, kToSome or one of the plain ones from the end of Open to the
  // begin of Close.
  Kind kind = Kind::kOpen;
  // The inputs are still in the queues: see InputPolicy::TakesWhenCallStarts.
  bool takes_when_call_starts = false;
  // For overlapping calls: the call is over.
  bool is_finished = false;
  // Process returned an error: what the call sent is not passed on.
  bool has_failed = false;

  Node* node = nullptr;

  // The first `num_sets` of these are filled: one, except where the node
  // gathers batches.
  absl::InlinedVector<InputSet, 1> sets;
  int num_sets = 0;

  // Calls until the cost is measured again, and from one time to the next; for
  // long calls see NoteCost.
  std::int16_t calls_to_measure = 0;
  std::int16_t measurement_pause = 0;
};
static_assert(sizeof(Invocation) == 64);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_INVOCATION_H_
