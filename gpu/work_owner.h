// WorkOwner: for whom work of a device is done, so that errors can name both
// sides of a race.
//
//   WorkOwnerScope scope({node_name, timestamp});   // around a call of a node
//   ...
//   stream.Launch(...);                             // is work of that node
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

// While it exists, work that this thread submits is that of `owner`. Scopes may
// be nested.
class WorkOwnerScope {
 public:
  explicit WorkOwnerScope(WorkOwner owner);
  ~WorkOwnerScope();
  WorkOwnerScope(const WorkOwnerScope&) = delete;
  WorkOwnerScope& operator=(const WorkOwnerScope&) = delete;

  // That of the innermost scope of this thread; no node if there is none.
  static const WorkOwner& Current();

 private:
  const WorkOwner owner_;
  const WorkOwnerScope* const outer_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_WORK_OWNER_H_
