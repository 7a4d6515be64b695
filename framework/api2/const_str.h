// const_str: a text that is known when the program is compiled.
//
//   static constexpr const_str kName("IMAGE");
//
// It does not copy the text, which has to be a literal or to live for ever.
//
// Thread rule: a value.
// Tested by port_test.

#ifndef SYNCLINE_FRAMEWORK_API2_CONST_STR_H_
#define SYNCLINE_FRAMEWORK_API2_CONST_STR_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"

namespace syncline {
namespace api2 {

class const_str {
 public:
  constexpr explicit const_str(const char* text)
      : data_(text), size_(std::char_traits<char>::length(text)) {}

  constexpr const char* data() const { return data_; }
  constexpr std::size_t len() const { return size_; }
  constexpr std::size_t size() const { return size_; }
  constexpr absl::string_view view() const { return {data_, size_}; }
  constexpr operator absl::string_view() const { return view(); }

  friend constexpr bool operator==(const_str a, const_str b) {
    return a.view() == b.view();
  }

 private:
  const char* data_;
  std::size_t size_;
};

}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_CONST_STR_H_
