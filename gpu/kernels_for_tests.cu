// The kernels of kernels_for_tests.h.

#include <cstdint>

#include "gpu/element_kernel.h"
#include "gpu/kernels_for_tests.h"
#include "gpu/reduction_kernel.h"

namespace syncline::gpu {
namespace {

SYNCLINE_DEVICE_FUNCTION void Scale(std::int64_t i,
                                    const ScaleForTestsParameters& parameters,
                                    Elements<const float> in,
                                    Elements<float> out) {
  out[i] = parameters.factor * in[i] + parameters.addend;
}

SYNCLINE_DEVICE_FUNCTION void CountUp(std::int64_t i,
                                      Elements<std::int32_t> values) {
  values[i] += 1;
}

SYNCLINE_DEVICE_FUNCTION void AddOne(std::int64_t i,
                                     Elements<const std::uint32_t> in,
                                     Elements<std::uint32_t> out) {
  out[i] = in[i] + 1;
}

template <typename From, typename To>
SYNCLINE_DEVICE_FUNCTION void Convert(std::int64_t i, Elements<const From> in,
                                      Elements<To> out) {
  out[i] = static_cast<To>(in[i]);
}

struct Sum {
  using Parameters = NoParameters;
  using Element = float;
  using Value = float;
  using Result = float;

  SYNCLINE_DEVICE_FUNCTION static Value Nothing() { return 0; }
  SYNCLINE_DEVICE_FUNCTION static Value Of(std::int64_t i, const Parameters&,
                                           Elements<const Element> in) {
    return in[i];
  }
  SYNCLINE_DEVICE_FUNCTION static Value Both(Value a, Value b) { return a + b; }
  SYNCLINE_DEVICE_FUNCTION static Result Finish(Value all, std::int64_t,
                                                const Parameters&) {
    return all;
  }
};

struct Indexes {
  using Parameters = NoParameters;
  using Element = std::uint8_t;
  using Value = IndexesForTests;
  using Result = IndexesForTests;

  SYNCLINE_DEVICE_FUNCTION static Value Nothing() { return {0, 0, -1}; }
  SYNCLINE_DEVICE_FUNCTION static Value Of(std::int64_t i, const Parameters&,
                                           Elements<const Element>) {
    return {1, i, i};
  }
  SYNCLINE_DEVICE_FUNCTION static Value Both(Value a, Value b) {
    return {a.number + b.number, a.sum + b.sum,
            a.greatest > b.greatest ? a.greatest : b.greatest};
  }
  SYNCLINE_DEVICE_FUNCTION static Result Finish(Value all, std::int64_t,
                                                const Parameters&) {
    return all;
  }
};

}  // namespace

SYNCLINE_ELEMENT_KERNEL(kScaleForTests, Scale);
SYNCLINE_ELEMENT_KERNEL(kCountUpForTests, CountUp);
SYNCLINE_ELEMENT_KERNEL(kAddOneForTests, AddOne);
SYNCLINE_ELEMENT_KERNEL(kWidenForTests, Convert<std::uint8_t, double>);
SYNCLINE_REDUCTION_KERNEL(kSumForTests, Sum);
SYNCLINE_REDUCTION_KERNEL(kIndexesForTests, Indexes);

}  // namespace syncline::gpu
