// Timestamp: a point in a stream's time. TimestampDiff: the distance of two
// timestamps.
//
// A timestamp is a number of microseconds, or one of these values, in order:
//
//   Unset              no timestamp: what a new Timestamp or Packet has
//   Unstarted          before everything: the input timestamp in Open
//   PreStream          of the only packet of a stream, like a header
//   Min .. Max         the range: ordinary packets
//   PostStream         of the only packet of a stream, like a summary
//   OneOverPostStream  a bound: no packet can follow
//   Done               a bound: the stream is closed; also the input timestamp
//                      in Close
//
// Min and Max are special values that are also in the range. Arithmetic is for
// range values; adding a difference stops at Min and Max in place of leaving
// the range. Arithmetic without a result (on another special value, or with a
// difference that does not fit in 64 bits) is a misuse: see base/misuse.h.
//
// Thread rule: values of 8 bytes.
// Tested by timestamp_test.

#ifndef SYNCLINE_FRAMEWORK_PACKET_TIMESTAMP_H_
#define SYNCLINE_FRAMEWORK_PACKET_TIMESTAMP_H_

#include <compare>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <utility>

#include "absl/base/optimization.h"

namespace syncline {

class TimestampDiff;

class Timestamp {
 public:
  static constexpr double kTimestampUnitsPerSecond = 1000000.0;
  static constexpr double kTimestampUnitsPerMillisecond = 1000.0;

  // Unset.
  constexpr Timestamp() : value_(kUnset) {}

  // A misuse for the value of any special timestamp, Min and Max included: such
  // a number is not a time that somebody measured.
  explicit constexpr Timestamp(std::int64_t value) : value_(value) {
    if (IsSpecialValue()) ReportSpecialValue(value);
  }

  // For a value that came from Value().
  static constexpr Timestamp CreateNoErrorChecking(std::int64_t value) {
    return Timestamp(value, Unchecked());
  }

  // The nearest microsecond; halves away from zero. What is not a number or
  // not in the range is a misuse.
  static Timestamp FromSeconds(double seconds);
  static Timestamp FromMilliseconds(double milliseconds);
  static constexpr Timestamp FromMicroseconds(std::int64_t microseconds) {
    return Timestamp(microseconds);
  }

  static constexpr Timestamp Unset() { return {kUnset, Unchecked()}; }
  static constexpr Timestamp Unstarted() { return {kUnset + 1, Unchecked()}; }
  static constexpr Timestamp PreStream() { return {kUnset + 2, Unchecked()}; }
  static constexpr Timestamp Min() { return {kUnset + 3, Unchecked()}; }
  static constexpr Timestamp Max() { return {kDone - 3, Unchecked()}; }
  static constexpr Timestamp PostStream() { return {kDone - 2, Unchecked()}; }
  static constexpr Timestamp OneOverPostStream() {
    return {kDone - 1, Unchecked()};
  }
  static constexpr Timestamp Done() { return {kDone, Unchecked()}; }

  constexpr std::int64_t Value() const { return value_; }
  constexpr double Seconds() const {
    return static_cast<double>(value_) / kTimestampUnitsPerSecond;
  }
  constexpr double Milliseconds() const {
    return static_cast<double>(value_) / kTimestampUnitsPerMillisecond;
  }
  constexpr std::int64_t Microseconds() const { return value_; }

  // Outside of the range, or at one of its ends.
  constexpr bool IsSpecialValue() const {
    return *this <= Min() || *this >= Max();
  }
  // Min .. Max.
  constexpr bool IsRangeValue() const {
    return *this >= Min() && *this <= Max();
  }
  // PreStream .. PostStream: what a packet in a stream may have.
  constexpr bool IsAllowedInStream() const {
    return *this >= PreStream() && *this <= PostStream();
  }

  friend constexpr auto operator<=>(Timestamp, Timestamp) = default;

  // REQUIRES: range values.
  constexpr TimestampDiff operator-(Timestamp other) const;
  constexpr Timestamp operator+(TimestampDiff difference) const;
  constexpr Timestamp operator-(TimestampDiff difference) const;
  constexpr Timestamp& operator+=(TimestampDiff difference);
  constexpr Timestamp& operator-=(TimestampDiff difference);
  constexpr Timestamp& operator++();
  constexpr Timestamp& operator--();
  constexpr Timestamp operator++(int);
  constexpr Timestamp operator--(int);

  // The earliest timestamp that a packet may have after one at this timestamp.
  // OneOverPostStream where there is none: after PreStream, after Max (so that
  // PostStream cannot follow Max), and after what is later than Max.
  constexpr Timestamp NextAllowedInStream() const {
    if (ABSL_PREDICT_TRUE(*this >= Min() && *this < Max())) {
      return {value_ + 1, Unchecked()};
    }
    return *this >= Max() || *this == PreStream() ? OneOverPostStream() : Min();
  }
  constexpr bool HasNextAllowedInStream() const {
    return *this < Max() && *this != PreStream();
  }
  // The latest timestamp that a packet may have had before one at this
  // timestamp: the input timestamp that is settled when this is the bound. Done
  // and OneOverPostStream give Max. Unstarted where there is none: before Min
  // and whatever is earlier, and before PostStream.
  constexpr Timestamp PreviousAllowedInStream() const {
    if (*this <= Min() || *this == PostStream()) return Unstarted();
    if (*this > Max()) return Max();
    return {value_ - 1, Unchecked()};
  }

  // "Timestamp::PreStream()" for a special value, else the number.
  std::string DebugString() const;

  template <typename H>
  friend H AbslHashValue(H h, Timestamp timestamp) {
    return H::combine(std::move(h), timestamp.value_);
  }
  friend std::ostream& operator<<(std::ostream& out, Timestamp timestamp) {
    return out << timestamp.DebugString();
  }

 private:
  struct Unchecked {};

  static constexpr std::int64_t kUnset =
      std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t kDone =
      std::numeric_limits<std::int64_t>::max();

  constexpr Timestamp(std::int64_t value, Unchecked) : value_(value) {}

  [[noreturn]] static void ReportSpecialValue(std::int64_t value);
  [[noreturn]] static void ReportNotInRange(Timestamp left,
                                            const char* operation,
                                            const std::string& right);

  std::int64_t value_;
};

// Microseconds. A result that does not fit in 64 bits is a misuse.
class TimestampDiff {
 public:
  constexpr TimestampDiff() : value_(0) {}
  // Implicit, so that a number can be added to a timestamp.
  constexpr TimestampDiff(std::int64_t value) : value_(value) {}  // NOLINT

  static TimestampDiff FromSeconds(double seconds);
  static TimestampDiff FromMilliseconds(double milliseconds);
  static constexpr TimestampDiff FromMicroseconds(std::int64_t microseconds) {
    return TimestampDiff(microseconds);
  }

  // "No offset".
  static constexpr TimestampDiff Unset() {
    return TimestampDiff(std::numeric_limits<std::int64_t>::min());
  }

  constexpr std::int64_t Value() const { return value_; }
  constexpr double Seconds() const {
    return static_cast<double>(value_) / Timestamp::kTimestampUnitsPerSecond;
  }
  constexpr double Milliseconds() const {
    return static_cast<double>(value_) /
           Timestamp::kTimestampUnitsPerMillisecond;
  }
  constexpr std::int64_t Microseconds() const { return value_; }

  friend constexpr auto operator<=>(TimestampDiff, TimestampDiff) = default;

  constexpr TimestampDiff operator+(TimestampDiff other) const {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(value_, other.value_, &sum)) {
      ReportOverflow(value_, "+", other.value_);
    }
    return sum;
  }
  constexpr TimestampDiff operator-(TimestampDiff other) const {
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(value_, other.value_, &difference)) {
      ReportOverflow(value_, "-", other.value_);
    }
    return difference;
  }
  constexpr TimestampDiff operator-() const { return TimestampDiff(0) - *this; }
  constexpr TimestampDiff& operator+=(TimestampDiff other) {
    return *this = *this + other;
  }
  constexpr TimestampDiff& operator-=(TimestampDiff other) {
    return *this = *this - other;
  }
  constexpr Timestamp operator+(Timestamp timestamp) const {
    return timestamp + *this;
  }

  // The number; "TimestampDiff::Unset()" for that value.
  std::string DebugString() const;

  template <typename H>
  friend H AbslHashValue(H h, TimestampDiff difference) {
    return H::combine(std::move(h), difference.value_);
  }
  friend std::ostream& operator<<(std::ostream& out, TimestampDiff difference) {
    return out << difference.DebugString();
  }

 private:
  friend class Timestamp;

  [[noreturn]] static void ReportOverflow(std::int64_t left,
                                          const char* operation,
                                          std::int64_t right);

  std::int64_t value_;
};

constexpr TimestampDiff Timestamp::operator-(Timestamp other) const {
  if (!IsRangeValue() || !other.IsRangeValue()) {
    ReportNotInRange(*this, "-", other.DebugString());
  }
  return TimestampDiff(value_) - TimestampDiff(other.value_);
}

constexpr Timestamp Timestamp::operator+(TimestampDiff difference) const {
  if (!IsRangeValue()) ReportNotInRange(*this, "+", difference.DebugString());
  std::int64_t sum = 0;
  if (__builtin_add_overflow(value_, difference.value_, &sum)) {
    return difference.value_ > 0 ? Max() : Min();
  }
  const Timestamp result(sum, Unchecked());
  return result < Min() ? Min() : result > Max() ? Max() : result;
}

constexpr Timestamp Timestamp::operator-(TimestampDiff difference) const {
  if (!IsRangeValue()) ReportNotInRange(*this, "-", difference.DebugString());
  std::int64_t rest = 0;
  if (__builtin_sub_overflow(value_, difference.value_, &rest)) {
    return difference.value_ > 0 ? Min() : Max();
  }
  const Timestamp result(rest, Unchecked());
  return result < Min() ? Min() : result > Max() ? Max() : result;
}

constexpr Timestamp& Timestamp::operator+=(TimestampDiff difference) {
  return *this = *this + difference;
}
constexpr Timestamp& Timestamp::operator-=(TimestampDiff difference) {
  return *this = *this - difference;
}
constexpr Timestamp& Timestamp::operator++() { return *this += 1; }
constexpr Timestamp& Timestamp::operator--() { return *this -= 1; }
constexpr Timestamp Timestamp::operator++(int) {
  const Timestamp before = *this;
  ++*this;
  return before;
}
constexpr Timestamp Timestamp::operator--(int) {
  const Timestamp before = *this;
  --*this;
  return before;
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PACKET_TIMESTAMP_H_
