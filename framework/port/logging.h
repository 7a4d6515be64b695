// LOG, VLOG, CHECK and similar macros, by glog.

#ifndef SYNCLINE_FRAMEWORK_PORT_LOGGING_H_
#define SYNCLINE_FRAMEWORK_PORT_LOGGING_H_

#include "glog/logging.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_LOGGING_H_
