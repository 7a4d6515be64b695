// Values in graph templates, and the operations of expressions on them.
//
// A value is a number, a text, a list or a dictionary. Texts that read as
// numbers count as numbers: "+" adds two numbers and joins anything else,
// comparisons go by number where both sides are numbers and by letters
// otherwise. Comparisons and logic give 1 or 0. As a condition, a number is
// false where it is 0, a list or dictionary where it is empty, and a text where
// it is a word for it: "false", "f", "no", "n"; "true", "t", "yes" and "y" are
// true, with capitals or without. A text that is no such word is an error.
//
// A wrong expression is noted as an error, its value is 0, and evaluation goes
// on, so that all errors are found at once. Work is limited: a template that
// needs more ends with RESOURCE_EXHAUSTED.
//
// Thread rule: for one thread; values are immutable.
// Tested by template_values_test and expand_template_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEMPLATE_VALUES_H_
#define SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEMPLATE_VALUES_H_

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/config/calculator_graph_template.pb.h"

namespace syncline {

class TemplateValue {
 public:
  using List = std::vector<TemplateValue>;
  using Dict = std::map<std::string, TemplateValue>;

  TemplateValue(double number = 0) : value_(number) {}  // NOLINT
  explicit TemplateValue(std::string text) : value_(std::move(text)) {}
  explicit TemplateValue(List list);
  explicit TemplateValue(Dict dict);

  // Null for values of another kind.
  const List* list() const;
  const Dict* dict() const;
  // The number that it is or reads as.
  absl::optional<double> AsNumber() const;
  // The text of a text or number; of others nothing.
  absl::optional<std::string> AsText() const;
  // As a condition; nothing where it is a text that is neither yes nor no.
  absl::optional<bool> AsTruth() const;
  // What a copy costs.
  size_t bytes() const;

  // For errors: `"abc"`, `3` or `a list of 2`.
  std::string Shown() const;

 private:
  std::variant<double, std::string, std::shared_ptr<const List>,
               std::shared_ptr<const Dict>>
      value_;
};

class TemplateEvaluator {
 public:
  // `file` and `name` of the template serve errors.
  TemplateEvaluator(absl::string_view file, absl::string_view name)
      : file_(file), name_(name) {}

  // Adds the arguments as parameters.
  void Define(const TemplateDict& arguments);
  void Define(const std::string& name, TemplateValue value) {
    parameters_[name] = std::move(value);
  }
  bool IsDefined(const std::string& name) const {
    return parameters_.count(name) > 0;
  }
  // For the variable of a loop: gives back what the name was before.
  absl::optional<TemplateValue> Exchange(const std::string& name,
                                         absl::optional<TemplateValue> value);

  // The value of an expression in the rule that is current.
  TemplateValue Evaluate(const TemplateExpression& expression);

  // The value as a condition. An error, and false, where it is none.
  bool IsTrue(const TemplateValue& value);

  // Where errors are, from now on.
  void SetRule(const TemplateExpression* rule) { rule_ = rule; }

  void Fail(absl::StatusCode code, absl::string_view message);
  // Notes work in proportion to `bytes`. False, once, when it is too much; all
  // evaluation then gives 0.
  bool Spend(size_t bytes);
  bool gave_up() const { return gave_up_; }

  // OK, or all errors, with the code that they share, or INVALID_ARGUMENT.
  absl::Status ToStatus() const;

 private:
  TemplateValue FromArgument(const TemplateArgument& argument, int depth);
  TemplateValue EvaluateAt(const TemplateExpression& expression);
  TemplateValue Parameter(const std::string& name);
  TemplateValue Member(const TemplateExpression& expression);
  TemplateValue Key(const TemplateExpression& expression);
  TemplateValue Call(const TemplateExpression& expression);
  TemplateValue Fold(const TemplateExpression& expression);
  TemplateValue Operate(absl::string_view op, const TemplateValue& a,
                        const TemplateValue& b);
  TemplateValue Compare(absl::string_view op, const TemplateValue& a,
                        const TemplateValue& b);
  TemplateValue Concat(const std::vector<TemplateValue>& values);
  TemplateValue MakeDict(const std::vector<TemplateValue>& values);
  TemplateValue Text(std::string text);
  TemplateValue Wrong(absl::string_view message);
  // ` Did you mean "a"?` for a name that is not among them. For the first few
  // only, as in a loop there may be many.
  std::string NearNames(const std::string& name,
                        const TemplateValue::Dict& names);

  const std::string file_;
  const std::string name_;
  TemplateValue::Dict parameters_;
  const TemplateExpression* rule_ = nullptr;
  int depth_ = 0;
  size_t spent_ = 0;
  bool gave_up_ = false;
  int suggestions_left_ = 20;
  std::vector<absl::Status> errors_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_TEXT_TEMPLATE_VALUES_H_
