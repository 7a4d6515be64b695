#include "framework/component/node_config.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "framework/base/misuse.h"
#include "framework/config/calculator.pb.h"

namespace syncline {

NodeConfig::~NodeConfig() { delete message_.load(std::memory_order_acquire); }

void NodeConfig::SetMessage(
    std::unique_ptr<const CalculatorGraphConfig::Node> message) {
  message_.store(message.release(), std::memory_order_release);
}

const CalculatorGraphConfig::Node& NodeConfig::Unpack() const {
  auto made = std::make_unique<CalculatorGraphConfig::Node>();
  if (!made->ParsePartialFromArray(bytes_.data(),
                                   static_cast<int>(bytes_.size()))) {
    ReportMisuse(absl::InternalError("A node was packed wrongly."));
  }
  // Two threads may both make the message; the first one stays.
  const CalculatorGraphConfig::Node* known = nullptr;
  if (message_.compare_exchange_strong(known, made.get(),
                                       std::memory_order_acq_rel,
                                       std::memory_order_acquire)) {
    return *made.release();
  }
  return *known;
}

}  // namespace syncline
