// MutableNodeOptions: the options of a node that is still being made; see
// node_options.h.
//
// Thread rule: for one thread.
// Tested by node_options_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_MUTABLE_NODE_OPTIONS_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_MUTABLE_NODE_OPTIONS_H_

#include <map>
#include <memory>

#include "framework/base/type_id.h"
#include "framework/calculator/node_options.h"
#include "framework/config/calculator.pb.h"
#include "google/protobuf/message.h"

namespace syncline {

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

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_MUTABLE_NODE_OPTIONS_H_
