// GraphClock: what time it is in a graph, as RealtimeClock, ManualClock or
// SyntheticClock.
#ifndef SYNCLINE_FRAMEWORK_GRAPH_CLOCK_H_
#define SYNCLINE_FRAMEWORK_GRAPH_CLOCK_H_

#include "framework/base/graph_clock.h"

#endif  // SYNCLINE_FRAMEWORK_GRAPH_CLOCK_H_
