#include "gpu/cuda_stream_pool.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/base/mutex.h"
#include "framework/base/no_destructor.h"
#include "framework/base/status_macros.h"
#include "glog/logging.h"
#include "gpu/cuda_stream_pool.pb.h"

namespace syncline::gpu {
namespace {

// The pools of all streams. An entry goes before its stream does.
class ManagedStreams {
 public:
  void Add(const StreamCore* stream, std::weak_ptr<CudaStreamPool> pool) {
    MutexLock lock(&mutex_);
    pools_[stream] = std::move(pool);
  }
  void Remove(const StreamCore* stream) {
    MutexLock lock(&mutex_);
    pools_.erase(stream);
  }
  std::shared_ptr<CudaStreamPool> PoolOf(const StreamCore* stream) const {
    MutexLock lock(&mutex_);
    const auto found = pools_.find(stream);
    return found == pools_.end() ? nullptr : found->second.lock();
  }

 private:
  mutable Mutex mutex_;
  absl::flat_hash_map<const StreamCore*, std::weak_ptr<CudaStreamPool>> pools_
      ABSL_GUARDED_BY(mutex_);
};

ManagedStreams& AllManagedStreams() {
  static NoDestructor<ManagedStreams> streams;
  return *streams;
}

// The checks that need no device.
absl::StatusOr<SmPartition> PartitionOf(const CudaStreamPoolOptions& options) {
  if (!options.has_sm_partition()) return SmPartition();
  const CudaStreamPoolOptions::SmPartition& given = options.sm_partition();
  const auto error = [](absl::string_view why) {
    return absl::InvalidArgumentError(
        absl::StrCat("CudaStreamPoolOptions has an sm_partition ", why));
  };
  if (given.sms_per_partition() == 0 || given.num_partitions() == 0) {
    return error(
        "without multiprocessors: set sms_per_partition and num_partitions to "
        "1 or more");
  }
  if (given.index() < -1 ||
      given.index() >= static_cast<std::int64_t>(given.num_partitions())) {
    return error(absl::StrCat("with index: ", given.index(),
                              "; there are 0 to ", given.num_partitions() - 1,
                              ", and -1 for what the parts leave"));
  }
  if (options.stream_flags() != 1) {
    return error(
        "and stream_flags: 0; such streams do not wait for the default "
        "stream: set stream_flags: 1");
  }
  return SmPartition{.sms_per_partition = given.sms_per_partition(),
                     .num_partitions = given.num_partitions(),
                     .index = given.index()};
}

}  // namespace

absl::StatusOr<CudaStreamPoolParameters> CudaStreamPoolParameters::FromOptions(
    const CudaStreamPoolOptions& options) {
  if (options.stream_flags() > 1) {
    return absl::InvalidArgumentError(absl::StrCat(
        "CudaStreamPoolOptions has stream_flags: ", options.stream_flags(),
        "; there are 0, and 1 for streams that do not wait for the default "
        "stream"));
  }
  if (options.has_cuda_green_context()) {
    return absl::UnimplementedError(absl::StrCat(
        "CudaStreamPoolOptions has cuda_green_context: \"",
        options.cuda_green_context(),
        "\", the name of a component, and there are none here. Write the part "
        "of the multiprocessors itself: sm_partition { sms_per_partition: 16 "
        "num_partitions: 2 index: 0 }"));
  }
  if (options.reserved_size() > CudaStreamPoolParameters::kMaxReserved) {
    return absl::InvalidArgumentError(absl::StrCat(
        "CudaStreamPoolOptions has reserved_size: ", options.reserved_size(),
        "; a pool makes at most ", CudaStreamPoolParameters::kMaxReserved,
        " streams before it is used. Reserve as many as nodes take from it"));
  }
  CudaStreamPoolParameters parameters;
  if (options.has_dev_id()) parameters.dev_id = options.dev_id();
  parameters.stream_flags = options.stream_flags();
  parameters.stream_priority = options.stream_priority();
  parameters.reserved_size = options.reserved_size();
  parameters.max_size = options.max_size();
  parameters.nvtx_identifier = options.nvtx_identifier();
  SYNCLINE_ASSIGN_OR_RETURN(parameters.sm_partition, PartitionOf(options));
  return parameters;
}

absl::StatusOr<std::shared_ptr<CudaStreamPool>> CudaStreamPool::Make(
    std::shared_ptr<Device> device, const CudaStreamPoolParameters& parameters,
    absl::string_view name) {
  std::shared_ptr<CudaStreamPool> pool(
      new CudaStreamPool(std::move(device), parameters, name));
  MutexLock lock(&pool->mutex_);
  for (std::uint32_t i = 0; i < parameters.reserved_size; ++i) {
    SYNCLINE_RETURN_IF_ERROR(pool->AddStream());
  }
  return pool;
}

CudaStreamPool::CudaStreamPool(std::shared_ptr<Device> device,
                               const CudaStreamPoolParameters& parameters,
                               absl::string_view name)
    : device_(std::move(device)), parameters_(parameters), name_(name) {
  if (parameters_.max_size == 0 ||
      parameters_.max_size >= parameters_.reserved_size) {
    return;
  }
  LOG(WARNING) << "CudaStreamPool \"" << name_ << "\" of " << device_->name()
               << ": max_size " << parameters_.max_size << " is raised to "
               << parameters_.reserved_size << ", its reserved_size.";
  parameters_.max_size = parameters_.reserved_size;
}

CudaStreamPool::~CudaStreamPool() {
  MutexLock lock(&mutex_);
  for (const Entry& entry : entries_) {
    AllManagedStreams().Remove(&entry.stream.core());
    entry.stream.Destroy();
  }
}

absl::Status CudaStreamPool::AddStream() {
  const std::string& prefix =
      parameters_.nvtx_identifier.empty() ? name_ : parameters_.nvtx_identifier;
  SYNCLINE_ASSIGN_OR_RETURN(
      Stream stream,
      Stream::Make(device_,
                   {.flags = parameters_.stream_flags,
                    .priority = parameters_.stream_priority,
                    .partition = parameters_.sm_partition},
                   absl::StrCat(prefix, "/", entries_.size())),
      _.SetPrepend() << "CudaStreamPool \"" << name_ << "\": ");
  AllManagedStreams().Add(&stream.core(), weak_from_this());
  entries_.push_back({std::move(stream), ""});
  return absl::OkStatus();
}

absl::Status CudaStreamPool::ExhaustedError(absl::string_view holder) const {
  return absl::ResourceExhaustedError(absl::StrCat(
      "CudaStreamPool \"", name_, "\" of ", device_->name(),
      " has no stream for ", holder, ": its max_size is ", parameters_.max_size,
      ", and streams are held by ",
      absl::StrJoin(entries_, ", ",
                    [](std::string* text, const Entry& entry) {
                      text->append(entry.holder);
                    }),
      ". Raise max_size to the number of nodes that share the pool, and of the "
      "streams that they allocate by name."));
}

absl::StatusOr<Stream> CudaStreamPool::Take(absl::string_view holder) {
  MutexLock lock(&mutex_);
  for (Entry& entry : entries_) {
    if (!entry.holder.empty()) continue;
    entry.holder = std::string(holder);
    return entry.stream;
  }
  if (parameters_.max_size != 0 && entries_.size() >= parameters_.max_size) {
    return ExhaustedError(holder);
  }
  SYNCLINE_RETURN_IF_ERROR(AddStream());
  entries_.back().holder = std::string(holder);
  return entries_.back().stream;
}

absl::Status CudaStreamPool::GiveBack(const Stream& stream) {
  MutexLock lock(&mutex_);
  for (Entry& entry : entries_) {
    if (!(entry.stream == stream) || entry.holder.empty()) continue;
    entry.holder.clear();
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat(stream.is_null() ? "no stream" : stream.core().ToText(),
                   " was not taken from CudaStreamPool \"", name_, "\" of ",
                   device_->name()));
}

int CudaStreamPool::size() const {
  MutexLock lock(&mutex_);
  return static_cast<int>(entries_.size());
}

int CudaStreamPool::num_taken() const {
  MutexLock lock(&mutex_);
  int num_taken = 0;
  for (const Entry& entry : entries_) num_taken += !entry.holder.empty();
  return num_taken;
}

absl::optional<CudaStreamPool::Managed> CudaStreamPool::Find(
    const StreamCore& stream) {
  std::shared_ptr<CudaStreamPool> pool = AllManagedStreams().PoolOf(&stream);
  if (pool == nullptr) return absl::nullopt;
  MutexLock lock(&pool->mutex_);
  for (const Entry& entry : pool->entries_) {
    if (&entry.stream.core() != &stream) continue;
    return Managed{entry.stream, pool};
  }
  return absl::nullopt;
}

}  // namespace syncline::gpu
