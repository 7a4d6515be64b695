// Counter: a named number that calculators raise.
#ifndef SYNCLINE_FRAMEWORK_COUNTER_H_
#define SYNCLINE_FRAMEWORK_COUNTER_H_

#include "framework/calculator/counter.h"

#endif  // SYNCLINE_FRAMEWORK_COUNTER_H_
