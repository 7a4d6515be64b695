// The flags of run_graph that ask for recordings: --record, --replay and what
// goes with them.
//
// Thread rule: one thread.
// Tested by recording_flags_test.

#ifndef SYNCLINE_TOOLS_RECORDING_FLAGS_H_
#define SYNCLINE_TOOLS_RECORDING_FLAGS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "framework/recording/graph_player.h"
#include "framework/recording/graph_recorder.h"

namespace syncline {

// For CheckFlags; and the part of --help.
std::vector<std::string> RecordingFlagNames();
extern const char kRecordingFlagsHelp[];

// What a run is to do with recordings.
struct RecordingRequest {
  // Empty: nothing is recorded.
  std::string record;
  RecordingOptions record_options;
  // Empty: nothing is replayed.
  std::string replay;
  PlayOptions play;
  // Of a replay: each packet waits for Enter.
  bool steps = false;
  // Of a replay: what comes out is compared.
  bool compares = false;
};

// INVALID_ARGUMENT names flags that make no sense, or not together. `check` is
// the flag of that name.
absl::StatusOr<RecordingRequest> ReadRecordingFlags(bool check);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_RECORDING_FLAGS_H_
