// Copyright 2025 The Acme Authors.

#ifndef MEDIAPIPE_ACME_CALCULATORS_LABEL_SERVICE_H_
#define MEDIAPIPE_ACME_CALCULATORS_LABEL_SERVICE_H_

#include <atomic>

#include "mediapipe/framework/graph_service.h"

namespace mediapipe {

// Counts how often labels are asked for.
class LabelStatistics {
 public:
  void Ask(int index) { asked_ += index >= 0 ? 1 : 0; }
  int asked() const { return asked_; }

 private:
  std::atomic<int> asked_{0};
};

inline constexpr GraphService<LabelStatistics> kLabelService(
    "mediapipe::LabelStatistics",
    GraphServiceBase::kDisallowDefaultInitialization);

}  // namespace mediapipe

#endif  // MEDIAPIPE_ACME_CALCULATORS_LABEL_SERVICE_H_
