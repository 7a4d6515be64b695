#include "testing/fuzz/graph_mutator.h"

#include <algorithm>
#include <climits>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "framework/base/name_registry.h"
#include "framework/condition/condition.h"
#include "framework/config/calculator.pb.h"
#include "google/protobuf/any.pb.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "google/protobuf/stubs/logging.h"

namespace syncline {
namespace {

using ::google::protobuf::Any;
using ::google::protobuf::Descriptor;
using ::google::protobuf::DescriptorPool;
using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::MessageFactory;
using ::google::protobuf::Reflection;

// Registered names that a field with this name can hold.
std::vector<std::string> RegisteredNames(const std::string& field) {
  const auto names = [](const char* kind) {
    return NameRegistry::Get(kind).Names();
  };
  if (field == "input_stream_handler") return names("InputStreamHandler");
  if (field == "output_stream_handler") return names("OutputStreamHandler");
  if (field == "packet_generator") return names("PacketGenerator");
  if (field == "status_handler") return names("StatusHandler");
  // Executors and allocators have a type, too.
  if (field == "type") return ConditionRegistry::Names();
  if (field == "calculator" || field == "node_type") {
    std::vector<std::string> all = names("Calculator");
    for (std::string& graph : names("Subgraph"))
      all.push_back(std::move(graph));
    return all;
  }
  return {};
}

// Strings that mean something somewhere, or nearly do.
const std::vector<std::string>& Dictionary() {
  static const auto& words =
      *new std::vector<std::string>{"",
                                    "a",
                                    "b",
                                    "c",
                                    "in",
                                    "out",
                                    "A:a",
                                    "A:0:a",
                                    "A:1:a",
                                    "A:b",
                                    "B:a",
                                    "IN:in",
                                    "OUT:out",
                                    "SIDE:side",
                                    "EXTRA:a",
                                    "A",
                                    "A:1",
                                    ":0",
                                    ":1",
                                    "A:01",
                                    "A:10000:a",
                                    "A:99999999999:a",
                                    ":",
                                    "::",
                                    ":a",
                                    "a:b:c:d",
                                    "a:A",
                                    "Z",
                                    "0",
                                    "9a",
                                    "a b",
                                    "__x",
                                    "x__y",
                                    "default",
                                    "gpu",
                                    "__gpu",
                                    "cpu",
                                    "ApplicationThreadExecutor",
                                    "ThreadPoolExecutor",
                                    "10ms",
                                    "0.5 Hz",
                                    "-1s",
                                    "1e400min",
                                    "GreedyScheduler",
                                    "mediapipe",
                                    "mediapipe.X",
                                    ".a.b",
                                    "a.b",
                                    "a..b",
                                    ".",
                                    "test_space.inner",
                                    "chain_length:options/chain_length",
                                    "a:b",
                                    "options/chain_length:x",
                                    "chain_length:chain_length",
                                    "/:/",
                                    "a/b/c:d/e/f",
                                    "\xC3\xA4",
                                    std::string(1, '\0'),
                                    "\n\"\\",
                                    std::string(300, 'x'),
                                    absl::StrCat(std::string(300, 'X'), ":a")};
  return words;
}

// Messages that options can be made of.
std::vector<const Descriptor*> OptionTypes() {
  std::vector<const FieldDescriptor*> extensions;
  const DescriptorPool* pool = DescriptorPool::generated_pool();
  for (const char* extendee :
       {"syncline.CalculatorOptions", "syncline.SynclineOptions"}) {
    pool->FindAllExtensions(pool->FindMessageTypeByName(extendee), &extensions);
  }
  std::vector<const Descriptor*> types = {
      CalculatorGraphConfig::Node::descriptor(), Any::descriptor()};
  for (const FieldDescriptor* extension : extensions) {
    if (extension->message_type() != nullptr) {
      types.push_back(extension->message_type());
    }
  }
  return types;
}

int FieldSize(const Message& message, const FieldDescriptor* field) {
  return message.GetReflection()->FieldSize(message, field);
}

}  // namespace

void GraphMutator::Mutate(CalculatorGraphConfig* config) {
  // Configs with strings that are not UTF-8 are meant.
  const google::protobuf::LogSilencer quiet;
  for (size_t changes = 1 + Below(4); changes > 0; --changes) {
    MutateOnce(config);
  }
  while (config->node_size() > kMaxNodes ||
         (config->node_size() > 0 && config->ByteSizeLong() > kMaxBytes)) {
    config->mutable_node()->RemoveLast();
  }
  if (config->ByteSizeLong() > kMaxBytes) config->Clear();
}

void GraphMutator::CrossOver(const CalculatorGraphConfig& other,
                             CalculatorGraphConfig* config) {
  for (const CalculatorGraphConfig::Node& node : other.node()) {
    if (OneIn(2)) *config->add_node() = node;
  }
  if (OneIn(2)) {
    CalculatorGraphConfig rest = other;
    rest.clear_node();
    config->MergeFrom(rest);
  }
  Mutate(config);
}

void GraphMutator::Collect(Message* message, Parts* parts) {
  parts->messages.push_back(message);
  const Reflection& reflection = *message->GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(*message, &fields);
  for (const FieldDescriptor* field : fields) {
    const int size = field->is_repeated() ? FieldSize(*message, field) : 1;
    for (int i = 0; i < size; ++i) {
      if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
        Collect(field->is_repeated()
                    ? reflection.MutableRepeatedMessage(message, field, i)
                    : reflection.MutableMessage(message, field),
                parts);
      } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
        parts->strings.push_back(
            field->is_repeated()
                ? reflection.GetRepeatedString(*message, field, i)
                : reflection.GetString(*message, field));
      }
    }
  }
}

void GraphMutator::MutateOnce(CalculatorGraphConfig* config) {
  if (OneIn(6)) return Connect(config);
  if (OneIn(8)) return AddNode(config);
  Parts parts;
  Collect(config, &parts);
  Message* message = Pick(parts.messages);
  if (message->GetDescriptor() == Any::descriptor()) {
    MutateAny(message, parts);
  } else {
    MutateMessage(message, parts);
  }
}

// Lets some input of a node read what some node or the graph produces.
void GraphMutator::Connect(CalculatorGraphConfig* config) {
  std::vector<std::string> streams(config->input_stream().begin(),
                                   config->input_stream().end());
  for (const CalculatorGraphConfig::Node& node : config->node()) {
    streams.insert(streams.end(), node.output_stream().begin(),
                   node.output_stream().end());
  }
  if (streams.empty() || config->node_size() == 0) return;
  CalculatorGraphConfig::Node* node =
      config->mutable_node(static_cast<int>(Below(config->node_size())));
  if (node->input_stream_size() == 0 || OneIn(4)) node->add_input_stream();
  std::string* input = node->mutable_input_stream(
      static_cast<int>(Below(node->input_stream_size())));
  const std::string& stream = Pick(streams);
  const size_t name = stream.rfind(':') + 1;  // 0 without a tag
  *input = absl::StrCat(input->substr(0, input->rfind(':') + 1),
                        stream.substr(name));
  if (OneIn(4)) {
    InputStreamInfo* info = node->add_input_stream_info();
    info->set_tag_index(input->substr(0, input->rfind(':') + 1));
    if (!info->tag_index().empty()) info->mutable_tag_index()->pop_back();
    switch (Below(4)) {
      case 0:
        info->set_merge(true);
        info->set_message_times(OneIn(2));
        break;
      case 1:
        info->set_max_queue_size(static_cast<int>(Below(4)) - 1);
        info->set_queue_policy(
            static_cast<InputStreamInfo::QueuePolicy>(Below(5)));
        break;
      default:
        info->set_back_edge(true);
    }
  }
}

void GraphMutator::AddNode(CalculatorGraphConfig* config) {
  CalculatorGraphConfig::Node* node = config->add_node();
  const Parts none;
  node->set_calculator(PickString("calculator", none));
  const bool tagged = OneIn(2);
  for (size_t i = Below(3); i > 0; --i) {
    node->add_input_stream(
        absl::StrCat(tagged ? "IN:" : "", "s", Below(config->node_size())));
  }
  for (size_t i = Below(3); i > 0; --i) {
    node->add_output_stream(
        absl::StrCat(tagged ? "OUT:" : "", "s", config->node_size()));
  }
}

const FieldDescriptor* GraphMutator::PickField(const Message& message) {
  const Descriptor& type = *message.GetDescriptor();
  std::vector<const FieldDescriptor*> fields;
  if (OneIn(2)) message.GetReflection()->ListFields(message, &fields);
  if (fields.empty()) {
    for (int i = 0; i < type.field_count(); ++i)
      fields.push_back(type.field(i));
    if (type.extension_range_count() > 0) {
      type.file()->pool()->FindAllExtensions(&type, &fields);
    }
  }
  return fields.empty() ? nullptr : Pick(fields);
}

void GraphMutator::MutateMessage(Message* message, const Parts& parts) {
  const Reflection& reflection = *message->GetReflection();
  if (OneIn(8)) {
    // A whole message of the same type from elsewhere.
    const Message* other = Pick(parts.messages);
    if (other->GetDescriptor() == message->GetDescriptor() &&
        other != message) {
      const std::unique_ptr<Message> copy(other->New());
      copy->CopyFrom(*other);
      message->CopyFrom(*copy);
      return;
    }
  }
  const FieldDescriptor* field = PickField(*message);
  if (field == nullptr) return;
  if (field->is_repeated()) return MutateRepeated(message, field, parts);
  if (OneIn(4)) return reflection.ClearField(message, field);
  SetValue(message, field, -1, parts);
}

void GraphMutator::MutateRepeated(Message* message,
                                  const FieldDescriptor* field,
                                  const Parts& parts) {
  const Reflection& reflection = *message->GetReflection();
  const int size = FieldSize(*message, field);
  if (size == 0 || OneIn(3)) {
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      Message* added = reflection.AddMessage(message, field);
      if (size > 0 && OneIn(2)) {
        added->CopyFrom(reflection.GetRepeatedMessage(
            *message, field, static_cast<int>(Below(size))));
      }
    } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
      reflection.AddString(message, field, PickString(field->name(), parts));
    } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_INT32) {
      reflection.AddInt32(message, field, PickInt());
    } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_UINT64) {
      reflection.AddUInt64(message, field, static_cast<unsigned>(PickInt()));
    }
    return;
  }
  const int i = static_cast<int>(Below(size));
  if (OneIn(3)) {
    reflection.SwapElements(message, field, i, size - 1);
    if (OneIn(2)) reflection.RemoveLast(message, field);
    return;
  }
  SetValue(message, field, i, parts);
}

void GraphMutator::SetValue(Message* message, const FieldDescriptor* field,
                            int i, const Parts& parts) {
  const Reflection& reflection = *message->GetReflection();
  const bool repeated = i >= 0;
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING: {
      std::string text = PickString(field->name(), parts);
      if (repeated) {
        return reflection.SetRepeatedString(message, field, i, std::move(text));
      }
      return reflection.SetString(message, field, std::move(text));
    }
    case FieldDescriptor::CPPTYPE_MESSAGE: {
      Message* value =
          repeated ? reflection.MutableRepeatedMessage(message, field, i)
                   : reflection.MutableMessage(message, field);
      if (value->GetDescriptor() == Any::descriptor()) {
        return MutateAny(value, parts);
      }
      return MutateMessage(value, parts);
    }
    case FieldDescriptor::CPPTYPE_INT32:
      if (repeated) {
        return reflection.SetRepeatedInt32(message, field, i, PickInt());
      }
      return reflection.SetInt32(message, field, PickInt());
    case FieldDescriptor::CPPTYPE_UINT64: {
      const auto value = static_cast<unsigned>(PickInt());
      if (repeated) {
        return reflection.SetRepeatedUInt64(message, field, i, value);
      }
      return reflection.SetUInt64(message, field, value);
    }
    default:
      break;
  }
  if (repeated) return;  // graphs have no others
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT64:
      return reflection.SetInt64(message, field, PickInt());
    case FieldDescriptor::CPPTYPE_UINT32:
      return reflection.SetUInt32(message, field,
                                  static_cast<unsigned>(PickInt()));
    case FieldDescriptor::CPPTYPE_BOOL:
      return reflection.SetBool(message, field, OneIn(2));
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return reflection.SetDouble(message, field, PickInt());
    case FieldDescriptor::CPPTYPE_FLOAT:
      return reflection.SetFloat(message, field, static_cast<float>(PickInt()));
    case FieldDescriptor::CPPTYPE_ENUM:
      return reflection.SetEnumValue(
          message, field,
          field->enum_type()
              ->value(
                  static_cast<int>(Below(field->enum_type()->value_count())))
              ->number());
    default:
      return;
  }
}

void GraphMutator::MutateAny(Message* message, const Parts& parts) {
  Any any;
  any.CopyFrom(*message);
  if (OneIn(8)) {
    any.set_type_url(PickString("type_url", parts));
  } else if (OneIn(8)) {
    any.set_value(Edited(any.value()));
  } else {
    // The message in it with a change, or a new one.
    const size_t slash = any.type_url().rfind('/');
    const Descriptor* type =
        slash == std::string::npos
            ? nullptr
            : DescriptorPool::generated_pool()->FindMessageTypeByName(
                  any.type_url().substr(slash + 1));
    if (type == nullptr || OneIn(4)) type = Pick(OptionTypes());
    const std::unique_ptr<Message> value(
        MessageFactory::generated_factory()->GetPrototype(type)->New());
    if (!value->ParsePartialFromString(any.value())) value->Clear();
    if (type != Any::descriptor()) MutateMessage(value.get(), parts);
    any.set_type_url(absl::StrCat("type.googleapis.com/", type->full_name()));
    any.set_value(value->SerializePartialAsString());
  }
  message->CopyFrom(any);
}

std::string GraphMutator::PickString(const std::string& field,
                                     const Parts& parts) {
  if (OneIn(3)) {
    const std::vector<std::string> names = RegisteredNames(field);
    if (!names.empty()) return Pick(names);
  }
  if (!parts.strings.empty() && !OneIn(4)) {
    const std::string& text = Pick(parts.strings);
    return OneIn(4) ? Edited(text) : text;
  }
  return Pick(Dictionary());
}

std::string GraphMutator::Edited(std::string text) {
  static constexpr char kLetters[] = "aA0_:./ \xFF";
  const size_t at = Below(text.size() + 1);
  const char letter = kLetters[Below(sizeof(kLetters) - 1)];
  switch (Below(4)) {
    case 0:
      text.insert(at, 1, letter);
      break;
    case 1:
      text.erase(at, 1);
      break;
    case 2:
      if (at < text.size()) text[at] = letter;
      break;
    default:
      text.insert(at, text.substr(0, Below(8)));
  }
  return text;
}

int GraphMutator::PickInt() {
  static const std::vector<int>& values = *new std::vector<int>{
      0, 1, -1, 2, 3, 7, 16, 100, 1000, -2, INT_MAX, INT_MIN, INT_MAX - 1};
  return Pick(values);
}

}  // namespace syncline
