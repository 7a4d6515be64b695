// RE2: regular expressions in linear time. It needs libre2-dev, which ./setup
// --re2 installs.

#ifndef SYNCLINE_FRAMEWORK_PORT_RE2_H_
#define SYNCLINE_FRAMEWORK_PORT_RE2_H_

#include "re2/re2.h"

namespace syncline {

using RE2 = ::re2::RE2;

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PORT_RE2_H_
