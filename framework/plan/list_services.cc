#include "framework/plan/list_services.h"

#include <map>
#include <string>
#include <utility>

#include "framework/calculator/contract.h"
#include "framework/calculator/service.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/graph_plan.h"

namespace syncline {

void ListServices(CompileState* state) {
  std::map<std::string, PlanService> services;
  for (int i = 0; i < static_cast<int>(state->drafts.size()); ++i) {
    const NodeDraft& draft = state->drafts[i];
    if (!draft.described) continue;
    for (const auto& request : draft.contract->ServiceRequests()) {
      PlanService& service = services[request->Service().key];
      service.key = request->Service().key;
      if (service.request == nullptr) service.request = request.get();
      if (!request->IsOptional()) service.required = true;
      service.nodes.push_back(i);
    }
  }
  for (auto& [key, service] : services) {
    state->tables->services.push_back(std::move(service));
  }
}

}  // namespace syncline
