// RandomBase: where random numbers come from, for code that lets its user say.
//
// Thread rule: up to the implementation.
// Tested by random_base_test.

#ifndef SYNCLINE_FRAMEWORK_DEPS_RANDOM_BASE_H_
#define SYNCLINE_FRAMEWORK_DEPS_RANDOM_BASE_H_

#include <cstdint>

namespace syncline {

// An implementation replaces what its user calls; the rest gives 0.
class RandomBase {
 public:
  virtual ~RandomBase() = default;

  // From 0 (included) to 1 (not included).
  virtual float RandFloat() { return 0; }
  virtual double RandDouble() { return 0; }
  // From 0 (included) to n (not included), all equally likely.
  virtual int UnbiasedUniform(int n) { return 0; }
  virtual std::uint64_t UnbiasedUniform64(std::uint64_t n) { return 0; }
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_DEPS_RANDOM_BASE_H_
