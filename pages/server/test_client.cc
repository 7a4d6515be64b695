#include "pages/server/test_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>

#include <cstdint>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace syncline {

TestClient::TestClient(int port, bool small_window)
    : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  if (small_window) {
    const int bytes = 4096;
    setsockopt(fd_.Get(), SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
  }
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd_.Get(), reinterpret_cast<const sockaddr*>(&address),
              sizeof(address)) < 0) {
    fd_.Reset();
  }
}

bool TestClient::Send(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent =
        send(fd_.Get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::string TestClient::Receive(absl::string_view until,
                                absl::Duration patience) {
  std::string all;
  char part[4096];
  pollfd waiting = {.fd = fd_.Get(), .events = POLLIN, .revents = 0};
  while (until.empty() || !absl::StrContains(all, until)) {
    if (poll(&waiting, 1,
             static_cast<int>(absl::ToInt64Milliseconds(patience))) <= 0) {
      break;
    }
    const ssize_t got = recv(fd_.Get(), part, sizeof(part), 0);
    if (got <= 0) break;
    all.append(part, static_cast<std::size_t>(got));
  }
  return all;
}

std::string RequestText(absl::string_view method, absl::string_view path,
                        absl::string_view headers) {
  const absl::string_view host =
      absl::StrContains(headers, "Host:") ? "" : "Host: 127.0.0.1\r\n";
  return absl::StrCat(method, " ", path, " HTTP/1.1\r\n", host, headers,
                      method == "POST" ? "Content-Length: 0\r\n" : "", "\r\n");
}

std::string AskServer(int port, absl::string_view method,
                      absl::string_view path, absl::string_view headers) {
  TestClient client(port);
  client.Send(RequestText(method, path,
                          absl::StrCat("Connection: close\r\n", headers)));
  return client.Receive();
}

int AnswerStatus(absl::string_view answer) {
  int status = 0;
  if (!absl::StartsWith(answer, "HTTP/1.1 ") ||
      !absl::SimpleAtoi(answer.substr(9, 3), &status)) {
    return 0;
  }
  return status;
}

std::string AnswerBody(absl::string_view answer) {
  const auto end = answer.find("\r\n\r\n");
  return end == absl::string_view::npos ? ""
                                        : std::string(answer.substr(end + 4));
}

}  // namespace syncline
