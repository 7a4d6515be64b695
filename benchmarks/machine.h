// What a reader needs to know of the machine that figures come from.
//
// Thread rule: one call at a time.
// Tested by machine_test.

#ifndef SYNCLINE_BENCHMARKS_MACHINE_H_
#define SYNCLINE_BENCHMARKS_MACHINE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace syncline {

// How long a line of memory takes from one thread to another one and back, in
// ns: the least of many tries. The kernel may have both on one core; then this
// is the time of two switches between threads.
double MeasureRoundTripNs();

// The processor's name from the text of /proc/cpuinfo; empty if there is none.
std::string ProcessorOf(absl::string_view cpu_info);

// "256 B", "512 KB", "1.5 MB".
std::string Size(long bytes);

// One line: the processor, how many cores this process may use, the sizes of a
// core's caches, and MeasureRoundTripNs.
std::string DescribeMachine();

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_MACHINE_H_
