#include "pages/server/listening_socket.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "pages/server/request_check.h"

namespace syncline {
namespace {

struct SocketAddress {
  sockaddr_storage storage = {};
  socklen_t size = 0;

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

absl::StatusOr<SocketAddress> ReadAddress(const std::string& address,
                                          int port) {
  if (port < 0 || port > 65535) {
    return absl::InvalidArgumentError(
        absl::StrCat("The port is ", port, ", and has to be from 0 to 65535."));
  }
  const std::string numbers = address == "localhost" ? "127.0.0.1" : address;
  SocketAddress result;
  auto* const v4 = reinterpret_cast<sockaddr_in*>(&result.storage);
  if (inet_pton(AF_INET, numbers.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(static_cast<std::uint16_t>(port));
    result.size = sizeof(sockaddr_in);
    return result;
  }
  auto* const v6 = reinterpret_cast<sockaddr_in6*>(&result.storage);
  if (inet_pton(AF_INET6, numbers.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(static_cast<std::uint16_t>(port));
    result.size = sizeof(sockaddr_in6);
    return result;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "\"", address,
      "\" is no address: write it in numbers, such as 127.0.0.1 for this "
      "machine alone or 0.0.0.0 for all of its networks."));
}

absl::Status CannotListen(const std::string& address, int port, int error) {
  if (error == EADDRINUSE) {
    return absl::UnavailableError(absl::StrCat(
        "Port ", port, " of ", address,
        " is in use by another program: choose another one, or leave the "
        "number out for any that is free."));
  }
  std::string what =
      absl::StrCat("Cannot listen at ", address, ", port ", port);
  if (error == EACCES) what += " (ports below 1024 are for root)";
  if (error == EADDRNOTAVAIL) what += ", which is no address of this machine";
  return absl::ErrnoToStatus(error, what);
}

}  // namespace

absl::Status CheckAddress(const std::string& address) {
  return ReadAddress(address, /*port=*/0).status();
}

bool IsLoopbackAddress(const std::string& address) {
  return IsLoopbackHost(address);
}

absl::StatusOr<ListeningSocket> Listen(const std::string& address, int port) {
  absl::StatusOr<SocketAddress> to = ReadAddress(address, port);
  if (!to.ok()) return to.status();
  ListeningSocket result;
  result.fd.Reset(socket(to->storage.ss_family,
                         SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int on = 1;
  // A port of a program that has just ended is free again. One that is listened
  // at is not.
  if (!result.fd.IsValid() ||
      setsockopt(result.fd.Get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) <
          0 ||
      bind(result.fd.Get(), to->get(), to->size) < 0 ||
      listen(result.fd.Get(), SOMAXCONN) < 0) {
    return CannotListen(address, port, errno);
  }
  SocketAddress bound;
  bound.size = sizeof(bound.storage);
  if (getsockname(result.fd.Get(), bound.get(), &bound.size) < 0) {
    return CannotListen(address, port, errno);
  }
  result.port =
      ntohs(bound.storage.ss_family == AF_INET
                ? reinterpret_cast<sockaddr_in*>(&bound.storage)->sin_port
                : reinterpret_cast<sockaddr_in6*>(&bound.storage)->sin6_port);
  return result;
}

}  // namespace syncline
