#include "framework/expansion/old_fields.h"

#include <initializer_list>
#include <string>
#include <utility>

#include "framework/config/calculator.pb.h"
#include "google/protobuf/repeated_field.h"

namespace syncline {
namespace {

using StringList = google::protobuf::RepeatedPtrField<std::string>;

// Moves old to new names of fields, unless one pair of them has both.
bool Rename(std::initializer_list<std::pair<StringList*, StringList*>> pairs) {
  for (const auto& [old_names, names] : pairs) {
    if (!old_names->empty() && !names->empty()) return false;
  }
  for (const auto& [old_names, names] : pairs) {
    if (!old_names->empty()) names->Swap(old_names);
  }
  return true;
}

}  // namespace

bool RenameOldFields(CalculatorGraphConfig::Node* node) {
  return Rename(
      {{node->mutable_external_input(), node->mutable_input_side_packet()}});
}

bool RenameOldFields(PacketGeneratorConfig* generator) {
  return Rename({{generator->mutable_external_input(),
                  generator->mutable_input_side_packet()},
                 {generator->mutable_external_output(),
                  generator->mutable_output_side_packet()}});
}

bool RenameOldFields(StatusHandlerConfig* handler) {
  return Rename({{handler->mutable_external_input(),
                  handler->mutable_input_side_packet()}});
}

}  // namespace syncline
