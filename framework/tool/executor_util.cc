#include "framework/tool/executor_util.h"

#include "framework/config/calculator.pb.h"
#include "framework/config/thread_pool_executor.pb.h"

namespace syncline {
namespace tool {
namespace {

ExecutorConfig* FindDefaultExecutor(CalculatorGraphConfig* config) {
  for (ExecutorConfig& executor : *config->mutable_executor()) {
    if (executor.name().empty()) return &executor;
  }
  return nullptr;
}

}  // namespace

void EnsureMinimumDefaultExecutorStackSize(int min_stack_size,
                                           CalculatorGraphConfig* config) {
  ExecutorConfig* executor = FindDefaultExecutor(config);
  const bool is_new = executor == nullptr;
  if (is_new) executor = config->add_executor();
  if (!executor->type().empty() && executor->type() != "ThreadPoolExecutor") {
    return;
  }
  ThreadPoolExecutorOptions* const options =
      executor->mutable_options()->MutableExtension(
          ThreadPoolExecutorOptions::ext);
  if (is_new && config->num_threads() != 0) {
    options->set_num_threads(config->num_threads());
    config->clear_num_threads();
  }
  if (options->stack_size() < min_stack_size) {
    options->set_stack_size(min_stack_size);
  }
}

}  // namespace tool
}  // namespace syncline
