#include "framework/graph/test_workers.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/mutex.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/thread_pool_executor.pb.h"
#include "glog/logging.h"

namespace syncline {
namespace {

constexpr std::uint64_t kSeeds = 3;

// Replaces the default executor by the one that `workers` ask for.
void SetDefaultExecutor(const Workers& workers, CalculatorGraphConfig* config) {
  auto* const executors = config->mutable_executor();
  executors->erase(std::remove_if(executors->begin(), executors->end(),
                                  [](const ExecutorConfig& executor) {
                                    return executor.name().empty() ||
                                           executor.name() == "default";
                                  }),
                   executors->end());
  config->set_num_threads(0);
  ExecutorConfig* const executor = executors->Add();
  if (workers.is_application_thread()) {
    executor->set_type("ApplicationThreadExecutor");
    return;
  }
  executor->set_type("ThreadPoolExecutor");
  executor->mutable_options()
      ->MutableExtension(ThreadPoolExecutorOptions::ext)
      ->set_num_threads(workers.threads);
}

}  // namespace

std::string Workers::Name() const {
  if (is_seeded()) return absl::StrCat("Seed", seed);
  return is_application_thread() ? "ApplicationThread"
                                 : absl::StrCat("Threads", threads);
}

std::vector<Workers> ThreadWorkers() {
  return {{.threads = 0}, {.threads = 1}, {.threads = 2}, {.threads = 8}};
}

std::vector<Workers> AllWorkers() {
  std::vector<Workers> workers = ThreadWorkers();
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    workers.push_back({.seed = seed});
  }
  return workers;
}

std::vector<Workers> OneThreadWorkers() {
  return {{.threads = 0}, {.threads = 1}};
}

std::size_t SeededChooser::Choose(std::size_t count) {
  MutexLock lock(&mutex_);
  return random_() % count;
}

WorkersGraph::WorkersGraph(const Workers& workers)
    : ChooserOfGraph{SeededChooser(workers.seed)}, workers_(workers) {
  if (!workers_.is_seeded()) return;
  const absl::Status status = SetTaskChooser(&chooser);
  CHECK(status.ok()) << status;
}

absl::Status WorkersGraph::Initialize(CalculatorGraphConfig config) {
  SetDefaultExecutor(workers_, &config);
  return CalculatorGraph::Initialize(std::move(config));
}

}  // namespace syncline
