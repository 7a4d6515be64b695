// Typed calculators: ports are constants, and the contract is a list of them.
//
//   class ScaleCalculator : public api2::Node {
//    public:
//     static constexpr Input<float> kIn{"IN"};
//     static constexpr SideInput<float>::Optional kBy{"BY"};
//     static constexpr Output<float> kOut{"OUT"};
//     SYNCLINE_NODE_CONTRACT(kIn, kBy, kOut);
//
//     absl::Status Process(CalculatorContext* cc) override {
//       kOut(cc).Send(*kIn(cc) * kBy(cc).GetOr(1.f));
//       return absl::OkStatus();
//     }
//   };
//   SYNCLINE_REGISTER_NODE(ScaleCalculator);
//
// Graphs, tests and tools treat it like any calculator. For requirements that
// the list cannot express, define `static absl::Status
// UpdateContract(CalculatorContract* cc)`, which is called after the list.
//
// For graphs that are built in C++, the ports of a calculator (its interface)
// can be declared in a header, apart from the implementation. The second class
// registers itself:
//
//   class Scale : public NodeIntf {
//     ... ports as above ...
//     SYNCLINE_NODE_INTERFACE(ScaleCalculator, kIn, kBy, kOut);
//   };
//   class ScaleImpl : public NodeImpl<Scale, ScaleImpl> { ... Process ... };
//
// SubgraphImpl does the same for a Subgraph. A FunctionNode calls the ProcessFn
// items of its contract.
//
// Thread rule: as for CalculatorBase.
// Tested by node_test.

#ifndef SYNCLINE_FRAMEWORK_API2_NODE_H_
#define SYNCLINE_FRAMEWORK_API2_NODE_H_

#include <concepts>
#include <memory>
#include <string>
#include <type_traits>

#include "absl/status/status.h"
#include "framework/api2/const_str.h"
#include "framework/api2/contract.h"
#include "framework/api2/packet.h"
#include "framework/api2/port.h"
#include "framework/base/typed_registry.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/calculator_registry.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/expansion/subgraph.h"

namespace syncline {
namespace api2 {

// A typed calculator. Derived classes use SYNCLINE_NODE_CONTRACT.
class Node : public CalculatorBase {};

// The interface of a typed calculator, without the implementation.
class NodeIntf {};

namespace internal {

// The contract of a class, as a type: FooCalculator::Contract::GetContract(cc).
template <const auto& kItems>
struct StaticContract {
  static absl::Status GetContract(CalculatorContract* cc) {
    return kItems.GetContract(cc);
  }
};

// Finds an UpdateContract that is private and so cannot be called: a class that
// derives from T and from this one has two functions of the name, and using the
// name is ambiguous.
struct HasUpdateContract {
  void UpdateContract();
};
template <typename T>
struct MayHaveTwo : T, HasUpdateContract {};
template <typename T>
constexpr bool NamesUpdateContract() {
  if constexpr (std::is_final_v<T>) {
    // T is final: no class can derive from it, so this cannot be checked
    return false;
  } else {
    return !requires { &MayHaveTwo<T>::UpdateContract; };
  }
}

// Reads the contract of a class, also if it is private: the macros make this
// class a friend.
class NodeContracts {
 public:
  template <typename T>
  static constexpr bool Has() {
    return requires { T::kContract; };
  }
  template <typename T>
  static constexpr const auto& Of() {
    return T::kContract;
  }
  template <typename T>
  static absl::Status Get(CalculatorContract* cc) {
    const absl::Status status = T::kContract.GetContract(cc);
    if constexpr (requires { T::UpdateContract(cc); }) {
      static_assert(
          std::convertible_to<decltype(T::UpdateContract(cc)), absl::Status>,
          "UpdateContract returns absl::Status");
      if (status.ok()) return T::UpdateContract(cc);
    } else {
      static_assert(!NamesUpdateContract<T>(),
                    "UpdateContract is public, static, and takes a "
                    "CalculatorContract*");
    }
    return status;
  }
};

}  // namespace internal
}  // namespace api2

// The factory of a typed calculator. REGISTER_CALCULATOR uses it too.
template <std::derived_from<api2::Node> T>
class CalculatorBaseFactoryFor<T> : public CalculatorBaseFactory {
  static_assert(api2::internal::NodeContracts::Has<T>() || HasGetContract<T>,
                "a typed calculator lists its ports: "
                "SYNCLINE_NODE_CONTRACT(kIn, kOut)");
  static_assert(!std::is_abstract_v<T>,
                "a calculator that is registered overrides Process");

 public:
  absl::Status GetContract(CalculatorContract* cc) const override {
    if constexpr (api2::internal::NodeContracts::Has<T>()) {
      return api2::internal::NodeContracts::Get<T>(cc);
    } else {
      return T::GetContract(cc);
    }
  }
  std::unique_ptr<CalculatorBase> CreateCalculator(
      CalculatorContext* cc) const override {
    return MakeCalculator<T>(cc);
  }
};

namespace api2 {
namespace internal {

SYNCLINE_STATIC_REGISTRATOR_TEMPLATE(
    NodeRegistrator, ::syncline::CalculatorBaseRegistry, T::kCalculatorName,
    std::make_unique<::syncline::CalculatorBaseFactoryFor<T>>);

SYNCLINE_STATIC_REGISTRATOR_TEMPLATE(SubgraphRegistrator,
                                     ::syncline::SubgraphRegistry,
                                     T::kCalculatorName, std::make_unique<T>);

}  // namespace internal

// A calculator that registers itself under Impl::kCalculatorName.
template <class Impl = void>
class RegisteredNode : public Node, private internal::NodeRegistrator<Impl> {};

// A calculator that does not register itself.
template <>
class RegisteredNode<void> : public Node {};

// A calculator with the interface Intf. With Impl it registers itself; without
// Impl, SYNCLINE_NODE_IMPLEMENTATION registers it.
template <class Intf, class Impl = void>
class NodeImpl : public RegisteredNode<Impl>, public Intf {};

// A calculator that calls the ProcessFn items of its contract. It registers
// itself.
template <class Impl>
class FunctionNode : public RegisteredNode<Impl> {
 public:
  absl::Status Process(CalculatorContext* cc) override {
    return Impl::kContract.RunProcessFns(cc);
  }
};

// A subgraph with the interface Intf. With Impl it registers itself; without
// Impl, SYNCLINE_SUBGRAPH_IMPLEMENTATION registers it.
template <class Intf, class Impl = void>
class SubgraphImpl : public Subgraph,
                     public Intf,
                     private internal::SubgraphRegistrator<Impl> {};

template <class Intf>
class SubgraphImpl<Intf, void> : public Subgraph, public Intf {};

}  // namespace api2
}  // namespace syncline

// Defines the contract of the class; contract.h lists the items.
#define SYNCLINE_NODE_CONTRACT(...)                                       \
  static constexpr auto kContract =                                       \
      ::syncline::api2::internal::MakeContract(__VA_ARGS__);              \
  using Contract = ::syncline::api2::internal::StaticContract<kContract>; \
  friend class ::syncline::api2::internal::NodeContracts

// Defines the contract of an interface, and the name of the calculator in
// graphs.
#define SYNCLINE_NODE_INTERFACE(name, ...)                             \
  static constexpr char kCalculatorName[] = #name;                     \
  static ::std::string GetCalculatorName() { return kCalculatorName; } \
  SYNCLINE_NODE_CONTRACT(__VA_ARGS__)

// Registers a typed calculator under the name of its class.
#define SYNCLINE_REGISTER_NODE(name) REGISTER_CALCULATOR(name)

// Registers Impl under Impl::kCalculatorName. Prefer NodeImpl<Intf, Impl>.
#define SYNCLINE_NODE_IMPLEMENTATION(Impl)                                  \
  [[maybe_unused]] static const ::syncline::Unregister REGISTRY_STATIC_VAR( \
      node_registration, __COUNTER__) {                                     \
    SYNCLINE_REGISTRATION_(                                                 \
        ::syncline::CalculatorBaseRegistry, Impl::kCalculatorName,          \
        std::make_unique<::syncline::CalculatorBaseFactoryFor<Impl>>)       \
  }

// The same for a subgraph. Prefer SubgraphImpl<Intf, Impl>.
#define SYNCLINE_SUBGRAPH_IMPLEMENTATION(Impl)                              \
  [[maybe_unused]] static const ::syncline::Unregister REGISTRY_STATIC_VAR( \
      subgraph_registration, __COUNTER__) {                                 \
    SYNCLINE_REGISTRATION_(::syncline::SubgraphRegistry,                    \
                           Impl::kCalculatorName, std::make_unique<Impl>)   \
  }

#endif  // SYNCLINE_FRAMEWORK_API2_NODE_H_
