// Overload: several lambdas as one function, which the argument's type chooses
// from; for absl::visit and the Visit() of packets. Debian's Abseil lacks it.
//
//   Overload{[](int i) { ... }, [](const std::string& s) { ... }}
//
// Tested by //framework:port_test.

#ifndef SYNCLINE_FRAMEWORK_PORT_OVERLOAD_H_
#define SYNCLINE_FRAMEWORK_PORT_OVERLOAD_H_

namespace syncline {

template <typename... Functions>
struct Overload : Functions... {
  using Functions::operator()...;
};

template <typename... Functions>
Overload(Functions...) -> Overload<Functions...>;

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PORT_OVERLOAD_H_
