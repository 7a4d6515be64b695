#include "gpu/stand_in/device_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/mutex.h"
#include "framework/base/no_destructor.h"

namespace syncline::gpu {
namespace {

constexpr std::size_t kPage = 4096;
// Addresses of memory that was given back.
constexpr std::size_t kMostKept = 64;

std::size_t WholePages(std::size_t size) {
  return (size + kPage - 1) / kPage * kPage;
}

bool HostMayTouch(MemoryStorageType kind) {
  return kind != MemoryStorageType::kDevice;
}

// An address range of memory that is gone. Nothing is mapped there, but nobody
// else gets the addresses either.
struct KeptRange {
  std::byte* begin;
  std::size_t size;
  FaultRange range;
};

// All memory of stand-in devices of the process, by its address.
class Table {
 public:
  void Add(const std::shared_ptr<DeviceMemory>& memory) {
    MutexLock lock(&mutex_);
    by_address_[memory->data()] = memory;
  }
  void Remove(const std::byte* address) {
    MutexLock lock(&mutex_);
    by_address_.erase(address);
  }
  std::shared_ptr<DeviceMemory> Find(const std::byte* address) {
    // Destroyed after the lock is released: its destructor comes here.
    std::shared_ptr<DeviceMemory> memory;
    MutexLock lock(&mutex_);
    auto after = by_address_.upper_bound(address);
    if (after == by_address_.begin()) return nullptr;
    --after;
    memory = after->second.lock();
    if (memory == nullptr || address >= after->first + memory->size()) {
      return nullptr;
    }
    return memory;
  }
  // Takes a range that is mapped without access.
  void Keep(KeptRange kept) {
    MutexLock lock(&mutex_);
    kept_.push_back(std::move(kept));
    if (kept_.size() <= kMostKept) return;
    munmap(kept_.front().begin, kept_.front().size);
    kept_.pop_front();
  }

 private:
  Mutex mutex_;
  std::map<const std::byte*, std::weak_ptr<DeviceMemory>> by_address_
      ABSL_GUARDED_BY(mutex_);
  std::deque<KeptRange> kept_ ABSL_GUARDED_BY(mutex_);
};

Table& AllMemory() {
  static NoDestructor<Table> table;
  return *table;
}

}  // namespace

DeviceMemory::DeviceMemory(MemoryStorageType kind, std::size_t size, int device,
                           absl::string_view text)
    : kind_(kind),
      size_(size),
      mapped_size_(WholePages(size)),
      device_(device),
      text_(text) {}

absl::StatusOr<std::shared_ptr<DeviceMemory>> DeviceMemory::Make(
    MemoryStorageType kind, std::size_t size, int device,
    absl::string_view text) {
  std::shared_ptr<DeviceMemory> memory(
      new DeviceMemory(kind, size, device, text));
  if (const int error = memory->Map(); error != 0) {
    return absl::ResourceExhaustedError(
        absl::StrCat("The machine has no memory for ", text, ": ",
                     absl::ErrnoToStatus(error, "").ToString()));
  }
  memory->NameRanges();
  AllMemory().Add(memory);
  return memory;
}

int DeviceMemory::Map() {
  const int file = memfd_create("syncline_stand_in", MFD_CLOEXEC);
  if (file < 0) return errno;
  int error =
      ftruncate(file, static_cast<off_t>(mapped_size_)) == 0 ? 0 : errno;
  const auto map = [&](int protection) -> std::byte* {
    if (error != 0) return nullptr;
    void* const address =
        mmap(nullptr, mapped_size_, protection, MAP_SHARED, file, 0);
    if (address == MAP_FAILED) error = errno;
    return address == MAP_FAILED ? nullptr : static_cast<std::byte*>(address);
  };
  host_ = map(HostMayTouch(kind_) ? PROT_READ | PROT_WRITE : PROT_NONE);
  MutexLock lock(&mutex_);
  for (View& view : views_) view.begin = map(PROT_NONE);
  close(file);
  return error;
}

void DeviceMemory::NameRanges() {
  host_range_ =
      FaultRange(host_, mapped_size_, FaultRangeKind::kHostAddress, text_);
  MutexLock lock(&mutex_);
  views_[0].range = FaultRange(views_[0].begin, mapped_size_,
                               FaultRangeKind::kReadView, text_);
  views_[1].range = FaultRange(views_[1].begin, mapped_size_,
                               FaultRangeKind::kWriteView, text_);
}

DeviceMemory::~DeviceMemory() {
  MutexLock lock(&mutex_);
  for (View& view : views_) {
    if (view.begin != nullptr) munmap(view.begin, mapped_size_);
  }
  if (host_ == nullptr) return;
  AllMemory().Remove(host_);
  // In one step, so that nobody gets the addresses meanwhile.
  void* const kept =
      mmap(host_, mapped_size_, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  host_range_ = FaultRange();
  if (kept == MAP_FAILED) return;
  AllMemory().Keep(
      {host_, mapped_size_,
       FaultRange(host_, mapped_size_, FaultRangeKind::kGivenBack, text_)});
}

std::shared_ptr<DeviceMemory> DeviceMemory::Find(const void* address) {
  return AllMemory().Find(static_cast<const std::byte*>(address));
}

std::byte* DeviceMemory::OpenView(bool may_write, std::size_t offset) {
  MutexLock lock(&mutex_);
  View& view = views_[may_write ? 1 : 0];
  if (view.num_users++ == 0) {
    mprotect(view.begin, mapped_size_,
             may_write ? PROT_READ | PROT_WRITE : PROT_READ);
  }
  return view.begin + offset;
}

void DeviceMemory::CloseView(bool may_write) {
  MutexLock lock(&mutex_);
  View& view = views_[may_write ? 1 : 0];
  if (--view.num_users == 0) mprotect(view.begin, mapped_size_, PROT_NONE);
}

}  // namespace syncline::gpu
