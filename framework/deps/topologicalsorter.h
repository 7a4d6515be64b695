// TopologicalSorter. Defined in port/topologicalsorter.h.

#ifndef SYNCLINE_FRAMEWORK_DEPS_TOPOLOGICALSORTER_H_
#define SYNCLINE_FRAMEWORK_DEPS_TOPOLOGICALSORTER_H_

#include "framework/port/topologicalsorter.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_DEPS_TOPOLOGICALSORTER_H_
