// For tests of this folder: nodes from text, and all that a context needs.
//
// Thread rule: for one thread.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_TEST_SUPPORT_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_TEST_SUPPORT_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "framework/calculator/call.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/node_environment.h"
#include "framework/config/calculator.pb.h"
#include "framework/packet/timestamp.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace syncline {

inline CalculatorGraphConfig::Node ParseNode(const std::string& text) {
  CalculatorGraphConfig::Node node;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &node));
  return node;
}

// A node with one context, and no graph around it.
class TestNode {
 public:
  using FillContract = std::function<void(CalculatorContract*)>;

  TestNode(const std::string& node_text, const FillContract& fill,
           NodeEnvironment::Run run = {})
      : node_(ParseNode(node_text)) {
    EXPECT_EQ(contract_.Initialize(node_), absl::OkStatus());
    fill(&contract_);
    environment_ = std::make_unique<NodeEnvironment>(contract_, std::move(run));
    context_ = std::make_unique<CalculatorContext>(*environment_);
  }

  // Begins a call in which all outputs start at the same bound.
  CalculatorContext& Begin(CallPhase phase,
                           Timestamp input_timestamp = Timestamp(0),
                           Timestamp bound = Timestamp::PreStream(),
                           bool had_packets = false) {
    context_->EndCall();
    context_->BeginCall(phase, input_timestamp);
    for (OutputStream& output : context_->Outputs()) {
      output.Begin(bound, /*closed=*/false, had_packets);
    }
    return *context_;
  }

  NodeEnvironment& environment() { return *environment_; }
  CalculatorContext& context() { return *context_; }

 private:
  const CalculatorGraphConfig::Node node_;
  CalculatorContract contract_;
  std::unique_ptr<NodeEnvironment> environment_;
  std::unique_ptr<CalculatorContext> context_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_TEST_SUPPORT_H_
