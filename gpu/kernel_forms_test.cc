#include "gpu/kernel_forms.h"

#include <optional>

#include "gpu/kernel.h"
#include "gtest/gtest.h"

namespace syncline::gpu::internal {
namespace {

void OnHost(const KernelLaunch&) {}
void OnHostToo(const KernelLaunch&) {}
int OnCuda(void*, const KernelLaunch&) { return 1; }
int OnCudaToo(void*, const KernelLaunch&) { return 2; }

const Kernel kApart = {.name = "apart", .stand_in = OnHost};
const Kernel kAlsoApart = {.name = "also apart", .stand_in = OnHostToo};
const Kernel kWhole = {.name = "whole", .stand_in = OnHost, .cuda = OnCudaToo};
const Kernel kOfCuda = {.name = "of CUDA", .cuda = OnCuda};
const Kernel kOfNothing = {.name = "of nothing"};

TEST(KernelFormsTest, AFormIsFoundAsLongAsItIsThere) {
  EXPECT_EQ(CudaForm::Of(kApart), nullptr);
  std::optional<CudaForm> form(std::in_place, kApart, OnCuda);
  EXPECT_EQ(CudaForm::Of(kApart), OnCuda);
  EXPECT_EQ(CudaForm::Of(kAlsoApart), nullptr);
  // As a launch has it.
  const Kernel copy = kApart;
  EXPECT_EQ(CudaForm::Of(copy), OnCuda);
  form.reset();
  EXPECT_EQ(CudaForm::Of(kApart), nullptr);
}

TEST(KernelFormsTest, FormsGoInAnyOrder) {
  std::optional<CudaForm> first(std::in_place, kApart, OnCuda);
  std::optional<CudaForm> second(std::in_place, kAlsoApart, OnCudaToo);
  first.reset();
  EXPECT_EQ(CudaForm::Of(kApart), nullptr);
  EXPECT_EQ(CudaForm::Of(kAlsoApart), OnCudaToo);
  second.reset();
  EXPECT_EQ(CudaForm::Of(kAlsoApart), nullptr);
}

TEST(KernelFormsTest, AKernelsOwnFormComesFirst) {
  const CudaForm form(kApart, OnCuda);
  EXPECT_EQ(CudaForm::Of(kWhole), OnCudaToo);
  EXPECT_EQ(CudaForm::Of(kOfCuda), OnCuda);
  EXPECT_EQ(CudaForm::Of(kOfNothing), nullptr);
}

}  // namespace
}  // namespace syncline::gpu::internal
