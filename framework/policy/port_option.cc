#include "framework/policy/port_option.h"

#include <string>

#include "framework/calculator/port_layout.h"
#include "framework/calculator/port_name.h"
#include "framework/policy/input_policy.h"

namespace syncline {

int PortOfOption(const PolicyPorts& ports, const std::string& tag_index) {
  std::string tag;
  int index = 0;
  if (!tool::ParseTagIndex(tag_index, &tag, &index).ok()) return -1;
  return ports.layout->GetId(tag, index).value();
}

}  // namespace syncline
