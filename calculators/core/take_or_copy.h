// TakeOrCopy: gives the value of an input as a copy if it can be copied;
// otherwise takes it out of the packet.
//
//   SYNCLINE_RETURN_IF_ERROR(TakeOrCopy<T>(input, [&result](auto&& value) {
//     result.push_back(std::forward<decltype(value)>(value));
//   }));
//
// Packets are shared, so a value that can be copied is copied. Another value
// can be taken only if nobody else has the packet. AppendElements does the same
// for the elements of a vector.
//
// Thread rule: pure functions on one call's data.
// Tested by vector_calculators_test and loop_calculators_test.

#ifndef SYNCLINE_CALCULATORS_CORE_TAKE_OR_COPY_H_
#define SYNCLINE_CALCULATORS_CORE_TAKE_OR_COPY_H_

#include <algorithm>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "framework/calculator_framework.h"

namespace syncline {

// std::vector<std::unique_ptr<T>> claims that it can be copied, but it cannot.
template <typename T>
inline constexpr bool kCanBeCopied = std::is_copy_constructible_v<T>;
template <typename T, typename Allocator>
inline constexpr bool kCanBeCopied<std::vector<T, Allocator>> = kCanBeCopied<T>;

// Takes the value out of the input's packet. INVALID_ARGUMENT, with the name of
// the stream, if the packet has other readers.
template <typename T>
absl::StatusOr<std::unique_ptr<T>> Take(InputStream& input) {
  absl::StatusOr<std::unique_ptr<T>> value =
      input.Value().template Consume<T>();
  if (value.ok()) return value;
  return absl::InvalidArgumentError(absl::StrCat(
      "The value of input stream \"", input.Name(), "\" at ",
      input.Value().Timestamp().DebugString(),
      " is to be moved, since its elements cannot be copied or the calculator "
      "moves them, but it is shared; let this node be the stream's only "
      "reader: ",
      value.status().message()));
}

// Calls use(const T&) or use(T&&) with the value of an input that has a packet.
template <typename T, typename Use>
absl::Status TakeOrCopy(InputStream& input, Use&& use) {
  if constexpr (kCanBeCopied<T>) {
    use(input.template Get<T>());
  } else {
    SYNCLINE_ASSIGN_OR_RETURN(const std::unique_ptr<T> value, Take<T>(input));
    use(std::move(*value));
  }
  return absl::OkStatus();
}

template <typename T>
void AppendElements(const std::vector<T>& elements, std::vector<T>& result) {
  result.insert(result.end(), elements.begin(), elements.end());
}
template <typename T>
void AppendElements(std::vector<T>&& elements, std::vector<T>& result) {
  std::move(elements.begin(), elements.end(), std::back_inserter(result));
}

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_CORE_TAKE_OR_COPY_H_
