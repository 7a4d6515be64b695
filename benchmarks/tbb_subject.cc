#include "benchmarks/tbb_subject.h"

#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "benchmarks/subject.h"
#include "benchmarks/tbb_graphs.h"
#include "benchmarks/workload.h"

namespace syncline {
namespace {

template <typename Form>
class TbbSubject : public Subject {
 public:
  absl::string_view name() const override { return Form::kName; }

  bool Supports(const Workload& workload, int threads) const override {
    switch (workload.shape) {
      case Shape::kFedChain:
      case Shape::kLatency:
      case Shape::kLifeCycle:
        return true;
      case Shape::kChain:
      case Shape::kChains:
      case Shape::kStages:
        return threads > 0;
      case Shape::kFanOut:
        return workload.size == 2 || workload.size == 8;
      case Shape::kJoin:
        return workload.size == 2;
      case Shape::kLayers:
        return workload.size <= 1000;
      default:
        return false;
    }
  }

  absl::StatusOr<Measurement> Run(const Workload& workload, int threads,
                                  std::int64_t packets) override {
    // The application's thread counts as one of the threads.
    const oneapi::tbb::global_control control(
        oneapi::tbb::global_control::max_allowed_parallelism,
        std::max(threads, 1));
    return TbbGraphs<Form>::Run(workload, packets);
  }
};

}  // namespace

std::vector<std::unique_ptr<Subject>> MakeTbbSubjects() {
  std::vector<std::unique_ptr<Subject>> subjects;
  subjects.push_back(std::make_unique<TbbSubject<DefaultForm>>());
  subjects.push_back(std::make_unique<TbbSubject<PlainForm>>());
  return subjects;
}

}  // namespace syncline
