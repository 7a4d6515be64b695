// GoogleTest.

#ifndef SYNCLINE_FRAMEWORK_PORT_GTEST_H_
#define SYNCLINE_FRAMEWORK_PORT_GTEST_H_

#include "gtest/gtest.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_GTEST_H_
