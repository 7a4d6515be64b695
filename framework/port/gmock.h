// GoogleMock.

#ifndef SYNCLINE_FRAMEWORK_PORT_GMOCK_H_
#define SYNCLINE_FRAMEWORK_PORT_GMOCK_H_

#include "gmock/gmock.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_GMOCK_H_
