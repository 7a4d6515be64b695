// WorkOwner: for whom work of a device is done, so that errors can name both
// sides of a race.
//
//   WorkOwnerScope scope({node_name, timestamp});   // around a call of a node
//   ...
//   stream.Launch(...);                             // is work of that node
//
// A scope may also have a watcher, who hears of that work: call_timer.h.
//
// Thread rule: values; a scope is for the thread that made it.
// Tested by work_owner_test.

#ifndef SYNCLINE_GPU_WORK_OWNER_H_
#define SYNCLINE_GPU_WORK_OWNER_H_

#include <memory>
#include <string>

#include "framework/packet/timestamp.h"

namespace syncline::gpu {

struct WorkOwner {
  // Shared, since each piece of work notes it. Null: no node, the application.
  std::shared_ptr<const std::string> node;
  Timestamp timestamp = Timestamp::Unset();

  // `node "blur" at 40`; `the application` without a node.
  std::string ToText() const;
};

class StreamCore;

// Hears of work that a thread gives to streams, on this thread. The stream is
// locked: only its driver may be called.
class WorkWatcher {
 public:
  virtual ~WorkWatcher() = default;
  virtual void BeforeWork(StreamCore* stream) = 0;
  // Also of work that the driver has refused.
  virtual void AfterWork(StreamCore* stream) = 0;
};

// While it exists, work that this thread submits is that of `owner`. Scopes may
// be nested.
class WorkOwnerScope {
 public:
  // `watcher` outlives the scope; null: nobody watches.
  explicit WorkOwnerScope(WorkOwner owner, WorkWatcher* watcher = nullptr);
  ~WorkOwnerScope();
  WorkOwnerScope(const WorkOwnerScope&) = delete;
  WorkOwnerScope& operator=(const WorkOwnerScope&) = delete;

  // That of the innermost scope of this thread; no node if there is none.
  static const WorkOwner& Current();
  // Null if the innermost scope has none.
  static WorkWatcher* CurrentWatcher();

 private:
  const WorkOwner owner_;
  WorkWatcher* const watcher_;
  const WorkOwnerScope* const outer_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_WORK_OWNER_H_
