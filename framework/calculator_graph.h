// CalculatorGraph: builds and runs graphs.
#ifndef SYNCLINE_FRAMEWORK_CALCULATOR_GRAPH_H_
#define SYNCLINE_FRAMEWORK_CALCULATOR_GRAPH_H_

#include "framework/graph/calculator_graph.h"

#endif  // SYNCLINE_FRAMEWORK_CALCULATOR_GRAPH_H_
