#include "framework/packet/timestamp.h"

#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"

namespace syncline {
namespace {

// `count` units of `microseconds` each, rounded. `what` is for the error.
std::int64_t ToMicroseconds(double count, double microseconds,
                            const char* what) {
  const double rounded = std::round(count * microseconds);
  // 2^63 is exact as a double; written so that NaN fails too.
  constexpr double kLimit = 9223372036854775808.0;
  if (!(rounded > -kLimit && rounded < kLimit)) {
    ReportMisuse(absl::InvalidArgumentError(
        absl::StrCat(what, "(", count,
                     ") is not a time that 64 bits of microseconds hold.")));
  }
  return static_cast<std::int64_t>(rounded);
}

}  // namespace

Timestamp Timestamp::FromSeconds(double seconds) {
  return Timestamp(ToMicroseconds(seconds, kTimestampUnitsPerSecond,
                                  "Timestamp::FromSeconds"));
}

Timestamp Timestamp::FromMilliseconds(double milliseconds) {
  return Timestamp(ToMicroseconds(milliseconds, kTimestampUnitsPerMillisecond,
                                  "Timestamp::FromMilliseconds"));
}

std::string Timestamp::DebugString() const {
  if (!IsSpecialValue()) return absl::StrCat(value_);
  if (*this == Unset()) return "Timestamp::Unset()";
  if (*this == Unstarted()) return "Timestamp::Unstarted()";
  if (*this == PreStream()) return "Timestamp::PreStream()";
  if (*this == Min()) return "Timestamp::Min()";
  if (*this == Max()) return "Timestamp::Max()";
  if (*this == PostStream()) return "Timestamp::PostStream()";
  if (*this == OneOverPostStream()) return "Timestamp::OneOverPostStream()";
  return "Timestamp::Done()";
}

void Timestamp::ReportSpecialValue(std::int64_t value) {
  ReportMisuse(absl::InvalidArgumentError(
      absl::StrCat("Timestamp(", value, ") has the value of ",
                   CreateNoErrorChecking(value).DebugString(),
                   "; write that, or use Timestamp::CreateNoErrorChecking.")));
}

void Timestamp::ReportNotInRange(Timestamp left, const char* operation,
                                 const std::string& right) {
  ReportMisuse(absl::InvalidArgumentError(absl::StrCat(
      left.DebugString(), " ", operation, " ", right,
      " has no result: arithmetic is for timestamps from Timestamp::Min() to "
      "Timestamp::Max(). Test with IsRangeValue() first.")));
}

TimestampDiff TimestampDiff::FromSeconds(double seconds) {
  return ToMicroseconds(seconds, Timestamp::kTimestampUnitsPerSecond,
                        "TimestampDiff::FromSeconds");
}

TimestampDiff TimestampDiff::FromMilliseconds(double milliseconds) {
  return ToMicroseconds(milliseconds, Timestamp::kTimestampUnitsPerMillisecond,
                        "TimestampDiff::FromMilliseconds");
}

std::string TimestampDiff::DebugString() const {
  if (*this == Unset()) return "TimestampDiff::Unset()";
  return absl::StrCat(value_);
}

void TimestampDiff::ReportOverflow(std::int64_t left, const char* operation,
                                   std::int64_t right) {
  ReportMisuse(absl::OutOfRangeError(
      absl::StrCat("The timestamp difference ", left, " ", operation, " ",
                   right, " does not fit in 64 bits.")));
}

}  // namespace syncline
