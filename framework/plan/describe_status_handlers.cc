// Looks up the graph's status handlers and asks each what it expects.
//
// Thread rule: works on the compile's own state; user code runs on this thread.
// Tested by describe_status_handlers_test and lower_legacy_test.

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/legacy/status_handler.h"
#include "framework/calculator/packet_type_set.h"
#include "framework/calculator/port_layout.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/node_names.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/graph_plan.h"
#include "framework/plan/passes.h"
#include "framework/plan/plan_tables.h"

namespace syncline {
namespace {

absl::Status Describe(const StatusHandlerConfig& config,
                      const std::string& package, PlanTables* tables) {
  SYNCLINE_ASSIGN_OR_RETURN(auto layout,
                            PortLayout::Create(config.input_side_packet()));
  auto types = std::make_unique<PacketTypeSet>(std::move(layout));
  std::unique_ptr<StaticStatusHandler> handler;
  SYNCLINE_RETURN_IF_ERROR(CallUserCode([&]() -> absl::Status {
    SYNCLINE_ASSIGN_OR_RETURN(
        handler, StaticStatusHandlerRegistry::CreateByNameInNamespace(
                     package, config.status_handler()));
    return absl::OkStatus();
  }));
  SYNCLINE_RETURN_IF_ERROR(CallUserCode([&] {
    return handler->FillExpectations(config.options(), types.get());
  })).SetPrepend()
      << config.status_handler() << "::FillExpectations failed: ";
  SYNCLINE_RETURN_IF_ERROR(ValidatePacketTypeSet(*types)).SetPrepend()
      << config.status_handler() << "::FillExpectations failed to validate: ";
  tables->status_handlers.push_back({.type = config.status_handler(),
                                     .config = &config,
                                     .handler = handler.get(),
                                     .input_side_packet_types = types.get()});
  tables->owned.status_handler_types.push_back(std::move(types));
  tables->owned.status_handler_objects.push_back(std::move(handler));
  return absl::OkStatus();
}

}  // namespace

void DescribeStatusHandlers(CompileState* state) {
  const CalculatorGraphConfig& config = state->config();
  for (int i = 0; i < config.status_handler_size(); ++i) {
    // Finding a handler that is not there takes a while.
    if (state->errors.full()) return state->errors.CountOnly();
    const StatusHandlerConfig& handler = config.status_handler(i);
    const absl::Status status =
        Describe(handler, config.package(), state->tables.get());
    if (status.ok()) continue;
    state->ErrorAt(
        state->status_handler_origins[i],
        absl::StrCat("status handler ", Quoted(handler.status_handler())),
        status);
  }
}

}  // namespace syncline
