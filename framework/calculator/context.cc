// See the header.
#include "framework/calculator/context.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/calculator/port_layout.h"
#include "framework/calculator/resources.h"
#include "framework/calculator/resources_service.h"

namespace syncline {

CalculatorContext::CalculatorContext(const NodeSetup* setup,
                                     std::shared_ptr<const PortLayout> inputs,
                                     std::shared_ptr<const PortLayout> outputs)
    : setup_(setup), inputs_(std::move(inputs)), outputs_(std::move(outputs)) {}

Counter* CalculatorContext::GetCounter(absl::string_view name) {
  for (const auto& [known, counter] : counters_) {
    if (known == name) return counter;
  }
  Counter* const counter =
      setup_->counters->GetCounter(absl::StrCat(setup_->name, "-", name));
  counters_.emplace_back(std::string(name), counter);
  return counter;
}

void CalculatorContext::SetOffset(TimestampDiff offset) {
  for (OutputStream& output : outputs_) output.SetOffset(offset);
}

const Resources& CalculatorContext::GetResources() const {
  if (setup_->services != nullptr) {
    // Shared with the manager, which outlives the context.
    const std::shared_ptr<Resources> resources =
        setup_->services->GetServiceObject(kResourcesService);
    if (resources != nullptr) return *resources;
  }
  static const Resources& files = *CreateDefaultResources().release();
  return files;
}

}  // namespace syncline
