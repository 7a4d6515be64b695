// What a server of pages answers, and to whom.
#include "pages/server/http_server.h"

#include <fcntl.h>

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pages/server/test_client.h"
#include "pages/server/wake_event.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

HttpServer::Options TestOptions() {
  HttpServer::Options options;
  options.handlers = {
      {"GET /", [](const HttpRequest&) { return TextAnswer(200, "front"); }},
      {"GET /twice",
       [](const HttpRequest& request) {
         return TextAnswer(200, absl::StrCat(request.argument("a"), ",",
                                             request.argument("b")));
       }},
      {"POST /press",
       [](const HttpRequest&) { return TextAnswer(200, "pressed"); }},
      {"GET /throws",
       [](const HttpRequest&) -> HttpAnswer { throw std::bad_alloc(); }},
      {"GET /file",
       [](const HttpRequest&) {
         HttpAnswer answer;
         answer.file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
         answer.saved_as = "program";
         return answer;
       }},
  };
  return options;
}

std::unique_ptr<HttpServer> StartServer(
    HttpServer::Options options = TestOptions()) {
  absl::StatusOr<std::unique_ptr<HttpServer>> server =
      HttpServer::Start(std::move(options));
  EXPECT_TRUE(server.ok()) << server.status();
  return server.ok() ? *std::move(server) : nullptr;
}

TEST(HttpServerTest, AnswersWithWhatTheHandlerSays) {
  const auto server = StartServer();
  const std::string answer = AskServer(server->port(), "GET", "/");
  EXPECT_EQ(AnswerStatus(answer), 200);
  EXPECT_EQ(AnswerBody(answer), "front");
  EXPECT_EQ(AnswerBody(AskServer(server->port(), "GET", "/twice?a=1&b=x%20y")),
            "1,x%20y");
}

TEST(HttpServerTest, EveryAnswerForbidsTheBrowserWhatIsNotThePages) {
  const auto server = StartServer();
  for (const char* const path : {"/", "/nowhere", "/throws"}) {
    EXPECT_THAT(
        AskServer(server->port(), "GET", path),
        AllOf(HasSubstr("Content-Security-Policy: default-src 'none'; "
                        "script-src 'self'; style-src 'self'"),
              HasSubstr("X-Content-Type-Options: nosniff"),
              HasSubstr("Cache-Control: no-store"), Not(HasSubstr("unsafe")),
              Not(HasSubstr("Access-Control-Allow-Origin"))));
  }
}

// The handler of "GET /later" has no answer until `is_ready`.
class LaterTest : public testing::Test {
 protected:
  LaterTest() {
    HttpServer::Options options = TestOptions();
    options.wake_event = event_;
    options.handlers["GET /later"] = [this](const HttpRequest& request) {
      ++num_asked_;
      if (is_ready_) return TextAnswer(200, "ready");
      if (!request.may_wait) return TextAnswer(503, "not ready");
      HttpAnswer later;
      later.patience = patience_;
      return later;
    };
    server_ = StartServer(std::move(options));
  }

  const std::shared_ptr<const WakeEvent> event_ =
      std::make_shared<const WakeEvent>();
  std::atomic<int> num_asked_{0};
  std::atomic<bool> is_ready_{false};
  absl::Duration patience_ = absl::Seconds(20);
  std::unique_ptr<HttpServer> server_;
};

TEST_F(LaterTest, WhoWaitsIsAnsweredWhenWokenAndKeepsNobodyWaiting) {
  TestClient waiting(server_->port());
  waiting.Send(RequestText("GET", "/later"));
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(AnswerBody(AskServer(server_->port(), "GET", "/")), "front");
  }
  // It is woken for nothing.
  event_->Wake();
  EXPECT_EQ(waiting.Receive("\r\n\r\n", absl::Milliseconds(100)), "");
  EXPECT_GE(num_asked_, 2);
  is_ready_ = true;
  event_->Wake();
  EXPECT_EQ(AnswerBody(waiting.Receive("ready")), "ready");
  // The connection serves the next request.
  waiting.Send(RequestText("GET", "/"));
  EXPECT_EQ(AnswerBody(waiting.Receive("front")), "front");
}

TEST_F(LaterTest, PatienceEnds) {
  patience_ = absl::Milliseconds(30);
  const absl::Time start = absl::Now();
  const std::string answer = AskServer(server_->port(), "GET", "/later");
  EXPECT_EQ(AnswerStatus(answer), 503);
  EXPECT_GE(absl::Now() - start, patience_);
}

TEST_F(LaterTest, ABodyIsNotWaitedWith) {
  EXPECT_EQ(AnswerStatus(AskServer(server_->port(), "GET", "/later",
                                   "Content-Length: 5\r\n")),
            503);
}

TEST_F(LaterTest, ClientsGoAndTheServerStopsWhileTheyWait) {
  std::vector<std::unique_ptr<TestClient>> clients(10);
  for (auto& client : clients) {
    client = std::make_unique<TestClient>(server_->port());
    client->Send(RequestText("GET", "/later"));
  }
  while (num_asked_ < 10) absl::SleepFor(absl::Milliseconds(1));
  for (int i = 0; i < 5; ++i) clients[i].reset();
  event_->Wake();
  EXPECT_EQ(AnswerBody(AskServer(server_->port(), "GET", "/")), "front");
  server_.reset();
  EXPECT_EQ(clients.back()->Receive(), "");
}

TEST(HttpServerTest, OneConnectionServesManyRequests) {
  const auto server = StartServer();
  TestClient client(server->port());
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(client.Send(RequestText("GET", "/")));
    EXPECT_EQ(AnswerBody(client.Receive("front")), "front");
  }
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(client.Send(
        RequestText("POST", "/press", "Origin: http://127.0.0.1\r\n")));
    EXPECT_EQ(AnswerBody(client.Receive("pressed")), "pressed");
  }
  EXPECT_EQ(server->num_connections(), 1);
}

TEST(HttpServerTest, PathsThatAreNotInTheTableLeadNowhere) {
  const auto server = StartServer();
  for (const char* const path :
       {"/..", "/../etc/passwd", "/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd",
        "/./", "//", "/twice/", "/twice/..", "/%74wice", "/%00", "/twice%00",
        "/GET /", "/press%2f", "/etc/passwd", "/\\..\\", "/;a"}) {
    EXPECT_THAT(AnswerStatus(AskServer(server->port(), "GET", path)),
                AnyOf(0, 400, 404))
        << path;
  }
  EXPECT_EQ(AnswerBody(AskServer(server->port(), "GET", "/")), "front");
}

TEST(HttpServerTest, AMethodThatAPathHasNotIsRefused) {
  const auto server = StartServer();
  const std::string post =
      AskServer(server->port(), "POST", "/", "Origin: http://127.0.0.1\r\n");
  EXPECT_EQ(AnswerStatus(post), 405);
  EXPECT_THAT(post, HasSubstr("Allow: GET, HEAD\r\n"));
  EXPECT_THAT(AskServer(server->port(), "GET", "/press"),
              AllOf(HasSubstr("405"), HasSubstr("Allow: POST\r\n")));
  EXPECT_EQ(AnswerStatus(AskServer(server->port(), "DELETE", "/")), 405);
  const std::string head = AskServer(server->port(), "HEAD", "/");
  EXPECT_EQ(AnswerStatus(head), 200);
  EXPECT_EQ(AnswerBody(head), "");
}

TEST(HttpServerTest, ForeignHostsAndOriginsAreRefused) {
  const auto server = StartServer();
  const int port = server->port();
  EXPECT_EQ(AnswerStatus(AskServer(port, "GET", "/", "Host: evil.example\r\n")),
            403);
  EXPECT_EQ(AnswerStatus(
                AskServer(port, "GET", "/", "Origin: http://evil.example\r\n")),
            403);
  EXPECT_EQ(AnswerStatus(AskServer(port, "POST", "/press")), 403);
  EXPECT_EQ(AnswerStatus(AskServer(port, "POST", "/press",
                                   "Origin: http://evil.example\r\n")),
            403);
  EXPECT_EQ(AnswerStatus(AskServer(port, "POST", "/press",
                                   "Origin: http://127.0.0.1\r\n")),
            200);
}

TEST(HttpServerTest, TheTokenOfTheAddressBecomesACookie) {
  HttpServer::Options options = TestOptions();
  options.token = "feed1234";
  const auto server = StartServer(std::move(options));
  const int port = server->port();
  EXPECT_EQ(server->Url(),
            absl::StrCat("http://127.0.0.1:", port, "/?token=feed1234"));
  EXPECT_EQ(AnswerStatus(AskServer(port, "GET", "/")), 401);
  EXPECT_EQ(AnswerStatus(AskServer(port, "GET", "/?token=feed1235")), 401);
  EXPECT_THAT(AskServer(port, "GET", "/?token=feed1234"),
              AllOf(HasSubstr("303"), HasSubstr("Location: /\r\n"),
                    HasSubstr(absl::StrCat(
                        "Set-Cookie: syncline_", port,
                        "=feed1234; Path=/; HttpOnly; SameSite=Lax"))));
  EXPECT_EQ(AnswerBody(AskServer(
                port, "GET", "/",
                absl::StrCat("Cookie: syncline_", port, "=feed1234\r\n"))),
            "front");
  EXPECT_EQ(AnswerBody(AskServer(port, "GET", "/",
                                 "Authorization: Bearer feed1234\r\n")),
            "front");
}

TEST(HttpServerTest, OthersThanThisMachineNeedAToken) {
  HttpServer::Options options = TestOptions();
  options.address = "0.0.0.0";
  const absl::Status status = HttpServer::Start(options).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("needs a token"));
  options.token = "feed1234";
  const auto server = StartServer(options);
  EXPECT_EQ(AnswerStatus(AskServer(server->port(), "GET", "/")), 401);
}

TEST(HttpServerTest, APortInUseIsNamed) {
  const auto server = StartServer();
  HttpServer::Options options = TestOptions();
  options.port = server->port();
  const absl::Status status = HttpServer::Start(options).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(),
              AllOf(HasSubstr(absl::StrCat("Port ", server->port())),
                    HasSubstr("in use")));
}

TEST(HttpServerTest, BadAddressesAndPortsAreRefused) {
  HttpServer::Options options = TestOptions();
  options.address = "nowhere.example";
  EXPECT_EQ(HttpServer::Start(options).status().code(),
            absl::StatusCode::kInvalidArgument);
  options.address = "127.0.0.1";
  options.port = 70000;
  EXPECT_EQ(HttpServer::Start(options).status().code(),
            absl::StatusCode::kInvalidArgument);
  options.address = "203.0.113.1";
  options.port = 0;
  options.token = "feed1234";
  EXPECT_THAT(HttpServer::Start(options).status().message(),
              HasSubstr("no address of this machine"));
}

TEST(HttpServerTest, AHandlerThatThrowsIsAnErrorOfItsRequest) {
  const auto server = StartServer();
  EXPECT_EQ(AnswerStatus(AskServer(server->port(), "GET", "/throws")), 500);
  EXPECT_EQ(AnswerStatus(AskServer(server->port(), "GET", "/")), 200);
}

TEST(HttpServerTest, FilesAreSentToBeSaved) {
  const auto server = StartServer();
  const std::string answer = AskServer(server->port(), "GET", "/file");
  EXPECT_THAT(answer.substr(0, 2000),
              HasSubstr("Content-Disposition: attachment; "
                        "filename=\"program\"\r\n"));
  EXPECT_EQ(AnswerBody(answer).substr(0, 4), "\177ELF");
}

TEST(HttpServerTest, APortIsFreeAgainAfterwards) {
  auto server = StartServer();
  HttpServer::Options options = TestOptions();
  options.port = server->port();
  TestClient open(server->port());
  server.reset();
  EXPECT_EQ(StartServer(std::move(options)) != nullptr, true);
}

}  // namespace
}  // namespace syncline
