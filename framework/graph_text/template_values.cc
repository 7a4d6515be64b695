#include "framework/graph_text/template_values.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/base/nearest_names.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph_text/node_names.h"

namespace syncline {
namespace {

// Deeper than any text that is read, but not than a stack.
constexpr int kMaxValueDepth = 200;
// Bytes of texts, lists and messages made, each as often as it is made.
constexpr size_t kMaxSpent = size_t{64} << 20;
// What a step costs that makes nothing.
constexpr size_t kStep = 64;
constexpr size_t kMaxErrors = 10;

std::string NumberText(double number) {
  if (number == std::trunc(number) && std::abs(number) < 1e15) {
    return absl::StrCat(static_cast<int64_t>(number));
  }
  // The fewest digits that read as the same number.
  std::string text;
  for (int digits : {6, 15, 17}) {
    text = absl::StrFormat("%.*g", digits, number);
    double again = 0;
    if (absl::SimpleAtod(text, &again) && again == number) break;
  }
  return text;
}

}  // namespace

// --- Values

TemplateValue::TemplateValue(List list)
    : value_(std::make_shared<const List>(std::move(list))) {}

TemplateValue::TemplateValue(Dict dict)
    : value_(std::make_shared<const Dict>(std::move(dict))) {}

const TemplateValue::List* TemplateValue::list() const {
  const auto* list = std::get_if<std::shared_ptr<const List>>(&value_);
  return list == nullptr ? nullptr : list->get();
}

const TemplateValue::Dict* TemplateValue::dict() const {
  const auto* dict = std::get_if<std::shared_ptr<const Dict>>(&value_);
  return dict == nullptr ? nullptr : dict->get();
}

absl::optional<double> TemplateValue::AsNumber() const {
  if (const double* number = std::get_if<double>(&value_)) return *number;
  const auto* text = std::get_if<std::string>(&value_);
  double number = 0;
  // Not "inf" and "nan", which are names.
  if (text == nullptr || text->find_first_of("0123456789") == text->npos ||
      !absl::SimpleAtod(*text, &number)) {
    return absl::nullopt;
  }
  return number;
}

absl::optional<std::string> TemplateValue::AsText() const {
  if (const double* number = std::get_if<double>(&value_)) {
    return NumberText(*number);
  }
  if (const auto* text = std::get_if<std::string>(&value_)) return *text;
  return absl::nullopt;
}

absl::optional<bool> TemplateValue::AsTruth() const {
  if (list() != nullptr) return !list()->empty();
  if (dict() != nullptr) return !dict()->empty();
  if (const absl::optional<double> number = AsNumber()) return *number != 0;
  bool truth = false;
  if (absl::SimpleAtob(std::get<std::string>(value_), &truth)) return truth;
  return absl::nullopt;
}

size_t TemplateValue::bytes() const {
  const auto* text = std::get_if<std::string>(&value_);
  return text == nullptr ? 0 : text->size();
}

std::string TemplateValue::Shown() const {
  if (list() != nullptr) return absl::StrCat("a list of ", list()->size());
  if (dict() != nullptr) return "a dictionary";
  const auto* text = std::get_if<std::string>(&value_);
  return text != nullptr ? Quoted(*text) : *AsText();
}

// --- Parameters

TemplateValue TemplateEvaluator::FromArgument(const TemplateArgument& argument,
                                              int depth) {
  if (depth > kMaxValueDepth) return Wrong("an argument is nested too deep.");
  if (!Spend(kStep)) return TemplateValue();
  if (argument.element_size() > 0) {
    TemplateValue::List list;
    for (const TemplateArgument& element : argument.element()) {
      list.push_back(FromArgument(element, depth + 1));
    }
    return TemplateValue(std::move(list));
  }
  switch (argument.param_value_case()) {
    case TemplateArgument::kStr:
      return Text(argument.str());
    case TemplateArgument::kNum:
      return TemplateValue(argument.num());
    case TemplateArgument::kDict: {
      TemplateValue::Dict dict;
      for (const TemplateDict::Parameter& item : argument.dict().arg()) {
        dict[item.key()] = FromArgument(item.value(), depth + 1);
      }
      return TemplateValue(std::move(dict));
    }
    case TemplateArgument::PARAM_VALUE_NOT_SET:
      break;
  }
  return TemplateValue(TemplateValue::List());
}

void TemplateEvaluator::Define(const TemplateDict& arguments) {
  for (const TemplateDict::Parameter& item : arguments.arg()) {
    parameters_[item.key()] = FromArgument(item.value(), 0);
  }
}

absl::optional<TemplateValue> TemplateEvaluator::Exchange(
    const std::string& name, absl::optional<TemplateValue> value) {
  const auto found = parameters_.find(name);
  absl::optional<TemplateValue> before;
  if (found != parameters_.end()) {
    before = std::move(found->second);
    parameters_.erase(found);
  }
  if (value.has_value()) parameters_[name] = *std::move(value);
  return before;
}

TemplateValue TemplateEvaluator::Parameter(const std::string& name) {
  const auto found = parameters_.find(name);
  if (found != parameters_.end()) {
    return Spend(found->second.bytes()) ? found->second : TemplateValue();
  }
  Fail(absl::StatusCode::kNotFound,
       absl::StrCat("parameter ", Quoted(name),
                    " has no value: give it in TemplateSubgraphOptions, or a "
                    "default with %param ",
                    name, ": ...%.", NearNames(name, parameters_)));
  return TemplateValue();
}

std::string TemplateEvaluator::NearNames(const std::string& name,
                                         const TemplateValue::Dict& names) {
  constexpr size_t kMaxNames = 2000;
  if (suggestions_left_ == 0) return "";
  --suggestions_left_;
  std::vector<std::string> known;
  for (const auto& [other, value] : names) {
    if (known.size() == kMaxNames) break;
    known.push_back(other);
  }
  return DidYouMeanOrKnownText(name, known);
}

// --- Errors and limits

void TemplateEvaluator::Fail(absl::StatusCode code, absl::string_view message) {
  if (errors_.size() == kMaxErrors) return;
  std::string place;
  if (!file_.empty()) place = absl::StrCat(file_, ":");
  if (rule_ != nullptr && rule_->line() > 0) {
    absl::StrAppend(&place, place.empty() ? "line " : "", rule_->line(), ":",
                    rule_->column(), ":");
  }
  if (!place.empty()) place += " ";
  const std::string name =
      name_.empty() ? "template" : absl::StrCat("template ", Quoted(name_));
  absl::Status error(code, absl::StrCat(place, name, ": ", message));
  // A loop says the same thing each time.
  if (absl::c_linear_search(errors_, error)) return;
  errors_.push_back(std::move(error));
}

TemplateValue TemplateEvaluator::Wrong(absl::string_view message) {
  Fail(absl::StatusCode::kInvalidArgument, message);
  return TemplateValue();
}

bool TemplateEvaluator::Spend(size_t bytes) {
  if (gave_up_) return false;
  spent_ += bytes;
  if (spent_ <= kMaxSpent) return true;
  gave_up_ = true;
  Fail(
      absl::StatusCode::kResourceExhausted,
      absl::StrCat("it takes more work than it should: the values and messages "
                   "that it makes have more than ",
                   kMaxSpent, " bytes."));
  return false;
}

absl::Status TemplateEvaluator::ToStatus() const {
  if (errors_.empty()) return absl::OkStatus();
  absl::StatusCode code = errors_[0].code();
  std::vector<absl::string_view> texts;
  for (const absl::Status& error : errors_) {
    if (error.code() != code) code = absl::StatusCode::kInvalidArgument;
    texts.push_back(error.message());
  }
  return absl::Status(code, absl::StrJoin(texts, "\n"));
}

TemplateValue TemplateEvaluator::Text(std::string text) {
  if (!Spend(text.size() + kStep)) return TemplateValue();
  return TemplateValue(std::move(text));
}

// --- Expressions

TemplateValue TemplateEvaluator::Evaluate(
    const TemplateExpression& expression) {
  if (!Spend(kStep)) return TemplateValue();
  if (depth_ > kMaxValueDepth)
    return Wrong("an expression is nested too deep.");
  ++depth_;
  TemplateValue value = EvaluateAt(expression);
  --depth_;
  return value;
}

bool TemplateEvaluator::IsTrue(const TemplateValue& value) {
  const absl::optional<bool> truth = value.AsTruth();
  if (!truth.has_value()) {
    Wrong(absl::StrCat(value.Shown(),
                       " is no condition: use true or false, or compare it, as "
                       "in (a == \"b\")."));
  }
  return truth.value_or(false);
}

TemplateValue TemplateEvaluator::EvaluateAt(
    const TemplateExpression& expression) {
  const std::string& op = expression.op();
  if (op == "literal") return Text(expression.param());
  if (op.empty() && expression.arg_size() == 0) {
    return Parameter(expression.param());
  }
  if ((op.empty() || op == "paren") && expression.arg_size() == 1) {
    return Evaluate(expression.arg(0));
  }
  if (op == ".") return Member(expression);
  if (op == "!" && expression.arg_size() == 1) {
    return IsTrue(Evaluate(expression.arg(0))) ? 0 : 1;
  }
  if (op == "&&" || op == "||") {
    // What decides ends it.
    for (const TemplateExpression& side : expression.arg()) {
      if (IsTrue(Evaluate(side)) == (op == "||")) return op == "||" ? 1 : 0;
    }
    return op == "||" ? 0 : 1;
  }
  if (absl::ascii_isalpha(static_cast<unsigned char>(op[0]))) {
    return Call(expression);
  }
  return Fold(expression);
}

TemplateValue TemplateEvaluator::Member(const TemplateExpression& expression) {
  if (expression.arg_size() != 2) return Wrong("\".\" takes two values.");
  const TemplateValue whole = Evaluate(expression.arg(0));
  // The name stands there as a literal, or as if it were a parameter.
  const std::string& name = expression.arg(1).param();
  if (gave_up_) return TemplateValue();
  if (whole.dict() == nullptr) {
    return Wrong(absl::StrCat(whole.Shown(), " has no ", Quoted(name),
                              ": it is no dictionary."));
  }
  const auto found = whole.dict()->find(name);
  if (found != whole.dict()->end()) {
    return Spend(found->second.bytes()) ? found->second : TemplateValue();
  }
  Fail(absl::StatusCode::kNotFound,
       absl::StrCat("the dictionary has no ", Quoted(name), ".",
                    NearNames(name, *whole.dict())));
  return TemplateValue();
}

TemplateValue TemplateEvaluator::Fold(const TemplateExpression& expression) {
  if (expression.arg_size() == 0) {
    return Wrong(
        absl::StrCat("operator ", Quoted(expression.op()), " has no values."));
  }
  TemplateValue result = Evaluate(expression.arg(0));
  for (int i = 1; i < expression.arg_size() && !gave_up_; ++i) {
    result = Operate(expression.op(), result, Evaluate(expression.arg(i)));
  }
  return result;
}

TemplateValue TemplateEvaluator::Operate(absl::string_view op,
                                         const TemplateValue& a,
                                         const TemplateValue& b) {
  if (!Spend(a.bytes() + b.bytes())) return TemplateValue();
  const absl::optional<double> x = a.AsNumber();
  const absl::optional<double> y = b.AsNumber();
  const bool numbers = x.has_value() && y.has_value();
  if (op == "+") {
    return numbers ? TemplateValue(*x + *y) : Concat({a, b});
  }
  if (op == "-" || op == "*" || op == "/") {
    if (!numbers) {
      return Wrong(absl::StrCat((x.has_value() ? b : a).Shown(),
                                " is no number, for ", Quoted(op), "."));
    }
    if (op == "-") return *x - *y;
    if (op == "*") return *x * *y;
    if (*y == 0) return Wrong("a division by 0.");
    return *x / *y;
  }
  return Compare(op, a, b);
}

TemplateValue TemplateEvaluator::Compare(absl::string_view op,
                                         const TemplateValue& a,
                                         const TemplateValue& b) {
  const absl::optional<double> x = a.AsNumber();
  const absl::optional<double> y = b.AsNumber();
  int order = 0;
  if (x.has_value() && y.has_value()) {
    order = *x < *y ? -1 : (*x > *y ? 1 : 0);
  } else {
    const absl::optional<std::string> s = a.AsText();
    const absl::optional<std::string> t = b.AsText();
    if (!s.has_value() || !t.has_value()) {
      return Wrong(absl::StrCat((s.has_value() ? b : a).Shown(),
                                " cannot be compared, as with ", Quoted(op),
                                "."));
    }
    order = s->compare(*t);
  }
  if (op == "==") return order == 0 ? 1 : 0;
  if (op == "!=") return order != 0 ? 1 : 0;
  if (op == "<") return order < 0 ? 1 : 0;
  if (op == "<=") return order <= 0 ? 1 : 0;
  if (op == ">") return order > 0 ? 1 : 0;
  if (op == ">=") return order >= 0 ? 1 : 0;
  return Wrong(absl::StrCat("there is no operator ", Quoted(op), "."));
}

// Lists, and what is added to one, make a list; texts make a text.
TemplateValue TemplateEvaluator::Concat(
    const std::vector<TemplateValue>& values) {
  bool is_list = false;
  for (const TemplateValue& value : values) is_list |= value.list() != nullptr;
  if (is_list) {
    TemplateValue::List all;
    for (const TemplateValue& value : values) {
      if (value.list() == nullptr) {
        all.push_back(value);
        continue;
      }
      for (const TemplateValue& element : *value.list()) {
        if (!Spend(kStep + element.bytes())) return TemplateValue();
      }
      all.insert(all.end(), value.list()->begin(), value.list()->end());
    }
    return TemplateValue(std::move(all));
  }
  std::string text;
  for (const TemplateValue& value : values) {
    const absl::optional<std::string> part = value.AsText();
    if (!part.has_value()) {
      return Wrong(absl::StrCat(value.Shown(), " cannot be joined to a text."));
    }
    if (!Spend(part->size())) return TemplateValue();
    text += *part;
  }
  return TemplateValue(std::move(text));
}

TemplateValue TemplateEvaluator::MakeDict(
    const std::vector<TemplateValue>& values) {
  if (values.size() % 2 != 0) {
    return Wrong("dict takes keys and values in turn.");
  }
  TemplateValue::Dict dict;
  for (size_t i = 0; i < values.size(); i += 2) {
    const absl::optional<std::string> key = values[i].AsText();
    if (!key.has_value()) {
      return Wrong(absl::StrCat(values[i].Shown(), " is no key."));
    }
    dict[*key] = values[i + 1];
  }
  return TemplateValue(std::move(dict));
}

// A key of dict(). A name that is no parameter stands for itself.
TemplateValue TemplateEvaluator::Key(const TemplateExpression& expression) {
  const bool is_name = expression.op().empty() && expression.arg_size() == 0;
  if (is_name && !IsDefined(expression.param())) {
    return Text(expression.param());
  }
  return Evaluate(expression);
}

TemplateValue TemplateEvaluator::Call(const TemplateExpression& expression) {
  const std::string& name = expression.op();
  std::vector<TemplateValue> values;
  for (int i = 0; i < expression.arg_size(); ++i) {
    const bool is_key = name == "dict" && i % 2 == 0;
    values.push_back(is_key ? Key(expression.arg(i))
                            : Evaluate(expression.arg(i)));
  }
  if (gave_up_) return TemplateValue();
  if (name == "list") return TemplateValue(std::move(values));
  if (name == "dict") return MakeDict(values);
  if (name == "concat") return Concat(values);
  if (values.empty()) {
    return Wrong(absl::StrCat("function ", Quoted(name), " takes a value."));
  }
  if (name == "min" || name == "max") {
    TemplateValue best = values[0];
    for (const TemplateValue& value : values) {
      if (!Spend(value.bytes() + best.bytes())) return TemplateValue();
      if (IsTrue(Compare(name == "min" ? "<" : ">", value, best))) {
        best = value;
      }
    }
    return best;
  }
  const TemplateValue& value = values[0];
  if (name == "size" && (value.list() != nullptr || value.dict() != nullptr)) {
    return static_cast<double>(value.list() != nullptr ? value.list()->size()
                                                       : value.dict()->size());
  }
  const absl::optional<std::string> text = value.AsText();
  if (!text.has_value()) {
    return Wrong(
        absl::StrCat("function ", Quoted(name), " takes no ", value.Shown()));
  }
  if (name == "size") return static_cast<double>(text->size());
  if (name == "lowercase") return Text(absl::AsciiStrToLower(*text));
  if (name == "uppercase") return Text(absl::AsciiStrToUpper(*text));
  return Wrong(absl::StrCat("there is no function ", Quoted(name), "."));
}

}  // namespace syncline
