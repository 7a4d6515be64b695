// NodeConfig: the config of a node, as a message or as the bytes of one.
//
// The message of a node takes 600 bytes and more. Once a graph is compiled it
// is needed for little else than error texts, so nodes of nothing but names are
// kept as bytes, and become messages again when somebody asks:
//
//   NodeConfig config(bytes);
//   LOG(INFO) << config->calculator();  // from now on the message is kept
//
// Thread rule: any thread, once it is made.
// Tested by node_config_test.

#ifndef SYNCLINE_FRAMEWORK_COMPONENT_NODE_CONFIG_H_
#define SYNCLINE_FRAMEWORK_COMPONENT_NODE_CONFIG_H_

#include <atomic>
#include <memory>

#include "absl/base/optimization.h"
#include "absl/strings/string_view.h"

namespace syncline {

class CalculatorGraphConfig_Node;

class NodeConfig {
 public:
  NodeConfig() = default;
  ~NodeConfig();
  NodeConfig(const NodeConfig&) = delete;
  NodeConfig& operator=(const NodeConfig&) = delete;

  // One of these is to be called once, before everything else. The bytes, which
  // are those of a message, are borrowed.
  void SetMessage(std::unique_ptr<const CalculatorGraphConfig_Node> message);
  void SetBytes(absl::string_view bytes) { bytes_ = bytes; }

  // Nothing refers to the message: it is kept as bytes.
  bool is_packed() const { return bytes_.data() != nullptr; }

  // The message, which lives as long as this object.
  const CalculatorGraphConfig_Node& operator*() const {
    const CalculatorGraphConfig_Node* const known =
        message_.load(std::memory_order_acquire);
    return ABSL_PREDICT_TRUE(known != nullptr) ? *known : Unpack();
  }
  const CalculatorGraphConfig_Node* operator->() const { return &**this; }

 private:
  const CalculatorGraphConfig_Node& Unpack() const;

  absl::string_view bytes_;
  mutable std::atomic<const CalculatorGraphConfig_Node*> message_{nullptr};
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_COMPONENT_NODE_CONFIG_H_
