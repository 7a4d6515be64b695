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
#include "absl/strings/string_view.h"
#include "framework/base/name_registry.h"
#include "framework/base/unread_options.h"
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

constexpr absl::string_view kDefaultHandler = "DefaultInputStreamHandler";

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

class HandlerPass {
 public:
  explicit HandlerPass(CompileState* state)
      : state_(*state), package_(state->config().package()) {}

  void Run() {
    for (int i = 0; i < static_cast<int>(state_.drafts.size()); ++i) {
      // Unknown names are compared with all known ones: not for every node of a
      // graph that fails anyway.
      if (state_.errors.full()) return;
      CheckNode(i);
    }
  }

 private:
  void CheckNode(int index);
  void CheckOutput(int index);
  // A full name, which is kept in the tables; or "", with an error.
  absl::string_view Take(int index, const absl::StatusOr<std::string>& name);
  // Where there are options, and the handler leaves some of them unread.
  void Warn(int index, const std::string& name, const absl::Status& unread);

  CompileState& state_;
  const std::string& package_;
  const NameRegistry& names_ = NameRegistry::Get("InputStreamHandler");
  // The handlers of nodes that say nothing of handlers, as most do; "": not
  // known yet.
  absl::string_view usual_input_;
  absl::string_view usual_output_;
};

absl::string_view HandlerPass::Take(int index,
                                    const absl::StatusOr<std::string>& name) {
  if (name.ok()) return *state_.tables->owned.shared_names.insert(*name).first;
  state_.NodeError(index, name.status());
  return "";
}

void HandlerPass::Warn(int index, const std::string& name,
                       const absl::Status& unread) {
  if (unread.ok()) return;
  const std::string message = absl::StrCat(name, ": ", unread.message());
  if (state_.options.strict) {
    state_.NodeError(index, message);
  } else {
    state_.NodeWarning(index, message);
  }
}

void HandlerPass::CheckNode(int index) {
  NodeDraft& draft = state_.drafts[index];
  const CalculatorGraphConfig::Node& node = state_.node(index);

  const Choice input =
      ChooseInputHandler(node, *draft.contract, state_.tables.get());
  draft.input_stream_handler_options = input.options;
  if (!draft.described) return;
  const bool has_defaults = !node.has_input_stream_handler() &&
                            draft.contract->GetInputStreamHandler().empty();
  if (has_defaults && !usual_input_.empty()) {
    draft.input_stream_handler = usual_input_;
    return CheckOutput(index);
  }
  // Options often name streams. A node without any, such as a source, gets them
  // from the graph all the same, and never uses them.
  const bool unused = draft.inputs.empty();
  draft.input_stream_handler =
      Take(index, unused && names_.IsRegistered(package_, *input.name)
                      ? names_.FullName(package_, *input.name)
                      : CheckInputPolicy(package_, *input.name, *input.options,
                                         draft.contract->Inputs().layout()));
  // Another one, which a package has, may look at the inputs of each node.
  if (has_defaults && draft.input_stream_handler == kDefaultHandler) {
    usual_input_ = draft.input_stream_handler;
  }
  CheckOutput(index);
  // Where neither the node nor its contract gives options, there is nothing to
  // look through.
  const bool has_options =
      input.options != &SynclineOptions::default_instance();
  if (has_options && !unused && !draft.input_stream_handler.empty()) {
    Warn(index, *input.name,
         CheckInputPolicyReads(draft.input_stream_handler, *input.options));
  }
}

void HandlerPass::CheckOutput(int index) {
  NodeDraft& draft = state_.drafts[index];
  const CalculatorGraphConfig::Node& node = state_.node(index);
  const OutputStreamHandlerConfig& output = node.output_stream_handler();
  if (!node.has_output_stream_handler() && !usual_output_.empty()) {
    draft.output_stream_handler = usual_output_;
    return;
  }
  draft.output_stream_handler =
      Take(index,
           CheckOutputStreamHandler(package_, output.output_stream_handler()));
  if (!node.has_output_stream_handler()) {
    usual_output_ = draft.output_stream_handler;
  }
  if (output.has_options()) {
    Warn(index, output.output_stream_handler(),
         CheckOptionsAreRead(output.options(), {}, "output stream handler"));
  }
}

}  // namespace

void ChooseHandlers(CompileState* state) { HandlerPass(state).Run(); }

}  // namespace syncline
