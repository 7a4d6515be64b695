#include "framework/condition/memory_available_condition.h"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "framework/condition/condition.h"
#include "framework/config/conditions.pb.h"
#include "framework/memory/allocator.h"

namespace syncline {

absl::Status MemoryAvailableCondition::Initialize(ConditionSetup* setup) {
  const auto& options = setup->Options<MemoryAvailableConditionOptions>();
  SYNCLINE_RETURN_IF_ERROR(
      setup->CheckAllocator("allocator", options.allocator()));
  if (options.has_min_bytes() == options.has_min_blocks()) {
    return absl::InvalidArgumentError(absl::StrCat(
        options.has_min_bytes() ? "min_bytes and min_blocks are both set"
                                : "Neither min_bytes nor min_blocks is set",
        "; set one of them."));
  }
  allocator_name_ = options.allocator();
  min_bytes_ = options.min_bytes();
  min_blocks_ = options.min_blocks();
  if (min_bytes_ == 0 && min_blocks_ == 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        options.has_min_bytes() ? "min_bytes" : "min_blocks",
        " is 0, which is always available. Set it to at least 1."));
  }
  return absl::OkStatus();
}

void MemoryAvailableCondition::Join(
    absl::Span<const std::shared_ptr<ConditionBase>> conditions) {
  std::map<std::string, std::shared_ptr<SetAside>> by_allocator;
  for (const std::shared_ptr<ConditionBase>& one : conditions) {
    auto* const condition = dynamic_cast<MemoryAvailableCondition*>(one.get());
    if (condition == nullptr) continue;
    const auto [found, is_first] = by_allocator.try_emplace(
        condition->allocator_name_, condition->set_aside_);
    condition->set_aside_ = found->second;
    condition->is_first_ = is_first;
  }
}

absl::Status MemoryAvailableCondition::Start(const ConditionRun& run) {
  {
    MutexLock lock(&mutex_);
    allocator_ = run.allocator(allocator_name_);
  }
  if (allocator_ == nullptr) {
    return absl::FailedPreconditionError(
        absl::StrCat("The run has no allocator \"", allocator_name_, "\"."));
  }
  const std::size_t block_size = allocator_->block_size();
  const absl::optional<std::size_t> capacity = allocator_->capacity_bytes();
  bytes_ = min_bytes_;
  const bool is_too_much =
      min_blocks_ > 0 &&
      __builtin_mul_overflow(min_blocks_, block_size, &bytes_);
  if (is_too_much || (capacity && bytes_ > *capacity)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "The node waits for ",
        min_blocks_ > 0
            ? absl::StrCat(min_blocks_, " blocks of ", block_size, " bytes")
            : absl::StrCat(min_bytes_, " bytes"),
        " of the allocator \"", allocator_name_, "\", which ",
        capacity ? absl::StrCat("never has more than ", *capacity, " bytes")
                 : "cannot be counted",
        ". Ask for less, or give it more."));
  }
  released_ = allocator_->AddReleaseListener([this] { Notify(); });
  return absl::OkStatus();
}

absl::StatusOr<ConditionResult> MemoryAvailableCondition::Check(
    const NodeFacts&) {
  return allocator_->IsAvailable(bytes_)
             ? ConditionResult::Ready()
             : ConditionResult::WaitForEvent("memory to be given back");
}

absl::StatusOr<bool> MemoryAvailableCondition::OnDispatch(
    const NodeFacts&, const ConditionResult& result) {
  if (is_first_) set_aside_->bytes = 0;
  MemoryReservation reservation;
  // In a group, the call may come without memory.
  if (result.state == ConditionState::kReady && bytes_ > set_aside_->bytes) {
    const std::size_t missing = bytes_ - set_aside_->bytes;
    if (!allocator_->TryReserve(missing, &reservation)) return false;
    // Whole blocks, of which the next one has the rest.
    const std::size_t block =
        std::max<std::size_t>(1, allocator_->block_size());
    set_aside_->bytes += (missing - 1) / block * block + block;
  }
  MutexLock lock(&mutex_);
  dispatched_.push_back(std::move(reservation));
  return true;
}

// Memory is given back without the lock: whoever waits for it is told.

void MemoryAvailableCondition::OnDispatchUndone() {
  MemoryReservation given_back;
  MutexLock lock(&mutex_);
  given_back = std::move(dispatched_.back());
  dispatched_.pop_back();
}

void MemoryAvailableCondition::BeforeExecute() {
  MemoryReservation reservation;
  {
    MutexLock lock(&mutex_);
    if (dispatched_.empty()) return;
    reservation = std::move(dispatched_.front());
    dispatched_.pop_front();
  }
  auto call = std::make_unique<Call>(std::move(reservation));
  MutexLock lock(&mutex_);
  calls_[std::this_thread::get_id()] = std::move(call);
}

absl::Status MemoryAvailableCondition::OnExecute(std::int64_t) {
  std::unique_ptr<Call> over;
  MutexLock lock(&mutex_);
  const auto found = calls_.find(std::this_thread::get_id());
  if (found == calls_.end()) return absl::OkStatus();
  over = std::move(found->second);
  calls_.erase(found);
  return absl::OkStatus();
}

void MemoryAvailableCondition::Stop() {
  released_.End();
  // Calls are left where the run ended with an error within them.
  std::deque<MemoryReservation> dispatched;
  std::map<std::thread::id, std::unique_ptr<Call>> calls;
  std::shared_ptr<Allocator> allocator;
  MutexLock lock(&mutex_);
  allocator.swap(allocator_);
  dispatched.swap(dispatched_);
  calls.swap(calls_);
}

std::string MemoryAvailableCondition::WaitText() const {
  std::shared_ptr<Allocator> allocator;
  {
    MutexLock lock(&mutex_);
    allocator = allocator_;
  }
  if (allocator == nullptr) return "";
  const std::string use = allocator->UseText();
  return absl::StrCat("allocator \"", allocator_name_, "\" ",
                      use.empty() ? "has too little memory" : use);
}

REGISTER_CONDITION(MemoryAvailableCondition);
REGISTER_CONDITION_ALIAS(MemoryAvailableCondition,
                         MemoryAvailableSchedulingTerm);

}  // namespace syncline
