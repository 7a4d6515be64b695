// Which stream handler each node gets, and with which options.
//
// The input stream handler is the node's, else the one its contract asks for,
// else the default. (lower_legacy.cc has given the graph's handler to each node
// before.) handler_options.h knows which options a handler accepts. Whether the
// handler can do what the node asks for is not checked here, because a plan
// makes no handlers. Options of another handler's type have no effect. They are
// only a warning, because graphs that MediaPipe runs may have them.
//
// Runs after DescribeNodes; fills the handler fields of the drafts.
//
// Tested by choose_handlers_test.

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/name_registry.h"
#include "framework/base/options_read.h"
#include "framework/calculator/contract.h"
#include "framework/config/calculator.pb.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/handler_options.h"
#include "framework/plan/passes.h"

namespace syncline {
namespace {

// Protobuf makes the default string of a field when the field is first read. If
// there is no memory for this, Protobuf keeps its lock for ever. So these
// fields are read while the program starts.
[[maybe_unused]] const bool has_defaults = [] {
  return !InputStreamHandlerConfig::default_instance()
              .input_stream_handler()
              .empty() &&
         !OutputStreamHandlerConfig::default_instance()
              .output_stream_handler()
              .empty();
}();

// Where the name and the options of a node's handler come from.
struct Choice {
  const std::string* name = nullptr;
  const SynclineOptions* options = nullptr;
};

Choice ChooseInputHandler(const CalculatorGraphConfig::Node& node,
                          const CalculatorContract& contract,
                          PlanTables* tables) {
  const InputStreamHandlerConfig& config = node.input_stream_handler();
  const bool node_names_one = config.has_input_stream_handler();
  if (node_names_one || contract.GetInputStreamHandler().empty()) {
    return {&config.input_stream_handler(), &config.options()};
  }
  const SynclineOptions& wanted = contract.GetInputStreamHandlerOptions();
  if (!config.has_options()) {
    return {&contract.GetInputStreamHandler(), &wanted};
  }
  // The node gives options only: they adjust those of the contract.
  auto merged = std::make_unique<SynclineOptions>(wanted);
  merged->MergeFrom(config.options());
  tables->owned.options.push_back(std::move(merged));
  return {&contract.GetInputStreamHandler(),
          tables->owned.options.back().get()};
}

void CheckNode(int index, const NameRegistry& names, CompileState* state) {
  NodeDraft& draft = state->drafts[index];
  const CalculatorGraphConfig::Node& node = state->node(index);
  const std::string& package = state->config().package();

  const Choice input =
      ChooseInputHandler(node, *draft.contract, state->tables.get());
  draft.input_stream_handler_options = input.options;
  if (!draft.described) return;
  // Options often name streams. A node without any, such as a source, gets them
  // from the graph all the same, and never uses them.
  const bool unused = draft.inputs.empty();
  const auto take = [&](absl::StatusOr<std::string> name,
                        std::string* handler) {
    if (name.ok()) {
      *handler = *std::move(name);
    } else {
      state->NodeError(index, name.status());
    }
  };
  take(unused && names.IsRegistered(package, *input.name)
           ? names.FullName(package, *input.name)
           : CheckInputPolicy(package, *input.name, *input.options,
                              draft.contract->Inputs().layout()),
       &draft.input_stream_handler);
  take(CheckOutputStreamHandler(
           package, node.output_stream_handler().output_stream_handler()),
       &draft.output_stream_handler);
  const OutputStreamHandlerConfig& output = node.output_stream_handler();
  const auto warn = [&](const std::string& name, const absl::Status& unread) {
    if (unread.ok()) return;
    const std::string message = absl::StrCat(name, ": ", unread.message());
    if (state->options.strict) {
      state->NodeError(index, message);
    } else {
      state->NodeWarning(index, message);
    }
  };
  // Where neither the node nor its contract gives options, there is nothing to
  // look through.
  const bool has_options =
      input.options != &SynclineOptions::default_instance();
  if (has_options && !unused && !draft.input_stream_handler.empty()) {
    warn(*input.name,
         CheckInputPolicyReads(draft.input_stream_handler, *input.options));
  }
  if (output.has_options()) {
    warn(output.output_stream_handler(),
         CheckOptionsAreRead(output.options(), {}, "output stream handler"));
  }
}

}  // namespace

void ChooseHandlers(CompileState* state) {
  const NameRegistry& names = NameRegistry::Get("InputStreamHandler");
  for (int i = 0; i < static_cast<int>(state->drafts.size()); ++i) {
    // Unknown names are compared with all known ones: not for every node of a
    // graph that fails anyway.
    if (state->errors.full()) return;
    CheckNode(i, names, state);
  }
}

}  // namespace syncline
