// Overload: makes one function of several lambdas. The type of the argument
// chooses the lambda. For absl::visit and for Visit() of packets; Debian's
// Abseil has no such class.
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
