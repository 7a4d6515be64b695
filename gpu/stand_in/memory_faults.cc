#include "gpu/stand_in/memory_faults.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/fatal_signal_hook.h"
#include "framework/base/mutex.h"
#include "framework/base/no_destructor.h"

namespace syncline::gpu {
namespace {

constexpr int kMostRanges = 1 << 15;
constexpr std::size_t kMostText = 150;

// A slot is in use while `end` is not 0. `end` is set last and cleared first.
struct Slot {
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::uintptr_t> end{0};
  FaultRangeKind kind = FaultRangeKind::kHostAddress;
  std::array<char, kMostText + 1> text = {};
};

// What the hook reads.
std::array<Slot, kMostRanges> slots;
std::atomic<int> num_slots{0};  // those that were ever in use
constinit thread_local const char* running_work = nullptr;

// --- What follows runs in a signal handler.

// A message of limited length, made without memory of the heap.
class Line {
 public:
  Line& Add(const char* text) {
    while (*text != '\0' && size_ < bytes_.size()) bytes_[size_++] = *text++;
    return *this;
  }
  Line& Add(std::uintptr_t number) {
    std::array<char, 24> digits;
    std::size_t next = digits.size();
    digits[--next] = '\0';
    do {
      digits[--next] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number > 0);
    return Add(&digits[next]);
  }
  void Write() const {
    // There is nobody to tell if this fails.
    const ssize_t written = write(STDERR_FILENO, bytes_.data(), size_);
    static_cast<void>(written);
  }

 private:
  std::array<char, 700> bytes_;
  std::size_t size_ = 0;
};

void WriteWhoAndWhat(const Slot& slot, std::uintptr_t offset, Line* line) {
  line->Add("Syncline: ");
  if (running_work != nullptr) {
    line->Add("the work \"").Add(running_work).Add("\"");
  } else {
    line->Add("the host");
  }
  line->Add(" touched byte ").Add(offset).Add(" of ").Add(slot.text.data());
}

void WriteWhy(const Slot& slot, Line* line) {
  switch (slot.kind) {
    case FaultRangeKind::kHostAddress:
      line->Add(
          running_work != nullptr
              ? ", which it does not declare. Declare it with Reads() or "
                "Writes(), and use the address that the kernel is given."
              : ", which only work of the device may touch. Copy it to the "
                "host, or use pinned or managed memory.");
      return;
    case FaultRangeKind::kReadView:
      line->Add(
          ", to write it or outside of work that declares it, by an address "
          "that is for reading. Declare it with Writes().");
      return;
    case FaultRangeKind::kWriteView:
      line->Add(
          " outside of work that declares it. An address that a kernel is "
          "given is good until the kernel ends.");
      return;
    case FaultRangeKind::kGivenBack:
      line->Add(", which was given back. Keep a handle of the buffer.");
      return;
  }
}

void SayWhichBuffer(int signal, siginfo_t* info) {
  if (signal != SIGSEGV && signal != SIGBUS) return;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const int count = std::min(num_slots.load(), kMostRanges);
  for (int i = 0; i < count; ++i) {
    const Slot& slot = slots[static_cast<std::size_t>(i)];
    const std::uintptr_t end = slot.end.load(std::memory_order_acquire);
    const std::uintptr_t begin = slot.begin.load(std::memory_order_relaxed);
    if (address < begin || address >= end) continue;
    Line line;
    WriteWhoAndWhat(slot, address - begin, &line);
    WriteWhy(slot, &line);
    line.Add("\n").Write();
    return;
  }
}

// --- What follows does not.

class SlotList {
 public:
  // -1: the table is full.
  int Take() {
    MutexLock lock(&mutex_);
    if (!hook_.has_value()) {
      hook_.emplace(FatalSignalHook::Stage::kMessage, SayWhichBuffer);
    }
    if (!free_.empty()) {
      const int slot = free_.back();
      free_.pop_back();
      return slot;
    }
    const int slot = num_slots.load();
    if (slot >= kMostRanges) return -1;
    num_slots.store(slot + 1);
    return slot;
  }
  void GiveBack(int slot) {
    MutexLock lock(&mutex_);
    free_.push_back(slot);
  }

 private:
  Mutex mutex_;
  absl::optional<FatalSignalHook> hook_ ABSL_GUARDED_BY(mutex_);
  std::vector<int> free_ ABSL_GUARDED_BY(mutex_);
};

SlotList& Slots() {
  static NoDestructor<SlotList> list;
  return *list;
}

}  // namespace

FaultRange::FaultRange(const std::byte* begin, std::size_t size,
                       FaultRangeKind kind, absl::string_view text)
    : slot_(Slots().Take()) {
  if (slot_ < 0) return;
  Slot& slot = slots[static_cast<std::size_t>(slot_)];
  slot.kind = kind;
  const std::size_t length = std::min(text.size(), kMostText);
  std::memcpy(slot.text.data(), text.data(), length);
  slot.text[length] = '\0';
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  slot.begin.store(address, std::memory_order_relaxed);
  slot.end.store(address + size, std::memory_order_release);
}

FaultRange::~FaultRange() {
  if (slot_ < 0) return;
  slots[static_cast<std::size_t>(slot_)].end.store(0);
  Slots().GiveBack(slot_);
}

FaultRange& FaultRange::operator=(FaultRange&& other) noexcept {
  std::swap(slot_, other.slot_);
  return *this;
}

RunningWorkScope::RunningWorkScope(const char* name) : outer_(running_work) {
  running_work = name;
}

RunningWorkScope::~RunningWorkScope() { running_work = outer_; }

}  // namespace syncline::gpu
