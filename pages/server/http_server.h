// HttpServer: answers requests of browsers and other programs of HTTP with what
// a table of functions makes of them. It knows nothing of graphs.
//
// It stands on libmicrohttpd, which bounds the memory of a connection (larger
// headers get a 431), and runs all of it on one thread. What that library
// leaves open is done here:
//
//   who may ask     only names and addresses of this machine as Host, only the
//                   page itself as Origin, and a token where others than this
//                   machine can connect (request_check.h)
//   connections     where more than kMostConnections are open, or half of the
//                   file descriptors that the program had left at the start,
//                   one is closed: the oldest that has not made a request yet,
//                   else the one that has made none for the longest time. So
//                   clients that send a byte a second, or nothing, do not lock
//                   others out. The same where the program has used up its
//                   descriptors, and a client wants to connect
//   answers later   a handler that has to wait for its answer says so, and
//                   others are answered meanwhile
//   unread answers  a body is shared by all who get it. If the bodies that
//                   wait for clients to read them take more than
//                   kMostUnreadBytes, or than some of the longest where that
//                   is more (open_connections.h), those that wait longest are
//                   dropped
//   paths           compared as they come, byte by byte, with those of the
//                   table. So `..` and encoded characters lead nowhere
//
// Each answer forbids the browser to take scripts, styles or anything else from
// elsewhere, or from within the page (Content-Security-Policy).
//
// Without libmicrohttpd, Start says so and which package has it. Whoever calls
// Start depends on :micro_server, too, which is the one or the other.
//
// Thread rule: made and destroyed by one thread. Handlers are called on the
// server's thread, one at a time, and everybody waits for them: so they do not
// wait, and what takes time is done elsewhere.
// Tested by http_server_test and hostile_clients_test.

#ifndef SYNCLINE_PAGES_SERVER_HTTP_SERVER_H_
#define SYNCLINE_PAGES_SERVER_HTTP_SERVER_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "pages/server/wake_event.h"

namespace syncline {

struct HttpRequest {
  // The handler may answer that it has no answer so far.
  bool may_wait = true;
  // The value of `name` in "?name=value&...", as it came; empty if absent.
  std::function<absl::string_view(const char* name)> argument;
};

struct HttpAnswer {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  // Null: empty.
  std::shared_ptr<const std::string> body;
  // An open file to send in place of `body`, which the server closes; -1: none.
  int file = -1;
  // The browser saves the answer as a file of this name; empty: it shows it.
  std::string saved_as;
  std::vector<std::pair<std::string, std::string>> headers;
  // Not zero, where the request may wait: this is no answer. The handler is
  // asked again whenever the wake event of the server says so, and after this
  // time at the latest.
  absl::Duration patience;
};

// A short answer in plain text.
HttpAnswer TextAnswer(int status, absl::string_view text);

class HttpServer {
 public:
  static constexpr int kMostConnections = 64;
  static constexpr int kFewestConnections = 4;
  static constexpr std::size_t kMostUnreadBytes = std::size_t{2} << 20;
  static constexpr std::size_t kConnectionBytes = std::size_t{16} << 10;
  // A connection on which nothing moves is closed.
  static constexpr int kIdleSeconds = 15;

  using Handler = std::function<HttpAnswer(const HttpRequest&)>;
  struct Options {
    // An IPv4 or IPv6 address of this machine in numbers, or "localhost".
    std::string address = "127.0.0.1";
    // 0: any that is free.
    int port = 0;
    // Who asks has to have it, if it is not empty. REQUIRES: an address that
    // others than this machine can connect to has one.
    std::string token;
    // By method (GET or POST) and path, as "GET /state.json". HEAD is answered
    // as GET.
    std::map<std::string, Handler> handlers;
    // Woken by who has what handlers wait for, on any thread; null: none
    // of them does.
    std::shared_ptr<const WakeEvent> wake_event;
  };

  // INVALID_ARGUMENT: no address of this machine, or no token where there has
  // to be one. UNAVAILABLE: the port is in use. UNIMPLEMENTED: this program was
  // built without libmicrohttpd.
  static absl::StatusOr<std::unique_ptr<HttpServer>> Start(Options options);
  virtual ~HttpServer() = default;

  virtual int port() const = 0;
  // What to open in a browser, with the token.
  virtual std::string Url() const = 0;
  // Connections that are open now. Any thread.
  virtual int num_connections() const = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_PAGES_SERVER_HTTP_SERVER_H_
