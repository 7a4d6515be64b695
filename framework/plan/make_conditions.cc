#include "framework/plan/make_conditions.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "framework/base/misuse.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/calculator/port_layout.h"
#include "framework/condition/condition.h"
#include "framework/condition/memory_available_condition.h"
#include "framework/plan/graph_plan.h"

namespace syncline {
namespace {

std::vector<ConditionPort> PortsOf(const PacketTypeSet& types) {
  const PortLayout& layout = types.layout();
  std::vector<ConditionPort> ports;
  for (int port = 0; port < static_cast<int>(layout.Names().size()); ++port) {
    const auto [tag, index] = layout.TagAndIndex(port);
    ports.push_back({std::string(tag), index, layout.Names()[port]});
  }
  return ports;
}

// REQUIRES: the type is registered.
absl::Status MakeOne(const PlanCondition& condition, ConditionSetup* setup,
                     MadeConditions* made) {
  return CallUserCode([&]() -> absl::Status {
    SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<ConditionBase> object,
                              ConditionRegistry::CreateByName(condition.type));
    if (object == nullptr) {
      return absl::InternalError("its factory returned null.");
    }
    made->objects.push_back(std::move(object));
    SYNCLINE_RETURN_IF_ERROR(made->objects.back()->Initialize(setup));
    made->needs.push_back(made->objects.back()->PacketNeeds());
    return setup->CheckOptions();
  });
}

}  // namespace

std::string ConditionText(const PlanCondition& condition) {
  if (condition.name == condition.type) {
    return absl::StrCat("condition \"", condition.name, "\"");
  }
  return absl::StrCat("condition \"", condition.name, "\" (", condition.type,
                      ")");
}

absl::StatusOr<MadeConditions> MakeConditions(
    const PlanConditions& plan, const CalculatorContract& contract,
    absl::Span<const std::string> allocators) {
  const std::vector<ConditionPort> inputs = PortsOf(contract.Inputs());
  const std::vector<ConditionPort> outputs = PortsOf(contract.Outputs());
  MadeConditions made;
  int condition_number = 0;
  for (const PlanCondition& condition : plan.conditions) {
    ConditionSetup setup(condition.options, inputs, outputs, allocators, &made);
    SYNCLINE_RETURN_IF_ERROR(MakeOne(condition, &setup, &made)).SetPrepend()
        << ConditionText(condition) << ": ";
    made.room_watchers.resize(made.watched_rooms.size(), condition_number);
    ++condition_number;
  }
  MemoryAvailableCondition::Join(made.objects);
  return made;
}

}  // namespace syncline
