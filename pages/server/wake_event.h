// WakeEvent: wakes a thread that polls file descriptors.
//
// Thread rule: any thread wakes; the woken one clears.
// Tested by http_server_test.

#ifndef SYNCLINE_PAGES_SERVER_WAKE_EVENT_H_
#define SYNCLINE_PAGES_SERVER_WAKE_EVENT_H_

#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>

#include "framework/formats/unique_fd.h"

namespace syncline {

class WakeEvent {
 public:
  // Without a descriptor where the process has none left.
  WakeEvent() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

  // It can be read from Wake to Clear. -1: there is none.
  int fd() const { return fd_.Get(); }
  void Wake() const {
    const std::uint64_t one = 1;
    // Fails where it is awake already.
    [[maybe_unused]] const ssize_t written =
        write(fd_.Get(), &one, sizeof(one));
  }
  void Clear() const {
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t size =
        read(fd_.Get(), &count, sizeof(count));
  }

 private:
  const UniqueFd fd_;
};

}  // namespace syncline

#endif  // SYNCLINE_PAGES_SERVER_WAKE_EVENT_H_
