// ProcessFn: makes a FunctionNode call a plain function.
//
//   static float Scale(float value, float by) { return value * by; }
//   SYNCLINE_NODE_INTERFACE(ScaleCalculator, kIn, kBy, kOut,
//                           ProcessFn(Scale, kIn, kBy, kOut));
//
// The ports stand in any order. The function gets one argument for each input,
// in their order, and its result goes to the outputs. Its parameters have one
// of these forms; the first that compiles is used:
//
//   values    f(*kIn(cc), *kBy(cc)), in a call in which each has one; in
//             another it is not called and nothing is sent
//   handles   f(kIn(cc), kBy(cc)), always: for inputs that are optional, or
//             Multiple. A handle is a Packet<T> as well
//   both      f(*kIn(cc), kBy(cc)): a value for each parameter that does not
//             take a Packet<T>, in a call in which these inputs have one
//
// After these, the function may take the handles of the outputs, f(...,
// kOut(cc)), and send any number of packets. It returns
//
//   what the output can Send: a value, a std::unique_ptr, a Packet<T>
//   a std::tuple of these, where there are several outputs
//   an absl::StatusOr of these
//   an absl::Status, or nothing
//
// Thread rule: constants; the function is called on the same threads as
// Process.
// Tested by contract_test.

#ifndef SYNCLINE_FRAMEWORK_API2_PROCESS_FN_H_
#define SYNCLINE_FRAMEWORK_API2_PROCESS_FN_H_

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/api2/port.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"

namespace syncline {
namespace api2 {
namespace internal {

template <typename T>
inline constexpr bool kIsStatusOr = false;
template <typename T>
inline constexpr bool kIsStatusOr<absl::StatusOr<T>> = true;
template <typename T>
inline constexpr bool kIsTuple = false;
template <typename... T>
inline constexpr bool kIsTuple<std::tuple<T...>> = true;

// Whether a handle has one value of one known type.
template <typename Access>
concept HasValue = PlainPayload<typename Access::PayloadT>;

// Becomes the value of an input or its handle, as a parameter wants.
template <typename Access>
class ValueOrHandle {
 public:
  explicit ValueOrHandle(const Access& access) : access_(&access) {}
  operator const typename Access::PayloadT &() const { return **access_; }
  operator const Access&() const { return *access_; }

 private:
  const Access* access_;
};

// Sends one value on an output stream or output side packet.
template <typename Access, typename V>
void Give(const Access& output, V&& value) {
  if constexpr (requires { output.Send(std::forward<V>(value)); }) {
    output.Send(std::forward<V>(value));
  } else if constexpr (requires { output.Set(std::forward<V>(value)); }) {
    output.Set(std::forward<V>(value));
  } else {
    static_assert(sizeof(V) == 0,
                  "the function of a ProcessFn returns what its output cannot "
                  "send");
  }
}

// Sends the result of a function.
template <typename Result, typename... Access>
absl::Status GiveAll(Result&& result, const std::tuple<Access...>& outputs) {
  using R = std::remove_cvref_t<Result>;
  if constexpr (std::is_same_v<R, absl::Status>) {
    return std::forward<Result>(result);
  } else if constexpr (kIsStatusOr<R>) {
    if (!result.ok()) return std::forward<Result>(result).status();
    return GiveAll(*std::forward<Result>(result), outputs);
  } else if constexpr (kIsTuple<R> && sizeof...(Access) != 1) {
    static_assert(
        std::tuple_size_v<R> == sizeof...(Access),
        "the function of a ProcessFn returns a value for each output");
    [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
      (Give(std::get<kIndex>(outputs),
            std::get<kIndex>(std::forward<Result>(result))),
       ...);
    }
    (std::index_sequence_for<Access...>());
    return absl::OkStatus();
  } else {
    static_assert(sizeof...(Access) == 1,
                  "the function of a ProcessFn returns one value, so there is "
                  "one output; for several it returns a std::tuple");
    Give(std::get<0>(outputs), std::forward<Result>(result));
    return absl::OkStatus();
  }
}

template <typename F, typename... Ports>
class FunctionCaller {
 public:
  constexpr explicit FunctionCaller(F function, const Ports&... ports)
      : function_(std::move(function)), ports_(ports...) {}

  // Adds nothing: the list of the contract contains the ports themselves.
  absl::Status AddToContract(CalculatorContract*) const {
    return absl::OkStatus();
  }

  absl::Status Run(CalculatorContext* cc) const {
    return std::apply(
        [&](const Ports&... ports) {
          return Run(std::tuple_cat(OnlyIf<true>(ports, cc)...),
                     std::tuple_cat(OnlyIf<false>(ports, cc)...));
        },
        ports_);
  }

 private:
  // The handle of the port if it is an input, or an output, as asked for;
  // otherwise nothing.
  template <bool kWantsInput, typename Port>
  static auto OnlyIf(const Port& port, CalculatorContext* cc) {
    if constexpr (Port::kIsInput == kWantsInput) {
      return std::make_tuple(port(cc));
    } else {
      return std::tuple<>();
    }
  }

  template <typename... In, typename... Out>
  absl::Status Run(const std::tuple<In...>& inputs,
                   const std::tuple<Out...>& outputs) const {
    if constexpr ((HasValue<In> && ...)) {
      if constexpr (TakesValues<std::tuple<Out...>, In...>()) {
        if (!AllHaveValues(inputs)) return absl::OkStatus();
        return Call(std::apply([](const In&... in) { return std::tie(*in...); },
                               inputs),
                    outputs);
      } else if constexpr (TakesBoth<std::tuple<Out...>, In...>()) {
        return RunWithBoth(inputs, outputs, std::index_sequence_for<In...>());
      } else {
        return Call(inputs, outputs);
      }
    } else {
      return Call(inputs, outputs);
    }
  }

  // The function may be called with these, alone or with the outputs.
  template <typename Outputs, typename... Arg>
  static constexpr bool Takes() {
    return []<typename... Out>(std::type_identity<std::tuple<Out...>>) {
      return std::is_invocable_v<const F&, Arg...> ||
             std::is_invocable_v<const F&, Arg..., const Out&...>;
    }(std::type_identity<Outputs>());
  }
  template <typename Outputs, typename... In>
  static constexpr bool TakesBoth() {
    return !Takes<Outputs, const In&...>() &&
           Takes<Outputs, ValueOrHandle<In>...>();
  }

  template <typename... In, typename... Out, std::size_t... kIndex>
  absl::Status RunWithBoth(const std::tuple<In...>& inputs,
                           const std::tuple<Out...>& outputs,
                           std::index_sequence<kIndex...> indexes) const {
    const auto has_what_it_takes = [](const auto& input, bool takes_handle) {
      return takes_handle || !input.IsEmpty();
    };
    if (!(has_what_it_takes(
              std::get<kIndex>(inputs),
              TakesHandleAt<std::tuple<Out...>, In...>(kIndex, indexes)) &&
          ...)) {
      return absl::OkStatus();
    }
    return Call(std::tuple<ValueOrHandle<In>...>(std::get<kIndex>(inputs)...),
                outputs);
  }

  // Whether the parameter at `index` takes the handle of its input.
  template <typename Outputs, typename... In, std::size_t... kIndex>
  static constexpr bool TakesHandleAt(std::size_t index,
                                      std::index_sequence<kIndex...>) {
    bool takes_handle = false;
    const auto look = [&]<std::size_t kAt>() {
      if (kAt == index) {
        takes_handle =
            Takes<Outputs, std::conditional_t<kIndex == kAt, const In&,
                                              ValueOrHandle<In>>...>();
      }
    };
    (look.template operator()<kIndex>(), ...);
    return takes_handle;
  }

  template <typename Outputs, typename... In>
  static constexpr bool TakesValues() {
    return Takes<Outputs, decltype(*std::declval<In>())...>();
  }

  template <typename... In>
  static bool AllHaveValues(const std::tuple<In...>& inputs) {
    return std::apply([](const In&... in) { return (!in.IsEmpty() && ...); },
                      inputs);
  }

  template <typename... Arg, typename... Out>
  absl::Status Call(const std::tuple<Arg...>& arguments,
                    const std::tuple<Out...>& outputs) const {
    if constexpr (std::is_invocable_v<const F&, const Arg&...>) {
      return Finish(arguments, outputs);
    } else {
      static_assert(
          std::is_invocable_v<const F&, const Arg&..., const Out&...>,
          "the function of a ProcessFn takes the values of its inputs or their "
          "handles, alone or followed by the handles of its outputs");
      return Finish(std::tuple_cat(arguments, outputs), outputs);
    }
  }

  template <typename Arguments, typename Outputs>
  absl::Status Finish(const Arguments& arguments,
                      const Outputs& outputs) const {
    using Result = decltype(std::apply(function_, arguments));
    if constexpr (std::is_void_v<Result>) {
      std::apply(function_, arguments);
      return absl::OkStatus();
    } else {
      return GiveAll(std::apply(function_, arguments), outputs);
    }
  }

  F function_;
  std::tuple<Ports...> ports_;
};

template <typename T>
inline constexpr bool IsProcessFn = false;
template <typename F, typename... Ports>
inline constexpr bool IsProcessFn<FunctionCaller<F, Ports...>> = true;

}  // namespace internal

// See the head of this file.
template <typename F, typename... Ports>
constexpr internal::FunctionCaller<std::decay_t<F>, Ports...> ProcessFn(
    F&& function, const Ports&... ports) {
  return internal::FunctionCaller<std::decay_t<F>, Ports...>(
      std::forward<F>(function), ports...);
}

}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_PROCESS_FN_H_
