#include "framework/expansion/old_fields.h"

#include <string>

#include "framework/config/calculator.pb.h"
#include "google/protobuf/repeated_field.h"

namespace syncline {
namespace {

using StringList = google::protobuf::RepeatedPtrField<std::string>;

bool Clash(const StringList& old_names, const StringList& names) {
  return !old_names.empty() && !names.empty();
}

void Move(StringList* old_names, StringList* names) {
  if (!old_names->empty()) names->Swap(old_names);
}

}  // namespace

bool RenameOldFields(CalculatorGraphConfig::Node* node) {
  if (Clash(node->external_input(), node->input_side_packet())) return false;
  Move(node->mutable_external_input(), node->mutable_input_side_packet());
  return true;
}

bool RenameOldFields(PacketGeneratorConfig* generator) {
  if (Clash(generator->external_input(), generator->input_side_packet()) ||
      Clash(generator->external_output(), generator->output_side_packet())) {
    return false;
  }
  Move(generator->mutable_external_input(),
       generator->mutable_input_side_packet());
  Move(generator->mutable_external_output(),
       generator->mutable_output_side_packet());
  return true;
}

bool RenameOldFields(StatusHandlerConfig* handler) {
  if (Clash(handler->external_input(), handler->input_side_packet())) {
    return false;
  }
  Move(handler->mutable_external_input(), handler->mutable_input_side_packet());
  return true;
}

}  // namespace syncline
