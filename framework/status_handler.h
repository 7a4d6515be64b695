// StatusHandler and REGISTER_STATUS_HANDLER, for graphs that have them.
#ifndef SYNCLINE_FRAMEWORK_STATUS_HANDLER_H_
#define SYNCLINE_FRAMEWORK_STATUS_HANDLER_H_

#include "framework/calculator/legacy/status_handler.h"

#endif  // SYNCLINE_FRAMEWORK_STATUS_HANDLER_H_
