// What most calculators include: read once for all of them
// (precompiled_header.bzl).

#ifndef SYNCLINE_TOOLS_BUILD_RULES_CALCULATORS_INCLUDES_H_
#define SYNCLINE_TOOLS_BUILD_RULES_CALCULATORS_INCLUDES_H_

#include "framework/calculator_framework.h"
#include "tools/build_rules/common_includes.h"

#endif  // SYNCLINE_TOOLS_BUILD_RULES_CALCULATORS_INCLUDES_H_
