// tool::TagMap: the tags and indexes of ports as dense ids; see PortLayout.
#ifndef SYNCLINE_FRAMEWORK_TOOL_TAG_MAP_H_
#define SYNCLINE_FRAMEWORK_TOOL_TAG_MAP_H_

#include "framework/calculator/port_layout.h"
#include "framework/port/proto_ns.h"

namespace syncline {
namespace tool {

// Const, since layouts never change: so std::shared_ptr<TagMap>, which ported
// code writes, is the type that our functions return.
using TagMap = const PortLayout;
using TagAndNameInfo = PortLayout::TagAndNameInfo;

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_TAG_MAP_H_
