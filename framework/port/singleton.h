// Singleton. The text is in deps/singleton.h.

#ifndef SYNCLINE_FRAMEWORK_PORT_SINGLETON_H_
#define SYNCLINE_FRAMEWORK_PORT_SINGLETON_H_

#include "framework/deps/singleton.h"  // IWYU pragma: export

#endif  // SYNCLINE_FRAMEWORK_PORT_SINGLETON_H_
