#include "framework/base/type_id.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string>

namespace syncline {
namespace {

// libstdc++ spells std::string in full; people do not.
void ReplaceAll(std::string& text, const std::string& from,
                const std::string& to) {
  std::string result;
  std::size_t start = 0;
  for (std::size_t found = text.find(from); found != std::string::npos;
       found = text.find(from, start)) {
    result.append(text, start, found - start).append(to);
    start = found + from.size();
  }
  text = result.append(text, start, std::string::npos);
}

}  // namespace

std::string TypeId::name() const {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> demangled(
      abi::__cxa_demangle(info_->name(), nullptr, nullptr, &status),
      &std::free);
  std::string text = demangled == nullptr ? info_->name() : demangled.get();
  ReplaceAll(text,
             "std::__cxx11::basic_string<char, std::char_traits<char>, "
             "std::allocator<char> >",
             "std::string");
  return text;
}

}  // namespace syncline
