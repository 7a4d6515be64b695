// Input stream handlers: see InputPolicy.
//
// A handler is a rule of readiness: a class derived from InputPolicy that is
// registered with RegisterInputPolicyKind(); CONTRIBUTING.md, "Add an input
// stream handler", has the steps. It runs under the lock of its node: the head
// of input_policy.h says what it must not do there. A class that was derived
// from MediaPipe's InputStreamHandler has to be rewritten.
#ifndef SYNCLINE_FRAMEWORK_INPUT_STREAM_HANDLER_H_
#define SYNCLINE_FRAMEWORK_INPUT_STREAM_HANDLER_H_

#include "framework/policy/input_policy.h"
#include "framework/policy/input_policy_registry.h"

#endif  // SYNCLINE_FRAMEWORK_INPUT_STREAM_HANDLER_H_
