// GoogleTest's macros for tests of test code.

#ifndef SYNCLINE_FRAMEWORK_PORT_GTEST_SPI_H_
#define SYNCLINE_FRAMEWORK_PORT_GTEST_SPI_H_

#include "gtest/gtest-spi.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_GTEST_SPI_H_
