// Subgraph: graphs that stand where a node stands, by class or by config.
#ifndef SYNCLINE_FRAMEWORK_SUBGRAPH_H_
#define SYNCLINE_FRAMEWORK_SUBGRAPH_H_

#include "framework/expansion/graph_registry.h"
#include "framework/expansion/subgraph.h"
#include "framework/expansion/text_subgraph.h"

#endif  // SYNCLINE_FRAMEWORK_SUBGRAPH_H_
