// HttpServer where there is no libmicrohttpd, and in portable programs.
#include "absl/status/status.h"
#include "pages/server/http_server.h"

namespace syncline {

absl::StatusOr<std::unique_ptr<HttpServer>> HttpServer::Start(
    Options /*options*/) {
  return absl::UnimplementedError(
      "This program was built without libmicrohttpd, which serves pages: "
      "install Debian's package libmicrohttpd-dev (./setup --page) and build "
      "it again, not as a portable program.");
}

}  // namespace syncline
