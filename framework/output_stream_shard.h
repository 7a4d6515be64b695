// OutputStreamShard: another name of OutputStream.
#ifndef SYNCLINE_FRAMEWORK_OUTPUT_STREAM_SHARD_H_
#define SYNCLINE_FRAMEWORK_OUTPUT_STREAM_SHARD_H_

#include "framework/calculator/output_stream.h"

#endif  // SYNCLINE_FRAMEWORK_OUTPUT_STREAM_SHARD_H_
