// StatusBuilder: a status to which more text may be added.
// Defined in base/status_builder.h.

#ifndef SYNCLINE_FRAMEWORK_PORT_STATUS_BUILDER_H_
#define SYNCLINE_FRAMEWORK_PORT_STATUS_BUILDER_H_

#include "framework/base/source_location.h"  // IWYU pragma: export
#include "framework/base/status_builder.h"   // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_STATUS_BUILDER_H_
