// AddCalculator: a typed calculator as a function of streams.
//
//   class Scale : public NodeIntf {
//     static constexpr Input<int> kIn{"IN"};
//     static constexpr SideInput<int> kBy{"BY"};
//     static constexpr Output<int> kOut{"OUT"};
//     SYNCLINE_NODE_INTERFACE(ScaleCalculator, kIn, kBy, kOut);
//   };
//
//   Stream<int> scaled = AddCalculator<Scale>()(in, by, graph);
//
// One list of ports is the contract of the calculator, the ports of its node
// and, here, the parameters and result of a function. The parameters are the
// input streams and input side packets in the order of the list, then the
// graph. The result is the output stream, or a std::tuple of several. So
// Runner::For(AddCalculator<Scale>()) runs the calculator as a plain function,
// without a graph in the caller's code.
//
// Every port is connected, optional ports too. A SideFallback takes a stream.
// Output side packets are not part of the result.
//
// Thread rule: as for the graph that is being built.
// Tested by builder_typed_test.

#ifndef SYNCLINE_FRAMEWORK_API2_CALCULATOR_FUNCTION_H_
#define SYNCLINE_FRAMEWORK_API2_CALCULATOR_FUNCTION_H_

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "framework/api2/builder.h"
#include "framework/api2/node.h"
#include "framework/api2/port.h"

namespace syncline {
namespace api2 {
namespace builder {

namespace builder_internal {

// The parameters that an item of a contract takes, and whether it is a result.
template <typename Item>
struct ItemTypes {  // not a port
  using Arguments = std::tuple<>;
  static constexpr bool kIsResult = false;
};
template <typename Item>
requires requires { Item::kIsSide; }
struct ItemTypes<Item> {
  static_assert(!Item::kMultiple,
                "how many streams a Multiple port has is not known here");
  using Arguments = std::conditional_t<
      Item::kIsInput,
      std::tuple<SourceImpl<Item::kIsSide, typename Item::PayloadT>>,
      std::tuple<>>;
  static constexpr bool kIsResult = !Item::kIsInput && !Item::kIsSide;
};

template <typename PortT>
struct ItemTypes<SideFallbackT<PortT>> {
  using Arguments = std::tuple<Stream<typename PortT::PayloadT>>;
  static constexpr bool kIsResult = false;
};

template <class Calc, typename Items, typename Arguments>
class CalculatorFunction;

template <class Calc, typename... Items, typename... Argument>
class CalculatorFunction<Calc, std::tuple<Items...>, std::tuple<Argument...>> {
 public:
  auto operator()(Argument... arguments, Graph& graph) const {
    const auto& items = internal::NodeContracts::Of<Calc>().items();
    Node<Calc>& node = graph.AddNode<Calc>();
    Connect<0, 0>(items, std::tuple<Argument...>(arguments...), node);
    auto results = std::apply(
        [&node](const auto&... item) {
          return std::tuple_cat(ResultOf(item, node)...);
        },
        items);
    if constexpr (std::tuple_size_v<decltype(results)> == 1) {
      return std::get<0>(results);
    } else {
      return results;
    }
  }

 private:
  template <typename Item>
  using ArgumentsOf = typename ItemTypes<Item>::Arguments;

  // Connects the items from kItem on to the arguments from kArgument on.
  template <std::size_t kItem, std::size_t kArgument>
  static void Connect(const std::tuple<Items...>& items,
                      const std::tuple<Argument...>& arguments,
                      Node<Calc>& node) {
    if constexpr (kItem < sizeof...(Items)) {
      using Item = std::tuple_element_t<kItem, std::tuple<Items...>>;
      constexpr std::size_t kTaken = std::tuple_size_v<ArgumentsOf<Item>>;
      if constexpr (kTaken == 1) {
        std::get<kArgument>(arguments) >> node[std::get<kItem>(items)];
      }
      Connect<kItem + 1, kArgument + kTaken>(items, arguments, node);
    }
  }

  template <typename Item>
  static auto ResultOf(const Item& item, Node<Calc>& node) {
    if constexpr (ItemTypes<Item>::kIsResult) {
      return std::make_tuple(node[item]);
    } else {
      return std::tuple<>();
    }
  }
};

// The function for the types of the items in Calc's contract.
template <class Calc, typename Items>
struct CalculatorFunctionOf;
template <class Calc, typename... Items>
struct CalculatorFunctionOf<Calc, std::tuple<Items...>> {
  using Type = CalculatorFunction<
      Calc, std::tuple<Items...>,
      decltype(std::tuple_cat(
          std::declval<typename ItemTypes<Items>::Arguments>()...))>;
};

}  // namespace builder_internal

template <class Calc>
struct AddCalculator
    : builder_internal::CalculatorFunctionOf<
          Calc, std::remove_cvref_t<decltype(internal::NodeContracts::Of<Calc>()
                                                 .items())>>::Type {};

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_CALCULATOR_FUNCTION_H_
