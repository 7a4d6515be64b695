#include "framework/graph_text/expand_template.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/types/optional.h"
#include "absl/types/span.h"
#include "framework/base/status_macros.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph_text/graph_positions.h"
#include "framework/graph_text/normalize_names.h"
#include "framework/graph_text/proto_wire.h"
#include "framework/graph_text/template_encoding.h"
#include "framework/graph_text/template_values.h"
#include "google/protobuf/any.pb.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/stubs/logging.h"
#include "google/protobuf/wire_format_lite.h"

namespace syncline {
namespace {

namespace pb = ::google::protobuf;
using pb::internal::WireFormatLite;

// How deep messages and rules may be inside each other.
constexpr int kMaxRuleDepth = 200;

// One part of a rule's path: some values of a field.
struct PathPart {
  int field = 0;
  int index = 0;
  int count = 1;
};

struct Rule {
  const TemplateExpression* expression = nullptr;
  std::vector<PathPart> path;

  bool is_loop() const {
    return expression->op() == "for" || expression->op() == "if";
  }
};

using Rules = absl::Span<const Rule* const>;

// "/1[0]/7[2:3]": field 1, value 0, and in there field 7, three values from 2.
absl::optional<std::vector<PathPart>> ParsePath(absl::string_view text) {
  std::vector<PathPart> path;
  for (absl::string_view part : absl::StrSplit(text, '/', absl::SkipEmpty())) {
    PathPart parsed;
    const size_t bracket = part.find('[');
    if (!absl::SimpleAtoi(part.substr(0, bracket), &parsed.field)) return {};
    if (bracket != absl::string_view::npos) {
      absl::string_view range = part.substr(bracket + 1);
      if (!absl::ConsumeSuffix(&range, "]")) return {};
      const size_t colon = range.find(':');
      if (!absl::SimpleAtoi(range.substr(0, colon), &parsed.index)) return {};
      if (colon != absl::string_view::npos &&
          !absl::SimpleAtoi(range.substr(colon + 1), &parsed.count)) {
        return {};
      }
    }
    if (parsed.field <= 0 || parsed.index < 0 || parsed.count < 0) return {};
    path.push_back(parsed);
    if (path.size() > kMaxRuleDepth) return {};
  }
  return path;
}

// A field as far as it is known.
struct FieldType {
  int number = 0;
  const pb::FieldDescriptor* descriptor = nullptr;
  const pb::Descriptor* message = nullptr;  // of its values

  std::string Name() const {
    return descriptor != nullptr
               ? absl::StrCat("field \"", descriptor->full_name(), "\" (",
                              descriptor->type_name(), ")")
               : absl::StrCat("field number ", number);
  }
};

class Expansion {
 public:
  Expansion(const CalculatorGraphTemplate& graph_template,
            const TemplateDict& arguments)
      : template_(graph_template),
        evaluator_(graph_template.file(), graph_template.config().type()) {
    evaluator_.Define(arguments);
  }

  absl::StatusOr<CalculatorGraphConfig> Run() {
    ReadRules();
    std::vector<const Rule*> rules;
    for (const Rule& rule : rules_) rules.push_back(&rule);
    const std::string bytes =
        ExpandMessage(template_.config().SerializePartialAsString(),
                      CalculatorGraphConfig::descriptor(), rules, 0);
    SYNCLINE_RETURN_IF_ERROR(evaluator_.ToStatus());
    CalculatorGraphConfig config;
    // Invalid UTF-8 makes Protobuf write to stderr.
    const google::protobuf::LogSilencer quiet;
    if (!config.ParseFromString(bytes)) {
      Wrong(
          "the expanded config cannot be read: a text in it is no UTF-8, or a "
          "rule does not fit its field.");
      return evaluator_.ToStatus();
    }
    NormalizeNames(&config);
    return config;
  }

  // After Run(): the place of each node; null if the template has none.
  std::shared_ptr<const GraphPositions> Positions(int node_count) const {
    if (template_.node_line().empty()) return nullptr;
    std::vector<GraphPositions::Place> places;
    for (int i = 0; i < node_count; ++i) {
      const int origin =
          nodes_are_moved_ ? node_origins_[static_cast<size_t>(i)] : i;
      const bool is_known = origin >= 0 &&
                            origin < template_.node_line_size() &&
                            origin < template_.node_column_size();
      places.push_back(
          is_known ? GraphPositions::Place{template_.node_line(origin),
                                           template_.node_column(origin)}
                   : GraphPositions::Place());
    }
    return std::make_shared<GraphPositions>(template_.file(), places);
  }

 private:
  void Wrong(absl::string_view message) {
    evaluator_.Fail(absl::StatusCode::kInvalidArgument, message);
  }

  // Parameters get their defaults in their order; the other rules are kept.
  void ReadRules() {
    rules_.reserve(static_cast<size_t>(template_.rule_size()));
    for (const TemplateExpression& expression : template_.rule()) {
      evaluator_.SetRule(&expression);
      if (expression.op() == "param") {
        if (expression.arg_size() > 0 &&
            !evaluator_.IsDefined(expression.param())) {
          evaluator_.Define(expression.param(),
                            evaluator_.Evaluate(expression.arg(0)));
        }
        continue;
      }
      absl::optional<std::vector<PathPart>> path = ParsePath(expression.path());
      if (!path.has_value() || path->empty()) {
        Wrong(absl::StrCat("a rule has no path that can be read: \"",
                           expression.path(), "\"."));
        continue;
      }
      rules_.push_back({&expression, *std::move(path)});
    }
    evaluator_.SetRule(nullptr);
  }

  static FieldType TypeOfField(int number, const pb::Descriptor* type,
                               const WireMessage& message) {
    FieldType result = {.number = number};
    if (type == nullptr) return result;
    result.descriptor = type->FindFieldByNumber(number);
    const pb::DescriptorPool& pool = *pb::DescriptorPool::generated_pool();
    if (result.descriptor == nullptr) {
      result.descriptor = pool.FindExtensionByNumber(type, number);
    }
    if (result.descriptor != nullptr) {
      result.message = result.descriptor->message_type();
    }
    if (type->full_name() == "google.protobuf.Any" &&
        number == pb::Any::kValueFieldNumber) {
      const WireField* url = message.Find(pb::Any::kTypeUrlFieldNumber);
      if (url != nullptr) {
        const std::string& text = url->values.back().bytes;
        result.message =
            pool.FindMessageTypeByName(text.substr(text.rfind('/') + 1));
      }
    }
    return result;
  }

  // A message after the rules inside of it, whose paths go on at `depth`.
  std::string ExpandMessage(const std::string& bytes,
                            const pb::Descriptor* type, Rules rules,
                            size_t depth) {
    if (!evaluator_.Spend(bytes.size())) return "";
    absl::StatusOr<WireMessage> message = SplitMessage(bytes, type);
    if (!message.ok()) {
      Wrong(message.status().message());
      return "";
    }
    std::map<int, std::vector<const Rule*>> by_field;
    for (const Rule* rule : rules) {
      by_field[rule->path[depth].field].push_back(rule);
    }
    // There may be as many fields as rules.
    std::map<int, size_t> places;
    for (const WireField& field : message->fields) {
      places.emplace(field.number, places.size());
    }
    for (const auto& [number, field_rules] : by_field) {
      const auto [place, is_new] =
          places.emplace(number, message->fields.size());
      if (is_new) message->fields.push_back({.number = number, .values = {}});
      const FieldType field_type = TypeOfField(number, type, *message);
      WireField* const field = &message->fields[place->second];
      const bool are_nodes =
          depth == 0 && number == CalculatorGraphConfig::kNodeFieldNumber;
      if (are_nodes) NumberValues(&field->values);
      field->values = ExpandValues(field_type, std::move(field->values), 0,
                                   field_rules, depth);
      if (are_nodes) NoteNodes(field->values);
      CheckCount(field_type, field->values.size(), *field_rules.back());
    }
    return message->Serialize();
  }

  static void NumberValues(std::vector<WireValue>* values) {
    int next = 0;
    for (WireValue& value : *values) value.origin = next++;
  }

  void NoteNodes(const std::vector<WireValue>& nodes) {
    nodes_are_moved_ = true;
    for (const WireValue& node : nodes) node_origins_.push_back(node.origin);
  }

  void CheckCount(const FieldType& type, size_t count, const Rule& rule) {
    if (type.descriptor == nullptr || type.descriptor->is_repeated() ||
        count <= 1 || evaluator_.gave_up()) {
      return;
    }
    evaluator_.SetRule(rule.expression);
    Wrong(absl::StrCat(type.Name(), " takes one value, and gets ", count, "."));
  }

  // How many of the rules after the first, a loop, are in its body.
  static size_t NestedRules(Rules rules, size_t depth) {
    const Rule& loop = *rules[0];
    const size_t after = rules.size() - 1;
    if (loop.expression->has_nested_rules()) {
      return std::min(after, static_cast<size_t>(
                                 std::max(0, loop.expression->nested_rules())));
    }
    size_t nested = 0;
    while (nested < after && Holds(loop, *rules[nested + 1], depth)) ++nested;
    return nested;
  }

  static bool Holds(const Rule& loop, const Rule& inner, size_t depth) {
    const PathPart& range = loop.path[depth];
    const int index = inner.path[depth].index;
    return index >= range.index && index - range.index < range.count;
  }

  // The values of a field, or of a loop's body, whose indexes begin at `first`,
  // after the rules for them.
  std::vector<WireValue> ExpandValues(const FieldType& type,
                                      std::vector<WireValue> values, int first,
                                      Rules rules, size_t depth) {
    std::vector<WireValue> results;
    if (++depth_ > kMaxRuleDepth) {
      Wrong("messages and rules are nested too deep.");
      rules = {};
    }
    size_t next = 0;
    const auto copy_until = [&](size_t end) {
      for (; next < std::min(end, values.size()); ++next) {
        results.push_back(std::move(values[next]));
      }
    };
    while (!rules.empty() && !evaluator_.gave_up()) {
      const Rule& rule = *rules[0];
      const PathPart& part = rule.path[depth];
      evaluator_.SetRule(rule.expression);
      copy_until(part.index < first ? 0
                                    : static_cast<size_t>(part.index - first));
      size_t used = 1;  // rules
      size_t replaced =
          std::min(static_cast<size_t>(part.count), values.size() - next);
      std::vector<WireValue> old(
          std::make_move_iterator(values.begin() + next),
          std::make_move_iterator(values.begin() + next + replaced));
      next += replaced;
      std::vector<WireValue> made;
      if (rule.path.size() > depth + 1) {
        while (used < rules.size() && IsInside(*rules[used], part, depth)) {
          ++used;
        }
        made = ExpandChild(type, std::move(old), rules.subspan(0, used), depth);
      } else if (rule.is_loop()) {
        const size_t nested = NestedRules(rules, depth);
        used += nested;
        made = ExpandLoop(type, std::move(old), rule, rules.subspan(1, nested),
                          depth);
      } else {
        made = Values(type, rule);
      }
      for (WireValue& value : made) results.push_back(std::move(value));
      rules.remove_prefix(used);
    }
    copy_until(values.size());
    --depth_;
    return results;
  }

  // The rule is for something inside of the value that `part` names.
  static bool IsInside(const Rule& rule, const PathPart& part, size_t depth) {
    return rule.path.size() > depth + 1 && rule.path[depth].index == part.index;
  }

  std::vector<WireValue> ExpandChild(const FieldType& type,
                                     std::vector<WireValue> old, Rules rules,
                                     size_t depth) {
    // Proto3 does not write an empty message in an Any.
    if (old.empty()) {
      old.push_back({WireFormatLite::WIRETYPE_LENGTH_DELIMITED, ""});
    }
    for (WireValue& value : old) {
      value.bytes = ExpandMessage(value.bytes, type.message, rules, depth + 1);
    }
    return old;
  }

  std::vector<WireValue> ExpandLoop(const FieldType& type,
                                    std::vector<WireValue> body,
                                    const Rule& rule, Rules nested,
                                    size_t depth) {
    const TemplateExpression& expression = *rule.expression;
    if (expression.has_field_value()) {
      body = {{WireTypeOf(expression.field_type()), expression.field_value()}};
    }
    if (expression.arg_size() == 0) {
      Wrong(absl::StrCat("a rule \"", expression.op(), "\" has no value."));
      return {};
    }
    const TemplateValue control = evaluator_.Evaluate(expression.arg(0));
    const int first = rule.path[depth].index;
    if (expression.op() == "if") {
      if (!evaluator_.IsTrue(control)) return {};
      return ExpandValues(type, std::move(body), first, nested, depth);
    }
    if (control.list() == nullptr) {
      if (!evaluator_.gave_up()) {
        Wrong(absl::StrCat("%for% goes over a list, not over ", control.Shown(),
                           "."));
      }
      return {};
    }
    return ExpandRounds(type, body, rule, *control.list(), nested, depth);
  }

  std::vector<WireValue> ExpandRounds(const FieldType& type,
                                      const std::vector<WireValue>& body,
                                      const Rule& rule,
                                      const TemplateValue::List& list,
                                      Rules nested, size_t depth) {
    constexpr size_t kRound = 64;  // as a step of evaluation
    size_t round_bytes = kRound;
    for (const WireValue& value : body) {
      round_bytes += kRound + value.bytes.size();
    }
    const std::string& variable = rule.expression->param();
    absl::optional<TemplateValue> before =
        evaluator_.Exchange(variable, absl::nullopt);
    std::vector<WireValue> results;
    for (const TemplateValue& element : list) {
      if (!evaluator_.Spend(round_bytes + element.bytes())) break;
      evaluator_.Exchange(variable, element);
      for (WireValue& value :
           ExpandValues(type, body, rule.path[depth].index, nested, depth)) {
        results.push_back(std::move(value));
      }
    }
    evaluator_.Exchange(variable, std::move(before));
    return results;
  }

  // --- Values of expressions

  // A list gives each of its elements.
  std::vector<WireValue> Values(const FieldType& type, const Rule& rule) {
    const TemplateValue value = evaluator_.Evaluate(*rule.expression);
    std::vector<WireValue> results;
    int field_type = rule.expression->field_type();
    const pb::EnumDescriptor* enum_type = nullptr;
    if (type.descriptor != nullptr) {
      field_type = type.descriptor->type();
      enum_type = type.descriptor->enum_type();
    }
    const auto add = [&](const TemplateValue& element) {
      constexpr size_t kNumber = 10;  // is never longer
      if (!evaluator_.Spend(kNumber + element.bytes())) return;
      absl::optional<std::string> bytes =
          EncodeTemplateValue(field_type, enum_type, element);
      if (!bytes.has_value()) {
        if (!evaluator_.gave_up()) {
          Wrong(absl::StrCat(element.Shown(), " is no value for ", type.Name(),
                             "."));
        }
        return;
      }
      results.push_back({WireTypeOf(field_type), *std::move(bytes)});
    };
    if (value.list() == nullptr) {
      add(value);
    } else {
      for (const TemplateValue& element : *value.list()) add(element);
    }
    return results;
  }

  const CalculatorGraphTemplate& template_;
  TemplateEvaluator evaluator_;
  std::vector<Rule> rules_;
  int depth_ = 0;
  // The nodes of the template that those of the result came from, if any rule
  // is about nodes.
  bool nodes_are_moved_ = false;
  std::vector<int> node_origins_;
};

}  // namespace

absl::StatusOr<CalculatorGraphConfig> ExpandTemplate(
    const CalculatorGraphTemplate& graph_template,
    const TemplateDict& arguments,
    std::shared_ptr<const GraphPositions>* positions) {
  Expansion expansion(graph_template, arguments);
  absl::StatusOr<CalculatorGraphConfig> config = expansion.Run();
  if (config.ok() && positions != nullptr) {
    *positions = expansion.Positions(config->node_size());
  }
  return config;
}

}  // namespace syncline
