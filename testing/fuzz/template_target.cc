#include "testing/fuzz/template_target.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph_text/expand_template.h"
#include "framework/graph_text/template_text.h"
#include "google/protobuf/stubs/logging.h"

namespace syncline {
namespace {

// A parameter of each kind, for templates that ask for them.
TemplateDict Arguments() {
  TemplateDict arguments;
  const auto add = [&](const char* name) {
    auto* argument = arguments.add_arg();
    argument->set_key(name);
    return argument->mutable_value();
  };
  add("n")->set_num(3);
  add("t")->set_str("text");
  add("l")->add_element()->set_str("a");
  add("d")->mutable_dict()->add_arg()->set_key("k");
  return arguments;
}

std::string CheckStatus(const absl::Status& status) {
  return status.message().empty() ? "an error without a text" : "";
}

}  // namespace

TemplateFacts ExpandBytes(absl::string_view bytes) {
  const google::protobuf::LogSilencer quiet;
  TemplateFacts facts;
  absl::StatusOr<CalculatorGraphTemplate> read =
      ReadTemplateText(bytes, "fuzz.pbtxt");
  if (!read.ok()) {
    facts.broken = CheckStatus(read.status());
    CalculatorGraphTemplate binary;
    if (!binary.ParseFromString(std::string(bytes))) return facts;
    read = binary;
  }
  facts.was_read = true;
  const auto expanded = ExpandTemplate(*read, Arguments());
  facts.was_expanded = expanded.ok();
  if (!expanded.ok()) {
    absl::StrAppend(&facts.broken, CheckStatus(expanded.status()));
    return facts;
  }
  // Its binary form is the same template.
  CalculatorGraphTemplate again;
  if (!again.ParseFromString(read->SerializeAsString())) {
    facts.broken += "the template cannot be written and read again";
    return facts;
  }
  const auto same = ExpandTemplate(again, Arguments());
  if (!same.ok() ||
      same->SerializeAsString() != expanded->SerializeAsString()) {
    facts.broken += "its binary form expands to something else";
  }
  return facts;
}

}  // namespace syncline
