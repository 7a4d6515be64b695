// tool::OptionsMap: the options of a node by type; see NodeOptions.
//
// For code that was written for MediaPipe's names. A map is created empty and
// gets its node afterwards.
//
// Thread rule: as for NodeOptions.
// Tested by name_util_test and options_field_util_test.
#ifndef SYNCLINE_FRAMEWORK_TOOL_OPTIONS_MAP_H_
#define SYNCLINE_FRAMEWORK_TOOL_OPTIONS_MAP_H_

#include <memory>

#include "framework/calculator/mutable_node_options.h"
#include "framework/calculator/node_options.h"
#include "framework/config/calculator.pb.h"

namespace syncline {
namespace tool {

class OptionsMap {
 public:
  // `node` must outlive the map.
  OptionsMap& Initialize(const CalculatorGraphConfig::Node& node) {
    options_ = std::make_unique<NodeOptions>(node);
    return *this;
  }
  // REQUIRES: Initialize was called.
  template <typename T>
  const T& Get() const {
    return options_->Get<T>();
  }
  template <typename T>
  bool Has() const {
    return options_->Has<T>();
  }

 private:
  std::unique_ptr<NodeOptions> options_;
};

class MutableOptionsMap {
 public:
  // `node` must outlive the map.
  MutableOptionsMap& Initialize(CalculatorGraphConfig::Node& node) {
    options_ = std::make_unique<MutableNodeOptions>(&node);
    return *this;
  }
  // REQUIRES for all of them: Initialize was called.
  template <typename T>
  const T& Get() const {
    return options_->Get<T>();
  }
  template <typename T>
  T* GetMutable() const {
    return options_->GetMutable<T>();
  }
  template <typename T>
  bool Has() const {
    return options_->Has<T>();
  }
  template <typename T>
  void Set(const T& value) const {
    options_->Set(value);
  }

 private:
  std::unique_ptr<MutableNodeOptions> options_;
};

// The same for a single type, without a map. `result` becomes the options of
// `node`, or the default values.
template <typename T>
bool HasNodeOptions(const CalculatorGraphConfig::Node& node) {
  return NodeOptions(node).Has<T>();
}
template <typename T>
void GetNodeOptions(const CalculatorGraphConfig::Node& node, T* result) {
  *result = NodeOptions(node).Get<T>();
}
template <typename T>
void SetNodeOptions(CalculatorGraphConfig::Node& node, T* value) {
  MutableNodeOptions(&node).Set(*value);
}

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_OPTIONS_MAP_H_
