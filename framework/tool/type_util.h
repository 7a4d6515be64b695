// TypeId, kTypeId and tool::GetTypeHash: which C++ type something is.
// Defined in base/type_id.h.

#ifndef SYNCLINE_FRAMEWORK_TOOL_TYPE_UTIL_H_
#define SYNCLINE_FRAMEWORK_TOOL_TYPE_UTIL_H_

#include <cstddef>

#include "framework/base/type_id.h"

namespace syncline {
namespace tool {

// A hash of the type. It is the same in every library of the process.
template <typename T>
std::size_t GetTypeHash() {
  return TypeIdOf<T>().hash_code();
}

}  // namespace tool
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_TYPE_UTIL_H_
