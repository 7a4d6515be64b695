// Calculators for explorations of graphs with device nodes. Some have a
// mistake, planted for the exploration to find.
//
//   ExploreUpload          int to a buffer of bytes of that value
//   ExploreReusingUpload   planted: always the same buffer
//   ExploreUploadFromPool  a buffer of the allocator "m"
//   ExploreAddOne          buffer to buffer, on a stream of its own
//   ExploreHastyAddOne     planted: its stream does not wait
//   ExploreForeignAddOne   planted: nor does a stream of no pool
//   ExploreChangeInput     planted: changes a buffer that others read
//   ExploreDownload        buffer to int; waits on the host
//   ExploreHastyDownload   planted: does not wait
//   ExploreCallHost        passes an int on, and counts in a host function
//   ExploreHostCalls       sends what that has counted
//   ExploreArrivals        sends in which order its inputs came
//   ExploreKeeper          keeps its packets until it is destroyed
//
// Thread rule: for one exploration at a time.

#ifndef SYNCLINE_TESTING_GPU_EXPLORED_CALCULATORS_H_
#define SYNCLINE_TESTING_GPU_EXPLORED_CALCULATORS_H_

#include <atomic>
#include <cstddef>

namespace syncline::gpu {

// Of each buffer.
inline constexpr std::size_t kExploredBytes = 64;

// What ExploreCallHost counts; to be set to 0 before each run.
extern std::atomic<int> num_host_calls;

}  // namespace syncline::gpu

#endif  // SYNCLINE_TESTING_GPU_EXPLORED_CALCULATORS_H_
