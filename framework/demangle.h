// Demangle: the name of a type as C++ source would give it.
//
// Thread rule: a free function.
// Tested by ported_names_test.
#ifndef SYNCLINE_FRAMEWORK_DEMANGLE_H_
#define SYNCLINE_FRAMEWORK_DEMANGLE_H_

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string>

namespace syncline {

// Demangles the result of std::type_info::name(). Other text is returned
// unchanged.
inline std::string Demangle(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), std::free);
  return status == 0 && name != nullptr ? name.get() : mangled;
}

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_DEMANGLE_H_
