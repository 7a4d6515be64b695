// InputStream: what one input port shows to a call.
#ifndef SYNCLINE_FRAMEWORK_INPUT_STREAM_H_
#define SYNCLINE_FRAMEWORK_INPUT_STREAM_H_

#include "framework/calculator/input_stream.h"

#endif  // SYNCLINE_FRAMEWORK_INPUT_STREAM_H_
