// Ring: a queue of values (first in, first out) that allocates only to grow.
//
// std::deque allocates a block for every few values that pass through it, even
// when it never holds more than one. A queue between two nodes mostly has
// length 0 or 1, so the first slot is in the ring itself. Beyond it the
// capacity doubles, and never shrinks: a queue keeps the memory of its greatest
// length. A ring of packets is small, so that an input's queue is one cache
// line.
//
// T can be default-constructed and moved. Slots are not destroyed when a value
// leaves, so a value that was moved away must own nothing.
//
// Thread rule: one thread at a time.
// Tested by ring_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_RING_H_
#define SYNCLINE_FRAMEWORK_BASE_RING_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "absl/base/attributes.h"
#include "absl/base/optimization.h"

namespace syncline {

template <typename T>
class Ring {
 public:
  Ring() = default;
  ~Ring() {
    if (ABSL_PREDICT_FALSE(slots_ != &first_)) delete[] slots_;
  }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  bool empty() const { return size_ == 0; }
  size_t size() const { return size_; }
  size_t capacity() const { return size_t{1} << log_capacity_; }

  // REQUIRES: !empty().
  const T& front() const { return slots_[head_]; }
  T& front() { return slots_[head_]; }
  // The value `i` places behind the front. REQUIRES: i < size().
  const T& at(size_t i) const { return slots_[Slot(i)]; }
  const T& back() const { return at(size_ - 1); }

  void push_back(T&& value) {
    if (size_ == 0) return push_first(std::move(value));
    if (ABSL_PREDICT_FALSE(size_ == capacity())) Grow();
    slots_[Slot(size_)] = std::move(value);
    ++size_;
  }
  // REQUIRES: empty().
  void push_first(T&& value) {
    slots_[head_] = std::move(value);
    size_ = 1;
  }

  // Takes the front out. REQUIRES: !empty().
  T pop_front() {
    T value = std::move(slots_[head_]);
    // An empty ring may begin anywhere.
    if (--size_ != 0) head_ = static_cast<std::uint32_t>(Slot(1));
    return value;
  }
  // The same where it is the only value. REQUIRES: size() == 1.
  T pop_only() {
    size_ = 0;
    return std::move(slots_[head_]);
  }
  // Takes out the value `i` places behind the front, and moves up those behind
  // it. REQUIRES: i < size().
  T take(size_t i) {
    T value = std::move(slots_[Slot(i)]);
    for (; i + 1 < size_; ++i) slots_[Slot(i)] = std::move(slots_[Slot(i + 1)]);
    --size_;
    return value;
  }

  // Drops every value. The memory stays.
  void clear() {
    while (!empty()) pop_front();
  }

 private:
  static constexpr std::uint8_t kLogOfFirstArray = 2;

  // The slot `i` places behind the front.
  size_t Slot(size_t i) const { return (head_ + i) & (capacity() - 1); }

  ABSL_ATTRIBUTE_NOINLINE void Grow() {
    const auto log_capacity = static_cast<std::uint8_t>(
        std::max<int>(log_capacity_ + 1, kLogOfFirstArray));
    auto slots = std::make_unique<T[]>(size_t{1} << log_capacity);
    for (size_t i = 0; i < size_; ++i) slots[i] = std::move(slots_[Slot(i)]);
    if (slots_ != &first_) delete[] slots_;
    slots_ = slots.release();
    log_capacity_ = log_capacity;
    head_ = 0;
  }

  T first_{};
  T* slots_ = &first_;  // or an array that is owned
  std::uint32_t size_ = 0;
  std::uint32_t head_ = 0;
  std::uint8_t log_capacity_ = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_RING_H_
