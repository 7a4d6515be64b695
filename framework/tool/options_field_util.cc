#include "framework/tool/options_field_util.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_macros.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/field_data.pb.h"
#include "framework/expansion/copy_option.h"
#include "framework/expansion/option_values.h"
#include "framework/graph_text/option_path.h"
#include "framework/tool/options_registry.h"
#include "google/protobuf/any.pb.h"
#include "google/protobuf/message.h"
#include "google/protobuf/stubs/logging.h"

namespace syncline {
namespace tool {
namespace options_field_util {
namespace {

using ::google::protobuf::Message;
using ::google::protobuf::MessageFactory;

constexpr char kAnyType[] = "*";

// The message that a FieldData holds.
absl::StatusOr<std::unique_ptr<Message>> Unpack(const FieldData& data) {
  const std::string type = MessageType(data);
  const Descriptor* const descriptor = GetProtobufDescriptor(type);
  if (descriptor == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("message type \"", type,
                     "\" is not linked into this binary: add the target that "
                     "defines it to the deps."));
  }
  std::unique_ptr<Message> message(
      MessageFactory::generated_factory()->GetPrototype(descriptor)->New());
  // Invalid UTF-8 makes Protobuf write to stderr.
  const google::protobuf::LogSilencer quiet;
  if (!message->ParsePartialFromString(data.message_value().value())) {
    return absl::InvalidArgumentError(
        absl::StrCat("the bytes are no \"", type, "\"."));
  }
  return message;
}

// The steps after the one for the options message itself. INVALID_ARGUMENT
// unless `type` has all their fields: the path may have been made for another
// message.
absl::StatusOr<FieldSteps> StepsOf(const FieldPath& path,
                                   const Descriptor* type) {
  FieldSteps steps;
  for (const FieldPathEntry& entry : path) {
    if (entry.field == nullptr) continue;
    if (type == nullptr || entry.field->containing_type() != type) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the path is for another message: ", OptionFieldText(*entry.field),
          " is no field of ",
          type == nullptr ? "a value that is no message"
                          : absl::StrCat("\"", type->full_name(), "\""),
          "."));
    }
    if (entry.index >= 0 && !entry.field->is_repeated()) {
      return absl::InvalidArgumentError(
          absl::StrCat(OptionFieldText(*entry.field), " takes no index."));
    }
    if (!steps.empty() && steps.back().field->is_repeated() &&
        steps.back().index < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(OptionFieldText(*steps.back().field),
                       " needs an index to have fields inside."));
    }
    steps.push_back({entry.field, entry.index});
    type = entry.field->message_type();
  }
  return steps;
}

// The field of FieldData that holds values of this kind.
FieldSteps HolderOf(FieldDescriptor::CppType type) {
  const auto step = [](int number) -> FieldSteps {
    return {{FieldData::descriptor()->FindFieldByNumber(number), -1}};
  };
  switch (type) {
    case FieldDescriptor::CPPTYPE_INT32:
      return step(FieldData::kInt32ValueFieldNumber);
    case FieldDescriptor::CPPTYPE_INT64:
      return step(FieldData::kInt64ValueFieldNumber);
    case FieldDescriptor::CPPTYPE_UINT32:
      return step(FieldData::kUint32ValueFieldNumber);
    case FieldDescriptor::CPPTYPE_UINT64:
      return step(FieldData::kUint64ValueFieldNumber);
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return step(FieldData::kDoubleValueFieldNumber);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return step(FieldData::kFloatValueFieldNumber);
    case FieldDescriptor::CPPTYPE_BOOL:
      return step(FieldData::kBoolValueFieldNumber);
    case FieldDescriptor::CPPTYPE_ENUM:
      return step(FieldData::kEnumValueFieldNumber);
    default:
      return step(FieldData::kStringValueFieldNumber);
  }
}

bool IsMessage(const FieldSteps& steps) {
  return steps.empty() ||
         steps.back().field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
}

absl::Status Options(OptionMessages messages, const std::string& type,
                     FieldData* result) {
  result->Clear();
  OptionPath path;
  if (type != kAnyType) path.type = type;
  if (const OptionMessages::Entry* entry = messages.Find(path)) {
    *result = AsFieldData(*entry->message);
  }
  return absl::OkStatus();
}

}  // namespace

FieldData AsFieldData(const Message& message) {
  FieldData data;
  data.mutable_message_value()->set_type_url(
      TypeUrl(message.GetDescriptor()->full_name()));
  message.SerializePartialToString(
      data.mutable_message_value()->mutable_value());
  return data;
}

absl::Status ReadMessage(const std::string& value, const std::string& type_name,
                         FieldData* result) {
  FieldData data;
  data.mutable_message_value()->set_type_url(TypeUrl(type_name));
  data.mutable_message_value()->set_value(value);
  SYNCLINE_RETURN_IF_ERROR(Unpack(data).status());
  *result = std::move(data);
  return absl::OkStatus();
}

google::protobuf::Any AsAnyProto(const FieldData& message_data) {
  google::protobuf::Any any;
  any.set_type_url(message_data.message_value().type_url());
  any.set_value(message_data.message_value().value());
  return any;
}

std::string ParseTypeUrl(absl::string_view type_url) {
  return std::string(type_url.substr(type_url.rfind('/') + 1));
}

std::string TypeUrl(absl::string_view type_name) {
  return absl::StrCat("type.googleapis.com/", type_name);
}

std::string MessageType(const FieldData& message_data) {
  return ParseTypeUrl(message_data.message_value().type_url());
}

absl::Status GetField(const FieldPath& field_path,
                      const FieldData& message_data, FieldData* result) {
  result->Clear();
  SYNCLINE_ASSIGN_OR_RETURN(const std::unique_ptr<Message> message,
                            Unpack(message_data));
  SYNCLINE_ASSIGN_OR_RETURN(const FieldSteps steps,
                            StepsOf(field_path, message->GetDescriptor()));
  if (!IsMessage(steps)) {
    return CopyOption(*message, steps, result,
                      HolderOf(steps.back().field->cpp_type()))
        .status();
  }
  const Descriptor* const type = steps.empty()
                                     ? message->GetDescriptor()
                                     : steps.back().field->message_type();
  const std::unique_ptr<Message> value(
      MessageFactory::generated_factory()->GetPrototype(type)->New());
  SYNCLINE_ASSIGN_OR_RETURN(const size_t copied,
                            CopyOption(*message, steps, value.get(), {}));
  if (copied > 0) *result = AsFieldData(*value);
  return absl::OkStatus();
}

absl::Status MergeField(const FieldPath& field_path, const FieldData& value,
                        FieldData* message_data) {
  SYNCLINE_ASSIGN_OR_RETURN(const std::unique_ptr<Message> message,
                            Unpack(*message_data));
  SYNCLINE_ASSIGN_OR_RETURN(const FieldSteps steps,
                            StepsOf(field_path, message->GetDescriptor()));
  if (IsMessage(steps)) {
    SYNCLINE_ASSIGN_OR_RETURN(const std::unique_ptr<Message> inner,
                              Unpack(value));
    SYNCLINE_RETURN_IF_ERROR(
        CopyOption(*inner, {}, message.get(), steps).status());
  } else {
    std::vector<const FieldDescriptor*> set;
    value.GetReflection()->ListFields(value, &set);
    if (set.empty()) return absl::OkStatus();
    SYNCLINE_RETURN_IF_ERROR(
        CopyOption(value, {{set[0], -1}}, message.get(), steps).status());
  }
  *message_data = AsFieldData(*message);
  return absl::OkStatus();
}

absl::Status SetField(const FieldPath& field_path, const FieldData& value,
                      FieldData* message_data) {
  const bool is_whole = std::all_of(
      field_path.begin(), field_path.end(),
      [](const FieldPathEntry& step) { return step.field == nullptr; });
  if (is_whole) {
    *message_data = value;
    return absl::OkStatus();
  }
  // Clears the field and merges the value into it, so that a message replaces
  // the old one.
  SYNCLINE_ASSIGN_OR_RETURN(const std::unique_ptr<Message> message,
                            Unpack(*message_data));
  SYNCLINE_ASSIGN_OR_RETURN(const FieldSteps steps,
                            StepsOf(field_path, message->GetDescriptor()));
  if (!IsMessage(steps)) return MergeField(field_path, value, message_data);
  ClearOption(message.get(), steps);
  FieldData cleared = AsFieldData(*message);
  SYNCLINE_RETURN_IF_ERROR(MergeField(field_path, value, &cleared));
  *message_data = std::move(cleared);
  return absl::OkStatus();
}

absl::Status MergeOptionsMessages(const FieldData& base, const FieldData& over,
                                  FieldData* result) {
  if (!base.has_message_value() || !over.has_message_value()) {
    *result = FieldData(base.has_message_value() ? base : over);
    return absl::OkStatus();
  }
  FieldData merged = base;
  SYNCLINE_RETURN_IF_ERROR(MergeField({}, over, &merged));
  *result = std::move(merged);
  return absl::OkStatus();
}

absl::Status GetNodeOptions(const FieldData& node_data,
                            const std::string& extension_type,
                            FieldData* result) {
  CalculatorGraphConfig::Node node;
  if (!node.ParseFromString(node_data.message_value().value())) {
    return absl::InvalidArgumentError("the bytes are no node.");
  }
  OptionMessages messages;
  messages.Add(node.options(), node.node_options());
  return Options(std::move(messages), extension_type, result);
}

absl::Status GetGraphOptions(const FieldData& graph_data,
                             const std::string& extension_type,
                             FieldData* result) {
  CalculatorGraphConfig graph;
  if (!graph.ParseFromString(graph_data.message_value().value())) {
    return absl::InvalidArgumentError("the bytes are no graph.");
  }
  OptionMessages messages;
  messages.Add(graph.options(), graph.graph_options());
  return Options(std::move(messages), extension_type, result);
}

absl::Status SetOptionsMessage(const FieldData& node_options,
                               CalculatorGraphConfig::Node* node) {
  SYNCLINE_ASSIGN_OR_RETURN(const std::unique_ptr<Message> message,
                            Unpack(node_options));
  OptionMessages messages;
  messages.Add(node->options(), node->node_options());
  OptionMessages::Entry* entry = messages.FindType(*message->GetDescriptor());
  if (entry == nullptr) entry = messages.AddEmpty(*message);
  entry->message->CopyFrom(*message);
  entry->changed = true;
  messages.StoreInto(node);
  return absl::OkStatus();
}

std::string ExtensionType(const std::string& option_fields_tag) {
  const auto path = ParseOptionPath(option_fields_tag);
  return path.ok() && !path->type.empty() ? path->type : kAnyType;
}

}  // namespace options_field_util
}  // namespace tool
}  // namespace syncline
