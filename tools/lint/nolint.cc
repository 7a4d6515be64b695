#include "tools/lint/nolint.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "framework/base/hash_map.h"
#include "framework/base/nearest_names.h"
#include "framework/graph_text/node_names.h"
#include "tools/lint/graph_comments.h"
#include "tools/lint/lint_graph.h"
#include "tools/lint/rules.h"

namespace syncline {
namespace {

constexpr absl::string_view kNolint = "NOLINT";

// What one NOLINT says of one rule.
struct Silence {
  enum class Scope { kNode, kNextLine, kFile };

  int line = 0;
  Scope scope = Scope::kNode;
  // "" for all rules.
  std::string rule;
  bool is_used = false;
};

bool IsWordChar(char c) { return absl::ascii_isalnum(c) || c == '_'; }

bool IsRule(absl::string_view name) {
  return absl::c_any_of(
      LintRules(), [name](const LintRule& rule) { return rule.name == name; });
}

absl::string_view NameOf(Silence::Scope scope) {
  switch (scope) {
    case Silence::Scope::kNode:
      return "NOLINT";
    case Silence::Scope::kNextLine:
      return "NOLINTNEXTLINE";
    case Silence::Scope::kFile:
      return "NOLINTFILE";
  }
  return "";
}

// Adds what stands in brackets at the beginning of `rest`.
void AddRules(absl::string_view rest, Silence silence,
              std::vector<Silence>* silences) {
  std::vector<std::string> rules;
  const std::size_t end = rest.find(')');
  if (absl::ConsumePrefix(&rest, "(") && end != absl::string_view::npos) {
    rules = absl::StrSplit(rest.substr(0, end - 1), ',');
  } else {
    rules.emplace_back();
  }
  for (const std::string& rule : rules) {
    silence.rule = std::string(absl::StripAsciiWhitespace(rule));
    silences->push_back(silence);
  }
}

// Adds what a comment says, in which NOLINT may stand several times.
void ReadComment(const GraphComment& comment, std::vector<Silence>* silences) {
  absl::string_view text = comment.text;
  std::size_t at = 0;
  while ((at = text.find(kNolint, at)) != absl::string_view::npos) {
    const bool begins = at == 0 || !IsWordChar(text[at - 1]);
    at += kNolint.size();
    absl::string_view rest = text.substr(at);
    Silence silence{.line = comment.line};
    if (absl::ConsumePrefix(&rest, "NEXTLINE")) {
      silence.scope = Silence::Scope::kNextLine;
    } else if (absl::ConsumePrefix(&rest, "FILE")) {
      silence.scope = Silence::Scope::kFile;
    }
    if (!begins || (!rest.empty() && IsWordChar(rest[0]))) continue;
    AddRules(rest, silence, silences);
  }
}

// The number at the beginning of `text`; 0 if there is none.
int LeadingNumber(absl::string_view text) {
  const auto end =
      absl::c_find_if_not(text, [](char c) { return absl::ascii_isdigit(c); });
  int number = 0;
  return absl::SimpleAtoi(
             text.substr(0, static_cast<std::size_t>(end - text.begin())),
             &number)
             ? number
             : 0;
}

// The line of `file` in which the node stands, or the subgraph's node around
// it; 0 if it stands elsewhere. See GraphPlan::Location.
int LineIn(absl::string_view location, absl::string_view file) {
  const std::string prefix = absl::StrCat(file, ":");
  if (!absl::EndsWith(location, ")")) {
    return absl::ConsumePrefix(&location, prefix) ? LeadingNumber(location) : 0;
  }
  // The chain of subgraphs names the outermost one last.
  const std::string outermost = absl::StrCat(" at ", prefix);
  const std::size_t at = location.rfind(outermost);
  return at == absl::string_view::npos
             ? 0
             : LeadingNumber(location.substr(at + outermost.size()));
}

class Silencer {
 public:
  explicit Silencer(absl::string_view text) : text_(FindGraphComments(text)) {
    for (const GraphComment& comment : text_.comments) {
      ReadComment(comment, &silences_);
    }
    for (std::size_t i = 0; i < silences_.size(); ++i) {
      const Silence& silence = silences_[i];
      switch (silence.scope) {
        case Silence::Scope::kFile:
          of_file_.push_back(i);
          break;
        case Silence::Scope::kNextLine:
          by_line_[silence.line + 1].push_back(i);
          break;
        case Silence::Scope::kNode:
          AddToBlocks(i);
          break;
      }
    }
  }

  bool Silences(absl::string_view rule, int line) {
    bool is_silenced = false;
    const auto try_all = [&](const std::vector<std::size_t>& those) {
      for (const std::size_t i : those) {
        if (!IsMeant(silences_[i], rule)) continue;
        silences_[i].is_used = true;
        is_silenced = true;
      }
    };
    try_all(of_file_);
    if (const auto found = by_line_.find(line); found != by_line_.end()) {
      try_all(found->second);
    }
    // Blocks can share their first and last lines.
    for (auto block = FirstBlockAt(line);
         block != text_.blocks.end() && block->first_line <= line; ++block) {
      const auto found = by_block_.find(
          static_cast<std::size_t>(block - text_.blocks.begin()));
      if (found != by_block_.end()) try_all(found->second);
    }
    return is_silenced;
  }

  // Findings about the comments that silenced nothing.
  std::vector<LintFinding> Unused(absl::string_view file) const {
    HashSet<int> excused_lines;
    for (const Silence& silence : silences_) {
      if (!IsAboutComments(silence)) continue;
      if (silence.scope == Silence::Scope::kFile) return {};
      excused_lines.insert(silence.line);
    }
    std::vector<LintFinding> findings;
    for (const Silence& silence : silences_) {
      if (silence.is_used || excused_lines.contains(silence.line)) continue;
      findings.push_back(Describe(silence, file));
    }
    return findings;
  }

 private:
  static bool IsAboutComments(const Silence& silence) {
    return silence.rule == kUnusedNolint;
  }

  // A file is never silenced as a whole.
  static bool IsMeant(const Silence& silence, absl::string_view rule) {
    return silence.rule == rule ||
           (silence.rule.empty() && silence.scope != Silence::Scope::kFile);
  }

  std::vector<TopBlock>::const_iterator FirstBlockAt(int line) const {
    return std::lower_bound(text_.blocks.begin(), text_.blocks.end(), line,
                            [](const TopBlock& block, int wanted) {
                              return block.last_line < wanted;
                            });
  }

  void AddToBlocks(std::size_t silence) {
    const int line = silences_[silence].line;
    for (auto block = FirstBlockAt(line);
         block != text_.blocks.end() && block->first_line <= line; ++block) {
      by_block_[static_cast<std::size_t>(block - text_.blocks.begin())]
          .push_back(silence);
    }
  }

  static LintFinding Describe(const Silence& silence, absl::string_view file) {
    LintFinding finding{.rule = std::string(kUnusedNolint),
                        .location = absl::StrCat(file, ":", silence.line)};
    const absl::string_view name = NameOf(silence.scope);
    if (silence.rule.empty() && silence.scope == Silence::Scope::kFile) {
      finding.problem = absl::StrCat(name, " names no rule");
      finding.remedy =
          absl::StrCat("Name the rules that the file is about: ", name,
                       "(unread-output), say.");
      return finding;
    }
    if (!silence.rule.empty() && !IsRule(silence.rule)) {
      std::vector<std::string> names;
      for (const LintRule& rule : LintRules()) names.emplace_back(rule.name);
      finding.problem = absl::StrCat(name, " names the rule ",
                                     Quoted(silence.rule), ", which is none");
      finding.remedy = std::string(absl::StripLeadingAsciiWhitespace(
          DidYouMeanOrKnownText(silence.rule, names)));
      return finding;
    }
    finding.problem = absl::StrCat(
        name, silence.rule.empty() ? "" : absl::StrCat("(", silence.rule, ")"),
        " silences nothing here");
    finding.remedy = "Take it out, or put it where the finding is.";
    return finding;
  }

  const GraphComments text_;
  std::vector<Silence> silences_;
  // Positions in silences_.
  std::vector<std::size_t> of_file_;
  std::map<int, std::vector<std::size_t>> by_line_;
  std::map<std::size_t, std::vector<std::size_t>> by_block_;
};

}  // namespace

std::vector<LintFinding> ApplyNolint(std::vector<LintFinding> findings,
                                     absl::string_view text,
                                     absl::string_view file) {
  Silencer silencer(text);
  std::vector<LintFinding> left;
  for (LintFinding& finding : findings) {
    if (silencer.Silences(finding.rule, LineIn(finding.location, file))) {
      continue;
    }
    left.push_back(std::move(finding));
  }
  absl::c_move(silencer.Unused(file), std::back_inserter(left));
  return left;
}

}  // namespace syncline
