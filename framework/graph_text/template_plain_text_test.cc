#include "framework/graph_text/template_plain_text.h"

#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(TemplatePlainTextTest, WhatIsKeptStaysAsItIs) {
  TemplatePlainText text("abc\ndef");
  text.KeepUntil(2);
  EXPECT_EQ(text.plain(), "ab");
  EXPECT_EQ(text.size(), 2);
  text.KeepAll();
  EXPECT_EQ(text.plain(), "abc\ndef");
}

TEST(TemplatePlainTextTest, WhatIsLeftOutBecomesSpacesLineByLine) {
  TemplatePlainText text("a%\nx%b");
  text.KeepUntil(1);
  text.ReplaceUntil(5, "");
  text.KeepAll();
  EXPECT_EQ(text.plain(), "a \n  b");
}

TEST(TemplatePlainTextTest, AValueTakesThePlace) {
  TemplatePlainText text("a: % x % b");
  text.KeepUntil(3);
  text.ReplaceUntil(8, "\"\"");
  text.KeepAll();
  EXPECT_EQ(text.plain(), "a: \"\"    b");
}

TEST(TemplatePlainTextTest, ALongerValueMovesTheRestOfTheLine) {
  TemplatePlainText text("%x%b");
  text.ReplaceUntil(3, "12345");
  text.KeepAll();
  EXPECT_EQ(text.plain(), "12345b");
}

TEST(TemplatePlainTextTest, WhatWasKeptLastCanBeLeftOutAfterAll) {
  TemplatePlainText text("ab\ncd");
  text.KeepAll();
  text.BlankFrom(1);
  EXPECT_EQ(text.plain(), "a \n  ");
}

}  // namespace
}  // namespace syncline
