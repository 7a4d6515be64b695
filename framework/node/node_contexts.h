// NodeContexts: the contexts in which the calls of one node run, and the
// headers of its inputs. The first context lies in the node's row of memory.
// Batches and overlapping calls need more contexts, which lie on the heap.
//
// Thread rule: guarded by the node's lock. A context belongs to the call that
// uses it.
// Tested by node_contexts_test.

#ifndef SYNCLINE_FRAMEWORK_NODE_NODE_CONTEXTS_H_
#define SYNCLINE_FRAMEWORK_NODE_NODE_CONTEXTS_H_

#include <cstddef>
#include <memory>
#include <memory_resource>
#include <utility>
#include <vector>

#include "framework/calculator/context.h"
#include "framework/calculator/node_environment.h"
#include "framework/packet/packet.h"

namespace syncline {

class NodeContexts {
 private:
  struct InPlace {
    void operator()(CalculatorContext* context) const {
      context->~CalculatorContext();
    }
  };

 public:
  // Contexts that nobody uses any more. They are destroyed without the lock,
  // because packets may be destroyed with them.
  struct Released {
    std::unique_ptr<CalculatorContext, InPlace> first;
    std::unique_ptr<std::vector<std::unique_ptr<CalculatorContext>>> others;
  };

  // To be called once, before everything else. `memory` outlives this object.
  void Place(std::size_t num_inputs, std::size_t num_outputs,
             std::pmr::memory_resource* memory);
  // Where the first context is, or will be, with its streams.
  const std::byte* start() const { return memory_; }
  // The bytes that Place takes.
  static std::size_t Bytes(std::size_t num_inputs, std::size_t num_outputs) {
    return sizeof(CalculatorContext) +
           CalculatorContext::StreamBytes(num_inputs, num_outputs);
  }

  // The contexts that are made from now on have this header. Most are empty.
  void SetHeader(int port, const Packet& header) {
    if (!header.IsEmpty()) AddHeader(port, header);
  }
  void MoveHeadersTo(std::vector<Packet>* to);

  // `environment` outlives the context.
  CalculatorContext* Make(const NodeEnvironment& environment);
  // The caller destroys them without the lock.
  Released Release() { return std::exchange(made_, Released()); }

 private:
  using Headers = std::vector<std::pair<int, Packet>>;

  void AddHeader(int port, const Packet& header);

  std::byte* memory_ = nullptr;
  Released made_;
  // The headers that are not empty, with their ports. Null: there are none.
  std::unique_ptr<Headers> headers_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_NODE_NODE_CONTEXTS_H_
