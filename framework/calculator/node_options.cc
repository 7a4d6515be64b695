#include "framework/calculator/node_options.h"

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/base/hash_map.h"
#include "framework/base/misuse.h"
#include "framework/calculator/contract_probe.h"
#include "framework/calculator/mutable_node_options.h"
#include "framework/component/node_config.h"
#include "framework/config/calculator.pb.h"
#include "google/protobuf/any.pb.h"
#include "google/protobuf/message.h"

namespace syncline {
namespace {

absl::string_view TypeNameOf(const google::protobuf::Any& any) {
  const absl::string_view url = any.type_url();
  return url.substr(url.rfind('/') + 1);  // npos + 1 is 0
}

// "mediapipe." counts as "syncline.".
std::string CanonicalTypeOf(const google::protobuf::Any& any) {
  absl::string_view name = TypeNameOf(any);
  return absl::ConsumePrefix(&name, "mediapipe.")
             ? absl::StrCat("syncline.", name)
             : std::string(name);
}

bool IsOfType(const google::protobuf::Any& any, absl::string_view full_name) {
  return TypeNameOf(any) == full_name || CanonicalTypeOf(any) == full_name;
}

}  // namespace

const google::protobuf::Any* FindNodeOptions(
    const CalculatorGraphConfig::Node& node, absl::string_view full_name) {
  if (ContractProbe* const probe = ContractProbe::Current(); probe != nullptr) {
    probe->NoteOptions(full_name);
  }
  for (const google::protobuf::Any& any : node.node_options()) {
    if (IsOfType(any, full_name)) return &any;
  }
  return nullptr;
}

absl::Status ValidateNodeOptions(const CalculatorGraphConfig::Node& node) {
  if (node.node_options_size() < 2) return absl::OkStatus();
  HashSet<std::string> seen;
  for (const google::protobuf::Any& any : node.node_options()) {
    const std::string key = CanonicalTypeOf(any);
    if (!seen.insert(key).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("node_options has two messages of the type \"", key,
                       "\"; merge them into one"));
    }
  }
  return absl::OkStatus();
}

struct NodeOptions::Entry {
  TypeId type;
  std::unique_ptr<google::protobuf::Message> message;
  Entry* next;
};

NodeOptions::NodeOptions(const CalculatorGraphConfig_Node& node) {
  SetNode(node);
}

void NodeOptions::SetNode(const CalculatorGraphConfig_Node& node) {
  node_ = &node;
  options_ = &node.options();
  has_node_options_ = node.node_options_size() > 0;
}

void NodeOptions::SetConfig(const NodeConfig& config) {
  node_ = nullptr;
  config_ = &config;
  options_ = &CalculatorOptions::default_instance();
  has_node_options_ = false;
}

const CalculatorGraphConfig_Node& NodeOptions::node() const {
  return config_ == nullptr ? *node_ : **config_;
}

NodeOptions::~NodeOptions() {
  Entry* entry = unpacked_.load(std::memory_order_acquire);
  while (entry != nullptr) delete std::exchange(entry, entry->next);
}

const google::protobuf::Message& NodeOptions::Unpacked(
    TypeId type, const google::protobuf::Message& prototype) const {
  Entry* head = unpacked_.load(std::memory_order_acquire);
  for (const Entry* entry = head; entry != nullptr; entry = entry->next) {
    if (entry->type == type) return *entry->message;
  }
  const google::protobuf::Any* const any =
      FindNodeOptions(*node_, prototype.GetDescriptor()->full_name());
  if (any == nullptr) return prototype;
  std::unique_ptr<google::protobuf::Message> message(prototype.New());
  if (!message->ParseFromString(any->value())) {
    ReportMisuse(absl::InvalidArgumentError(absl::StrCat(
        "the node_options of the type \"", any->type_url(),
        "\" do not parse as \"", prototype.GetDescriptor()->full_name(),
        "\"; the graph was written with another definition of it")));
  }
  // Two threads may both unpack the same message; both entries stay.
  auto* const entry = new Entry{type, std::move(message), head};
  while (!unpacked_.compare_exchange_weak(entry->next, entry,
                                          std::memory_order_release,
                                          std::memory_order_acquire)) {
  }
  return *entry->message;
}

void MutableNodeOptions::SetAny(const google::protobuf::Message& options) {
  const std::string& name = options.GetDescriptor()->full_name();
  for (google::protobuf::Any& any : *node_->mutable_node_options()) {
    if (IsOfType(any, name)) {
      any.PackFrom(options);
      return;
    }
  }
  node_->add_node_options()->PackFrom(options);
}

}  // namespace syncline
