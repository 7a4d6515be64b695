#include "framework/scheduler/executor.h"

#include <atomic>
#include <memory>

#include "absl/status/status.h"
#include "framework/base/misuse.h"

namespace syncline {
namespace {

// One call that an executor owes to a queue.
class OwedCall {
 public:
  explicit OwedCall(TaskQueue* task_queue) : task_queue_(task_queue) {}
  OwedCall(const OwedCall&) = delete;
  OwedCall& operator=(const OwedCall&) = delete;
  ~OwedCall() { GiveUp(); }
  // Unless the queue was called, it will not be called any more.
  void GiveUp() {
    if (!called_.exchange(true)) task_queue_->OnTaskLost();
  }
  // If an executor runs the function twice, the queue is called once.
  void Call() {
    if (!called_.exchange(true)) task_queue_->RunNextTask();
  }

 private:
  TaskQueue* const task_queue_;
  std::atomic<bool> called_{false};
};

}  // namespace

void Executor::AddTask(TaskQueue* task_queue) {
  const auto call = std::make_shared<OwedCall>(task_queue);
  const absl::Status status =
      CallUserCode([&] { Schedule([call] { call->Call(); }); });
  if (status.ok()) return;
  task_queue->OnExecutorError(status);
  call->GiveUp();
}

}  // namespace syncline
