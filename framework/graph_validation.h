// GraphValidation: checks a graph without running it.
#ifndef SYNCLINE_FRAMEWORK_GRAPH_VALIDATION_H_
#define SYNCLINE_FRAMEWORK_GRAPH_VALIDATION_H_

#include "framework/plan/graph_validation.h"

#endif  // SYNCLINE_FRAMEWORK_GRAPH_VALIDATION_H_
