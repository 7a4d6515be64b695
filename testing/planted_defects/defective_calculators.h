// Calculators with a mistake each, of the kind that works on the desk of its
// author. Values are int.
//
//   PlantedGlobalCalculator    counts packets in what all nodes share
//   PlantedLeftoverCalculator  counts packets in what no run resets
//   PlantedMemoryCalculator    counts packets in the node: right, unless its
//                              calls overlap
//   PlantedArrivalCalculator   a sum that depends on the order of what it adds:
//                              right, unless packets come one by one
//   PlantedThreadCalculator    adds the number of the thread that it runs on
//   PlantedBoundCalculator     sends a packet for each bound that it is told of
//
// Thread rule: the global is safe from any thread.
// Tested by defective_calculators_test.

#ifndef SYNCLINE_TESTING_PLANTED_DEFECTS_DEFECTIVE_CALCULATORS_H_
#define SYNCLINE_TESTING_PLANTED_DEFECTS_DEFECTIVE_CALCULATORS_H_

#include <atomic>

namespace syncline {

// What all nodes of PlantedGlobalCalculator share.
std::atomic<int>& PlantedGlobal();

}  // namespace syncline

#endif  // SYNCLINE_TESTING_PLANTED_DEFECTS_DEFECTIVE_CALCULATORS_H_
