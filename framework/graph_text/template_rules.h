// The rules of a graph template while its text is read: which places of the
// config they fill.
//
// A path names values by field and index, so the reader counts the values of
// each message (TemplateScope). Rules are kept in the order in which they are
// applied: a %for% or %if% becomes one rule for each field in its body,
// followed by the rules inside of that field's values.
//
//   node { ... }                         /1[0]
//   %for (name : names)%
//   node { input_stream: %name% }        /1[1:1] for, then /1[1]/3[0] name
//   %end%
//
// Thread rule: values and free functions.
// Tested by template_rules_test and template_text_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEMPLATE_RULES_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEMPLATE_RULES_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph_text/template_lexer.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace syncline {

// A rule, and the field of the message it stands in that it fills; field 0 for
// a %param%.
struct TemplateRule {
  int field;
  TemplateExpression expression;
};
using TemplateRules = std::vector<TemplateRule>;

// A message whose fields are being read.
struct TemplateScope {
  const google::protobuf::Descriptor* type = nullptr;  // null if not known
  std::string path;
  // Values so far that the config holds, by field.
  std::map<int, int> counts = {};
  // How many %for% and %if% are open inside of this message.
  int open_rules = 0;

  // The path to `count` values of a field from index `first` on.
  std::string PathTo(int field, int first, int count) const;
};

// Notes where the rule begins.
void SetRulePlace(const TemplateToken& token, TemplateExpression* rule);

// Adds `rule`, a %for% or %if%, around all that came into `scope` since its
// counts were `before`: values, and the rules of the body.
void AddRuleWithBody(const TemplateExpression& rule, const TemplateScope& scope,
                     const std::map<int, int>& before, TemplateRules body,
                     TemplateRules* rules);

// Adds a rule that always holds and gives the one value of `field` that
// `message` has, for values that the config could not hold in between others;
// `own` are the rules inside of that value.
absl::Status AddValueRule(const google::protobuf::FieldDescriptor& field,
                          const google::protobuf::Message& message,
                          std::string path, const TemplateToken& place,
                          TemplateRules own, TemplateRules* rules);

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEMPLATE_RULES_H_
