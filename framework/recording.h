// Records a run of a graph, plays it again, and compares.
//
//   GraphRecorder         writes what flows through streams into a file
//   RecordingReader       what is in such a file
//   PlayRecording         feeds it into a graph again
//   ReplayCheck           whether the graph still sends the same
//
// docs/record_and_replay.md shows how.
#ifndef SYNCLINE_FRAMEWORK_RECORDING_H_
#define SYNCLINE_FRAMEWORK_RECORDING_H_

#include "framework/recording/graph_player.h"
#include "framework/recording/graph_recorder.h"
#include "framework/recording/recording_reader.h"
#include "framework/recording/replay_check.h"

#endif  // SYNCLINE_FRAMEWORK_RECORDING_H_
