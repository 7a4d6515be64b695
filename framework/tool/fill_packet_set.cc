#include "framework/tool/fill_packet_set.h"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_text.h"
#include "framework/calculator/collection_item_id.h"

namespace syncline {
namespace tool {

absl::StatusOr<std::unique_ptr<PacketSet>> FillPacketSet(
    const PacketTypeSet& types, const std::map<std::string, Packet>& packets,
    int* missing_count) {
  auto result = std::make_unique<PacketSet>(types.TagMap());
  int missing = 0;
  std::vector<absl::Status> errors;
  for (CollectionItemId id = types.BeginId(); id < types.EndId(); ++id) {
    const std::string& name = types.layout().Names()[id.value()];
    const auto found = packets.find(name);
    if (found == packets.end()) {
      ++missing;
      if (missing_count == nullptr) {
        errors.push_back(absl::InvalidArgumentError(
            absl::StrCat("Missing input side packet: \"", name, "\"")));
      }
      continue;
    }
    result->Get(id) = found->second;
    errors.push_back(PrefixStatus(
        absl::StrCat("Packet \"", name,
                     "\" failed to validate against the type that was set for "
                     "it: "),
        types.Get(id).Validate(found->second)));
  }
  if (missing_count != nullptr) *missing_count = missing;
  const absl::Status status = CombineStatuses("FillPacketSet failed:", errors);
  if (!status.ok()) return status;
  return result;
}

}  // namespace tool
}  // namespace syncline
