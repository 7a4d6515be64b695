#include "util/str_util.h"

#include <algorithm>
#include <cstddef>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace syncline {

void ForEachLine(
    absl::string_view text,
    absl::FunctionRef<void(absl::string_view line)> line_callback) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    line_callback(absl::StripSuffix(text.substr(0, end), "\r"));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace syncline
