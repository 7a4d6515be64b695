// ContractProbe: notes what the contract of a calculator asks for when it is
// called without a graph.
//
// A contract is code that looks at one node and answers for this node. To
// describe a type in general, its contract is called while a probe exists. The
// probe notes each tag that the contract looks up, each options message that it
// asks for, and the parameters that it registers.
//
//   ContractProbe probe;
//   contract.Initialize(node);      // layouts made now tell the probe
//   factory.GetContract(&contract);
//   probe.tags(); probe.options(); probe.parameters();
//
// Thread rule: notes what its own thread does while it exists; the innermost
// probe of a thread counts.
// Tested by node_parameters_test and //tools:describe_type_test.

#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_CONTRACT_PROBE_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_CONTRACT_PROBE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "framework/component/parameter.h"

namespace syncline {

class PortLayout;

class ContractProbe {
 public:
  ContractProbe();
  ~ContractProbe();
  ContractProbe(const ContractProbe&) = delete;
  ContractProbe& operator=(const ContractProbe&) = delete;

  // Null if there is none on this thread.
  static ContractProbe* Current();

  void NoteTag(const PortLayout& layout, absl::string_view tag);
  // `full_name`: of the message type.
  void NoteOptions(absl::string_view full_name);
  void NoteParameters(std::vector<ParameterInfo> parameters);

  // Each once, in the order in which they were asked for.
  const std::vector<std::pair<const PortLayout*, std::string>>& tags() const {
    return tags_;
  }
  const std::vector<std::string>& options() const { return options_; }
  const std::vector<ParameterInfo>& parameters() const { return parameters_; }

 private:
  ContractProbe* const outer_;
  std::vector<std::pair<const PortLayout*, std::string>> tags_;
  std::vector<std::string> options_;
  std::vector<ParameterInfo> parameters_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_CONTRACT_PROBE_H_
