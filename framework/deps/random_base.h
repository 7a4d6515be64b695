// RandomBase: a source of random numbers, for code that lets its user choose
// one.
//
// Thread rule: the implementation decides.
// Tested by random_base_test.

#ifndef SYNCLINE_FRAMEWORK_DEPS_RANDOM_BASE_H_
#define SYNCLINE_FRAMEWORK_DEPS_RANDOM_BASE_H_

#include <cstdint>

namespace syncline {

// An implementation overrides the functions that its user calls. The others
// return 0.
class RandomBase {
 public:
  virtual ~RandomBase() = default;

  // A number from 0 (included) to 1 (not included).
  virtual float RandFloat() { return 0; }
  virtual double RandDouble() { return 0; }
  // An integer from 0 (included) to n (not included). All are equally likely.
  virtual int UnbiasedUniform(int n) { return 0; }
  virtual std::uint64_t UnbiasedUniform64(std::uint64_t n) { return 0; }
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_DEPS_RANDOM_BASE_H_
