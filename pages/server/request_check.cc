#include "pages/server/request_check.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/random.h>

#include <cerrno>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace syncline {
namespace {

bool IsNumericAddress(const std::string& host) {
  in6_addr address;
  return inet_pton(AF_INET, host.c_str(), &address) == 1 ||
         inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

bool IsPort(absl::string_view text) {
  if (text.empty() || text.size() > 5) return false;
  for (const char c : text) {
    if (!absl::ascii_isdigit(static_cast<unsigned char>(c))) return false;
  }
  return true;
}

bool IsOwnHost(const RequestRule& rule, const std::string& host) {
  if (IsLoopbackHost(host)) return true;
  if (rule.is_loopback) return false;
  return IsNumericAddress(host) ||
         (!rule.machine_name.empty() &&
          absl::EqualsIgnoreCase(host, rule.machine_name));
}

// The value of a cookie; empty if there is none.
absl::string_view FindCookie(absl::string_view cookies,
                             absl::string_view name) {
  for (absl::string_view cookie : absl::StrSplit(cookies, ';')) {
    cookie = absl::StripAsciiWhitespace(cookie);
    if (absl::ConsumePrefix(&cookie, name) &&
        absl::ConsumePrefix(&cookie, "=")) {
      return cookie;
    }
  }
  return "";
}

RequestVerdict CheckToken(const RequestRule& rule,
                          const RequestOrigin& request) {
  if (rule.token.empty()) return RequestVerdict::kOk;
  if (!request.token.empty()) {
    return IsSameToken(request.token, rule.token) ? RequestVerdict::kKeepToken
                                                  : RequestVerdict::kWrongToken;
  }
  absl::string_view given;
  absl::string_view bearer;
  if (request.authorization.has_value()) bearer = *request.authorization;
  if (absl::ConsumePrefix(&bearer, "Bearer ")) {
    given = absl::StripAsciiWhitespace(bearer);
  } else if (request.cookie.has_value()) {
    given = FindCookie(*request.cookie, rule.cookie_name);
  }
  if (given.empty()) return RequestVerdict::kNoToken;
  return IsSameToken(given, rule.token) ? RequestVerdict::kOk
                                        : RequestVerdict::kWrongToken;
}

}  // namespace

std::string HostWithoutPort(absl::string_view host) {
  if (absl::ConsumePrefix(&host, "[")) {
    const auto end = host.find(']');
    if (end == absl::string_view::npos) return "";
    absl::string_view rest = host.substr(end + 1);
    if (absl::ConsumePrefix(&rest, ":") ? !IsPort(rest) : !rest.empty()) {
      return "";
    }
    return std::string(host.substr(0, end));
  }
  const auto colon = host.find(':');
  if (colon == absl::string_view::npos) return std::string(host);
  return IsPort(host.substr(colon + 1)) ? std::string(host.substr(0, colon))
                                        : "";
}

bool IsLoopbackHost(absl::string_view host) {
  if (absl::EqualsIgnoreCase(host, "localhost")) return true;
  const std::string text(host);
  in_addr v4;
  if (inet_pton(AF_INET, text.c_str(), &v4) == 1) {
    return ntohl(v4.s_addr) >> 24 == 127;
  }
  in6_addr v6;
  return inet_pton(AF_INET6, text.c_str(), &v6) == 1 &&
         IN6_IS_ADDR_LOOPBACK(&v6);
}

RequestVerdict CheckRequest(const RequestRule& rule,
                            const RequestOrigin& request) {
  if (!request.host.has_value()) return RequestVerdict::kNoHost;
  const std::string host = HostWithoutPort(*request.host);
  if (host.empty()) return RequestVerdict::kNoHost;
  if (!IsOwnHost(rule, host)) return RequestVerdict::kForeignHost;
  if (request.origin.has_value()
          ? !absl::EqualsIgnoreCase(*request.origin,
                                    absl::StrCat("http://", *request.host))
          // Browsers always say it of a POST, and no site knows the token.
          : request.is_post && !request.authorization.has_value()) {
    return RequestVerdict::kForeignOrigin;
  }
  // No script of another site reads the answer, but asking alone makes work.
  const bool is_of_other_site =
      request.fetch_site.has_value() && (*request.fetch_site == "cross-site" ||
                                         *request.fetch_site == "same-site");
  if (is_of_other_site && !request.is_page) {
    return RequestVerdict::kForeignOrigin;
  }
  const RequestVerdict verdict = CheckToken(rule, request);
  // A link that presses a button would be pressed by whoever sends it.
  if (request.is_post && verdict == RequestVerdict::kKeepToken) {
    return RequestVerdict::kNoToken;
  }
  return verdict;
}

bool IsSameToken(absl::string_view a, absl::string_view b) {
  if (a.size() != b.size()) return false;
  volatile unsigned char difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = static_cast<unsigned char>(
        difference |
        (static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i])));
  }
  return difference == 0;
}

absl::StatusOr<std::string> MakeToken() {
  char bits[16];
  std::size_t filled = 0;
  while (filled < sizeof(bits)) {
    const ssize_t got = getrandom(bits + filled, sizeof(bits) - filled, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      return absl::ErrnoToStatus(errno, "The system gives no random numbers");
    }
    filled += static_cast<std::size_t>(got);
  }
  return absl::BytesToHexString(absl::string_view(bits, sizeof(bits)));
}

}  // namespace syncline
