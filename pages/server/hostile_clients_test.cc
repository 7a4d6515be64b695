// Clients that are broken or mean neither lock others out nor fill the memory
// of the process.
#include <sys/resource.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/formats/unique_fd.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "pages/server/http_server.h"
#include "pages/server/resident_memory.h"
#include "pages/server/test_client.h"

namespace syncline {
namespace {

class HostileClientsTest : public testing::Test {
 protected:
  HostileClientsTest() {
    HttpServer::Options options;
    // Each answer is another one, as the state of a running graph is.
    options.handlers["GET /state"] = [this](const HttpRequest&) {
      return TextAnswer(200,
                        absl::StrCat(std::string(200'000, 'x'), ++num_asked_));
    };
    options.handlers["GET /"] = [](const HttpRequest&) {
      return TextAnswer(200, "front");
    };
    auto server = HttpServer::Start(std::move(options));
    EXPECT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
  }

  int port() const { return server_->port(); }
  // An ordinary client asks so many times, each time on a connection of its
  // own, and gets its answer in 100 ms. A machine that does other things may
  // be late once.
  void ExpectPromptAnswers(int times) {
    int num_late = 0;
    for (int i = 0; i < times; ++i) {
      const absl::Time start = absl::Now();
      ASSERT_EQ(AnswerBody(AskServer(port(), "GET", "/")), "front");
      if (absl::Now() - start > absl::Milliseconds(100)) ++num_late;
    }
    EXPECT_LE(num_late, times / 10);
  }

  int num_asked_ = 0;
  std::unique_ptr<HttpServer> server_;
};

TEST_F(HostileClientsTest, GarbageAndHalfARequestAreRefused) {
  for (const absl::string_view garbage :
       {absl::string_view("\0\1\2\3\377\376\r\n\r\n", 10),
        absl::string_view("\r\n\r\n\r\n\r\n"), absl::string_view("GET\r\n\r\n"),
        absl::string_view("GET / HTTP/1.1\r\nHost 127.0.0.1\r\n\r\n"),
        absl::string_view("GET / HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n"),
        absl::string_view("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11),
        absl::string_view("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                          "Content-Length: -1\r\n\r\n"),
        absl::string_view("POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                          "Transfer-Encoding: chunked\r\n\r\nzz\r\n"),
        absl::string_view("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")}) {
    TestClient client(port());
    client.Send(garbage);
    const std::string answer =
        client.Receive("\r\n\r\n", absl::Milliseconds(200));
    EXPECT_NE(AnswerStatus(answer) / 100, 2) << garbage;
  }
  ExpectPromptAnswers(10);
}

TEST_F(HostileClientsTest, ABodyThatNobodyAskedForIsNotKept) {
  TestClient client(port());
  client.Send(
      "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\n"
      "Content-Length: 100000000\r\n\r\n");
  const std::int64_t before = ResidentKilobytes();
  const std::string part(65536, 'b');
  for (int i = 0; i < 1500; ++i) {
    if (!client.Send(part)) break;
  }
  EXPECT_LT(ResidentKilobytes() - before, 2048);
  ExpectPromptAnswers(5);
}

TEST_F(HostileClientsTest, UnreadAnswersAndEndlessHeadersCostNoMemory) {
  ExpectPromptAnswers(10);
  const std::int64_t before = ResidentKilobytes();
  std::vector<std::unique_ptr<TestClient>> silent;
  for (int i = 0; i < 20; ++i) {
    silent.push_back(
        std::make_unique<TestClient>(port(), /*small_window=*/true));
    ASSERT_TRUE(silent.back()->Send(RequestText("GET", "/state")));
  }
  std::thread endless([this] {
    TestClient client(port());
    client.Send("GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n");
    const std::string header =
        absl::StrCat("X-A: ", std::string(65536, 'y'), "\r\n");
    for (std::size_t sent = 0; sent < 100'000'000; sent += header.size()) {
      if (!client.Send(header)) return;
    }
    ADD_FAILURE() << "all of the headers were taken";
  });
  ExpectPromptAnswers(50);
  endless.join();
  ExpectPromptAnswers(20);
  EXPECT_LT(ResidentKilobytes() - before, 4096);
}

TEST_F(HostileClientsTest, SlowClientsLockNobodyOut) {
  std::vector<std::unique_ptr<TestClient>> slow(200);
  const std::string request = RequestText(
      "GET", "/", absl::StrCat("X: ", std::string(1000, 'z'), "\r\n"));
  // A byte a second from each, and whoever is closed comes again.
  for (std::size_t second = 0; second < 4; ++second) {
    for (auto& client : slow) {
      if (client == nullptr || !client->Send(request.substr(second, 1))) {
        client = std::make_unique<TestClient>(port());
      }
    }
    ExpectPromptAnswers(10);
    EXPECT_LE(server_->num_connections(), 2 * HttpServer::kMostConnections);
    absl::SleepFor(absl::Seconds(1));
  }
}

// A limit of file descriptors, for as long as it lives.
class FewDescriptors {
 public:
  explicit FewDescriptors(rlim_t most) {
    getrlimit(RLIMIT_NOFILE, &before_);
    rlimit few = before_;
    few.rlim_cur = most;
    setrlimit(RLIMIT_NOFILE, &few);
  }
  ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;

 private:
  rlimit before_ = {};
};

TEST_F(HostileClientsTest, WithoutDescriptorsAnIdleConnectionMakesRoom) {
  const FewDescriptors few(200);
  std::vector<std::unique_ptr<TestClient>> idle;
  for (int i = 0; i < 10; ++i) {
    idle.push_back(std::make_unique<TestClient>(port()));
  }
  while (server_->num_connections() < 10) {
    absl::SleepFor(absl::Milliseconds(1));
  }
  std::vector<UniqueFd> used;
  do used.emplace_back(dup(STDERR_FILENO));
  while (used.back().IsValid());
  // One for the client, and none for its connection.
  used.resize(used.size() - 2);
  ExpectPromptAnswers(10);
  EXPECT_LT(server_->num_connections(), 10);
}

TEST_F(HostileClientsTest, HalfOfTheDescriptorsAreLeftToTheProgram) {
  {
    const FewDescriptors few(60);
    HttpServer::Options options;
    options.handlers["GET /"] = [](const HttpRequest&) {
      return TextAnswer(200, "front");
    };
    server_ = *HttpServer::Start(std::move(options));
  }
  std::vector<std::unique_ptr<TestClient>> idle;
  for (int i = 0; i < 60; ++i) {
    idle.push_back(std::make_unique<TestClient>(port()));
  }
  ExpectPromptAnswers(10);
  EXPECT_LE(server_->num_connections(), 30);
}

TEST_F(HostileClientsTest, AConnectionInUseOutlivesSlowClients) {
  TestClient ordinary(port());
  std::vector<std::unique_ptr<TestClient>> slow;
  for (int i = 0; i < 300; ++i) {
    slow.push_back(std::make_unique<TestClient>(port()));
    slow.back()->Send("G");
    if (i % 30 == 0) {
      ASSERT_TRUE(ordinary.Send(RequestText("GET", "/")));
      ASSERT_EQ(AnswerBody(ordinary.Receive("front")), "front") << i;
    }
  }
}

}  // namespace
}  // namespace syncline
