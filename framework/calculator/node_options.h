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
// The messages of the config are only declared here, because every calculator
// includes this header and few read the config. A calculator with options
// includes the header of its proto, which is all that Get<T>() needs.
//
// Thread rule: Get and Has are safe from any thread.
// Tested by node_options_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_NODE_OPTIONS_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_NODE_OPTIONS_H_

#include <atomic>
#include <type_traits>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/base/type_id.h"

namespace google::protobuf {
class Any;
class Message;
}  // namespace google::protobuf

namespace syncline {

class CalculatorGraphConfig_Node;
class CalculatorOptions;
class NodeConfig;

// CalculatorOptions, but looked into only when T is known.
template <typename T>
using CalculatorOptionsFor =
    std::conditional_t<std::is_void_v<T>, void, CalculatorOptions>;

// T can stand in `options` as an extension.
template <typename T>
concept IsCalculatorOptionsExtension =
    requires(const CalculatorOptionsFor<T>& options) {
  options.GetExtension(T::ext);
};

// The entry of `node_options` whose message type is `full_name`, or null.
const google::protobuf::Any* FindNodeOptions(
    const CalculatorGraphConfig_Node& node, absl::string_view full_name);

// INVALID_ARGUMENT if `node_options` has two messages of one type: which of the
// two would count could only be guessed.
absl::Status ValidateNodeOptions(const CalculatorGraphConfig_Node& node);

class NodeOptions {
 public:
  // Borrows `node`, which must not change.
  explicit NodeOptions(const CalculatorGraphConfig_Node& node);
  // Those of another node, before anybody has asked for options.
  void SetNode(const CalculatorGraphConfig_Node& node);
  ~NodeOptions();
  NodeOptions(const NodeOptions&) = delete;
  NodeOptions& operator=(const NodeOptions&) = delete;

  template <typename T>
  bool Has() const {
    if constexpr (IsCalculatorOptionsExtension<T>) {
      if (Extensions<T>().HasExtension(T::ext)) return true;
    }
    return !is_packed() &&
           FindNodeOptions(*node_, T::descriptor()->full_name()) != nullptr;
  }

  // The options, or the defaults. Bytes that are no T are a misuse: the call
  // ends with a status that names the type. The reference lives as long as
  // this object and the node.
  template <typename T>
  const T& Get() const {
    if constexpr (IsCalculatorOptionsExtension<T>) {
      if (Extensions<T>().HasExtension(T::ext)) {
        return Extensions<T>().GetExtension(T::ext);
      }
    }
    if (!has_node_options_) return T::default_instance();
    return static_cast<const T&>(Unpacked(kTypeId<T>, T::default_instance()));
  }

  // `config` takes the place of the node, and has the same in it. REQUIRES: it
  // has no options, so nobody refers to any.
  void SetConfig(const NodeConfig& config);
  const CalculatorGraphConfig_Node& node() const;
  // The node is kept as bytes: it is of nothing but names.
  bool is_packed() const { return config_ != nullptr; }
  // The options that are extensions.
  const CalculatorOptions& container() const { return *options_; }

 private:
  // Messages unpacked so far, newest first. Entries are added and never
  // changed or removed, so readers need no lock.
  struct Entry;

  template <typename T>
  const CalculatorOptionsFor<T>& Extensions() const {
    return *options_;
  }

  // The kept message of the type, unpacked now if need be; `prototype` if the
  // node has none.
  const google::protobuf::Message& Unpacked(
      TypeId type, const google::protobuf::Message& prototype) const;

  const CalculatorGraphConfig_Node* node_;  // null if packed
  const NodeConfig* config_ = nullptr;      // null unless packed
  const CalculatorOptions* options_;        // of the node
  bool has_node_options_;
  mutable std::atomic<Entry*> unpacked_{nullptr};
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_NODE_OPTIONS_H_
