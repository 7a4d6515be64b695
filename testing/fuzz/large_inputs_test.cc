// Inputs of a megabyte, read on a stack of an eighth of the usual: what is
// inside each other as often as fits, and long graphs with changed bytes. Each
// gives a plan, a graph or a status; code that calls itself for each level of
// its input would overflow the stack.

#include <pthread.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "testing/fuzz/compile_target.h"
#include "testing/fuzz/template_target.h"

namespace syncline {
namespace {

constexpr std::size_t kBytes = std::size_t{1} << 20;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
// The frames of a sanitizer are several times as large.
constexpr std::size_t kStackBytes = std::size_t{8} << 20;
#else
constexpr std::size_t kStackBytes = std::size_t{1} << 20;
#endif

void RunOnSmallStack(std::function<void()> code) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, kStackBytes), 0);
  pthread_t thread;
  const auto run = [](void* code) -> void* {
    (*static_cast<std::function<void()>*>(code))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &code), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

// Of whole pieces.
std::string Filled(const std::string& start, const std::string& piece,
                   std::size_t size = kBytes) {
  std::string text = start;
  while (text.size() + piece.size() <= size) text += piece;
  return text;
}

// Where one expression is read, these are operands of it by the hundred
// thousand, which takes a second.
bool IsLongExpression(const std::string& start, const std::string& piece) {
  return start.find('%') != start.npos &&
         (piece == "1 + " || piece == "all_of < ");
}

// Messages in each other down to the end, each the value of this field. The
// length of each is a number of five bytes.
std::string NestedMessages(int field) {
  constexpr std::size_t kHeader = 6;
  std::string bytes;
  while (bytes.size() + kHeader <= kBytes) {
    std::size_t rest = kBytes / kHeader * kHeader - bytes.size() - kHeader;
    bytes.push_back(static_cast<char>(field << 3 | 2));
    for (int i = 0; i < 5; ++i, rest >>= 7) {
      bytes.push_back(static_cast<char>((rest & 0x7F) | (i < 4 ? 0x80 : 0)));
    }
  }
  return bytes;
}

TEST(LargeInputsTest, WhatIsInsideItselfForAMegabyteGivesAnAnswer) {
  std::vector<std::string> inputs;
  const std::string any = "[type.googleapis.com/google.protobuf.Any] { ";
  for (const std::string& start :
       {std::string(), std::string("node { node_options { "),
        std::string("node { calculator: 'IntNode' any_of { "),
        std::string("%param p: "), std::string("%if ("),
        std::string("max_queue_size: %")}) {
    for (const std::string& piece :
         {any, std::string("any_of { "), std::string("all_of < "),
          std::string("node { "), std::string("options { "),
          std::string("%for (i : l)%"), std::string("%if (n)% "),
          std::string("("), std::string("["), std::string("-"),
          std::string("!"), std::string("list("), std::string("a."),
          std::string("\\"), std::string("1 + "), std::string("1 ? ")}) {
      // A megabyte of them in one place; the others use the same reader.
      const bool is_short =
          IsLongExpression(start, piece) && start != "%param p: ";
      inputs.push_back(Filled(start, piece, is_short ? kBytes / 16 : kBytes));
    }
  }
  for (const int field : {1, 2, 3, 4, 7, 8, 14}) {
    inputs.push_back(NestedMessages(field));
    inputs.push_back(std::string(kBytes, static_cast<char>(field << 3 | 3)));
  }
  RunOnSmallStack([&] {
    for (const std::string& input : inputs) {
      const std::string shown = input.substr(0, 80);
      EXPECT_EQ(CompileBytes(input).broken, "") << shown;
      EXPECT_EQ(ExpandBytes(input).broken, "") << shown;
    }
  });
}

TEST(LargeInputsTest, LongGraphsWithChangedBytesGiveAnAnswer) {
  std::ifstream file("testing/fuzz/corpus/options.pbtxt");
  std::stringstream text;
  text << file.rdbuf();
  ASSERT_FALSE(text.str().empty());
  const std::string whole = Filled("", text.str());
  std::mt19937 random(1);
  RunOnSmallStack([&] {
    for (int i = 0; i < 8; ++i) {
      std::string changed = whole;
      for (int j = 0; j < i; ++j) {
        changed[random() % changed.size()] = static_cast<char>(random());
      }
      EXPECT_EQ(CompileBytes(changed).broken, "") << "run " << i;
    }
  });
}

}  // namespace
}  // namespace syncline
