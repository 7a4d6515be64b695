#include "gpu/cuda/green_contexts.h"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "gpu/cuda/runtime_calls.h"
#include "gpu/driver.h"

namespace syncline::gpu::internal {

// CUDA has all functions that are needed since then.
#if CUDA_VERSION >= 12050

// The functions of the driver interface.
struct GreenContexts::Functions {
  // Null where the driver has not all of them.
  static std::unique_ptr<const Functions> Find();

  decltype(&::cuDeviceGet) device_get = nullptr;
  decltype(&::cuDeviceGetDevResource) get_resource = nullptr;
  decltype(&::cuDevSmResourceSplitByCount) split = nullptr;
  decltype(&::cuDevResourceGenerateDesc) describe = nullptr;
  decltype(&::cuGreenCtxCreate) create = nullptr;
  decltype(&::cuGreenCtxDestroy) destroy = nullptr;
  decltype(&::cuGreenCtxStreamCreate) create_stream = nullptr;
  decltype(&::cuGetErrorString) error_text = nullptr;
};

namespace {

template <typename Function>
bool FindFunction(const char* name, Function* function) {
  void* address = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  const cudaError_t error =
      CallRuntime(RuntimeCall::kOther, cudaGetDriverEntryPointByVersion, name,
                  &address, unsigned{CUDA_VERSION},
                  static_cast<unsigned long long>(cudaEnableDefault), &found);
  if (error != cudaSuccess || found != cudaDriverEntryPointSuccess) {
    return false;
  }
  *function = reinterpret_cast<Function>(address);
  return address != nullptr;
}

std::string DivisionText(const SmPartition& partition) {
  return absl::StrCat(partition.num_partitions, " parts of ",
                      partition.sms_per_partition, " multiprocessors");
}

}  // namespace

std::unique_ptr<const GreenContexts::Functions>
GreenContexts::Functions::Find() {
  auto all = std::make_unique<Functions>();
  const bool has_all =
      FindFunction("cuDeviceGet", &all->device_get) &&
      FindFunction("cuDeviceGetDevResource", &all->get_resource) &&
      FindFunction("cuDevSmResourceSplitByCount", &all->split) &&
      FindFunction("cuDevResourceGenerateDesc", &all->describe) &&
      FindFunction("cuGreenCtxCreate", &all->create) &&
      FindFunction("cuGreenCtxDestroy", &all->destroy) &&
      FindFunction("cuGreenCtxStreamCreate", &all->create_stream) &&
      FindFunction("cuGetErrorString", &all->error_text);
  if (!has_all) return nullptr;
  return all;
}

class GreenContexts::Parts {
 public:
  // Of CUDA device `device`, by the sizes of `partition`.
  static absl::StatusOr<std::unique_ptr<Parts>> Make(
      std::shared_ptr<const Functions> cuda, int device,
      const std::string& name, const SmPartition& partition) {
    std::unique_ptr<Parts> parts(new Parts(std::move(cuda), name));
    SYNCLINE_RETURN_IF_ERROR(parts->Divide(device, partition));
    return parts;
  }
  ~Parts() {
    for (const CUgreenCtx context : contexts_) {
      if (context != nullptr) cuda_->destroy(context);
    }
  }
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  absl::StatusOr<cudaStream_t> MakeStream(const SmPartition& partition,
                                          int priority);

 private:
  Parts(std::shared_ptr<const Functions> cuda, std::string name)
      : cuda_(std::move(cuda)), name_(std::move(name)) {}

  absl::Status Divide(int device, const SmPartition& partition);
  absl::Status MakeContext(std::size_t index);
  // OK for success.
  absl::Status Error(absl::string_view what, CUresult result) const;

  const std::shared_ptr<const Functions> cuda_;
  const std::string name_;
  CUdevice device_ = 0;
  // The rest is the last one.
  std::vector<CUdevResource> parts_;
  // Null until a stream asks for it.
  std::vector<CUgreenCtx> contexts_;
};

absl::Status GreenContexts::Parts::Error(absl::string_view what,
                                         CUresult result) const {
  if (result == CUDA_SUCCESS) return absl::OkStatus();
  const char* text = nullptr;
  cuda_->error_text(result, &text);
  const std::string message =
      absl::StrCat(name_, ": ", what, ": ", text == nullptr ? "error" : text,
                   " (", static_cast<int>(result), ")");
  return result == CUDA_ERROR_NOT_SUPPORTED ? absl::UnimplementedError(message)
                                            : absl::InternalError(message);
}

absl::Status GreenContexts::Parts::Divide(int device,
                                          const SmPartition& partition) {
  const std::uint32_t num_partitions = partition.num_partitions;
  SYNCLINE_RETURN_IF_ERROR(
      Error("finding the device", cuda_->device_get(&device_, device)));
  CUdevResource all = {};
  SYNCLINE_RETURN_IF_ERROR(
      Error("asking for the multiprocessors",
            cuda_->get_resource(device_, &all, CU_DEV_RESOURCE_TYPE_SM)));
  const absl::Status not_so_many = absl::InvalidArgumentError(absl::StrCat(
      name_, " has ", all.sm.smCount,
      " multiprocessors, and cannot be divided into ", DivisionText(partition),
      ". Ask for fewer or smaller parts: their size is rounded up to what the "
      "device can divide."));
  if (num_partitions > all.sm.smCount / partition.sms_per_partition) {
    return not_so_many;
  }
  std::vector<CUdevResource> parts(num_partitions + 1);
  unsigned num_made = num_partitions;
  SYNCLINE_RETURN_IF_ERROR(
      Error(absl::StrCat("dividing the device into ", DivisionText(partition)),
            cuda_->split(parts.data(), &num_made, &all, &parts.back(), 0,
                         partition.sms_per_partition)));
  if (num_made < num_partitions) return not_so_many;
  parts_ = std::move(parts);
  contexts_.resize(parts_.size());
  return absl::OkStatus();
}

absl::Status GreenContexts::Parts::MakeContext(std::size_t index) {
  CUdevResourceDesc described = nullptr;
  SYNCLINE_RETURN_IF_ERROR(
      Error("describing a part of the multiprocessors",
            cuda_->describe(&described, &parts_[index], 1)));
  return Error("making a context of a part of the multiprocessors",
               cuda_->create(&contexts_[index], described, device_,
                             CU_GREEN_CTX_DEFAULT_STREAM));
}

absl::StatusOr<cudaStream_t> GreenContexts::Parts::MakeStream(
    const SmPartition& partition, int priority) {
  const std::size_t index = partition.index < 0
                                ? parts_.size() - 1
                                : static_cast<std::size_t>(partition.index);
  if (index >= parts_.size() || parts_[index].sm.smCount == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        name_, ": of ", DivisionText(partition), " there is no part ",
        partition.index, partition.index < 0 ? ", as nothing is left" : ""));
  }
  if (contexts_[index] == nullptr) {
    SYNCLINE_RETURN_IF_ERROR(MakeContext(index));
  }
  CUstream stream = nullptr;
  CountRuntimeCall(RuntimeCall::kMakeStream);
  SYNCLINE_RETURN_IF_ERROR(
      Error("making a stream of a part of the multiprocessors",
            cuda_->create_stream(&stream, contexts_[index],
                                 CU_STREAM_NON_BLOCKING, priority)));
  return stream;
}

absl::StatusOr<cudaStream_t> GreenContexts::MakeStream(
    const SmPartition& partition, int priority) {
  MutexLock lock(&mutex_);
  if (functions_ == nullptr) functions_ = Functions::Find();
  if (functions_ == nullptr) {
    return absl::UnimplementedError(absl::StrCat(
        name_,
        ": the driver has no green contexts, which give streams a part of the "
        "multiprocessors. Install a driver for CUDA ",
        CUDA_VERSION / 1000,
        " or later, or leave sm_partition out; stream_priority says whose work "
        "comes first"));
  }
  std::unique_ptr<Parts>& parts =
      parts_[{partition.num_partitions, partition.sms_per_partition}];
  if (parts == nullptr) {
    SYNCLINE_ASSIGN_OR_RETURN(
        parts, Parts::Make(functions_, device_, name_, partition));
  }
  return parts->MakeStream(partition, priority);
}

#else

struct GreenContexts::Functions {};
class GreenContexts::Parts {};

absl::StatusOr<cudaStream_t> GreenContexts::MakeStream(
    const SmPartition& /*partition*/, int /*priority*/) {
  return absl::UnimplementedError(absl::StrCat(
      name_,
      ": this program was built with a CUDA toolkit before 12.5, which has not "
      "all of green contexts. Build it with a newer one, or leave sm_partition "
      "out; stream_priority says whose work comes first"));
}

#endif

GreenContexts::GreenContexts(int device, std::string name)
    : device_(device), name_(std::move(name)) {}

GreenContexts::~GreenContexts() = default;

}  // namespace syncline::gpu::internal
