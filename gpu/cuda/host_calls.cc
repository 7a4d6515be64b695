#include "gpu/cuda/host_calls.h"

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "framework/base/mutex.h"
#include "gpu/notice_thread.h"

namespace syncline::gpu::internal {
namespace {

// What is posted is destroyed there. It is moved all the way, not copied.
template <typename T>
void DestroyElsewhere(T what) {
  NoticeThread::Post([what = std::move(what)] {});
}

}  // namespace

HostCalls& HostCalls::Global() {
  static HostCalls& calls = *new HostCalls;
  return calls;
}

void* HostCalls::Keep(const void* owner, std::function<void()> function) {
  MutexLock lock(&mutex_);
  const std::uintptr_t token = ++last_;
  calls_.emplace(token, Call{owner, std::move(function)});
  return reinterpret_cast<void*>(token);
}

std::function<void()> HostCalls::Take(void* token) {
  MutexLock lock(&mutex_);
  const auto found = calls_.find(reinterpret_cast<std::uintptr_t>(token));
  if (found == calls_.end()) return nullptr;
  std::function<void()> function = std::move(found->second.function);
  calls_.erase(found);
  return function;
}

void HostCalls::Run(void* token) {
  std::function<void()> function = Take(token);
  if (function == nullptr) return;
  function();
  DestroyElsewhere(std::move(function));
}

void HostCalls::Drop(void* token) {
  std::function<void()> function = Take(token);
  if (function != nullptr) DestroyElsewhere(std::move(function));
}

void HostCalls::DropAllOf(const void* owner) {
  std::vector<std::function<void()>> dropped;
  MutexLock lock(&mutex_);
  for (auto call = calls_.begin(); call != calls_.end();) {
    if (call->second.owner == owner) {
      dropped.push_back(std::move(call->second.function));
      call = calls_.erase(call);
    } else {
      ++call;
    }
  }
  if (!dropped.empty()) DestroyElsewhere(std::move(dropped));
}

}  // namespace syncline::gpu::internal
