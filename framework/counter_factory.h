// CounterFactory and CounterSet: they create the counters of a graph.
#ifndef SYNCLINE_FRAMEWORK_COUNTER_FACTORY_H_
#define SYNCLINE_FRAMEWORK_COUNTER_FACTORY_H_

#include "framework/calculator/counter_factory.h"

#endif  // SYNCLINE_FRAMEWORK_COUNTER_FACTORY_H_
