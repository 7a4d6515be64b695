#include "tools/graph_argument.h"

#include <cstddef>

#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "tools/output_file.h"

namespace syncline {

absl::StatusOr<TemplateDict> TemplateArguments(
    const std::vector<std::string>& flags) {
  TemplateDict arguments;
  for (const std::string& flag : flags) {
    const size_t equals = flag.find('=');
    if (equals == 0 || equals == flag.npos) {
      return absl::InvalidArgumentError(
          absl::StrCat("--template_args takes NAME=VALUE, not \"",
                       absl::Utf8SafeCHexEscape(flag), "\""));
    }
    TemplateDict::Parameter* const argument = arguments.add_arg();
    argument->set_key(flag.substr(0, equals));
    const std::string value = flag.substr(equals + 1);
    if (!absl::StrContains(value, ';')) {
      argument->mutable_value()->set_str(value);
      continue;
    }
    for (absl::string_view element :
         absl::StrSplit(value, ';', absl::SkipEmpty())) {
      argument->mutable_value()->add_element()->set_str(std::string(element));
    }
  }
  return arguments;
}

absl::Status WriteBinaryGraph(const CalculatorGraphConfig& config,
                              const std::string& path) {
  std::string bytes;
  {
    google::protobuf::io::StringOutputStream sink(&bytes);
    google::protobuf::io::CodedOutputStream coded(&sink);
    coded.SetSerializationDeterministic(true);
    if (!config.SerializeToCodedStream(&coded)) {
      return absl::InternalError("the graph cannot be serialized");
    }
  }
  return WriteFile("run_graph", path, bytes);
}

}  // namespace syncline
