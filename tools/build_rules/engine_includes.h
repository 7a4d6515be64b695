// What most sources of the engine above the contracts of calculators include:
// read once for all of them (precompiled_header.bzl).

#ifndef SYNCLINE_TOOLS_BUILD_RULES_ENGINE_INCLUDES_H_
#define SYNCLINE_TOOLS_BUILD_RULES_ENGINE_INCLUDES_H_

#include "framework/base/hash_map.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/config/calculator.pb.h"
#include "tools/build_rules/common_includes.h"

#endif  // SYNCLINE_TOOLS_BUILD_RULES_ENGINE_INCLUDES_H_
