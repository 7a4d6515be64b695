// The page of a graph holds all of the picture, and no name in it is markup.

#include "pages/view/view_page.h"

#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "pages/model/graph_picture.h"

namespace syncline {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// What stands between two texts.
std::string Between(const std::string& page, absl::string_view begin,
                    absl::string_view end) {
  const std::size_t from = page.find(std::string(begin));
  if (from == std::string::npos) return "";
  const std::size_t start = from + begin.size();
  return page.substr(start, page.find(std::string(end), start) - start);
}

constexpr char kPicture[] = "<script type=\"application/json\" id=\"picture\">";
constexpr char kState[] = "<script type=\"application/json\" id=\"state\">";

int Count(const std::string& page, const std::string& text) {
  int count = 0;
  for (std::size_t at = page.find(text); at != std::string::npos;
       at = page.find(text, at + 1)) {
    ++count;
  }
  return count;
}

TEST(ViewPageTest, HoldsThePictureAsData) {
  GraphPicture picture;
  picture.title = "a.pbtxt";
  picture.nodes.resize(2);
  picture.nodes[1].name = "second";
  const std::string page = ViewPage(picture);
  const auto json = nlohmann::json::parse(Between(page, kPicture, "</script>"));
  EXPECT_EQ(json["title"], "a.pbtxt");
  EXPECT_EQ(json["nodes"][1]["name"], "second");
  EXPECT_EQ(Between(page, kState, "</script>"), "");
}

TEST(ViewPageTest, HoldsTheStateOfARunWhereThereIsOne) {
  PictureState state;
  state.phase = "failed";
  const std::string page = ViewPage(GraphPicture(), &state);
  const auto json = nlohmann::json::parse(Between(page, kState, "</script>"));
  EXPECT_EQ(json["phase"], "failed");
}

TEST(ViewPageTest, NamesAddNoMarkup) {
  GraphPicture picture;
  const std::string plain = ViewPage(picture);
  const std::string bad = "</script><script>alert(1)</script><!--<b>\x01\xff";
  picture.title = bad;
  picture.nodes.resize(1);
  picture.nodes[0].name = picture.nodes[0].options = bad;
  PictureState state;
  state.error = state.standstill = bad;
  const std::string page = ViewPage(picture, &state);
  EXPECT_EQ(Count(page, "<script"), Count(plain, "<script"));
  EXPECT_EQ(Count(page, "</script"), Count(plain, "</script"));
  EXPECT_EQ(Count(page, "<!--"), Count(plain, "<!--"));
  EXPECT_THAT(page, Not(HasSubstr("<b>")));
}

// Chromium refuses a script whose hash is another: browser_test.
TEST(ViewPageTest, ItsPolicyLetsNothingBeFetched) {
  const std::string page = ViewPage(GraphPicture());
  const std::string policy =
      Between(page, "Content-Security-Policy\" content=\"", "\"");
  EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
  EXPECT_EQ(Count(policy, "'sha256-"), 4);
  EXPECT_THAT(policy, Not(HasSubstr("unsafe")));
  EXPECT_THAT(page, Not(HasSubstr("src=\"")));
  EXPECT_THAT(page, Not(HasSubstr("href=")));
  EXPECT_THAT(page, Not(HasSubstr("innerHTML")));
}

}  // namespace
}  // namespace syncline
