// The sets of ApproximateTimeInputStreamHandler, found by trying every one: for
// tests that compare.
//
// The rule is that of approximate_time_policy.cc, as it is written there, on
// streams that are known from the first packet to the last. It shares nothing
// with the policy, and takes a time that grows with the product of the lengths
// of the streams.
//
// Thread rule: a pure function.
// Tested by approximate_time_policy_test, which compares the two.

#ifndef SYNCLINE_FRAMEWORK_POLICY_APPROXIMATE_TIME_TEST_ORACLE_H_
#define SYNCLINE_FRAMEWORK_POLICY_APPROXIMATE_TIME_TEST_ORACLE_H_

#include <cstdint>
#include <limits>
#include <vector>

namespace syncline {

// The limits in the options of the handler.
struct ApproximateTimeRule {
  std::int64_t max_interval = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> tolerance;  // by stream
  std::int64_t close_enough = 0;
};

// `streams`: the times of the packets of each stream, which rise. The distance
// of any two of them fits into 64 bits. Returns the sets in their order; each
// has one time of each stream.
std::vector<std::vector<std::int64_t>> ApproximateTimeSets(
    std::vector<std::vector<std::int64_t>> streams,
    const ApproximateTimeRule& rule);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_POLICY_APPROXIMATE_TIME_TEST_ORACLE_H_
