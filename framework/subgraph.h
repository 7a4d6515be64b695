// Subgraph: graphs that stand where a node stands, by class or by config.
#ifndef SYNCLINE_FRAMEWORK_SUBGRAPH_H_
#define SYNCLINE_FRAMEWORK_SUBGRAPH_H_

#include "framework/plan/graph_registry.h"
#include "framework/plan/subgraph.h"
#include "framework/plan/text_subgraph.h"

#endif  // SYNCLINE_FRAMEWORK_SUBGRAPH_H_
