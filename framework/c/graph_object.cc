#include "framework/c/graph_object.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/base/no_destructor.h"
#include "framework/base/status_macros.h"
#include "framework/c/handles.h"
#include "framework/plan/compile.h"

namespace syncline {
namespace {

Handles<GraphObject, syncline_graph>& Graphs() {
  static NoDestructor<Handles<GraphObject, syncline_graph>> graphs("graph", 2);
  return *graphs;
}

}  // namespace

absl::StatusOr<GraphUse> GraphUse::Begin(syncline_graph handle) {
  SYNCLINE_ASSIGN_OR_RETURN(std::shared_ptr<GraphObject> object,
                            Graphs().Get(handle));
  {
    MutexLock lock(&object->mutex);
    if (object->is_freed) {
      return absl::InvalidArgumentError("the graph was freed before");
    }
    ++object->users;
  }
  return GraphUse(std::move(object));
}

GraphUse::~GraphUse() {
  if (object_ == nullptr) return;
  MutexLock lock(&object_->mutex);
  if (--object_->users == 0) object_->unused.SignalAll();
}

absl::Status CreateGraph(absl::StatusOr<GraphSource> source,
                         syncline_graph* handle) {
  if (!source.ok()) return source.status();
  SYNCLINE_ASSIGN_OR_RETURN(GraphPlan plan, Compile(*std::move(source)));
  auto object = std::make_shared<GraphObject>(plan);
  SYNCLINE_RETURN_IF_ERROR(object->graph->Initialize(std::move(plan)));
  *handle = Graphs().Add(std::move(object));
  return absl::OkStatus();
}

absl::Status FreeGraph(syncline_graph handle) {
  if (handle == nullptr) return absl::OkStatus();
  {
    SYNCLINE_ASSIGN_OR_RETURN(const GraphUse use, GraphUse::Begin(handle));
    if (ObserverCall::IsOf(&use.object())) {
      return absl::FailedPreconditionError(
          "an observer cannot free its own graph: it would wait for itself. "
          "Return an error to end the run, and free the graph elsewhere");
    }
  }
  SYNCLINE_ASSIGN_OR_RETURN(const std::shared_ptr<GraphObject> object,
                            Graphs().Remove(handle));
  {
    MutexLock lock(&object->mutex);
    object->is_freed = true;
  }
  // Cancel ends the run, so that the calls that wait for it return. But a call
  // that was under way may start a new run after the Cancel, and another call
  // may wait for that run. So this thread cancels again until no call uses the
  // graph.
  for (bool is_used = true; is_used;) {
    object->graph->Cancel();
    MutexLock lock(&object->mutex);
    if (object->users > 0) {
      object->unused.WaitWithTimeout(&object->mutex, absl::Milliseconds(10));
    }
    is_used = object->users > 0;
  }
  // The destructor waits for the end of the run. So it runs here, and not on a
  // thread of the graph.
  object->graph.reset();
  return absl::OkStatus();
}

}  // namespace syncline
