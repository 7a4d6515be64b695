// HttpServer over libmicrohttpd.
//
// Thread rule: as http_server.h. What the library calls, it calls on the one
// thread of micro_loop.h.
// Tested by http_server_test and hostile_clients_test.
#include <dirent.h>
#include <microhttpd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"
#include "framework/formats/unique_fd.h"
#include "glog/logging.h"
#include "pages/server/http_server.h"
#include "pages/server/listening_socket.h"
#include "pages/server/micro_loop.h"
#include "pages/server/open_connections.h"
#include "pages/server/request_check.h"
#include "pages/server/wake_event.h"

namespace syncline {
namespace {

constexpr char kPolicy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

absl::optional<std::string> Header(MHD_Connection* connection,
                                   const char* name) {
  const char* const value =
      MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
  if (value == nullptr) return absl::nullopt;
  return std::string(value);
}

absl::string_view Argument(MHD_Connection* connection, const char* name) {
  const char* const value =
      MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, name);
  return value == nullptr ? "" : value;
}

// Paths and arguments stay as they came.
std::size_t KeepEscapes(void* /*server*/, MHD_Connection* /*connection*/,
                        char* text) {
  return absl::string_view(text).size();
}

// What clients do wrong concerns nobody who runs a graph.
void LogForDebugging(void* /*server*/, const char* format, va_list args) {
  if (!VLOG_IS_ON(1)) return;
  char line[512];
  vsnprintf(line, sizeof(line), format, args);
  VLOG(1) << line;
}

std::string MachineName() {
  char name[256] = {};
  return gethostname(name, sizeof(name) - 1) == 0 ? name : "";
}

HttpAnswer AnswerTo(RequestVerdict verdict) {
  switch (verdict) {
    case RequestVerdict::kOk:
    case RequestVerdict::kKeepToken:
      break;
    case RequestVerdict::kNoHost:
      return TextAnswer(400, "The request names no host.\n");
    case RequestVerdict::kForeignHost:
      return TextAnswer(
          403,
          "The request names a host that is not this machine: open the page "
          "by the address that the program printed.\n");
    case RequestVerdict::kForeignOrigin:
      return TextAnswer(
          403, "The request comes from another site than this page.\n");
    case RequestVerdict::kNoToken:
      return TextAnswer(
          401,
          "The request has no token: open the page by the whole address that "
          "the program printed.\n");
    case RequestVerdict::kWrongToken:
      return TextAnswer(
          401,
          "The token of the request is not that of this run: open the page by "
          "the address that the program printed last.\n");
  }
  return TextAnswer(500, "");
}

// So many connections at most that as many file descriptors, of those that the
// process may still open, are left to the rest of the program.
int MostConnections() {
  rlimit limit = {};
  DIR* const folder = opendir("/proc/self/fd");
  if (folder == nullptr || getrlimit(RLIMIT_NOFILE, &limit) != 0) {
    if (folder != nullptr) closedir(folder);
    return HttpServer::kFewestConnections;
  }
  rlim_t used = 0;
  while (readdir(folder) != nullptr) ++used;
  closedir(folder);
  const rlim_t left = limit.rlim_cur > used ? limit.rlim_cur - used : 0;
  return static_cast<int>(std::clamp<rlim_t>(
      left / 2, HttpServer::kFewestConnections, HttpServer::kMostConnections));
}

class MicroServer : public HttpServer {
 public:
  explicit MicroServer(Options options)
      : options_(std::move(options)),
        loop_(options_.wake_event == nullptr
                  ? std::make_shared<const WakeEvent>()
                  : options_.wake_event,
              &connections_) {}
  ~MicroServer() override {
    loop_.Stop();
    if (daemon_ != nullptr) MHD_stop_daemon(daemon_);
  }

  absl::Status Listen();

  int port() const override { return port_; }
  std::string Url() const override;
  int num_connections() const override { return connections_.size(); }

 private:
  // Room for those that were closed and are not cleaned up yet.
  static constexpr int kMostAtAll = 2 * kMostConnections;

  static void OnConnection(void* self, MHD_Connection* connection, void** entry,
                           MHD_ConnectionNotificationCode code);
  static MHD_Result OnRequest(void* self, MHD_Connection* connection,
                              const char* path, const char* method,
                              const char* version, const char* data,
                              std::size_t* size, void** has_begun);
  static void OnCompleted(void* self, MHD_Connection* connection,
                          void** has_begun, MHD_RequestTerminationCode code);
  static OpenConnections::Entry* EntryOf(MHD_Connection* connection);

  HttpAnswer Answer(MHD_Connection* connection, absl::string_view method,
                    absl::string_view path, bool may_wait);
  HttpAnswer AnswerAllowed(MHD_Connection* connection, absl::string_view method,
                           absl::string_view path, bool may_wait);
  bool HasPath(absl::string_view path) const;
  MHD_Result Park(MHD_Connection* connection, absl::Duration patience);
  MHD_Result Send(MHD_Connection* connection, HttpAnswer answer);

  const Options options_;
  int port_ = 0;
  RequestRule rule_;
  OpenConnections connections_{MostConnections(), kMostUnreadBytes};
  // Stopped before the rest goes.
  MicroLoop loop_;
  MHD_Daemon* daemon_ = nullptr;
};

absl::Status MicroServer::Listen() {
  rule_.is_loopback = IsLoopbackAddress(options_.address);
  rule_.machine_name = MachineName();
  rule_.token = options_.token;
  if (!rule_.is_loopback && rule_.token.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "At ", options_.address,
        " others than this machine can ask, so the server needs a token."));
  }
  absl::StatusOr<ListeningSocket> listening =
      ::syncline::Listen(options_.address, options_.port);
  if (!listening.ok()) return listening.status();
  port_ = listening->port;
  rule_.cookie_name = absl::StrCat("syncline_", port_);
  // The library closes the socket when it stops.
  const int fd = listening->fd.Release();
  daemon_ = MHD_start_daemon(
      MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, nullptr,
      nullptr, &OnRequest, this, MHD_OPTION_EXTERNAL_LOGGER, &LogForDebugging,
      nullptr, MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_CONNECTION_LIMIT,
      static_cast<unsigned>(kMostAtAll), MHD_OPTION_CONNECTION_MEMORY_LIMIT,
      kConnectionBytes, MHD_OPTION_CONNECTION_TIMEOUT,
      static_cast<unsigned>(kIdleSeconds), MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_UNESCAPE_CALLBACK, &KeepEscapes, nullptr,
      MHD_OPTION_NOTIFY_CONNECTION, &OnConnection, this,
      MHD_OPTION_NOTIFY_COMPLETED, &OnCompleted, this, MHD_OPTION_END);
  if (daemon_ != nullptr) return loop_.Start(daemon_, fd);
  // Whether the library has closed the socket depends on what failed, so it is
  // left alone.
  return absl::ResourceExhaustedError(
      "The machine has no file descriptor or memory for a server of pages.");
}

std::string MicroServer::Url() const {
  std::string host = options_.address;
  // One that can be opened on this machine.
  if (host == "0.0.0.0") host = rule_.machine_name;
  if (host == "::") host = rule_.machine_name;
  if (absl::StrContains(host, ':')) host = absl::StrCat("[", host, "]");
  return absl::StrCat("http://", host, ":", port_, "/",
                      rule_.token.empty() ? "" : "?token=", rule_.token);
}

// --- What libmicrohttpd calls, all on the loop's thread

OpenConnections::Entry* MicroServer::EntryOf(MHD_Connection* connection) {
  const MHD_ConnectionInfo* const info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == nullptr
             ? nullptr
             : static_cast<OpenConnections::Entry*>(info->socket_context);
}

void MicroServer::OnConnection(void* self, MHD_Connection* connection,
                               void** entry,
                               MHD_ConnectionNotificationCode code) {
  auto* const server = static_cast<MicroServer*>(self);
  if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
    const std::unique_ptr<OpenConnections::Entry> held(
        static_cast<OpenConnections::Entry*>(*entry));
    if (held != nullptr) server->connections_.Remove(*held);
    *entry = nullptr;
    return;
  }
  const MHD_ConnectionInfo* const info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  if (info == nullptr) return;
  const absl::Status added = CatchExceptions([&] {
    *entry =
        new OpenConnections::Entry(server->connections_.Add(info->connect_fd));
  });
  if (!added.ok()) shutdown(info->connect_fd, SHUT_RDWR);
}

MHD_Result MicroServer::OnRequest(void* self, MHD_Connection* connection,
                                  const char* path, const char* method,
                                  const char* /*version*/, const char* /*data*/,
                                  std::size_t* size, void** has_begun) {
  static char begun;
  // Nothing that is asked for here needs a body. Where there is none, the
  // answer waits for the second call, since the library closes the connection
  // after an answer to the first one. That is what becomes of a body.
  const bool has_body =
      Header(connection, "Content-Length").value_or("0") != "0" ||
      Header(connection, "Transfer-Encoding").has_value();
  if (*has_begun == nullptr && !has_body) {
    *has_begun = &begun;
    return MHD_YES;
  }
  *size = 0;
  MHD_Result result = MHD_NO;
  const absl::Status answered = CatchExceptions([&] {
    auto* const server = static_cast<MicroServer*>(self);
    const bool may_wait = !has_body && server->loop_.MayWait(connection);
    HttpAnswer answer = server->Answer(connection, method, path, may_wait);
    if (may_wait && answer.patience > absl::ZeroDuration()) {
      result = server->Park(connection, answer.patience);
    } else {
      result = server->Send(connection, std::move(answer));
    }
  });
  // The connection is closed.
  return answered.ok() ? result : MHD_NO;
}

void MicroServer::OnCompleted(void* self, MHD_Connection* connection,
                              void** /*has_begun*/,
                              MHD_RequestTerminationCode /*code*/) {
  static_cast<MicroServer*>(self)->loop_.Forget(connection);
  OpenConnections::Entry* const entry = EntryOf(connection);
  if (entry == nullptr) return;
  static_cast<MicroServer*>(self)->connections_.EndAnswer(*entry);
}

// --- Answers

HttpAnswer MicroServer::Answer(MHD_Connection* connection,
                               absl::string_view method, absl::string_view path,
                               bool may_wait) {
  RequestOrigin origin;
  origin.is_post = method == "POST";
  origin.host = Header(connection, "Host");
  origin.origin = Header(connection, "Origin");
  origin.cookie = Header(connection, "Cookie");
  origin.authorization = Header(connection, "Authorization");
  origin.fetch_site = Header(connection, "Sec-Fetch-Site");
  origin.is_page = path == "/";
  origin.token = std::string(Argument(connection, "token"));
  const RequestVerdict verdict = CheckRequest(rule_, origin);
  if (verdict == RequestVerdict::kKeepToken) {
    // Without the token in the address, which is shown and kept.
    HttpAnswer answer = TextAnswer(303, "");
    answer.headers = {
        {"Location", "/"},
        {"Set-Cookie", absl::StrCat(rule_.cookie_name, "=", rule_.token,
                                    "; Path=/; HttpOnly; SameSite=Lax")}};
    return answer;
  }
  if (verdict != RequestVerdict::kOk) return AnswerTo(verdict);
  return AnswerAllowed(connection, method, path, may_wait);
}

bool MicroServer::HasPath(absl::string_view path) const {
  return options_.handlers.count(absl::StrCat("GET ", path)) > 0 ||
         options_.handlers.count(absl::StrCat("POST ", path)) > 0;
}

HttpAnswer MicroServer::AnswerAllowed(MHD_Connection* connection,
                                      absl::string_view method,
                                      absl::string_view path, bool may_wait) {
  if (!HasPath(path)) return TextAnswer(404, "There is no such page.\n");
  const auto handler = options_.handlers.find(
      absl::StrCat(method == "HEAD" ? "GET" : method, " ", path));
  if (handler == options_.handlers.end()) {
    HttpAnswer answer = TextAnswer(405, "This is not asked for like that.\n");
    const bool is_post =
        options_.handlers.count(absl::StrCat("POST ", path)) > 0;
    answer.headers = {{"Allow", is_post ? "POST" : "GET, HEAD"}};
    return answer;
  }
  HttpRequest request;
  request.may_wait = may_wait;
  request.argument = [connection](const char* name) {
    return Argument(connection, name);
  };
  HttpAnswer answer;
  const absl::Status made =
      CatchExceptions([&] { answer = handler->second(request); });
  if (made.ok()) return answer;
  return TextAnswer(500, absl::StrCat(made.message(), "\n"));
}

MHD_Response* MakeResponse(HttpAnswer* answer) {
  if (answer->file >= 0) {
    UniqueFd file(std::exchange(answer->file, -1));
    struct stat about = {};
    if (fstat(file.Get(), &about) < 0) return nullptr;
    MHD_Response* const response = MHD_create_response_from_fd64(
        static_cast<std::uint64_t>(about.st_size), file.Get());
    if (response != nullptr) file.Release();
    return response;
  }
  static char none[1] = {};
  if (answer->body == nullptr) {
    return MHD_create_response_from_buffer(0, none, MHD_RESPMEM_PERSISTENT);
  }
  // The response holds the text until the client has it.
  auto held =
      std::make_unique<std::shared_ptr<const std::string>>(answer->body);
  MHD_Response* const response =
      MHD_create_response_from_buffer_with_free_callback_cls(
          (*held)->size(), const_cast<char*>((*held)->data()),
          [](void* text) {
            delete static_cast<std::shared_ptr<const std::string>*>(text);
          },
          held.get());
  if (response != nullptr) held.release();
  return response;
}

MHD_Result MicroServer::Park(MHD_Connection* connection,
                             absl::Duration patience) {
  // It has made its request, so it is none of those to do without.
  OpenConnections::Entry* const entry = EntryOf(connection);
  if (entry != nullptr) connections_.BeginAnswer(*entry, /*body=*/nullptr);
  loop_.Park(connection, patience);
  return MHD_YES;
}

MHD_Result MicroServer::Send(MHD_Connection* connection, HttpAnswer answer) {
  MHD_Response* const response = MakeResponse(&answer);
  if (response == nullptr) return MHD_NO;
  std::vector<std::pair<std::string, std::string>> headers = {
      {"Content-Type", answer.content_type},
      {"Content-Security-Policy", kPolicy},
      {"X-Content-Type-Options", "nosniff"},
      {"X-Frame-Options", "DENY"},
      {"Referrer-Policy", "no-referrer"},
      {"Cross-Origin-Resource-Policy", "same-origin"},
      {"Cross-Origin-Opener-Policy", "same-origin"},
      {"Cache-Control", "no-store"},
  };
  if (!answer.saved_as.empty()) {
    headers.emplace_back(
        "Content-Disposition",
        absl::StrCat("attachment; filename=\"", answer.saved_as, "\""));
  }
  for (auto& header : answer.headers) headers.push_back(std::move(header));
  for (const auto& [name, value] : headers) {
    MHD_add_response_header(response, name.c_str(), value.c_str());
  }
  OpenConnections::Entry* const entry = EntryOf(connection);
  if (entry != nullptr) connections_.BeginAnswer(*entry, answer.body);
  const MHD_Result result = MHD_queue_response(
      connection, static_cast<unsigned>(answer.status), response);
  MHD_destroy_response(response);
  return result;
}

}  // namespace

absl::StatusOr<std::unique_ptr<HttpServer>> HttpServer::Start(Options options) {
  auto server = std::make_unique<MicroServer>(std::move(options));
  const absl::Status started = server->Listen();
  if (!started.ok()) return started;
  return server;
}

}  // namespace syncline
