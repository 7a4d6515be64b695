// RunView: all that is seen of a run at one moment, for those who say why it
// stands still.
//
// Thread rule: a value.

#ifndef SYNCLINE_FRAMEWORK_REPORT_RUN_VIEW_H_
#define SYNCLINE_FRAMEWORK_REPORT_RUN_VIEW_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "framework/condition/condition_result.h"
#include "framework/node/node_snapshot.h"
#include "framework/packet/timestamp.h"
#include "framework/scheduler/waiters.h"

namespace syncline {

// What keeps a node from opening.
struct MissingToOpen {
  std::vector<int> side_packets;  // of the plan, which nodes make
  std::vector<int> streams;       // whose headers are missing
};

struct RunView {
  struct Source {
    // Its source_layer has not started.
    bool is_pending = false;
    // A full queue holds it back.
    bool is_paused = false;
  };
  struct Poller {
    int stream = -1;
    bool is_full = false;
    bool is_empty = false;
  };
  // A graph input.
  struct Input {
    bool is_open = false;
    // Packets have come from there.
    bool has_fed = false;
    // Who feeds it, as "--input=in=FILE"; empty: the application.
    std::string feeder;
  };
  struct Executor {
    // How many calls it can run at once.
    int max_threads = 1;
  };
  // A thread that is inside a call of the run. Those of one thread follow each
  // other, the outermost call first.
  struct Call {
    // As NodeSnapshot::calls has it; null: of no node.
    const void* call = nullptr;
    // Unset where the call does not know it.
    Timestamp timestamp;
    int thread = 0;           // the kernel's number
    std::string thread_name;  // may be empty
    // Not -1: the thread is in an observer of this stream.
    int observed_stream = -1;
    // For how long the call has gone on at least; 0: unknown.
    std::int64_t lasts_ns = 0;
  };
  // By node.
  std::vector<NodeSnapshot> nodes;
  std::vector<MissingToOpen> missing;
  // By position in plan.sources().
  std::vector<Source> sources;
  // By position in plan.graph_inputs().
  std::vector<Input> inputs;
  // By position in plan.executors().
  std::vector<Executor> executors;
  std::vector<Poller> pollers;
  // Streams with observers.
  std::vector<int> observed_streams;
  // What of these says where the packets go, as "--output=out=FILE".
  std::multimap<int, std::string> observer_names;
  std::vector<Call> calls;
  // For how long nothing has moved; 0: unknown.
  std::int64_t still_ns = 0;
  // Calls of the application that wait for the run.
  std::vector<WaitReason> waiters;
  // The program waits for the run, whatever its threads do.
  bool program_waits = false;
  // The application has called Pause().
  bool is_paused = false;
  // How long it is until the earliest time that a node waits for, by the
  // graph's clock; below 0 if that time is over; kNoTarget if no node waits for
  // one.
  std::int64_t next_time_in_ns = ConditionResult::kNoTarget;
  // A thread sleeps on the graph's clock, whose time passes by itself.
  bool sleeps_on_clock = false;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_REPORT_RUN_VIEW_H_
