// What most calculators include, and sources of the engine that stand on the
// contracts of calculators: read once for all of them (precompiled_header.bzl).

#ifndef SYNCLINE_TOOLS_BUILD_RULES_FRAMEWORK_INCLUDES_H_
#define SYNCLINE_TOOLS_BUILD_RULES_FRAMEWORK_INCLUDES_H_

#include "framework/base/hash_map.h"
#include "framework/calculator_framework.h"
#include "framework/config/calculator.pb.h"
#include "tools/build_rules/common_includes.h"

#endif  // SYNCLINE_TOOLS_BUILD_RULES_FRAMEWORK_INCLUDES_H_
