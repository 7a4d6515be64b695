// The executors of the framework, and one that does no more than it must,
// against the conformance suite.

#include <atomic>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/mutex.h"
#include "framework/config/syncline_options.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "framework/scheduler/application_thread_executor.h"
#include "framework/scheduler/executor.h"
#include "framework/scheduler/executor_conformance_suite.h"
#include "framework/scheduler/scheduler_queue_test_support.h"
#include "framework/scheduler/shared_thread_pool.h"
#include "framework/scheduler/thread_pool_executor.h"
#include "glog/logging.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

ExecutorUnderTest ThreadPool(int num_threads) {
  return {.name = absl::StrCat("ThreadPoolOf", num_threads),
          .make =
              [num_threads] {
                return std::make_unique<ThreadPoolExecutor>(num_threads);
              },
          .drains = true,
          .catches = true,
          .watches = true};
}

// A graph's view of a pool that nobody else has.
ExecutorUnderTest SharedPool(int num_threads) {
  return {.name = absl::StrCat("SharedThreadPoolOf", num_threads),
          .make =
              [num_threads] {
                SynclineOptions options;
                auto* mine =
                    options.MutableExtension(ThreadPoolExecutorOptions::ext);
                mine->set_pool_name(absl::StrCat("conformance", num_threads));
                mine->set_num_threads(num_threads);
                const absl::StatusOr<Executor*> executor =
                    SharedThreadPoolExecutor::Create(options);
                CHECK(executor.ok()) << executor.status();
                return std::unique_ptr<Executor>(*executor);
              },
          .catches = true,
          .watches = true};
}

// An application thread that waits all the time.
class WaitingApplication : public ApplicationThreadExecutor {
 public:
  static std::unique_ptr<Executor> Make() {
    return std::make_unique<WaitingApplication>(std::make_shared<WaitPoint>());
  }
  explicit WaitingApplication(const std::shared_ptr<WaitPoint>& wait_point)
      : ApplicationThreadExecutor(wait_point), wait_point_(wait_point) {
    application_ = std::thread(
        [this] { wait_point_->Wait([this] { return is_over_.load(); }); });
  }
  ~WaitingApplication() override {
    {
      MutexLock lock(&wait_point_->mutex);
      is_over_ = true;
      wait_point_->Signal();
    }
    application_.join();
  }

 private:
  const std::shared_ptr<WaitPoint> wait_point_;
  std::atomic<bool> is_over_{false};
  std::thread application_;
};

INSTANTIATE_TEST_SUITE_P(
    Framework, ExecutorConformanceTest,
    ::testing::Values(ThreadPool(1), ThreadPool(2), ThreadPool(8),
                      SharedPool(1), SharedPool(2), SharedPool(8),
                      ExecutorUnderTest{.name = "ApplicationThread",
                                        .make = &WaitingApplication::Make}),
    ExecutorUnderTest::Name);

INSTANTIATE_TEST_SUITE_P(
    User, ExecutorConformanceTest,
    ::testing::Values(ExecutorUnderTest{
        .name = "ThreadForEach",
        .make = [] { return std::make_unique<ThreadForEach>(1'000'000); },
        .drains = true}),
    ExecutorUnderTest::Name);

}  // namespace
}  // namespace syncline
