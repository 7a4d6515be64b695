// ExploreSchedules: runs a graph in many orders and compares what comes out.
//
//   CalculatorGraphConfig config = ...;
//   ScheduleInputs inputs;
//   inputs.streams["in"] = {MakePacket<int>(1).At(Timestamp(0)), ...};
//   SYNCLINE_EXPECT_OK(ExploreSchedules(config, inputs, {.schedules = 1000}));
//
// A graph whose outputs depend on which call runs first is wrong only sometimes
// and only elsewhere. Here nothing is left to chance: one thread runs one task
// at a time, and a seed chooses which of the ready ones is next, and when the
// application adds its packets. So every order that threads could make can
// happen, and happens again for the same seed.
//
// The outputs of every seed are compared with those of the plainest schedule,
// in which what came first runs first. On a difference the schedule is shrunk:
// choices are made plain as long as the outputs still differ. The error names
// the two seeds, the stream, the timestamp, both values, and the choices that
// matter. The plainest schedule runs twice: a graph that keeps something from
// one run to the next is told from one that depends on the schedule.
//
// Small graphs can be searched exhaustively: every schedule there is.
//
// Where nodes use devices, these are stand-ins of the exploration, and the
// schedule says when they do which work (explored_devices.h): so a wait that is
// missing between two device streams shows as another result, also where the
// accesses are not checked. Inputs are values of the host.
//
// What is compared are the packets of the graph's output streams, or of all
// streams if it names none, and whether the run succeeded. Bounds are not
// compared: how they arrive in pieces is no part of a graph's result. A graph
// that uses devices has to succeed: an error of the plainest run is reported.
//
// Thread rule: the calling thread does everything.
// Tested by explore_schedules_test and gpu/explore_devices_test.

#ifndef SYNCLINE_TESTING_EXPLORE_SCHEDULES_H_
#define SYNCLINE_TESTING_EXPLORE_SCHEDULES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/config/calculator.pb.h"
#include "framework/packet/packet.h"
#include "testing/print_value.h"

namespace syncline {

struct ScheduleInputs {
  // Packets by graph input, in order. An empty packet is a bound. All inputs
  // are closed in the end.
  std::map<std::string, std::vector<Packet>> streams;
  std::map<std::string, Packet> side_packets;
};

struct ExploreOptions {
  // How many seeds, from `first_seed` on.
  int schedules = 1000;
  std::uint64_t first_seed = 1;
  // Every schedule in turn instead of seeds, up to `schedules` of them.
  bool exhaustive = false;
  // Called before each run; to reset what calculators share.
  std::function<void()> before_run;
  // The value of a packet, for comparing. By default numbers, strings, Protobuf
  // messages and what else has bytes can be compared, and other types are an
  // error that says so.
  PrintPacket print = PrintValue;
  // Called after each run with its number; for progress.
  std::function<void(int)> after_run;
};

struct ExploreResult {
  int schedules = 0;
  // Every schedule there is was among them.
  bool is_complete = false;
};

// FAILED_PRECONDITION describes the difference, or the error of a graph that
// uses devices; other errors say that the graph could not be explored.
absl::StatusOr<ExploreResult> Explore(const CalculatorGraphConfig& config,
                                      const ScheduleInputs& inputs,
                                      const ExploreOptions& options = {});
absl::Status ExploreSchedules(const CalculatorGraphConfig& config,
                              const ScheduleInputs& inputs,
                              const ExploreOptions& options = {});

}  // namespace syncline

#endif  // SYNCLINE_TESTING_EXPLORE_SCHEDULES_H_
