// SYNCLINE_EXTENSION: says who offers which components, and describes them to
// users. The components of Syncline itself, and the bases of all components,
// are an extension of every program.
#ifndef SYNCLINE_FRAMEWORK_EXTENSION_H_
#define SYNCLINE_FRAMEWORK_EXTENSION_H_

#include "framework/component/component_factory.h"
#include "framework/component/extension.h"

#endif  // SYNCLINE_FRAMEWORK_EXTENSION_H_
