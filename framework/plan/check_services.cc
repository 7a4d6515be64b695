#include "framework/plan/check_services.h"

#include <map>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/graph_service_manager.h"
#include "framework/calculator/service.h"
#include "framework/expansion/node_origin.h"
#include "framework/graph_text/node_names.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/graph_plan.h"

namespace syncline {
namespace {

// The first node that cannot do without the service.
int NodeThatRequires(const PlanService& service, const CompileState& state) {
  for (const int node : service.nodes) {
    const CalculatorContract& contract = *state.drafts[node].contract;
    if (!contract.FindServiceRequest(service.key)->IsOptional()) return node;
  }
  return service.nodes[0];
}

// A required service that nobody gave must be one that makes itself; there is
// no other way to know than to make one.
void CheckAvailable(const PlanService& service, CompileState* state) {
  const GraphServiceManager* given = state->options.services;
  if (given != nullptr && given->ServicePackets().contains(service.key)) return;
  const absl::Status made = CallUserCode([&] {
    return service.request->Service().CreateDefaultObject().status();
  });
  if (made.ok()) return;
  const int node = NodeThatRequires(service, *state);
  const NodeOrigin origin = state->drafts[node].origin;
  state->errors.Add(absl::InternalError(
      absl::StrCat(state->origins.Prefix(origin), "Service ",
                   Quoted(service.key), ", required by ", state->Label(node),
                   ", was not provided and cannot be created: ", made.message(),
                   state->origins.Chain(origin))));
}

}  // namespace

void CheckServices(CompileState* state) {
  std::map<std::string, PlanService> services;
  for (int i = 0; i < static_cast<int>(state->drafts.size()); ++i) {
    const NodeDraft& draft = state->drafts[i];
    if (!draft.described) continue;
    for (const auto& request : draft.contract->ServiceRequests()) {
      PlanService& service = services[request->Service().key];
      if (service.nodes.empty()) {
        service.key = request->Service().key;
        service.request = request.get();
      }
      if (!request->IsOptional()) service.required = true;
      service.nodes.push_back(i);
    }
  }
  for (auto& [key, service] : services) {
    if (state->options.check_services && service.required) {
      CheckAvailable(service, state);
    }
    state->tables->services.push_back(std::move(service));
  }
}

}  // namespace syncline
