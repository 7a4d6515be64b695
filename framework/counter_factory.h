// CounterFactory and CounterSet: where counters come from.
#ifndef SYNCLINE_FRAMEWORK_COUNTER_FACTORY_H_
#define SYNCLINE_FRAMEWORK_COUNTER_FACTORY_H_

#include "framework/calculator/counter_factory.h"

#endif  // SYNCLINE_FRAMEWORK_COUNTER_FACTORY_H_
