// A few thousand changed templates, the same ones in every run: whatever a
// template says, the answer is a graph or a status. The fuzzer next to this
// file goes on where it ends.

#include <cstddef>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph_text/template_text.h"
#include "gtest/gtest.h"
#include "testing/fuzz/template_target.h"

namespace syncline {
namespace {

std::string Corpus() {
  std::ifstream file("testing/fuzz/corpus/templates.pbtxt");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(file.good());
  return text.str();
}

// Pieces that mean something, to be put anywhere.
constexpr const char* kPieces[] = {
    "%",
    "%end%",
    "%if (n)%",
    "%for (i : l)%",
    "%param p: 1%",
    "% n %",
    "% l %",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ":",
    "\"",
    "node {",
    "list(1,2)",
    ".k",
    " + ",
    "d",
    "name:",
    "type: %t%",
    "!",
    "\n",
    "size(",
};

std::string Changed(std::string text, std::mt19937* random) {
  for (unsigned j = (*random)() % 2; j < 2; ++j) {
    const size_t at = (*random)() % (text.size() + 1);
    switch ((*random)() % 4) {
      case 0:
        text.insert(at, kPieces[(*random)() % std::size(kPieces)]);
        break;
      case 1:
        text.erase(at, (*random)() % 12);
        break;
      case 2:
        text.insert(
            at, text.substr((*random)() % (text.size() + 1), (*random)() % 60));
        break;
      default:
        if (at < text.size()) text[at] = static_cast<char>((*random)());
    }
  }
  return text;
}

TEST(TemplateMutationsTest, ChangedTemplatesGiveAGraphOrAStatus) {
  const std::string corpus = Corpus();
  std::mt19937 random(1);
  int read = 0;
  int expanded = 0;
  constexpr int kRuns = 4000;
  for (int i = 0; i < kRuns; ++i) {
    const std::string text = Changed(corpus, &random);
    const TemplateFacts facts = ExpandBytes(text);
    ASSERT_TRUE(facts.broken.empty()) << facts.broken << "\n" << text;
    read += facts.was_read;
    expanded += facts.was_expanded;
  }
  // Otherwise the changes are too wild, or too tame, to tell anything.
  EXPECT_GT(read, kRuns / 20);
  EXPECT_GT(expanded, kRuns / 50);
  EXPECT_LT(expanded, kRuns * 9 / 10);
}

TEST(TemplateMutationsTest, ChangedBinaryTemplatesGiveAGraphOrAStatus) {
  const auto whole = ReadTemplateText(Corpus());
  ASSERT_TRUE(whole.ok()) << whole.status();
  EXPECT_TRUE(ExpandBytes(whole->SerializeAsString()).was_expanded);
  std::mt19937 random(1);
  int expanded = 0;
  for (int i = 0; i < 4000; ++i) {
    CalculatorGraphTemplate changed = *whole;
    // Rules that do not fit: in another order, gone, with another path.
    for (unsigned j = random() % 3; j < 3; ++j) {
      auto* rules = changed.mutable_rule();
      const int at = static_cast<int>(random() % rules->size());
      const int other = static_cast<int>(random() % rules->size());
      switch (random() % 5) {
        case 0:
          rules->SwapElements(at, other);
          break;
        case 1:
          if (rules->size() > 1) rules->DeleteSubrange(at, 1);
          break;
        case 2:
          (*rules)[at].set_path((*rules)[other].path());
          break;
        case 3:
          (*rules)[at].set_nested_rules(static_cast<int>(random() % 9) - 1);
          break;
        default:
          (*rules)[at].clear_nested_rules();
      }
    }
    std::string bytes = changed.SerializeAsString();
    if (random() % 4 == 0) {
      bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    const TemplateFacts facts = ExpandBytes(bytes);
    ASSERT_TRUE(facts.broken.empty()) << facts.broken << "\nrun " << i;
    expanded += facts.was_expanded;
  }
  EXPECT_GT(expanded, 100);
}

}  // namespace
}  // namespace syncline
