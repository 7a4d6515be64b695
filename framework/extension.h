// SYNCLINE_EXTENSION: who offers which components, with what a user has to know
// of them. What Syncline itself offers, bases of components too, comes with it.
#ifndef SYNCLINE_FRAMEWORK_EXTENSION_H_
#define SYNCLINE_FRAMEWORK_EXTENSION_H_

#include "framework/component/component_factory.h"
#include "framework/component/extension.h"

#endif  // SYNCLINE_FRAMEWORK_EXTENSION_H_
