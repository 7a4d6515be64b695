#include "tools/repeated_flags.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"

namespace syncline {

std::vector<std::string> JoinRepeatedFlags(
    absl::Span<const std::string> args,
    absl::Span<const absl::string_view> flags) {
  std::vector<std::string> joined;
  std::map<absl::string_view, std::size_t> places;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--") {
      joined.insert(joined.end(), args.begin() + i, args.end());
      break;
    }
    absl::string_view name = args[i];
    // One dash will do, too.
    if (absl::ConsumePrefix(&name, "-")) absl::ConsumePrefix(&name, "-");
    const std::size_t equals = name.find('=');
    const auto flag =
        std::find(flags.begin(), flags.end(), name.substr(0, equals));
    const bool has_value =
        equals != absl::string_view::npos || i + 1 < args.size();
    if (name.size() == args[i].size() || flag == flags.end() || !has_value) {
      joined.push_back(args[i]);
      continue;
    }
    const absl::string_view value = equals == absl::string_view::npos
                                        ? absl::string_view(args[++i])
                                        : name.substr(equals + 1);
    const auto [place, is_first] = places.emplace(*flag, joined.size());
    if (is_first) {
      joined.push_back(absl::StrCat("--", *flag, "=", value));
    } else {
      absl::StrAppend(&joined[place->second], ",", value);
    }
  }
  return joined;
}

}  // namespace syncline
