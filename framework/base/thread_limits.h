// What the options of a thread pool may ask for: more than this is a mistake,
// not a wish. The plan checks the executors of a graph with these limits, and
// the scheduler checks every pool with them that it starts.
//
// Thread rule: constants.
// Tested by thread_options_test and assign_executors_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_THREAD_LIMITS_H_
#define SYNCLINE_FRAMEWORK_BASE_THREAD_LIMITS_H_

namespace syncline {

inline constexpr int kMaxPoolThreads = 4096;
// Bytes, for one thread: 1 GiB.
inline constexpr int kMaxStackBytes = 1 << 30;
// The kernel has no other levels.
constexpr bool IsNiceLevel(int level) { return level >= -20 && level <= 19; }

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_THREAD_LIMITS_H_
