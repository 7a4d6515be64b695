// Who may ask a server of pages for something.
//
// A browser sends requests for every site that it shows. So a site elsewhere
// could read a page of this machine, or press its buttons, if the server did
// not look at who asks:
//
//   Host    a site can give its own name the address of this machine (DNS
//           rebinding). So a request has to name the machine by a number, as
//           "localhost" or by its own name. The port may differ, as it does
//           behind `ssh -L`
//   Origin  a browser says which site a script that asks came from. It has to
//           be the one that the request names as Host. A POST has to have it,
//           or the header Authorization, which a site cannot send unasked
//   token   in the address, as the program prints it, whereupon the browser
//           gets it as a cookie; in the cookie; or as `Authorization: Bearer`
//
// Thread rule: pure functions, but for MakeToken.
// Tested by request_check_test.

#ifndef SYNCLINE_PAGES_SERVER_REQUEST_CHECK_H_
#define SYNCLINE_PAGES_SERVER_REQUEST_CHECK_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"

namespace syncline {

// What a request says of who asks. Headers that are absent are not set.
struct RequestOrigin {
  bool is_post = false;
  absl::optional<std::string> host;
  absl::optional<std::string> origin;
  absl::optional<std::string> cookie;
  absl::optional<std::string> authorization;
  // Sec-Fetch-Site, which browsers say: whether another site has asked.
  absl::optional<std::string> fetch_site;
  // The address "/", to which other sites may have links.
  bool is_page = false;
  // Of the address: "?token=".
  std::string token;
};

// Who may ask a server.
struct RequestRule {
  // The server listens on an address that only this machine has.
  bool is_loopback = true;
  // Names besides "localhost" that stand for the machine.
  std::string machine_name;
  // Empty: none is asked for.
  std::string token;
  // The name of the cookie that holds it. Cookies know no ports, so each server
  // needs another.
  std::string cookie_name;
};

enum class RequestVerdict {
  kOk,
  // The token of the address is right: the browser is to keep it as a cookie.
  kKeepToken,
  // 400: no Host, or not one that a browser would send.
  kNoHost,
  // 403
  kForeignHost,
  kForeignOrigin,
  // 401
  kNoToken,
  kWrongToken,
};

RequestVerdict CheckRequest(const RequestRule& rule,
                            const RequestOrigin& request);

// "name:port", "1.2.3.4" or "[::1]:port" without the port and the brackets;
// empty if it is neither.
std::string HostWithoutPort(absl::string_view host);

// 127.x.x.x, ::1 or "localhost".
bool IsLoopbackHost(absl::string_view host);

// Takes the same time wherever the two differ.
bool IsSameToken(absl::string_view a, absl::string_view b);

// 128 random bits as 32 characters that need no escapes. The error is that of
// a system that has none.
absl::StatusOr<std::string> MakeToken();

}  // namespace syncline

#endif  // SYNCLINE_PAGES_SERVER_REQUEST_CHECK_H_
