// Who may ask a server of pages: names of the machine, the page itself, and who
// has the token; and nobody else.
#include "pages/server/request_check.h"

#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

RequestRule LocalRule() { return {.machine_name = "lab7"}; }

RequestRule OpenRule() {
  return {.is_loopback = false,
          .machine_name = "lab7",
          .token = "0123456789abcdef",
          .cookie_name = "syncline_8080"};
}

RequestOrigin To(const std::string& host) {
  RequestOrigin request;
  request.host = host;
  return request;
}

TEST(RequestCheckTest, AtLoopbackOnlyNamesOfLoopbackAreTheMachine) {
  for (const char* const host :
       {"127.0.0.1:8080", "127.0.0.1", "localhost:9000", "LOCALHOST",
        "[::1]:8080", "127.3.2.1"}) {
    EXPECT_EQ(CheckRequest(LocalRule(), To(host)), RequestVerdict::kOk) << host;
  }
  for (const char* const host :
       {"evil.example:8080", "evil.example", "10.0.0.1:8080", "lab7:8080",
        "127.0.0.1.evil.example", "localhost.evil.example", "[::2]:8080"}) {
    EXPECT_EQ(CheckRequest(LocalRule(), To(host)), RequestVerdict::kForeignHost)
        << host;
  }
}

TEST(RequestCheckTest, ARequestHasToNameAHost) {
  EXPECT_EQ(CheckRequest(LocalRule(), RequestOrigin()),
            RequestVerdict::kNoHost);
  for (const char* const host : {"", ":8080", "localhost:", "localhost:80x",
                                 "[::1", "[::1]x", "localhost:123456"}) {
    EXPECT_EQ(CheckRequest(LocalRule(), To(host)), RequestVerdict::kNoHost)
        << host;
  }
}

TEST(RequestCheckTest, OnANetworkAddressesAndTheMachinesNameAreTheMachine) {
  RequestRule rule = OpenRule();
  rule.token.clear();
  for (const char* const host :
       {"10.0.0.1:8080", "[fe80::1]:8080", "lab7:8080", "LAB7", "localhost"}) {
    EXPECT_EQ(CheckRequest(rule, To(host)), RequestVerdict::kOk) << host;
  }
  EXPECT_EQ(CheckRequest(rule, To("evil.example:8080")),
            RequestVerdict::kForeignHost);
}

TEST(RequestCheckTest, AScriptOfAnotherSiteIsRefused) {
  RequestOrigin request = To("127.0.0.1:8080");
  request.origin = "http://127.0.0.1:8080";
  EXPECT_EQ(CheckRequest(LocalRule(), request), RequestVerdict::kOk);
  for (const char* const origin :
       {"http://evil.example", "https://127.0.0.1:8080", "null",
        "http://127.0.0.1:9999", "http://localhost:8080", ""}) {
    request.origin = origin;
    EXPECT_EQ(CheckRequest(LocalRule(), request),
              RequestVerdict::kForeignOrigin)
        << origin;
  }
}

// As <img src="http://127.0.0.1:8080/trace/file"> of a page elsewhere does,
// for which browsers name no Origin.
TEST(RequestCheckTest, AnotherSiteMayHaveALinkToThePageAndNothingElse) {
  RequestOrigin request;
  request.host = "127.0.0.1:8080";
  for (const char* const site : {"cross-site", "same-site"}) {
    request.fetch_site = site;
    request.is_page = false;
    EXPECT_EQ(CheckRequest(RequestRule(), request),
              RequestVerdict::kForeignOrigin);
    request.is_page = true;
    EXPECT_EQ(CheckRequest(RequestRule(), request), RequestVerdict::kOk);
  }
  request.is_page = false;
  for (const char* const site : {"same-origin", "none"}) {
    request.fetch_site = site;
    EXPECT_EQ(CheckRequest(RequestRule(), request), RequestVerdict::kOk);
  }
}

TEST(RequestCheckTest, APostHasToSayWhereItComesFrom) {
  RequestOrigin request = To("localhost:8080");
  request.is_post = true;
  EXPECT_EQ(CheckRequest(LocalRule(), request), RequestVerdict::kForeignOrigin);
  request.origin = "http://localhost:8080";
  EXPECT_EQ(CheckRequest(LocalRule(), request), RequestVerdict::kOk);
  request.origin.reset();
  request.authorization = "Bearer 0123456789abcdef";
  request.host = "lab7:8080";
  EXPECT_EQ(CheckRequest(OpenRule(), request), RequestVerdict::kOk);
}

TEST(RequestCheckTest, TheTokenComesByAddressCookieOrHeader) {
  RequestOrigin request = To("lab7:8080");
  EXPECT_EQ(CheckRequest(OpenRule(), request), RequestVerdict::kNoToken);
  request.token = "0123456789abcdef";
  EXPECT_EQ(CheckRequest(OpenRule(), request), RequestVerdict::kKeepToken);
  request.token.clear();
  request.cookie = "other=1; syncline_8080=0123456789abcdef; more=2";
  EXPECT_EQ(CheckRequest(OpenRule(), request), RequestVerdict::kOk);
  request.cookie.reset();
  request.authorization = "Bearer 0123456789abcdef";
  EXPECT_EQ(CheckRequest(OpenRule(), request), RequestVerdict::kOk);
}

TEST(RequestCheckTest, AWrongTokenIsNone) {
  RequestOrigin request = To("lab7:8080");
  for (const char* const token :
       {"0123456789abcdee", "0123456789abcde", "0123456789abcdef0", "x"}) {
    request.token = token;
    EXPECT_EQ(CheckRequest(OpenRule(), request), RequestVerdict::kWrongToken);
    RequestOrigin by_cookie = To("lab7:8080");
    by_cookie.cookie = std::string("syncline_8080=") + token;
    EXPECT_EQ(CheckRequest(OpenRule(), by_cookie), RequestVerdict::kWrongToken);
    RequestOrigin by_header = To("lab7:8080");
    by_header.authorization = std::string("Bearer ") + token;
    EXPECT_EQ(CheckRequest(OpenRule(), by_header), RequestVerdict::kWrongToken);
  }
  RequestOrigin other_server = To("lab7:8080");
  other_server.cookie = "syncline_9090=0123456789abcdef";
  EXPECT_EQ(CheckRequest(OpenRule(), other_server), RequestVerdict::kNoToken);
}

TEST(RequestCheckTest, ALinkWithTheTokenPressesNoButton) {
  RequestOrigin request = To("lab7:8080");
  request.token = "0123456789abcdef";
  request.is_post = true;
  request.origin = "http://lab7:8080";
  EXPECT_EQ(CheckRequest(OpenRule(), request), RequestVerdict::kNoToken);
}

TEST(RequestCheckTest, TokensAreLongAndDiffer) {
  std::set<std::string> tokens;
  for (int i = 0; i < 50; ++i) {
    const absl::StatusOr<std::string> token = MakeToken();
    ASSERT_TRUE(token.ok());
    EXPECT_THAT(*token, testing::MatchesRegex("[0-9a-f]+"));
    EXPECT_EQ(token->size(), 32);
    tokens.insert(*token);
  }
  EXPECT_EQ(tokens.size(), 50);
}

}  // namespace
}  // namespace syncline
