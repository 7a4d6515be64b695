#include "framework/graph_text/template_rules.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/status_macros.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph_text/proto_wire.h"
#include "framework/graph_text/template_expression.h"
#include "framework/graph_text/template_lexer.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace syncline {

using ::google::protobuf::FieldDescriptor;

std::string TemplateScope::PathTo(int field, int first, int count) const {
  std::string result = absl::StrCat(path, "/", field, "[", first);
  if (count != 1) absl::StrAppend(&result, ":", count);
  result += "]";
  return result;
}

void SetRulePlace(const TemplateToken& token, TemplateExpression* rule) {
  rule->set_line(token.line);
  rule->set_column(token.column);
}

void AddRuleWithBody(const TemplateExpression& rule, const TemplateScope& scope,
                     const std::map<int, int>& before, TemplateRules body,
                     TemplateRules* rules) {
  std::map<int, std::vector<TemplateExpression*>> nested;
  for (const auto& [field, count] : scope.counts) nested[field];
  for (TemplateRule& inner : body) {
    nested[inner.field].push_back(&inner.expression);
  }
  for (auto& [field, inner] : nested) {
    if (field == 0) {  // parameters stand by themselves
      for (auto* param : inner) rules->push_back({0, std::move(*param)});
      continue;
    }
    const auto found = before.find(field);
    const int first = found == before.end() ? 0 : found->second;
    const auto now = scope.counts.find(field);
    const int count = now == scope.counts.end() ? 0 : now->second - first;
    if (count == 0 && inner.empty()) continue;
    TemplateExpression outer = rule;
    outer.set_path(scope.PathTo(field, first, count));
    outer.set_nested_rules(static_cast<int>(inner.size()));
    rules->push_back({field, std::move(outer)});
    for (auto* expression : inner) {
      rules->push_back({field, std::move(*expression)});
    }
  }
}

absl::Status AddValueRule(const FieldDescriptor& field,
                          const google::protobuf::Message& message,
                          std::string path, const TemplateToken& place,
                          TemplateRules own, TemplateRules* rules) {
  SYNCLINE_ASSIGN_OR_RETURN(const WireMessage fields,
                            SplitMessage(message.SerializePartialAsString(),
                                         message.GetDescriptor()));
  const WireField* const value = fields.Find(field.number());
  TemplateExpression rule;
  rule.set_op("if");
  *rule.add_arg() = TemplateLiteral("1");
  rule.set_path(std::move(path));
  rule.set_field_type(static_cast<FieldDescriptorProto::Type>(field.type()));
  SetRulePlace(place, &rule);
  // Proto3 does not write what has the default value.
  rule.set_field_value(value != nullptr ? value->values[0].bytes
                                        : ZeroValue(field));
  TemplateRules inside;
  for (TemplateRule& inner : own) {
    (inner.field == 0 ? rules : &inside)->push_back(std::move(inner));
  }
  rule.set_nested_rules(static_cast<int>(inside.size()));
  rules->push_back({field.number(), std::move(rule)});
  for (TemplateRule& inner : inside) rules->push_back(std::move(inner));
  return absl::OkStatus();
}

}  // namespace syncline
