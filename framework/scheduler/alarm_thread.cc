#include "framework/scheduler/alarm_thread.h"

#include <cstdint>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/mutex.h"
#include "framework/scheduler/executor.h"

namespace syncline {

absl::Status AlarmThread::Start() {
  if (thread_.joinable()) return absl::OkStatus();
  try {
    // A thread that waits at a wait point runs what is due there at its time.
    thread_ = std::thread([shared = shared_] {
      shared->wait_point.Wait([&] {
        shared->wait_point.mutex.AssertHeld();
        return shared->is_over;
      });
    });
  } catch (const std::system_error& error) {
    return absl::ResourceExhaustedError(absl::StrCat(
        "There is no thread that could keep the times that the graph waits "
        "for: ",
        error.what(),
        ". Let the system allow more threads, or have other "
        "programs use fewer."));
  }
  return absl::OkStatus();
}

absl::Status AlarmThread::Set(TaskQueue* task_queue, std::int64_t steady_ns) {
  MutexLock lock(&mutex_);
  if (is_stopped_) return absl::OkStatus();
  if (absl::Status status = Start(); !status.ok()) return status;
  shared_->wait_point.AddAt(task_queue, steady_ns);
  return absl::OkStatus();
}

void AlarmThread::Cancel(TaskQueue* task_queue) {
  shared_->wait_point.RemoveAt(task_queue);
}

void AlarmThread::Stop() {
  std::thread thread;
  {
    MutexLock lock(&mutex_);
    is_stopped_ = true;
    thread = std::move(thread_);
  }
  if (!thread.joinable()) return;
  {
    MutexLock lock(&shared_->wait_point.mutex);
    shared_->is_over = true;
    shared_->wait_point.Signal();
  }
  if (thread.get_id() == std::this_thread::get_id()) {
    thread.detach();
  } else {
    thread.join();
  }
}

}  // namespace syncline
