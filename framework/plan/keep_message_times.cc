// KeepMessageTimes: which inputs keep the times of their packets.
//
// An input does so if its input_stream_info says message_times, which
// ConnectPorts has noted, or if the contract asks for it. So do the inputs that
// are merged into such an input by `merge`, since the times are those of the
// packets before they were merged.
//
// Tested by keep_message_times_test; in a run, by message_times_graph_test.

#include "absl/strings/str_cat.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/port_name.h"
#include "framework/graph_text/node_names.h"
#include "framework/plan/compile_state.h"
#include "framework/plan/passes.h"

namespace syncline {
namespace {

void ReadContract(int index, CompileState* state) {
  NodeDraft& draft = state->drafts[index];
  for (const auto& [tag, place] : draft.contract->GetMessageTimes()) {
    const CollectionItemId id =
        draft.contract->Inputs().layout().GetId(tag, place);
    if (id.IsValid()) {
      draft.inputs[id.value()].message_times = true;
      continue;
    }
    state->NodeError(
        index, absl::StrCat(
                   "its contract asks for KeepMessageTimes(",
                   Quoted(tool::CatTag(tag, place)),
                   "), and it has no such input stream; ask HasTag() first."));
  }
}

}  // namespace

void KeepMessageTimes(CompileState* state) {
  // Producers come first, so what merges streams comes before who reads it.
  for (int i = static_cast<int>(state->drafts.size()) - 1; i >= 0; --i) {
    if (state->drafts[i].described) ReadContract(i, state);
    for (const InputDraft& input : state->drafts[i].inputs) {
      if (!input.message_times || input.stream < 0) continue;
      const int producer = state->streams[input.stream].producer.node;
      if (producer < 0 || !MergesInputs(state->node(producer))) continue;
      for (InputDraft& merged : state->drafts[producer].inputs) {
        merged.message_times = true;
      }
    }
  }
}

}  // namespace syncline
