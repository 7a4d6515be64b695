// Pools of threads that the graphs of a process share under one thread budget.
//
//   executor {
//     type: "SharedThreadPoolExecutor"
//     options {
//       [syncline.ThreadPoolExecutorOptions.ext] {
//         pool_name: "video" num_threads: 4
//       }
//     }
//   }
//
// Ten graphs with four threads each want forty; ten that share a pool want
// four. The first user of a name makes the pool, with its options. Other users
// may leave options out, but an option that they give has to be that of the
// pool. The pool ends with its last user.
//
// Fairness: requests are served in the order in which they came, whatever graph
// they are from, and a graph that has a thread gives it back sooner than one
// with a pool of its own would. Priorities hold within a graph, not between
// graphs.
//
// Thread rule: any thread.
// Tested by shared_thread_pool_test and executor_conformance_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_SHARED_THREAD_POOL_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_SHARED_THREAD_POOL_H_

#include <memory>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/scheduler/executor.h"

namespace syncline {

// How graphs name such a pool. Each of them gets a ThreadPoolExecutor of its
// own, which has the threads of the pool.
struct SharedThreadPoolExecutor {
  // From ThreadPoolExecutorOptions. FAILED_PRECONDITION if the pool was made
  // with other options; otherwise as ThreadPoolExecutor::Create.
  static absl::StatusOr<Executor*> Create(const SynclineOptions& options);
};

// The pool of that name, for CalculatorGraph::SetExecutor. `num_threads` 0: as
// many as it has or, if it is made now, as the process may use cores.
absl::StatusOr<std::shared_ptr<Executor>> SharedThreadPool(
    absl::string_view name, int num_threads = 0);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_SHARED_THREAD_POOL_H_
