// live_graph_ratio: the cost of a call of a calculator in graphs/pedestrians
// when all calculators do nothing, as a multiple of the cost in the chain of 10
// of the benchmarks. Prints a line: `live_graph_ratio 2.2`.
//
// Thread rule: single-threaded, apart from the graphs' threads.
#include <iostream>

#include "absl/status/status.h"
#include "examples/pedestrians/pedestrian_run.h"
#include "glog/logging.h"

int main(int, char** argv) {
  FLAGS_logtostderr = true;
  google::InitGoogleLogging(argv[0]);
  // No video is decoded, so any name will do.
  syncline::PedestrianRun run({.input_path = "none", .output_path = "none"});
  absl::Status status = run.Prepare();
  if (status.ok()) status = run.CompareTimes();
  if (!status.ok()) {
    std::cerr << "live_graph_ratio: " << status.message() << "\n";
    return 1;
  }
  std::cout << "live_graph_ratio " << run.report().StandInsPerChain() << "\n";
  return 0;
}
