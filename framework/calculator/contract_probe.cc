#include "framework/calculator/contract_probe.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "framework/component/parameter.h"

namespace syncline {
namespace {

constinit thread_local ContractProbe* current = nullptr;

template <typename T>
void AddOnce(T value, std::vector<T>* values) {
  if (std::find(values->begin(), values->end(), value) == values->end()) {
    values->push_back(std::move(value));
  }
}

}  // namespace

ContractProbe::ContractProbe() : outer_(current) { current = this; }

ContractProbe::~ContractProbe() { current = outer_; }

ContractProbe* ContractProbe::Current() { return current; }

void ContractProbe::NoteTag(const PortLayout& layout, absl::string_view tag) {
  AddOnce({&layout, std::string(tag)}, &tags_);
}

void ContractProbe::NoteOptions(absl::string_view full_name) {
  AddOnce(std::string(full_name), &options_);
}

void ContractProbe::NoteParameters(std::vector<ParameterInfo> parameters) {
  parameters_ = std::move(parameters);
}

}  // namespace syncline
