// Asks every node's calculator for its contract, in two steps.
//
// ParsePorts lays out the ports of each node, which needs no calculator, so
// that nodes can be connected and ordered first: the canonical names that
// contracts may ask for depend on the order. DescribeNodes then looks up the
// calculator once for each type, calls GetContract once for each node, guarded
// against what user code may do, and checks the answer against the node's
// ports.
//
// Nodes for which this fails keep their ports, so that later passes do not
// blame others. Status handlers are described in the same way.
//
// Tested by describe_nodes_test.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/hash_map.h"
#include "framework/base/misuse.h"
#include "framework/base/status_text.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/invoke.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/node_names.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/passes.h"

namespace syncline {
namespace {

class Describer {
 public:
  explicit Describer(CompileState* state)
      : state_(*state), package_(state->config().package()) {}

  void Run() {
    RenameMoved();
    for (int i = 0; i < static_cast<int>(state_.drafts.size()); ++i) {
      Describe(i);
    }
  }

 private:
  // Numbers in canonical names follow the order of nodes. Few nodes have one
  // that changed, since only equal names are numbered.
  void RenameMoved() {
    if (!state_.reordered) return;
    std::vector<std::string> names = CanonicalNames(state_.config().node());
    for (int i = 0; i < static_cast<int>(names.size()); ++i) {
      NodeDraft& draft = state_.drafts[i];
      if (draft.contract->GetNodeName() == names[i]) continue;
      draft.contract->SetNodeName(std::move(names[i]));
    }
  }

  // What was made for one type of calculators.
  struct Made {
    const CalculatorBaseFactory* factory = nullptr;
    // Why there is none, where the type is registered all the same.
    absl::Status status;
  };

  const Made& Make(int node) {
    const std::string& type = state_.node(node).calculator();
    const auto [entry, is_new] = factories_.try_emplace(type);
    Made& made = entry->second;
    if (!is_new) return made;
    if (!CalculatorBaseRegistry::IsRegistered(package_, type)) return made;
    std::unique_ptr<CalculatorBaseFactory> factory;
    made.status = CallUserCode([&] {
      auto created =
          CalculatorBaseRegistry::CreateByNameInNamespace(package_, type);
      if (created.ok()) factory = *std::move(created);
      return created.status();
    });
    if (factory == nullptr) {
      if (made.status.ok()) {
        made.status = absl::InternalError("its factory is null.");
      }
      return made;
    }
    state_.tables->owned.factories.push_back(std::move(factory));
    made.factory = state_.tables->owned.factories.back().get();
    return made;
  }

  // The calculator of the node cannot be had.
  void Report(int node, const absl::Status& status) {
    if (status.ok()) return ReportUnknown(node);
    state_.NodeError(
        node,
        PrefixStatus(absl::StrCat("Unable to make Calculator ",
                                  Quoted(state_.node(node).calculator()), ": "),
                     status));
  }

  void ReportUnknown(int node) {
    if (state_.is_draft) return;
    if (state_.errors.full()) return state_.errors.CountOnly();
    const std::string& type = state_.node(node).calculator();
    std::vector<std::string> known = CalculatorBaseRegistry::Names();
    for (std::string& name : state_.registry.Names()) {
      known.push_back(std::move(name));
    }
    const std::string near = state_.DidYouMean(type, known);
    state_.NodeError(
        node, absl::NotFoundError(absl::StrCat(
                  "Unable to find Calculator ", Quoted(type),
                  ". No registered object with name ", Quoted(type), ".",
                  near.empty() ? " Link the library that registers it into the "
                                 "program, with alwayslink = True."
                               : near)));
  }

  void Describe(int index) {
    NodeDraft& draft = state_.drafts[index];
    const Made& made = Make(index);
    draft.factory = made.factory;
    if (draft.factory == nullptr) return Report(index, made.status);
    if (!draft.well_formed) return;
    const absl::Status status =
        InvokeGetContract(*draft.factory, draft.contract.get());
    draft.described = status.ok();
    if (!status.ok()) state_.NodeError(index, status);
  }

  CompileState& state_;
  const std::string& package_;
  HashMap<absl::string_view, Made> factories_;
};

}  // namespace

void ParsePorts(CompileState* state) {
  std::vector<std::string> names = CanonicalNames(state->config().node());
  for (int i = 0; i < static_cast<int>(state->drafts.size()); ++i) {
    NodeDraft& draft = state->drafts[i];
    draft.contract = std::make_unique<CalculatorContract>();
    const absl::Status status =
        draft.contract->Initialize(state->node(i), std::move(names[i]));
    draft.well_formed = status.ok();
    if (!status.ok()) state->NodeError(i, status);
  }
  DescribeStatusHandlers(state);
}

void DescribeNodes(CompileState* state) { Describer(state).Run(); }

}  // namespace syncline
