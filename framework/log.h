// SYNCLINE_LOG: lines in the log that say which node wrote them, at a level of
// each node.
#ifndef SYNCLINE_FRAMEWORK_LOG_H_
#define SYNCLINE_FRAMEWORK_LOG_H_

#include "framework/calculator/log.h"

#endif  // SYNCLINE_FRAMEWORK_LOG_H_
