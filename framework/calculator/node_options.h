// NodeOptions: the options of a node by message type.
//
// A node may carry options in two ways, and calculators should not care which:
//
//   options { [syncline.GateCalculatorOptions.ext] { allow: true } }
//   node_options { [type.googleapis.com/syncline.GateCalculatorOptions] {...} }
//
// Get<T>() looks at the first if T is an extension of CalculatorOptions, then
// at the second; where neither is there it gives the defaults. Type names match
// by their last part after '/', and "mediapipe." counts as "syncline.".
//
// A message from node_options is unpacked once and kept, so a calculator may
// ask on every call.
//
// Thread rule: Get and Has are safe from any thread. MutableNodeOptions is for
// one thread.
// Tested by node_options_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_NODE_OPTIONS_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_NODE_OPTIONS_H_

#include <atomic>
#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/base/type_id.h"
#include "framework/config/calculator.pb.h"
#include "google/protobuf/any.pb.h"
#include "google/protobuf/message.h"

namespace syncline {

// T can stand in `options` as an extension.
template <typename T>
concept IsCalculatorOptionsExtension =
    requires(const CalculatorOptions& options) {
  options.GetExtension(T::ext);
};

// The entry of `node_options` whose message type is `full_name`, or null.
const google::protobuf::Any* FindNodeOptions(
    const CalculatorGraphConfig::Node& node, absl::string_view full_name);

// INVALID_ARGUMENT if `node_options` has two messages of one type: which of the
// two would count could only be guessed.
absl::Status ValidateNodeOptions(const CalculatorGraphConfig::Node& node);

class NodeOptions {
 public:
  // Borrows `node`, which must not change.
  explicit NodeOptions(const CalculatorGraphConfig::Node& node)
      : node_(&node) {}
  ~NodeOptions();
  NodeOptions(const NodeOptions&) = delete;
  NodeOptions& operator=(const NodeOptions&) = delete;

  template <typename T>
  bool Has() const {
    if constexpr (IsCalculatorOptionsExtension<T>) {
      if (node_->options().HasExtension(T::ext)) return true;
    }
    return FindNodeOptions(*node_, T::descriptor()->full_name()) != nullptr;
  }

  // The options, or the defaults. Bytes that are no T are a misuse: the call
  // ends with a status that names the type. The reference lives as long as
  // this object and the node.
  template <typename T>
  const T& Get() const {
    if constexpr (IsCalculatorOptionsExtension<T>) {
      if (node_->options().HasExtension(T::ext)) {
        return node_->options().GetExtension(T::ext);
      }
    }
    if (node_->node_options().empty()) return T::default_instance();
    return static_cast<const T&>(Unpacked(kTypeId<T>, T::default_instance()));
  }

 private:
  // Messages unpacked so far, newest first. Entries are added and never
  // changed or removed, so readers need no lock.
  struct Entry {
    TypeId type;
    std::unique_ptr<google::protobuf::Message> message;
    Entry* next;
  };

  // The kept message of the type, unpacked now if need be; `prototype` if the
  // node has none.
  const google::protobuf::Message& Unpacked(
      TypeId type, const google::protobuf::Message& prototype) const;

  const CalculatorGraphConfig::Node* const node_;
  mutable std::atomic<Entry*> unpacked_{nullptr};
};

// The options of a node that is still being made.
class MutableNodeOptions {
 public:
  // Borrows `node`.
  explicit MutableNodeOptions(CalculatorGraphConfig::Node* node)
      : node_(node) {}

  template <typename T>
  bool Has() const {
    return changed_.count(kTypeId<T>) > 0 || NodeOptions(*node_).Has<T>();
  }
  template <typename T>
  const T& Get() {
    return *GetMutable<T>();
  }
  // A copy of the node's options that this object keeps and gives out again;
  // the node changes only with Set.
  template <typename T>
  T* GetMutable() {
    std::unique_ptr<google::protobuf::Message>& message = changed_[kTypeId<T>];
    if (message == nullptr) {
      message = std::make_unique<T>(NodeOptions(*node_).Get<T>());
    }
    return static_cast<T*>(message.get());
  }
  // Writes the options into the node, in the way in which T can stand there.
  template <typename T>
  void Set(const T& options) {
    *GetMutable<T>() = options;
    if constexpr (IsCalculatorOptionsExtension<T>) {
      *node_->mutable_options()->MutableExtension(T::ext) = options;
    } else {
      SetAny(options);
    }
  }

 private:
  void SetAny(const google::protobuf::Message& options);

  CalculatorGraphConfig::Node* const node_;
  std::map<TypeId, std::unique_ptr<google::protobuf::Message>> changed_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_NODE_OPTIONS_H_
