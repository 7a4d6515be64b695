// TopologicalSorter. The text is in deps/topologicalsorter.h.

#ifndef SYNCLINE_FRAMEWORK_PORT_TOPOLOGICALSORTER_H_
#define SYNCLINE_FRAMEWORK_PORT_TOPOLOGICALSORTER_H_

#include "framework/deps/topologicalsorter.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_TOPOLOGICALSORTER_H_
