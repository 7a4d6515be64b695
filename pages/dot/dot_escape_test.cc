// Names are text in DOT, whatever is in them; graphviz_svg_test shows it of the
// SVG.

#include "pages/dot/dot_escape.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(DotEscapeTest, MarkupIsText) {
  EXPECT_EQ(DotMarkup("<b>\"a\" & b</b>"),
            "&lt;b&gt;&quot;a&quot; &amp; b&lt;/b&gt;");
  EXPECT_EQ(DotMarkup("&lt;"), "&amp;lt;");
  EXPECT_EQ(DotMarkup("größe 名前"), "größe 名前");
}

TEST(DotEscapeTest, ControlCharactersAreShown) {
  EXPECT_EQ(DotMarkup("a\x01"
                      "b\tc\x7f\xc2\x85\n"),
            R"(a\\x01b\\x09c\\x7f\\x85\\n)");
  EXPECT_EQ(DotQuoted("a\x01\nb"), "\"a\\\\x01\\nb\"");
}

TEST(DotEscapeTest, WhatTurnsTextRoundIsVisible) {
  EXPECT_EQ(DotMarkup("a\u202eb"), R"(a\\u202eb)");
  EXPECT_EQ(DotMarkup("\u061c\u200e\u2029\u2066\u2069"),
            R"(\\u061c\\u200e\\u2029\\u2066\\u2069)");
  EXPECT_EQ(DotTooltip("\u202e"), R"("\\\\u202e")");
  EXPECT_EQ(DotMarkup("\u05d0\u0627\u2027\u202f"), "\u05d0\u0627\u2027\u202f");
}

TEST(DotEscapeTest, BytesThatAreNoUtf8AreReplaced) {
  EXPECT_EQ(DotMarkup("a\xff"
                      "b\xc3"),
            "a\xef\xbf\xbd"
            "b\xef\xbf\xbd");
  EXPECT_EQ(DotMarkup("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(DotMarkup("\xef\xbf\xbf"), "\xef\xbf\xbd");
}

TEST(DotEscapeTest, QuotesAndBackslashesEndNoValue) {
  EXPECT_EQ(DotQuoted("a\"b\\"), "\"a\\\"b\\\\\"");
  // Graphviz replaces \N by the name of the node, and reads tooltips twice.
  EXPECT_EQ(DotQuoted("\\N"), R"("\\N")");
  EXPECT_EQ(DotMarkup("\\N"), R"(\\N)");
  EXPECT_EQ(DotTooltip("\\N\n\x01"), R"("\\\\N\n\\\\x01")");
  EXPECT_EQ(DotQuoted("&amp;"), "\"&amp;amp;\"");
}

TEST(DotEscapeTest, LongNamesKeepBothEnds) {
  EXPECT_EQ(Shortened("short", 10), "short");
  EXPECT_EQ(Shortened("abcdefghijklmnop", 10), "abcdef…nop");
  EXPECT_EQ(Shortened("ääääääääää", 10), "ääääääääää");
  EXPECT_EQ(Shortened("äöüäöüäöüäöü", 7), "äöüä…öü");
  EXPECT_EQ(Shortened("\xff\xff\xff\xff\xff", 3), "\xff\xff…");
}

}  // namespace
}  // namespace syncline
