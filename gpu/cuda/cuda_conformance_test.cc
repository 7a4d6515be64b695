// What every driver does, of CUDA's devices.

#include <gtest/gtest.h>

#include "gpu/cuda_drivers.h"
#include "gpu/driver_conformance_test.h"
#include "gpu/kernels_for_tests.h"

namespace syncline::gpu {
namespace {

INSTANTIATE_TEST_SUITE_P(Cuda, DriverConformanceTest,
                         ::testing::Values(DriverCase{"Cuda",
                                                      internal::MakeCudaDrivers,
                                                      kAddOneForTests}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace syncline::gpu
