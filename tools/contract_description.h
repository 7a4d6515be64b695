// The ports, options and parameters of a calculator, asked of its contract
// without a graph.
//
// A contract answers for one node. So it is asked first for a node without
// ports, and what it looks for is noted (framework/calculator/
// contract_probe.h); then for a node that has all of it. Ports that it only
// counts, or whose tags it makes up from others, are not found.
//
// Thread rule: a free function, which calls user code.
// Tested by describe_type_test.

#ifndef SYNCLINE_TOOLS_CONTRACT_DESCRIPTION_H_
#define SYNCLINE_TOOLS_CONTRACT_DESCRIPTION_H_

#include <string>
#include <vector>

#include "framework/calculator/calculator_registry.h"
#include "framework/component/parameter.h"

namespace syncline {

struct PortDescription {
  std::string where;  // "input_stream", ...: the field of the node
  std::string name;   // "TAG", "TAG:1", "" for the first without a tag, ":1"
  std::string type;   // of its packets; "" when the contract does not say
  bool optional = false;
};

struct ContractDescription {
  std::vector<PortDescription> ports;  // by field, then as asked for
  std::vector<std::string> options;    // full names of messages
  std::vector<ParameterInfo> parameters;
  std::string refusal;  // why no node without options will do, or ""
};

// `type`: the name that the factory is registered under.
ContractDescription DescribeContract(const std::string& type,
                                     const CalculatorBaseFactory& factory);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_CONTRACT_DESCRIPTION_H_
