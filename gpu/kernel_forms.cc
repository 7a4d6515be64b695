#include "gpu/kernel_forms.h"

#include <atomic>

#include "framework/base/mutex.h"
#include "framework/base/no_destructor.h"
#include "gpu/kernel.h"

namespace syncline::gpu::internal {
namespace {

// A list that is read without a lock: a launch asks it. Empty before any code
// runs.
std::atomic<CudaForm*> first_form;

// For who changes it.
Mutex& ListMutex() {
  static NoDestructor<Mutex> mutex;
  return *mutex;
}

}  // namespace

CudaForm::CudaForm(const Kernel& kernel, Launch launch)
    : stand_in_(kernel.stand_in), launch_(launch) {
  MutexLock lock(&ListMutex());
  next_.store(first_form.load());
  first_form.store(this, std::memory_order_release);
}

CudaForm::~CudaForm() {
  MutexLock lock(&ListMutex());
  if (first_form.load() == this) {
    first_form.store(next_.load());
    return;
  }
  for (CudaForm* form = first_form.load(); form != nullptr;
       form = form->next_.load()) {
    if (form->next_.load() != this) continue;
    form->next_.store(next_.load());
    return;
  }
}

CudaForm::Launch CudaForm::Of(const Kernel& kernel) {
  if (kernel.cuda != nullptr || kernel.stand_in == nullptr) return kernel.cuda;
  for (const CudaForm* form = first_form.load(std::memory_order_acquire);
       form != nullptr; form = form->next_.load(std::memory_order_acquire)) {
    if (form->stand_in_ == kernel.stand_in) return form->launch_;
  }
  return nullptr;
}

}  // namespace syncline::gpu::internal
