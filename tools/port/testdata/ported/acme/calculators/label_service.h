// Copyright 2025 The Acme Authors.

#ifndef SYNCLINE_ACME_CALCULATORS_LABEL_SERVICE_H_
#define SYNCLINE_ACME_CALCULATORS_LABEL_SERVICE_H_

#include <atomic>

#include "framework/graph_service.h"

namespace syncline {

// Counts how often labels are asked for.
class LabelStatistics {
 public:
  void Ask(int index) { asked_ += index >= 0 ? 1 : 0; }
  int asked() const { return asked_; }

 private:
  std::atomic<int> asked_{0};
};

inline constexpr GraphService<LabelStatistics> kLabelService(
    "syncline::LabelStatistics",
    GraphServiceBase::kDisallowDefaultInitialization);

}  // namespace syncline

#endif  // SYNCLINE_ACME_CALCULATORS_LABEL_SERVICE_H_
