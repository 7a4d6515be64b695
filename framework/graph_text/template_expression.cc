#include "framework/graph_text/template_expression.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/base/nearest_names.h"
#include "framework/base/status_macros.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph_text/node_names.h"
#include "framework/graph_text/template_lexer.h"

namespace syncline {
namespace {

// How deep one expression may be nested: Protobuf reads no messages much deeper
// than this.
constexpr int kMaxExpressionDepth = 50;

const std::vector<std::string>& Functions() {
  static const auto* const functions = new std::vector<std::string>{
      "min", "max", "concat", "lowercase", "uppercase", "size", "dict", "list"};
  return *functions;
}

struct Operator {
  absl::string_view text;
  int precedence;  // 0: none
};

// The operator that begins with the current token; of two symbols only where
// they stand together.
Operator OperatorAt(const TemplateLexer& lexer) {
  const TemplateToken& first = lexer.token();
  if (first.kind != TemplateToken::kSymbol) return {"", 0};
  TemplateLexer ahead = lexer;
  ahead.Next();
  const TemplateToken& second = ahead.token();
  if (second.kind == TemplateToken::kSymbol && second.offset == first.end()) {
    for (const Operator& op : {Operator{"||", 1},
                               {"&&", 2},
                               {"==", 3},
                               {"!=", 3},
                               {">=", 4},
                               {"<=", 4}}) {
      if (op.text[0] == first.text[0] && op.text[1] == second.text[0]) {
        return op;
      }
    }
  }
  for (const Operator& op :
       {Operator{">", 4}, {"<", 4}, {"+", 5}, {"-", 5}, {"*", 6}, {"/", 6}}) {
    if (op.text == first.text) return op;
  }
  return {"", 0};
}

class Parser {
 public:
  Parser(TemplateLexer* lexer, absl::string_view file)
      : lexer_(*lexer), file_(file) {}

  // Operators that bind at least as tightly as `precedence`.
  absl::StatusOr<TemplateExpression> Parse(int precedence) {
    SYNCLINE_ASSIGN_OR_RETURN(TemplateExpression left, ParseUnary());
    int depth = 0;
    while (true) {
      const Operator op = OperatorAt(lexer_);
      if (op.precedence == 0 || op.precedence < precedence) return left;
      if (left.op() != op.text || left.arg_size() < 2) {
        // The left side goes one deeper.
        SYNCLINE_RETURN_IF_ERROR(CheckDepth(++depth));
        TemplateExpression whole;
        whole.set_op(std::string(op.text));
        whole.add_arg()->Swap(&left);
        left.Swap(&whole);
      }
      for (size_t i = 0; i < op.text.size(); ++i) lexer_.Next();
      ++depth_;
      SYNCLINE_ASSIGN_OR_RETURN(*left.add_arg(), Parse(op.precedence + 1));
      --depth_;
    }
  }

 private:
  absl::Status Error(absl::string_view message) const {
    return TemplateErrorAt(file_, lexer_.token(), message);
  }

  absl::Status CheckDepth(int more) const {
    if (depth_ + more <= kMaxExpressionDepth) return absl::OkStatus();
    return Error(absl::StrCat("the expression is nested more than ",
                              kMaxExpressionDepth, " deep."));
  }

  absl::Status Expect(absl::string_view symbol) {
    return TakeTemplateSymbol(symbol, "", file_, &lexer_);
  }

  absl::StatusOr<TemplateExpression> ParseUnary() {
    SYNCLINE_RETURN_IF_ERROR(CheckDepth(1));
    ++depth_;
    absl::StatusOr<TemplateExpression> result = [&] {
      if (lexer_.token().Is("!") || lexer_.token().Is("-"))
        return ParsePrefix();
      return ParsePostfix();
    }();
    --depth_;
    return result;
  }

  absl::StatusOr<TemplateExpression> ParsePrefix() {
    TemplateExpression result;
    result.set_op(std::string(lexer_.token().text));
    if (result.op() == "-") *result.add_arg() = TemplateLiteral("0");
    lexer_.Next();
    SYNCLINE_ASSIGN_OR_RETURN(*result.add_arg(), ParseUnary());
    return result;
  }

  absl::StatusOr<TemplateExpression> ParsePostfix() {
    SYNCLINE_ASSIGN_OR_RETURN(TemplateExpression result, ParsePrimary());
    for (int depth = 1; lexer_.token().Is("."); ++depth) {
      SYNCLINE_RETURN_IF_ERROR(CheckDepth(depth));
      lexer_.Next();
      if (lexer_.token().kind != TemplateToken::kName) {
        return Error(absl::StrCat("expected a name after \".\", not ",
                                  TokenText(lexer_.token()), "."));
      }
      TemplateExpression whole;
      whole.set_op(".");
      whole.add_arg()->Swap(&result);
      *whole.add_arg() = TemplateLiteral(lexer_.token().text);
      result.Swap(&whole);
      lexer_.Next();
    }
    return result;
  }

  absl::StatusOr<TemplateExpression> ParsePrimary() {
    const TemplateToken token = lexer_.token();
    switch (token.kind) {
      case TemplateToken::kString:
        return ParseString();
      case TemplateToken::kNumber: {
        lexer_.Next();
        double number = 0;
        int64_t hex = 0;
        if (absl::SimpleHexAtoi(token.text, &hex) &&
            token.text.substr(1, 1).find_first_of("xX") == 0) {
          return TemplateLiteral(absl::StrCat(hex));
        }
        if (!absl::SimpleAtod(token.text, &number)) {
          return TemplateErrorAt(
              file_, token, absl::StrCat(TokenText(token), " is no number."));
        }
        return TemplateLiteral(token.text);
      }
      case TemplateToken::kName:
        return ParseName();
      default:
        break;
    }
    if (!token.Is("(")) {
      return Error(
          absl::StrCat("expected a value, not ", TokenText(token), "."));
    }
    lexer_.Next();
    SYNCLINE_ASSIGN_OR_RETURN(TemplateExpression inner, Parse(1));
    SYNCLINE_RETURN_IF_ERROR(Expect(")"));
    return inner;
  }

  // Strings that follow each other are one.
  absl::StatusOr<TemplateExpression> ParseString() {
    std::string all;
    while (lexer_.token().kind == TemplateToken::kString) {
      const absl::string_view text = lexer_.token().text;
      std::string part;
      if (text.size() < 2 || text.back() != text[0] ||
          !absl::CUnescape(text.substr(1, text.size() - 2), &part)) {
        return Error(absl::StrCat("the string ", Quoted(text),
                                  " does not end, or has a bad escape."));
      }
      all += part;
      lexer_.Next();
    }
    return TemplateLiteral(all);
  }

  absl::StatusOr<TemplateExpression> ParseName() {
    const TemplateToken name = lexer_.token();
    lexer_.Next();
    if (lexer_.token().Is("(")) return ParseCall(name);
    if (name.Is("true") || name.Is("false")) return TemplateLiteral(name.text);
    TemplateExpression result;
    result.set_param(std::string(name.text));
    return result;
  }

  absl::StatusOr<TemplateExpression> ParseCall(const TemplateToken& name) {
    const auto& known = Functions();
    if (std::find(known.begin(), known.end(), name.text) == known.end()) {
      return TemplateErrorAt(
          file_, name,
          absl::StrCat("there is no function ", TokenText(name), ".",
                       DidYouMeanOrKnownText(name.text, known)));
    }
    TemplateExpression call;
    call.set_op(std::string(name.text));
    lexer_.Next();
    while (!lexer_.token().Is(")")) {
      if (call.arg_size() > 0) SYNCLINE_RETURN_IF_ERROR(Expect(","));
      if (name.Is("dict")) {
        SYNCLINE_ASSIGN_OR_RETURN(*call.add_arg(), Parse(1));
        SYNCLINE_RETURN_IF_ERROR(TakeAfterKey());
      }
      SYNCLINE_ASSIGN_OR_RETURN(*call.add_arg(), Parse(1));
    }
    lexer_.Next();
    const bool takes_one =
        name.Is("size") || name.Is("lowercase") || name.Is("uppercase");
    if (takes_one && call.arg_size() != 1) {
      return TemplateErrorAt(
          file_, name,
          absl::StrCat(TokenText(name), " takes one value, not ",
                       call.arg_size(), "."));
    }
    if ((name.Is("min") || name.Is("max")) && call.arg_size() == 0) {
      return TemplateErrorAt(
          file_, name,
          absl::StrCat(TokenText(name), " takes at least one value."));
    }
    return call;
  }

  // What stands between a key of dict() and its value: ":" or ",".
  absl::Status TakeAfterKey() {
    if (!lexer_.token().Is(":") && !lexer_.token().Is(",")) {
      return Error(absl::StrCat(
          "expected \":\" after a key, as in dict(\"key\": value), not ",
          TokenText(lexer_.token()), "."));
    }
    lexer_.Next();
    return absl::OkStatus();
  }

  TemplateLexer& lexer_;
  const absl::string_view file_;
  int depth_ = 0;
};

}  // namespace

absl::StatusOr<TemplateExpression> ParseTemplateExpression(
    TemplateLexer* lexer, absl::string_view file) {
  return Parser(lexer, file).Parse(1);
}

absl::Status TemplateErrorAt(absl::string_view file, const TemplateToken& token,
                             absl::string_view message) {
  return absl::InvalidArgumentError(absl::StrCat(file.empty() ? "<text>" : file,
                                                 ":", token.line, ":",
                                                 token.column, ": ", message));
}

absl::Status TakeTemplateSymbol(absl::string_view symbol,
                                absl::string_view where, absl::string_view file,
                                TemplateLexer* lexer) {
  if (!lexer->token().Is(symbol)) {
    return TemplateErrorAt(
        file, lexer->token(),
        absl::StrCat("expected ", Quoted(symbol), where.empty() ? "" : " ",
                     where, ", not ", TokenText(lexer->token()), "."));
  }
  lexer->Next();
  return absl::OkStatus();
}

std::string TokenText(const TemplateToken& token) {
  if (token.kind == TemplateToken::kEnd) return "the end of the text";
  return Quoted(token.text);
}

TemplateExpression TemplateLiteral(absl::string_view text) {
  TemplateExpression literal;
  literal.set_op("literal");
  literal.set_param(std::string(text));
  return literal;
}

}  // namespace syncline
