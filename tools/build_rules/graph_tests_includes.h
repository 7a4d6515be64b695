// What most tests of calculators and of whole graphs include: read once for all
// of them (precompiled_header.bzl).

#ifndef SYNCLINE_TOOLS_BUILD_RULES_GRAPH_TESTS_INCLUDES_H_
#define SYNCLINE_TOOLS_BUILD_RULES_GRAPH_TESTS_INCLUDES_H_

#include "framework/calculator_framework.h"
#include "framework/config/calculator.pb.h"
#include "framework/port/parse_text_proto.h"
#include "framework/port/status_matchers.h"
#include "tools/build_rules/for_tests_includes.h"

#endif  // SYNCLINE_TOOLS_BUILD_RULES_GRAPH_TESTS_INCLUDES_H_
