// Plug-ins: shared libraries with calculators, opened while the program runs.
// Defined in base/plugin.h.
#ifndef SYNCLINE_FRAMEWORK_PLUGIN_H_
#define SYNCLINE_FRAMEWORK_PLUGIN_H_

#include "framework/base/plugin.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PLUGIN_H_
