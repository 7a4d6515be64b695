#include "tools/recording/message_json.h"

#include <cstddef>
#include <memory>
#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/graph_text/utf8.h"
#include "framework/packet/proto_vector_bytes.h"
#include "google/protobuf/any.pb.h"
#include "google/protobuf/descriptor.pb.h"
#include "google/protobuf/duration.pb.h"
#include "google/protobuf/empty.pb.h"
#include "google/protobuf/field_mask.pb.h"
#include "google/protobuf/struct.pb.h"
#include "google/protobuf/stubs/logging.h"
#include "google/protobuf/timestamp.pb.h"
#include "google/protobuf/util/json_util.h"
#include "google/protobuf/wrappers.pb.h"

namespace syncline {
namespace {

using ::google::protobuf::Descriptor;
using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::LogSilencer;
using ::google::protobuf::Message;

// Protobuf's writer of JSON calls itself for each Any inside an Any, and copies
// what is in it.
constexpr int kMaxAnyDepth = 32;
// Protobuf calls itself for each message that a new one refers to.
constexpr std::size_t kMaxTypes = 1'000;

// As this program knows the messages that Protobuf has JSON of its own for;
// null for all others.
const Descriptor* WellKnown(const std::string& name) {
  namespace pb = google::protobuf;
  static const auto* const known = [] {
    auto* types = new std::map<std::string, const Descriptor*>();
    for (const Descriptor* const type :
         {pb::Any::descriptor(), pb::BoolValue::descriptor(),
          pb::BytesValue::descriptor(), pb::DoubleValue::descriptor(),
          pb::Duration::descriptor(), pb::Empty::descriptor(),
          pb::FieldMask::descriptor(), pb::FloatValue::descriptor(),
          pb::Int32Value::descriptor(), pb::Int64Value::descriptor(),
          pb::ListValue::descriptor(), pb::StringValue::descriptor(),
          pb::Struct::descriptor(), pb::Timestamp::descriptor(),
          pb::UInt32Value::descriptor(), pb::UInt64Value::descriptor(),
          pb::Value::descriptor()}) {
      (*types)[type->full_name()] = type;
      // Of a map, the message of its entries.
      for (int i = 0; i < type->nested_type_count(); ++i) {
        (*types)[type->nested_type(i)->full_name()] = type->nested_type(i);
      }
    }
    return types;
  }();
  const auto found = known->find(name);
  return found == known->end() ? nullptr : found->second;
}

std::string TypeOf(const FieldDescriptor& field) {
  if (field.message_type() != nullptr) return field.message_type()->full_name();
  return field.enum_type() != nullptr ? field.enum_type()->full_name() : "";
}

bool HasSameFields(const Descriptor& one, const Descriptor& other) {
  if (one.field_count() != other.field_count()) return false;
  for (int i = 0; i < one.field_count(); ++i) {
    const FieldDescriptor& field = *one.field(i);
    const FieldDescriptor* const same = other.FindFieldByNumber(field.number());
    if (same == nullptr || same->name() != field.name() ||
        same->type() != field.type() || same->label() != field.label() ||
        same->is_map() != field.is_map() || TypeOf(*same) != TypeOf(field)) {
      return false;
    }
  }
  return true;
}

// Whether Protobuf can be trusted with a message, and all that it refers to.
bool IsSafe(const Descriptor& type) {
  std::set<const Descriptor*> seen = {&type};
  std::vector<const Descriptor*> left = {&type};
  while (!left.empty()) {
    const Descriptor& one = *left.back();
    left.pop_back();
    const Descriptor* const known = WellKnown(one.full_name());
    if (known != nullptr && !HasSameFields(one, *known)) return false;
    for (int i = 0; i < one.field_count(); ++i) {
      const Descriptor* const next = one.field(i)->message_type();
      if (next == nullptr || !seen.insert(next).second) continue;
      if (seen.size() > kMaxTypes) return false;
      left.push_back(next);
    }
  }
  return true;
}

absl::Status HasNoJson(const std::string& name) {
  return absl::UnimplementedError(absl::StrCat("a ", name, " has no JSON"));
}

absl::Status NotOfType(const std::string& name) {
  return absl::DataLossError(
      absl::StrCat("the bytes are no value of type \"", name, "\""));
}

}  // namespace

absl::StatusOr<std::string> MessageJson::Of(const std::string& name,
                                            absl::string_view bytes) {
  // Who exports gets bytes where Protobuf would complain to standard error.
  const LogSilencer quiet;
  const Message* const prototype = Prototype(name);
  if (prototype == nullptr) return HasNoJson(name);
  const std::unique_ptr<Message> message(prototype->New());
  if (!message->ParsePartialFromArray(bytes.data(),
                                      static_cast<int>(bytes.size()))) {
    return NotOfType(name);
  }
  return JsonOf(*message);
}

absl::StatusOr<std::string> MessageJson::ArrayOf(const std::string& name,
                                                 absl::string_view bytes) {
  // Who exports gets bytes where Protobuf would complain to standard error.
  const LogSilencer quiet;
  const Message* const prototype = Prototype(name);
  if (prototype == nullptr) return HasNoJson(name);
  std::string json = "[";
  while (!bytes.empty()) {
    const std::unique_ptr<Message> message(prototype->New());
    if (!packet_internal::ReadDelimited(&bytes, message.get()).ok()) {
      return NotOfType(name);
    }
    SYNCLINE_ASSIGN_OR_RETURN(const std::string one, JsonOf(*message));
    absl::StrAppend(&json, json.size() > 1 ? "," : "", one);
  }
  return json + "]";
}

const Message* MessageJson::Prototype(const std::string& name) {
  const auto [found, is_new] = named_.emplace(name, nullptr);
  if (!is_new) return found->second;
  const auto bytes = header_.messages.find(name);
  google::protobuf::FileDescriptorSet files;
  if (bytes == header_.messages.end() ||
      !files.ParseFromString(bytes->second)) {
    return nullptr;
  }
  for (const auto& file : files.file()) pool_.BuildFile(file);
  const Descriptor* const type = pool_.FindMessageTypeByName(name);
  if (type != nullptr) found->second = PrototypeOf(*type);
  return found->second;
}

const Message* MessageJson::PrototypeOf(const Descriptor& type) {
  const auto [found, is_new] = prototypes_.emplace(&type, nullptr);
  if (is_new && IsSafe(type)) found->second = factory_.GetPrototype(&type);
  return found->second;
}

bool MessageJson::HasNone(const Message& message, int left) {
  if (message.GetDescriptor()->full_name() == "google.protobuf.Any" &&
      IsBadAny(message, left)) {
    return true;
  }
  const auto& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const auto* const field : fields) {
    const int size =
        field->is_repeated() ? reflection.FieldSize(message, field) : 1;
    for (int i = 0; i < size; ++i) {
      if (HasNone(message, *field, field->is_repeated() ? i : -1, left)) {
        return true;
      }
    }
  }
  return false;
}

// Element `i`, or -1 for a field that is not repeated.
bool MessageJson::HasNone(const Message& message, const FieldDescriptor& field,
                          int i, int left) {
  const auto& reflection = *message.GetReflection();
  if (field.message_type() != nullptr) {
    return HasNone(i < 0 ? reflection.GetMessage(message, &field)
                         : reflection.GetRepeatedMessage(message, &field, i),
                   left);
  }
  if (field.type() != FieldDescriptor::TYPE_STRING) return false;
  std::string scratch;
  return !IsValidUtf8(
      i < 0 ? reflection.GetStringReference(message, &field, &scratch)
            : reflection.GetRepeatedStringReference(message, &field, i,
                                                    &scratch));
}

bool MessageJson::IsBadAny(const Message& any, int left) {
  if (left == 0) return true;
  const auto& reflection = *any.GetReflection();
  const auto text = [&](int number) {
    return reflection.GetString(any,
                                any.GetDescriptor()->FindFieldByNumber(number));
  };
  const std::string url = text(google::protobuf::Any::kTypeUrlFieldNumber);
  const Descriptor* const type =
      pool_.FindMessageTypeByName(url.substr(url.rfind('/') + 1));
  // Of what nobody describes Protobuf says itself that it has no JSON.
  if (type == nullptr) return false;
  const Message* const prototype = PrototypeOf(*type);
  if (prototype == nullptr) return true;
  const std::unique_ptr<Message> inner(prototype->New());
  return inner->ParsePartialFromString(
             text(google::protobuf::Any::kValueFieldNumber)) &&
         HasNone(*inner, left - 1);
}

absl::StatusOr<std::string> MessageJson::JsonOf(const Message& message) {
  std::string json;
  google::protobuf::util::JsonPrintOptions options;
  options.preserve_proto_field_names = true;
  if (HasNone(message, kMaxAnyDepth) ||
      !google::protobuf::util::MessageToJsonString(message, &json, options)
           .ok()) {
    return HasNoJson(message.GetTypeName());
  }
  return json;
}

}  // namespace syncline
