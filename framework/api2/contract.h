// The contract of a typed calculator: a list of its ports and its other
// properties.
//
//   SYNCLINE_NODE_CONTRACT(
//       kIn, kOut, StreamHandler("ImmediateInputStreamHandler"),
//       TimestampChange::Arbitrary());
//
// An item is a port (port.h), or one of
//
//   StreamHandler("X")           the rule of readiness, unless the graph names
//                                one
//   TimestampChange::Offset(n)   outputs for inputs at t are at t + n
//   TimestampChange::Arbitrary() outputs are at timestamps of their own, so
//                                bounds pass only where the calculator says so
//   ProcessFn(f, ports...)       what a FunctionNode does; see there
//   a std::tuple of items        as if they stood there one by one
//
// Without a TimestampChange the offset is 0: outputs are at the timestamps of
// the inputs. That differs from CalculatorBase, which promises nothing.
//
// GetContract below writes all items into the same CalculatorContract that
// other calculators fill in by hand. A port that stands twice in a list does
// not compile.
//
// Thread rule: constants.
// Tested by contract_test.

#ifndef SYNCLINE_FRAMEWORK_API2_CONTRACT_H_
#define SYNCLINE_FRAMEWORK_API2_CONTRACT_H_

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "framework/api2/port.h"
#include "framework/api2/process_fn.h"
#include "framework/calculator/contract.h"
#include "framework/packet/timestamp.h"

namespace syncline {
namespace api2 {

class StreamHandler {
 public:
  constexpr explicit StreamHandler(const char* name) : name_(name) {}
  constexpr const char* name() const { return name_; }

  absl::Status AddToContract(CalculatorContract* cc) const {
    cc->SetInputStreamHandler(name_);
    return absl::OkStatus();
  }

 private:
  const char* name_;
};

class TimestampChange {
 public:
  static constexpr TimestampChange Offset(TimestampDiff offset) {
    return TimestampChange(offset);
  }
  static constexpr TimestampChange Arbitrary() {
    return TimestampChange(TimestampDiff::Unset());
  }

  absl::Status AddToContract(CalculatorContract* cc) const {
    cc->SetTimestampOffset(offset_);
    return absl::OkStatus();
  }

 private:
  constexpr explicit TimestampChange(TimestampDiff offset) : offset_(offset) {}

  TimestampDiff offset_;
};

namespace internal {

template <typename T>
concept ContractItem = requires(const T& item, CalculatorContract* cc) {
  { item.AddToContract(cc) } -> std::same_as<absl::Status>;
};

template <typename T>
inline constexpr bool kIsSideFallback = false;
template <typename PortT>
inline constexpr bool kIsSideFallback<SideFallbackT<PortT>> = true;

// Whether the items are the same port: the same kind, and the same tag.
template <typename A, typename B>
constexpr bool AreOnePort(const A& a, const B& b) {
  if constexpr (kIsSideFallback<A>) {
    return AreOnePort(a.stream_port, b) || AreOnePort(a.side_port, b);
  } else if constexpr (kIsSideFallback<B>) {
    return AreOnePort(b, a);
  } else if constexpr (std::derived_from<A, PortBase> &&
                       std::derived_from<B, PortBase>) {
    return A::kIsInput == B::kIsInput && A::kIsSide == B::kIsSide &&
           absl::string_view(a.Tag()) == absl::string_view(b.Tag());
  } else {
    return false;
  }
}

// Not constexpr, so that a constexpr contract that calls it does not compile.
inline void APortStandsTwiceInTheContract() {}

template <typename... Items>
class Contract {
  static_assert((ContractItem<Items> && ...),
                "a contract lists ports, StreamHandler, TimestampChange and "
                "ProcessFn");
  static_assert((0 + ... + std::is_same_v<Items, TimestampChange>) <= 1,
                "a contract has one TimestampChange at most");

 public:
  constexpr explicit Contract(const Items&... items) : items_(items...) {
    CheckPortsDiffer(std::index_sequence_for<Items...>());
  }

  // Writes the items into `cc`, up to the first that returns an error.
  absl::Status GetContract(CalculatorContract* cc) const {
    if constexpr (!(std::is_same_v<Items, TimestampChange> || ...)) {
      cc->SetTimestampOffset(TimestampDiff(0));
    }
    return std::apply(
        [cc](const Items&... items) {
          // An empty contract would not use `cc`, which is a warning.
          static_cast<void>(cc);
          absl::Status status;
          static_cast<void>(((status = items.AddToContract(cc)).ok() && ...));
          return status;
        },
        items_);
  }

  // Runs the ProcessFn items in order, up to the first that fails.
  absl::Status RunProcessFns(CalculatorContext* cc) const {
    static_assert((IsProcessFn<Items> || ...),
                  "a FunctionNode has a ProcessFn in its contract");
    return std::apply(
        [cc](const Items&... items) {
          absl::Status status;
          const auto run = [&]<typename Item>(const Item& item) {
            if constexpr (IsProcessFn<Item>) status = item.Run(cc);
            return status.ok();
          };
          static_cast<void>((run(items) && ...));
          return status;
        },
        items_);
  }

  constexpr const std::tuple<Items...>& items() const { return items_; }

 private:
  template <std::size_t... kIndex>
  constexpr void CheckPortsDiffer(std::index_sequence<kIndex...>) const {
    static_cast<void>((CheckUnlikeLater<kIndex>(), ...));
  }
  template <std::size_t kFirst, std::size_t kSecond = kFirst + 1>
  constexpr void CheckUnlikeLater() const {
    if constexpr (kSecond < sizeof...(Items)) {
      if (AreOnePort(std::get<kFirst>(items_), std::get<kSecond>(items_))) {
        APortStandsTwiceInTheContract();
      }
      CheckUnlikeLater<kFirst, kSecond + 1>();
    }
  }

  std::tuple<Items...> items_;
};

// The item, or the items of a tuple, as a tuple.
template <typename Item>
constexpr auto ItemsOf(const Item& item) {
  return std::tuple<Item>(item);
}
template <typename... Items>
constexpr auto ItemsOf(const std::tuple<Items...>& items) {
  return std::apply(
      [](const Items&... each) { return std::tuple_cat(ItemsOf(each)...); },
      items);
}

template <typename... Items>
constexpr auto MakeContract(const Items&... items) {
  return std::apply(
      []<typename... Each>(const Each&... each) {
        return Contract<Each...>(each...);
      },
      std::tuple_cat(ItemsOf(items)...));
}

}  // namespace internal
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_CONTRACT_H_
