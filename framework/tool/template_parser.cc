#include "framework/tool/template_parser.h"

#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph_text/proto_text.h"
#include "framework/graph_text/template_text.h"
#include "glog/logging.h"
#include "google/protobuf/io/zero_copy_stream.h"

namespace syncline {
namespace tool {

bool TemplateParser::Parser::ParseFromString(absl::string_view input,
                                             CalculatorGraphTemplate* output) {
  output->Clear();
  absl::StatusOr<CalculatorGraphTemplate> result = ReadTemplateText(input);
  status_ = result.status();
  if (!result.ok()) {
    LOG(ERROR) << "not a graph template: " << status_.message();
    return false;
  }
  *output = *std::move(result);
  return true;
}

bool TemplateParser::Parser::Parse(
    google::protobuf::io::ZeroCopyInputStream* input,
    CalculatorGraphTemplate* output) {
  std::string text;
  const void* data = nullptr;
  int size = 0;
  // A stream that is too long is refused by its length, before all of it is
  // read.
  while (text.size() <= kMaxGraphBytes && input->Next(&data, &size)) {
    text.append(static_cast<const char*>(data), static_cast<size_t>(size));
  }
  return ParseFromString(text, output);
}

}  // namespace tool
}  // namespace syncline
