#include "util/header_util.h"

#include "absl/status/status.h"
#include "framework/calculator_framework.h"

namespace syncline {

absl::Status CopyInputHeadersToOutputs(const InputStreamShardSet& inputs,
                                       OutputStreamShardSet* outputs) {
  for (CollectionItemId id = inputs.BeginId(); id < inputs.EndId(); ++id) {
    const auto [tag, index] = inputs.TagAndIndexFromId(id);
    const CollectionItemId output = outputs->GetId(tag, index);
    if (output.IsValid())
      outputs->Get(output).SetHeader(inputs.Get(id).Header());
  }
  return absl::OkStatus();
}

}  // namespace syncline
