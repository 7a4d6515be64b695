#include "framework/base/type_id.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "absl/strings/str_replace.h"

namespace syncline {

std::string TypeId::name() const {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(info_->name(), nullptr, nullptr, &status),
      &std::free);
  // libstdc++ spells std::string in full; people do not.
  return absl::StrReplaceAll(
      demangled == nullptr ? info_->name() : demangled.get(),
      {{"std::__cxx11::basic_string<char, std::char_traits<char>, "
        "std::allocator<char> >",
        "std::string"}});
}

}  // namespace syncline
