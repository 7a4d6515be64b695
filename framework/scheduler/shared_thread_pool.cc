#include "framework/scheduler/shared_thread_pool.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/base/mutex.h"
#include "framework/base/no_destructor.h"
#include "framework/base/status_macros.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/scheduler/default_num_threads.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/thread_pool_executor.h"
#include "framework/scheduler/worker_pool.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/util/message_differencer.h"

namespace syncline {
namespace {

using Options = ThreadPoolExecutorOptions;

// What `asked` asks for that `made` does not have, or nothing.
std::string FirstDifference(const Options& asked, const Options& made) {
  const google::protobuf::Descriptor* const type = Options::descriptor();
  const google::protobuf::Reflection* const reflection = asked.GetReflection();
  for (int i = 0; i < type->field_count(); ++i) {
    const google::protobuf::FieldDescriptor* const field = type->field(i);
    const bool is_given = field->is_repeated()
                              ? reflection->FieldSize(asked, field) > 0
                              : reflection->HasField(asked, field);
    if (!is_given) continue;
    google::protobuf::util::MessageDifferencer differencer;
    if (!differencer.CompareWithFields(asked, made, {field}, {field})) {
      return field->name();
    }
  }
  return "";
}

class Pools {
 public:
  absl::StatusOr<std::shared_ptr<WorkerPool>> Get(Options options)
      ABSL_LOCKS_EXCLUDED(mutex_) {
    if (options.num_threads() == 0) options.clear_num_threads();
    // Outlives the lock: if all others let go of the pool meanwhile, it ends
    // here, after tasks that may want a pool themselves.
    std::shared_ptr<WorkerPool> pool;
    MutexLock lock(&mutex_);
    const auto found = pools_.find(options.pool_name());
    if (found != pools_.end()) pool = found->second.pool.lock();
    if (pool == nullptr) return Make(std::move(options));
    const Options& made_with = found->second.options;
    const std::string difference = FirstDifference(options, made_with);
    if (difference.empty()) return pool;
    return absl::FailedPreconditionError(absl::StrCat(
        "Shared thread pool \"", options.pool_name(),
        "\" is in use with other options: ", difference, " differs between {",
        options.ShortDebugString(), "} and {", made_with.ShortDebugString(),
        "}, with which it was made. Use the same, leave it out, or name "
        "another pool."));
  }

 private:
  struct Pool {
    std::weak_ptr<WorkerPool> pool;
    Options options;
  };

  absl::StatusOr<std::shared_ptr<WorkerPool>> Make(Options options)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_) {
    std::erase_if(
        pools_, [](const auto& entry) { return entry.second.pool.expired(); });
    if (!options.has_num_threads()) {
      options.set_num_threads(DefaultNumSharedThreads());
    }
    SYNCLINE_ASSIGN_OR_RETURN(std::shared_ptr<WorkerPool> made,
                              StartThreadPool(options));
    pools_[options.pool_name()] = {made, options};
    return made;
  }

  Mutex mutex_;
  HashMap<std::string, Pool> pools_ ABSL_GUARDED_BY(mutex_);
};

Pools& AllPools() {
  static NoDestructor<Pools> pools;
  return *pools;
}

absl::StatusOr<std::unique_ptr<ThreadPoolExecutor>> MakeExecutor(
    const Options& options) {
  // A graph that has a thread of the pool gives it back sooner than one with a
  // pool of its own would.
  constexpr int kTasksInARow = 100;
  SYNCLINE_ASSIGN_OR_RETURN(std::shared_ptr<WorkerPool> pool,
                            AllPools().Get(options));
  return std::make_unique<ThreadPoolExecutor>(std::move(pool), kTasksInARow);
}

}  // namespace

absl::StatusOr<Executor*> SharedThreadPoolExecutor::Create(
    const SynclineOptions& options) {
  SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<ThreadPoolExecutor> executor,
                            MakeExecutor(options.GetExtension(Options::ext)));
  return executor.release();
}

absl::StatusOr<std::shared_ptr<Executor>> SharedThreadPool(
    absl::string_view name, int num_threads) {
  Options options;
  options.set_pool_name(std::string(name));
  if (num_threads != 0) options.set_num_threads(num_threads);
  return MakeExecutor(options);
}

REGISTER_EXECUTOR(SharedThreadPoolExecutor);

}  // namespace syncline
