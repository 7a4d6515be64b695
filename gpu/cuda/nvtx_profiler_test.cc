// What a profiler hears by NVTX, on any machine: this file has a profiler of
// its own, which notes it.

#if __has_include(<nvtx3/nvToolsExtCudaRt.h>)
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#endif

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/calculator/call.h"
#include "framework/calculator/test_support.h"
#include "gpu/call_streams.h"
#include "gpu/cuda/cuda_driver.h"
#include "gpu/node_streams.h"
#include "gpu/nvtx.h"

namespace {

std::vector<std::string> notes;

}  // namespace

#if __has_include(<nvtx3/nvToolsExtCudaRt.h>)

namespace {

int NVTX_API NotePush(const char* name) {
  notes.push_back(absl::StrCat("begin ", name));
  return 0;
}

int NVTX_API NotePop() {
  notes.push_back("end");
  return 0;
}

void NVTX_API NoteName(cudaStream_t stream, const char* name) {
  notes.push_back(
      absl::StrCat("stream ", reinterpret_cast<long>(stream), " is ", name));
}

template <typename Function>
void Put(const NvtxExportTableCallbacks& callbacks, NvtxCallbackModule module,
         unsigned id, Function function) {
  NvtxFunctionTable table = nullptr;
  unsigned size = 0;
  callbacks.GetModuleFunctionTable(module, &table, &size);
  *table[id] = reinterpret_cast<NvtxFunctionPointer>(function);
}

// What NVTX calls when it is used for the first time.
int NVTX_API BeginProfiler(NvtxGetExportTableFunc_t get_table) {
  const auto& callbacks = *static_cast<const NvtxExportTableCallbacks*>(
      get_table(NVTX_ETID_CALLBACKS));
  Put(callbacks, NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangePushA, &NotePush);
  Put(callbacks, NVTX_CB_MODULE_CORE, NVTX_CBID_CORE_RangePop, &NotePop);
  Put(callbacks, NVTX_CB_MODULE_CUDART, NVTX_CBID_CUDART_NameCudaStreamA,
      &NoteName);
  return 1;
}

// Before the first use.
[[maybe_unused]] const bool has_profiler = [] {
  InitializeInjectionNvtx2_fnptr = &BeginProfiler;
  return true;
}();

}  // namespace

#endif

namespace syncline::gpu {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class NvtxProfilerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!BuiltWithNvtx()) GTEST_SKIP() << "the toolkit has no nvtx3 headers";
    notes.clear();
  }
};

TEST_F(NvtxProfilerTest, ACallIsARangeWithTheNameOfItsNode) {
  TestNode node("calculator: 'BlurCalculator' name: 'blur'",
                [](CalculatorContract*) {});
  NodeStreams streams;
  ASSERT_TRUE(streams.Open(&node.Begin(CallPhase::kOpen)).ok());
  EXPECT_THAT(notes, IsEmpty());
  {
    CallStreams call(&streams, &node.Begin(CallPhase::kProcess));
    EXPECT_THAT(notes, ElementsAre("begin blur"));
    const NvtxRange inner("kernel");
  }
  EXPECT_THAT(notes, ElementsAre("begin blur", "begin kernel", "end", "end"));
}

TEST_F(NvtxProfilerTest, WithoutANameThereIsNoRange) {
  { const NvtxRange none(nullptr); }
  EXPECT_THAT(notes, IsEmpty());
}

TEST_F(NvtxProfilerTest, AStreamHasItsName) {
  internal::CudaDriver driver({.index = 0});
  driver.NameStream(reinterpret_cast<StreamHandle>(5), "video/0");
  EXPECT_THAT(notes, ElementsAre("stream 5 is video/0"));
}

}  // namespace
}  // namespace syncline::gpu
