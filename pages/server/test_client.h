// A client of HTTP for tests: sends just the bytes that it is told to.
//
// Thread rule: belongs to one thread.

#ifndef SYNCLINE_PAGES_SERVER_TEST_CLIENT_H_
#define SYNCLINE_PAGES_SERVER_TEST_CLIENT_H_

#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "framework/formats/unique_fd.h"

namespace syncline {

// A connection to 127.0.0.1, or none.
class TestClient {
 public:
  // `small_window`: the system keeps little of what the client does not read.
  explicit TestClient(int port, bool small_window = false);

  bool is_connected() const { return fd_.IsValid(); }
  // False: the server has closed the connection. Waits while the server takes
  // nothing.
  bool Send(absl::string_view bytes);
  // What comes until the server closes the connection, `until` has come, or
  // nothing has for `patience`.
  std::string Receive(absl::string_view until = "",
                      absl::Duration patience = absl::Seconds(10));

 private:
  UniqueFd fd_;
};

// "GET /path HTTP/1.1" with a Host that fits; `headers`: lines with their ends.
std::string RequestText(absl::string_view method, absl::string_view path,
                        absl::string_view headers = "");
// The whole answer to one such request on a connection of its own, which says
// that it will be closed.
std::string AskServer(int port, absl::string_view method,
                      absl::string_view path, absl::string_view headers = "");
// The status of an answer; 0: it is none.
int AnswerStatus(absl::string_view answer);
// What follows its headers.
std::string AnswerBody(absl::string_view answer);

}  // namespace syncline

#endif  // SYNCLINE_PAGES_SERVER_TEST_CLIENT_H_
