// tool::TagMap: tags and indexes of ports as dense ids; see PortLayout.
#ifndef SYNCLINE_FRAMEWORK_TOOL_TAG_MAP_H_
#define SYNCLINE_FRAMEWORK_TOOL_TAG_MAP_H_

#include "framework/calculator/port_layout.h"

namespace syncline {
namespace tool {

using TagMap = PortLayout;
using TagAndNameInfo = PortLayout::TagAndNameInfo;

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_TAG_MAP_H_
