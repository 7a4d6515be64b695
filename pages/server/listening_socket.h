// A socket that waits for connections at an address and port.
//
// Thread rule: free functions.
// Tested by http_server_test.

#ifndef SYNCLINE_PAGES_SERVER_LISTENING_SOCKET_H_
#define SYNCLINE_PAGES_SERVER_LISTENING_SOCKET_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/formats/unique_fd.h"

namespace syncline {

struct ListeningSocket {
  UniqueFd fd;
  // That which the system chose, where 0 was asked for.
  int port = 0;
};

// `address`: IPv4 or IPv6 in numbers, or "localhost"; `port`: 0 to 65535, 0 for
// any that is free. INVALID_ARGUMENT: it is no address; UNAVAILABLE: the port
// is in use; else the error of the system, such as for an address that is not
// this machine's.
absl::StatusOr<ListeningSocket> Listen(const std::string& address, int port);

// INVALID_ARGUMENT: `address` is none, as for Listen.
absl::Status CheckAddress(const std::string& address);

// Whether the address is only this machine's.
bool IsLoopbackAddress(const std::string& address);

}  // namespace syncline

#endif  // SYNCLINE_PAGES_SERVER_LISTENING_SOCKET_H_
