// OutputStream: what a call sends on one output port.
#ifndef SYNCLINE_FRAMEWORK_OUTPUT_STREAM_H_
#define SYNCLINE_FRAMEWORK_OUTPUT_STREAM_H_

#include "framework/calculator/output_stream.h"

#endif  // SYNCLINE_FRAMEWORK_OUTPUT_STREAM_H_
