#include "framework/scheduler/alarm_thread.h"

#include <cstdint>
#include <thread>

#include "framework/scheduler/application_thread_executor.h"
#include "framework/scheduler/executor.h"

namespace syncline {
namespace {

// A thread that waits there for ever keeps its appointments.
WaitPoint& Alarms() {
  static WaitPoint& alarms = [&]() -> WaitPoint& {
    auto* const wait_point = new WaitPoint;  // for the rest of the process
    std::thread([wait_point] {
      wait_point->Wait([] { return false; });
    }).detach();
    return *wait_point;
  }();
  return alarms;
}

}  // namespace

void AlarmThread::Set(TaskQueue* task_queue, std::int64_t steady_ns) {
  Alarms().AddAt(task_queue, steady_ns);
}

void AlarmThread::Cancel(TaskQueue* task_queue) {
  Alarms().RemoveAt(task_queue);
}

}  // namespace syncline
