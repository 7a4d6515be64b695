// OutputStreamPoller: reads the packets of a graph's stream.
#ifndef SYNCLINE_FRAMEWORK_OUTPUT_STREAM_POLLER_H_
#define SYNCLINE_FRAMEWORK_OUTPUT_STREAM_POLLER_H_

#include "framework/run/output_stream_poller.h"

#endif  // SYNCLINE_FRAMEWORK_OUTPUT_STREAM_POLLER_H_
