// The graphs behind the handles of the C interface, and how they are freed. A
// graph may be freed while other threads use it, and the destructor of
// CalculatorGraph, which waits for the end of the run, must not run on a thread
// of the graph.
//
// Thread rule: every function may run on any thread.
// Tested by c_interface_test.

#ifndef SYNCLINE_FRAMEWORK_C_GRAPH_OBJECT_H_
#define SYNCLINE_FRAMEWORK_C_GRAPH_OBJECT_H_

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "framework/c/syncline.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph_text/graph_source.h"
#include "framework/packet/packet.h"
#include "framework/plan/graph_plan.h"

namespace syncline {

struct GraphObject {
  explicit GraphObject(GraphPlan the_plan) : plan(std::move(the_plan)) {}

  const GraphPlan plan;
  // Null after the graph was freed.
  std::unique_ptr<CalculatorGraph> graph = std::make_unique<CalculatorGraph>();

  Mutex mutex;
  CondVar unused;
  // How many calls use `graph`. FreeGraph waits until there are none.
  int users ABSL_GUARDED_BY(mutex) = 0;
  bool is_freed ABSL_GUARDED_BY(mutex) = false;
  std::map<std::string, Packet> side_packets ABSL_GUARDED_BY(mutex);
};

// Exists while this thread is in a call to an observer.
class ObserverCall {
 public:
  explicit ObserverCall(const GraphObject* graph)
      : graph_(graph), outer_(innermost_) {
    innermost_ = this;
  }
  ~ObserverCall() { innermost_ = outer_; }
  ObserverCall(const ObserverCall&) = delete;
  ObserverCall& operator=(const ObserverCall&) = delete;

  static bool IsOf(const GraphObject* graph) {
    for (const ObserverCall* i = innermost_; i != nullptr; i = i->outer_) {
      if (i->graph_ == graph) return true;
    }
    return false;
  }

 private:
  static inline thread_local const ObserverCall* innermost_ = nullptr;

  const GraphObject* const graph_;
  const ObserverCall* const outer_;
};

// While a GraphUse exists, its graph is not freed.
class GraphUse {
 public:
  // INVALID_ARGUMENT for a handle that does not exist or was freed.
  static absl::StatusOr<GraphUse> Begin(syncline_graph handle);
  GraphUse(GraphUse&&) = default;
  GraphUse& operator=(GraphUse&&) = delete;
  ~GraphUse();

  CalculatorGraph* operator->() const { return object_->graph.get(); }
  GraphObject& object() const { return *object_; }

 private:
  explicit GraphUse(std::shared_ptr<GraphObject> object)
      : object_(std::move(object)) {}

  std::shared_ptr<GraphObject> object_;
};

// Compiles `source` and makes a handle for the graph. Returns the errors of
// `source` and of Compile.
absl::Status CreateGraph(absl::StatusOr<GraphSource> source,
                         syncline_graph* handle);

// Cancels the graph's run, and waits until it and all uses of the graph are
// over. FAILED_PRECONDITION in an observer of the graph.
absl::Status FreeGraph(syncline_graph handle);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_C_GRAPH_OBJECT_H_
