#include "framework/graph_text/template_text.h"

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/base/status_macros.h"
#include "framework/config/calculator.pb.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph_text/config_types.h"
#include "framework/graph_text/node_names.h"
#include "framework/graph_text/normalize_names.h"
#include "framework/graph_text/option_path.h"
#include "framework/graph_text/proto_text.h"
#include "framework/graph_text/template_expression.h"
#include "framework/graph_text/template_lexer.h"
#include "framework/graph_text/template_plain_text.h"
#include "framework/graph_text/template_rules.h"
#include "google/protobuf/any.pb.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace syncline {
namespace {

namespace pb = ::google::protobuf;

constexpr int kMaxDepth = 90;  // of messages and rules in each other
constexpr size_t kMaxRules = 100'000;

// The field that holds the bytes of an Any.
constexpr int kAnyValue = pb::Any::kValueFieldNumber;

// Some value that the field can have, for Protobuf's parser; not longer than
// the shortest expression.
std::string Placeholder(const pb::FieldDescriptor* field) {
  if (field == nullptr) return "0";
  switch (field->cpp_type()) {
    case pb::FieldDescriptor::CPPTYPE_STRING:
      return "\"\"";
    case pb::FieldDescriptor::CPPTYPE_ENUM:
      return absl::StrCat(field->enum_type()->value(0)->number());
    default:
      return "0";
  }
}

class Reader {
 public:
  Reader(absl::string_view text, absl::string_view file)
      : file_(file), lexer_(text), plain_(text) {}

  absl::StatusOr<CalculatorGraphTemplate> Read() {
    TemplateScope root = {.type = CalculatorGraphConfig::descriptor()};
    TemplateRules rules;
    SYNCLINE_RETURN_IF_ERROR(ReadFields(&root, &rules));
    if (lexer_.token().kind != TemplateToken::kEnd) {
      return Error(lexer_.token(),
                   AtEndRule() ? "%end% without a %for% or %if% before it."
                               : absl::StrCat(TokenText(lexer_.token()),
                                              " without a \"{\" before it."));
    }
    plain_.KeepAll();
    CalculatorGraphTemplate result;
    SYNCLINE_RETURN_IF_ERROR(
        ParseProtoText(plain_.plain(), file_, result.mutable_config()));
    for (TemplateRule& rule : rules) result.add_rule()->Swap(&rule.expression);
    if (!file_.empty()) result.set_file(std::string(file_));
    for (const TemplateToken& place : node_places_) {
      result.add_node_line(place.line);
      result.add_node_column(place.column);
    }
    return result;
  }

 private:
  // A field whose value comes next.
  struct Field {
    const pb::FieldDescriptor* descriptor =
        nullptr;  // null when it is not known
    int number = 0;
    const pb::Descriptor* message = nullptr;  // null for others than messages
    TemplateToken start;
    size_t plain_start = 0;
    bool in_list = false;
  };

  absl::Status Error(const TemplateToken& token,
                     absl::string_view message) const {
    return TemplateErrorAt(file_, token, message);
  }

  // --- Rules among fields

  bool AtEndRule() const {
    if (!lexer_.token().Is("%")) return false;
    TemplateLexer ahead = lexer_;
    ahead.Next();
    return ahead.token().Is("end");
  }

  // A '%' that begins a rule, not one that would be a value.
  bool AtRuleWord() const {
    TemplateLexer ahead = lexer_;
    ahead.Next();
    const TemplateToken& word = ahead.token();
    return word.Is("for") || word.Is("if") || word.Is("param") ||
           word.Is("end");
  }

  absl::Status Expect(absl::string_view symbol, absl::string_view where) {
    return TakeTemplateSymbol(symbol, where, file_, &lexer_);
  }

  // The '%' at the end of a rule, which vanishes from the plain text.
  absl::Status EndRule(absl::string_view where) {
    const size_t end = lexer_.token().end();
    SYNCLINE_RETURN_IF_ERROR(Expect("%", where));
    plain_.ReplaceUntil(end, "");
    return absl::OkStatus();
  }

  absl::Status ReadName(std::string* name) {
    if (lexer_.token().kind != TemplateToken::kName) {
      return Error(lexer_.token(),
                   absl::StrCat("expected a name, not ",
                                TokenText(lexer_.token()), "."));
    }
    *name = std::string(lexer_.token().text);
    lexer_.Next();
    return absl::OkStatus();
  }

  absl::Status ReadRule(TemplateScope* scope, TemplateRules* rules) {
    const TemplateToken start = lexer_.token();
    plain_.KeepUntil(start.offset);
    lexer_.Next();
    const TemplateToken word = lexer_.token();
    TemplateExpression rule;
    SetRulePlace(start, &rule);
    rule.set_op(std::string(word.text));
    lexer_.Next();
    if (word.Is("param")) return ReadParam(*scope, std::move(rule), rules);
    if (word.Is("for")) {
      SYNCLINE_RETURN_IF_ERROR(Expect("(", "after \"for\""));
      SYNCLINE_RETURN_IF_ERROR(ReadName(rule.mutable_param()));
      SYNCLINE_RETURN_IF_ERROR(Expect(":", "after the variable"));
      SYNCLINE_ASSIGN_OR_RETURN(*rule.add_arg(),
                                ParseTemplateExpression(&lexer_, file_));
      SYNCLINE_RETURN_IF_ERROR(Expect(")", "after the list"));
    } else if (word.Is("if")) {
      SYNCLINE_ASSIGN_OR_RETURN(*rule.add_arg(),
                                ParseTemplateExpression(&lexer_, file_));
    } else {
      return Error(word,
                   absl::StrCat("expected for, if, param or end after \"%\", "
                                "not ",
                                TokenText(word),
                                "; an expression goes after the name of its "
                                "field."));
    }
    SYNCLINE_RETURN_IF_ERROR(EndRule("at the end of the rule"));
    return ReadBody(start, rule, scope, rules);
  }

  absl::Status ReadParam(const TemplateScope& scope, TemplateExpression rule,
                         TemplateRules* rules) {
    SYNCLINE_RETURN_IF_ERROR(ReadName(rule.mutable_param()));
    if (lexer_.token().Is(":")) {
      lexer_.Next();
      SYNCLINE_ASSIGN_OR_RETURN(*rule.add_arg(),
                                ParseTemplateExpression(&lexer_, file_));
    }
    SYNCLINE_RETURN_IF_ERROR(EndRule("at the end of the parameter"));
    rule.set_path(scope.path);
    rules->push_back({0, std::move(rule)});
    return absl::OkStatus();
  }

  absl::Status ReadBody(const TemplateToken& start,
                        const TemplateExpression& rule, TemplateScope* scope,
                        TemplateRules* rules) {
    const std::map<int, int> before = scope->counts;
    TemplateRules body;
    ++scope->open_rules;
    SYNCLINE_RETURN_IF_ERROR(ReadFields(scope, &body));
    --scope->open_rules;
    if (!AtEndRule()) {
      return Error(start, absl::StrCat("%", rule.op(), "% has no %end%."));
    }
    plain_.KeepUntil(lexer_.token().offset);
    lexer_.Next();
    lexer_.Next();
    SYNCLINE_RETURN_IF_ERROR(EndRule("after \"end\""));
    AddRuleWithBody(rule, *scope, before, std::move(body), rules);
    return absl::OkStatus();
  }

  // --- Fields

  // Up to a closing bracket, %end%, or the end of the text.
  absl::Status ReadFields(TemplateScope* scope, TemplateRules* rules) {
    if (++depth_ > kMaxDepth) {
      return Error(lexer_.token(),
                   absl::StrCat("messages and rules are nested more than ",
                                kMaxDepth, " deep."));
    }
    while (true) {
      const TemplateToken& token = lexer_.token();
      if (token.kind == TemplateToken::kEnd || token.Is("}") || token.Is(">") ||
          AtEndRule()) {
        break;
      }
      if (token.Is(";") || token.Is(",")) {
        lexer_.Next();
      } else if (token.Is("%")) {
        SYNCLINE_RETURN_IF_ERROR(ReadRule(scope, rules));
      } else {
        SYNCLINE_RETURN_IF_ERROR(ReadField(scope, rules));
      }
      if (rules->size() > kMaxRules) {
        return Error(
            token, absl::StrCat("there are more than ", kMaxRules, " rules."));
      }
    }
    --depth_;
    return absl::OkStatus();
  }

  absl::Status ReadField(TemplateScope* scope, TemplateRules* rules) {
    Field field = {.start = lexer_.token()};
    plain_.KeepUntil(field.start.offset);
    field.plain_start = plain_.size();
    SYNCLINE_RETURN_IF_ERROR(ReadFieldName(*scope, &field));
    if (lexer_.token().Is(":")) lexer_.Next();
    if (!lexer_.token().Is("[")) return ReadValue(field, scope, rules);
    field.in_list = true;
    lexer_.Next();
    while (!lexer_.token().Is("]")) {
      SYNCLINE_RETURN_IF_ERROR(ReadValue(field, scope, rules));
      if (lexer_.token().Is("]")) break;
      SYNCLINE_RETURN_IF_ERROR(Expect(",", "in a list"));
    }
    lexer_.Next();
    return absl::OkStatus();
  }

  absl::Status ReadFieldName(const TemplateScope& scope, Field* field) {
    if (field->start.Is("[")) {
      lexer_.NextInBrackets();
      const std::string name(absl::StripAsciiWhitespace(lexer_.token().text));
      lexer_.Next();
      SYNCLINE_RETURN_IF_ERROR(Expect("]", "after the name of a type"));
      if (absl::StrContains(name, '/')) return FindAnyType(scope, name, field);
      if (scope.type != nullptr) {
        field->descriptor =
            FindOptionField(*scope.type, absl::StrCat("[", name, "]"));
      }
    } else if (field->start.kind == TemplateToken::kName) {
      lexer_.Next();
      if (scope.type != nullptr) {
        field->descriptor =
            scope.type->FindFieldByName(std::string(field->start.text));
      }
    } else {
      return Error(field->start,
                   absl::StrCat("expected the name of a field, not ",
                                TokenText(field->start), "."));
    }
    if (field->descriptor != nullptr) {
      field->number = field->descriptor->number();
      field->message = field->descriptor->message_type();
    }
    return absl::OkStatus();
  }

  // `[type.googleapis.com/a.B]`: the fields of a B follow.
  absl::Status FindAnyType(const TemplateScope& scope, absl::string_view url,
                           Field* field) {
    if (scope.open_rules > 0) {
      return Error(field->start,
                   "a rule cannot stand around the type of an Any: put it "
                   "around the whole field.");
    }
    field->number = kAnyValue;
    field->message =
        pb::DescriptorPool::generated_pool()->FindMessageTypeByName(
            NormalizedTypeName(url.substr(url.rfind('/') + 1)));
    return absl::OkStatus();
  }

  absl::Status ReadValue(const Field& field, TemplateScope* scope,
                         TemplateRules* rules) {
    const auto count = scope->counts.find(field.number);
    const bool is_map =
        field.descriptor != nullptr && field.descriptor->is_map();
    const int index =
        count == scope->counts.end() || is_map ? 0 : count->second;
    TemplateRules own;
    const TemplateToken start = lexer_.token();
    if (start.Is("{") || start.Is("<")) {
      SYNCLINE_RETURN_IF_ERROR(ReadMessage(field, *scope, index, &own));
    } else if (start.Is("%")) {
      SYNCLINE_RETURN_IF_ERROR(ReadExpression(field, *scope, index, &own));
    } else {
      SYNCLINE_RETURN_IF_ERROR(ReadScalar());
    }
    // Protobuf says what is wrong with a field that is not known.
    if (field.number == 0) return absl::OkStatus();
    const bool is_repeated =
        field.descriptor != nullptr && field.descriptor->is_repeated();
    if ((is_map && (scope->open_rules > 0 || !own.empty())) ||
        (!is_repeated && scope->open_rules > 0)) {
      return MoveIntoRule(field, *scope, index, std::move(own), rules);
    }
    // Protobuf does not see a placeholder that is the default value.
    if (field.descriptor != nullptr && !is_repeated && index > 0) {
      return Error(field.start,
                   absl::StrCat("field ", Quoted(field.descriptor->name()),
                                " takes one value, and has two."));
    }
    if (!is_map) ++scope->counts[field.number];
    if (scope->path.empty() &&
        field.number == CalculatorGraphConfig::kNodeFieldNumber) {
      node_places_.push_back(field.in_list ? start : field.start);
    }
    for (TemplateRule& rule : own) rules->push_back(std::move(rule));
    return absl::OkStatus();
  }

  absl::Status ReadMessage(const Field& field, const TemplateScope& scope,
                           int index, TemplateRules* own) {
    const TemplateToken open = lexer_.token();
    lexer_.Next();
    TemplateScope inner = {.type = field.message,
                           .path = scope.PathTo(field.number, index, 1)};
    TemplateRules rules;
    SYNCLINE_RETURN_IF_ERROR(ReadFields(&inner, &rules));
    if (AtEndRule()) {
      return Error(lexer_.token(),
                   "%end% without a %for% or %if% in the same message.");
    }
    if (lexer_.token().kind == TemplateToken::kEnd) {
      return Error(open, absl::StrCat(TokenText(open), " is not closed."));
    }
    const size_t end = lexer_.token().end();
    SYNCLINE_RETURN_IF_ERROR(
        Expect(open.Is("{") ? "}" : ">", "at the end of a message"));
    plain_.KeepUntil(end);
    for (TemplateRule& rule : rules) {
      const int number = rule.field == 0 ? 0 : field.number;
      own->push_back({number, std::move(rule.expression)});
    }
    return absl::OkStatus();
  }

  absl::Status ReadExpression(const Field& field, const TemplateScope& scope,
                              int index, TemplateRules* own) {
    const TemplateToken start = lexer_.token();
    plain_.KeepUntil(start.offset);
    lexer_.Next();
    SYNCLINE_ASSIGN_OR_RETURN(TemplateExpression rule,
                              ParseTemplateExpression(&lexer_, file_));
    const size_t end = lexer_.token().end();
    SYNCLINE_RETURN_IF_ERROR(Expect("%", "after the expression"));
    if (field.message != nullptr) {
      return Error(start, absl::StrCat("an expression gives no ",
                                       Quoted(field.message->full_name()),
                                       ": use expressions for its fields."));
    }
    plain_.ReplaceUntil(end, Placeholder(field.descriptor));
    SetRulePlace(start, &rule);
    rule.set_path(scope.PathTo(field.number, index, 1));
    if (field.descriptor != nullptr) {
      rule.set_field_type(
          static_cast<FieldDescriptorProto::Type>(field.descriptor->type()));
    }
    own->push_back({field.number, std::move(rule)});
    return absl::OkStatus();
  }

  absl::Status ReadScalar() {
    const TemplateToken start = lexer_.token();
    size_t end = start.end();
    if (start.kind == TemplateToken::kString) {
      while (lexer_.token().kind == TemplateToken::kString) {
        end = lexer_.token().end();
        lexer_.Next();
      }
      if (lexer_.token().Is("%") && !AtRuleWord()) {
        return Error(lexer_.token(), absl::StrCat("to join texts, write % ",
                                                  start.text, " + ... %."));
      }
      plain_.KeepUntil(end);
      return absl::OkStatus();
    }
    if (start.Is("-")) lexer_.Next();
    if (lexer_.token().kind != TemplateToken::kName &&
        lexer_.token().kind != TemplateToken::kNumber) {
      return Error(lexer_.token(),
                   absl::StrCat("expected a value, not ",
                                TokenText(lexer_.token()), "."));
    }
    plain_.KeepUntil(lexer_.token().end());
    lexer_.Next();
    return absl::OkStatus();
  }

  // The value of `field`, which was just read, out of the plain text into a
  // rule of its own, which is followed by those inside of it.
  absl::Status MoveIntoRule(const Field& field, const TemplateScope& scope,
                            int index, TemplateRules own,
                            TemplateRules* rules) {
    if (field.in_list) {
      return Error(field.start,
                   "a rule and a [list] do not go together here: write the "
                   "name of the field before each value.");
    }
    const std::unique_ptr<pb::Message> message(
        pb::MessageFactory::generated_factory()
            ->GetPrototype(scope.type)
            ->New());
    SYNCLINE_RETURN_IF_ERROR(ParseProtoTextAt(
        absl::string_view(plain_.plain()).substr(field.plain_start), file_,
        field.start.line, field.start.column, message.get()));
    plain_.BlankFrom(field.plain_start);
    return AddValueRule(*field.descriptor, *message,
                        scope.PathTo(field.number, index, 0), field.start,
                        std::move(own), rules);
  }

  const absl::string_view file_;
  TemplateLexer lexer_;
  TemplatePlainText plain_;
  // Where the nodes of the config stand in the text.
  std::vector<TemplateToken> node_places_;
  int depth_ = 0;
};

absl::string_view WithoutMark(absl::string_view text) {
  absl::ConsumePrefix(&text, "\xEF\xBB\xBF");
  return text;
}

}  // namespace

bool HasTemplateRules(absl::string_view text) {
  if (!absl::StrContains(text, '%')) return false;
  TemplateLexer lexer(WithoutMark(text));
  while (lexer.token().kind != TemplateToken::kEnd) {
    if (lexer.token().Is("%")) return true;
    lexer.Next();
  }
  return false;
}

absl::StatusOr<CalculatorGraphTemplate> ReadTemplateText(
    absl::string_view text, absl::string_view file) {
  LinkConfigTypes();
  if (text.size() > kMaxGraphBytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        file.empty() ? "<text>" : file, ": the text has ", text.size(),
        " bytes; at most ", kMaxGraphBytes, " are read."));
  }
  return Reader(WithoutMark(text), file).Read();
}

}  // namespace syncline
