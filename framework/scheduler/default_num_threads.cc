#include "framework/scheduler/default_num_threads.h"

#include <algorithm>

#include "framework/base/usable_cores.h"
#include "glog/logging.h"

namespace syncline {

int DefaultNumThreads(int useful_threads) {
  if (VLOG_IS_ON(1)) {
    const UsableCores cores = FindUsableCores();
    VLOG(1) << "A pool without a number of threads has at most " << cores.count
            << ", one for each core that " << cores.source << " gives.";
  }
  return std::max(1, std::min(NumUsableCores(), useful_threads));
}

int DefaultNumSharedThreads() { return NumUsableCores(); }

}  // namespace syncline
