#include "framework/tool/options_registry.h"

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "framework/graph_text/config_types.h"
#include "framework/graph_text/normalize_names.h"
#include "google/protobuf/descriptor.h"

namespace syncline {
namespace tool {

const Descriptor* GetProtobufDescriptor(const std::string& message_type) {
  LinkConfigTypes();
  const auto& pool = *google::protobuf::DescriptorPool::generated_pool();
  return pool.FindMessageTypeByName(
      NormalizedProtoName(message_type, [&](const std::string& name) {
        return pool.FindMessageTypeByName(name) != nullptr;
      }));
}

void OptionsRegistry::FindAllExtensions(
    absl::string_view extendee, std::vector<const FieldDescriptor*>* result) {
  const Descriptor* const type = GetProtobufDescriptor(std::string(extendee));
  if (type == nullptr) return;
  type->file()->pool()->FindAllExtensions(type, result);
}

}  // namespace tool
}  // namespace syncline
