#include "framework/graph_text/normalize_names.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/base/hash_map.h"
#include "framework/config/calculator.pb.h"
#include "framework/graph_text/node_names.h"
#include "google/protobuf/any.pb.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/stubs/logging.h"

namespace syncline {
namespace {

namespace pb = ::google::protobuf;

constexpr char kTheirs[] = "mediapipe";
constexpr char kOurs[] = "syncline";
constexpr int kMaxAnyDepth = 16;

// The fields that hold registered names or packages, by message.
std::vector<std::string> NameFields(const std::string& message) {
  static const auto* const fields =
      new HashMap<std::string, std::vector<std::string>>{
          {"syncline.CalculatorGraphConfig", {"package", "type"}},
          {"syncline.CalculatorGraphConfig.Node", {"calculator"}},
          {"syncline.ExecutorConfig", {"type"}},
          {"syncline.InputStreamHandlerConfig", {"input_stream_handler"}},
          {"syncline.OutputStreamHandlerConfig", {"output_stream_handler"}},
          {"syncline.PacketFactoryConfig", {"packet_factory"}},
          {"syncline.PacketGeneratorConfig", {"packet_generator"}},
          {"syncline.StatusHandlerConfig", {"status_handler"}},
          {"syncline.NodeChainSubgraphOptions", {"node_type"}},
          {"syncline.PacketGeneratorWrapperCalculatorOptions",
           {"packet_generator", "package"}},
      };
  const auto found = fields->find(message);
  return found == fields->end() ? std::vector<std::string>() : found->second;
}

// What to do with the messages of one type.
struct TypePlan {
  std::vector<const pb::FieldDescriptor*> names;
  // Fields of messages, which a type has few of compared with all its fields.
  std::vector<const pb::FieldDescriptor*> messages;
  bool has_extensions = false;
  bool is_any = false;
  // CalculatorGraphConfig.Node, with the fields that HasNoMessages knows.
  bool is_node = false;
};

// A node in which nothing has to be changed. To look at its fields by
// reflection takes ten times as long.
bool IsPlainNode(const pb::Message& message) {
  const auto* const node =
      pb::DynamicCastToGenerated<CalculatorGraphConfig::Node>(&message);
  return node != nullptr && !absl::StrContains(node->calculator(), kTheirs) &&
         HasNoMessages(*node);
}

class Walker {
 public:
  // Returns whether anything changed.
  bool Walk(pb::Message* message) {
    const TypePlan& plan = PlanFor(message->GetDescriptor());
    if (plan.is_any) return WalkAny(message);
    if (plan.is_node && IsPlainNode(*message)) return false;

    bool changed = false;
    const pb::Reflection& reflection = *message->GetReflection();
    for (const pb::FieldDescriptor* field : plan.names) {
      changed |= Rename(message, reflection, field);
    }
    for (const pb::FieldDescriptor* field : plan.messages) {
      if (field->is_repeated() || reflection.HasField(*message, field)) {
        changed |= WalkField(message, reflection, field);
      }
    }
    if (!plan.has_extensions) return changed;
    std::vector<const pb::FieldDescriptor*> set;
    reflection.ListFields(*message, &set);
    for (const pb::FieldDescriptor* field : set) {
      if (field->is_extension() && IsMessage(field)) {
        changed |= WalkField(message, reflection, field);
      }
    }
    return changed;
  }

 private:
  static bool IsMessage(const pb::FieldDescriptor* field) {
    return field->cpp_type() == pb::FieldDescriptor::CPPTYPE_MESSAGE;
  }

  bool WalkField(pb::Message* message, const pb::Reflection& reflection,
                 const pb::FieldDescriptor* field) {
    if (!field->is_repeated()) {
      return Walk(reflection.MutableMessage(message, field));
    }
    bool changed = false;
    const int size = reflection.FieldSize(*message, field);
    for (int i = 0; i < size; ++i) {
      changed |= Walk(reflection.MutableRepeatedMessage(message, field, i));
    }
    return changed;
  }

  // Looking up a type's name once, not for each message, is most of the speed.
  const TypePlan& PlanFor(const pb::Descriptor* type) {
    auto [slot, is_new] = plans_.try_emplace(type);
    if (is_new) {
      slot->second = std::make_unique<TypePlan>();
      slot->second->is_any = type->full_name() == "google.protobuf.Any";
      for (const std::string& name : NameFields(type->full_name())) {
        const pb::FieldDescriptor* field = type->FindFieldByName(name);
        if (field != nullptr) slot->second->names.push_back(field);
      }
      for (int i = 0; i < type->field_count(); ++i) {
        const pb::FieldDescriptor* const field = type->field(i);
        if (IsMessage(field)) slot->second->messages.push_back(field);
      }
      slot->second->has_extensions = type->extension_range_count() > 0;
      slot->second->is_node =
          type == CalculatorGraphConfig::Node::descriptor() &&
          slot->second->messages.size() == size_t{kMessageFieldsOfNode};
    }
    return *slot->second;
  }

  bool Rename(pb::Message* message, const pb::Reflection& reflection,
              const pb::FieldDescriptor* field) {
    std::string scratch;
    const std::string& name =
        reflection.GetStringReference(*message, field, &scratch);
    if (!absl::StrContains(name, kTheirs)) return false;
    std::string normalized = NormalizedName(name);
    if (normalized == name) return false;
    reflection.SetString(message, field, std::move(normalized));
    return true;
  }

  // By reflection: an Any inside options may be of a dynamic type.
  bool WalkAny(pb::Message* any) {
    const pb::Descriptor* type = any->GetDescriptor();
    const pb::Reflection& reflection = *any->GetReflection();
    const pb::FieldDescriptor* url_field =
        type->FindFieldByNumber(pb::Any::kTypeUrlFieldNumber);
    const pb::FieldDescriptor* value_field =
        type->FindFieldByNumber(pb::Any::kValueFieldNumber);
    const std::string url = reflection.GetString(*any, url_field);
    std::string scratch;
    const std::string& value =
        reflection.GetStringReference(*any, value_field, &scratch);

    const size_t start = url.rfind('/') + 1;  // npos + 1 is 0
    const std::string name =
        NormalizedTypeName(absl::string_view(url).substr(start));
    bool changed = false;
    const std::string normalized = absl::StrCat(url.substr(0, start), name);
    if (normalized != url) {
      reflection.SetString(any, url_field, normalized);
      changed = true;
    }
    if (depth_ == kMaxAnyDepth || !absl::StrContains(value, kTheirs)) {
      return changed;
    }

    const pb::Descriptor* value_type =
        pb::DescriptorPool::generated_pool()->FindMessageTypeByName(name);
    if (value_type == nullptr) return changed;
    const std::unique_ptr<pb::Message> inner(
        pb::MessageFactory::generated_factory()
            ->GetPrototype(value_type)
            ->New());
    // Bytes that are not of the type are the node's affair, which reads them.
    if (!inner->ParsePartialFromString(value)) return changed;
    ++depth_;
    const bool inner_changed = Walk(inner.get());
    --depth_;
    if (!inner_changed) return changed;
    reflection.SetString(any, value_field, inner->SerializePartialAsString());
    return true;
  }

  // Anys that enclose the message being walked.
  int depth_ = 0;
  HashMap<const pb::Descriptor*, std::unique_ptr<TypePlan>> plans_;
};

}  // namespace

void NormalizeNames(pb::Message* message) {
  // Values of Anys that cannot be parsed are no reason to write to stderr.
  const google::protobuf::LogSilencer quiet;
  Walker().Walk(message);
}

std::string NormalizedName(absl::string_view name) {
  absl::string_view rest = name;
  const bool leading_dot = absl::ConsumePrefix(&rest, ".");
  const bool leading_colons = !leading_dot && absl::ConsumePrefix(&rest, "::");
  if (!absl::ConsumePrefix(&rest, kTheirs) ||
      !(rest.empty() || rest[0] == '.' || absl::StartsWith(rest, "::"))) {
    return std::string(name);
  }
  return absl::StrCat(leading_dot ? "." : (leading_colons ? "::" : ""), kOurs,
                      rest);
}

std::string NormalizedProtoName(
    absl::string_view name,
    absl::FunctionRef<bool(const std::string& name)> is_known) {
  std::string as_written(name);
  absl::string_view rest = name;
  if (!absl::ConsumePrefix(&rest, kTheirs) || !absl::StartsWith(rest, ".") ||
      is_known(as_written)) {
    return as_written;
  }
  std::string renamed = absl::StrCat(kOurs, rest);
  if (is_known(renamed)) return renamed;
  // "mediapipe.MediaPipeOptions" is "syncline.SynclineOptions".
  const std::string all = absl::StrReplaceAll(
      renamed, {{"mediapipe", "syncline"}, {"MediaPipe", "Syncline"}});
  return is_known(all) ? all : renamed;
}

std::string NormalizedTypeName(absl::string_view name,
                               const pb::DescriptorPool& pool) {
  return NormalizedProtoName(name, [&pool](const std::string& known) {
    return pool.FindMessageTypeByName(known) != nullptr;
  });
}

}  // namespace syncline
