// Parts of nodes and graphs besides ports: conditions and allocators.
//
//   auto& node = graph.AddNode("SensorCalculator");
//   node.AddCondition("PeriodicCondition")
//       .GetOptions<PeriodicConditionOptions>()
//       .set_recess_period("10ms");
//   ConditionGroup either = node.AddAnyOf();
//   either.AddCondition("BooleanCondition").SetName("by_hand");
//   either.AddCondition("AsynchronousCondition").SetName("by_sensor");
//
// These are handles to parts of the graph that is being built. They may be
// copied, and are valid as long as the graph lives.
//
// Thread rule: as for builder.h.
// Tested by builder_parts_test and builder_errors_test.

#ifndef SYNCLINE_FRAMEWORK_API2_BUILDER_PARTS_H_
#define SYNCLINE_FRAMEWORK_API2_BUILDER_PARTS_H_

#include <string>

#include "absl/strings/string_view.h"
#include "framework/config/allocator.pb.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/condition.pb.h"

namespace syncline {
namespace api2 {
namespace builder {

namespace builder_internal {

// A part of a graph that has a name, a type and options.
template <typename ConfigT>
class NamedPart {
 public:
  explicit NamedPart(ConfigT* config) : config_(config) {}

  NamedPart& SetName(absl::string_view name) {
    config_->set_name(std::string(name));
    return *this;
  }
  // The options of this type, which the caller may change.
  template <typename T>
  T& GetOptions() {
    return *config_->mutable_options()->MutableExtension(T::ext);
  }

 private:
  ConfigT* config_;
};

// Adds a part of type `type` to `parts`.
template <typename Parts>
auto AddPart(Parts* parts, absl::string_view type) {
  auto* const config = parts->Add();
  config->set_type(std::string(type));
  return NamedPart(config);
}

}  // namespace builder_internal

using Condition = builder_internal::NamedPart<ConditionConfig>;
using Allocator = builder_internal::NamedPart<AllocatorConfig>;

// A group of conditions of a node: the node waits for any of them, or for all.
class ConditionGroup {
 public:
  explicit ConditionGroup(syncline::ConditionGroup* config) : config_(config) {}

  Condition AddCondition(absl::string_view type) {
    return builder_internal::AddPart(config_->mutable_condition(), type);
  }
  // Adds a group that counts as one condition of this group.
  ConditionGroup AddAnyOf() { return ConditionGroup(config_->add_any_of()); }
  ConditionGroup AddAllOf() { return ConditionGroup(config_->add_all_of()); }

 private:
  syncline::ConditionGroup* config_;
};

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_BUILDER_PARTS_H_
