// InputStreamShard: another name of InputStream.
#ifndef SYNCLINE_FRAMEWORK_INPUT_STREAM_SHARD_H_
#define SYNCLINE_FRAMEWORK_INPUT_STREAM_SHARD_H_

#include "framework/calculator/input_stream.h"

#endif  // SYNCLINE_FRAMEWORK_INPUT_STREAM_SHARD_H_
