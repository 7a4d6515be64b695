// Which input port an option of a handler means.
//
// Thread rule: a free function.
// Tested by the policies that have such options.

#ifndef SYNCLINE_FRAMEWORK_POLICY_PORT_OPTION_H_
#define SYNCLINE_FRAMEWORK_POLICY_PORT_OPTION_H_

#include <string>

#include "framework/calculator/port_layout.h"
#include "framework/calculator/port_name.h"
#include "framework/policy/input_policy.h"

namespace syncline {

// The port that `tag_index` ("TAG:index", "TAG", ":index") means; -1 if there
// is no such port. Where an option must name a port, the plan has checked that
// it does.
inline int PortOfOption(const PolicyPorts& ports,
                        const std::string& tag_index) {
  std::string tag;
  int index = 0;
  if (!tool::ParseTagIndex(tag_index, &tag, &index).ok()) return -1;
  return ports.layout->GetId(tag, index).value();
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_PORT_OPTION_H_
