// MicroLoop: the thread that runs a server of libmicrohttpd.
//
// The library could have a thread of its own. This one does two things that
// the library's does not:
//
//   answers that wait   a handler that has no answer so far parks its request,
//                       and is asked again at the next Wake(), or when its
//                       patience is over. Meanwhile others are answered
//   no descriptor left  where a program has used up its file descriptors, no
//                       client could connect until another one goes. Then the
//                       connection that can best be done without is closed
//
// Thread rule: Start and Stop: one thread. What is said to be the loop's:
// within calls of the library's handlers.
// Tested by http_server_test and hostile_clients_test.

#ifndef SYNCLINE_PAGES_SERVER_MICRO_LOOP_H_
#define SYNCLINE_PAGES_SERVER_MICRO_LOOP_H_

#include <microhttpd.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <thread>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "pages/server/open_connections.h"
#include "pages/server/wake_event.h"

namespace syncline {

class MicroLoop {
 public:
  // `event` wakes the loop. `connections` is borrowed.
  MicroLoop(std::shared_ptr<const WakeEvent> event,
            OpenConnections* connections)
      : event_(std::move(event)), connections_(connections) {}
  // REQUIRES: not started, or stopped.
  ~MicroLoop() = default;
  MicroLoop(const MicroLoop&) = delete;
  MicroLoop& operator=(const MicroLoop&) = delete;

  // `daemon` has epoll, no thread of its own, and may suspend. It stays the
  // caller's, who stops it after Stop(). RESOURCE_EXHAUSTED: the machine gives
  // no thread.
  absl::Status Start(MHD_Daemon* daemon, int listening_fd);
  // After it no request is parked.
  void Stop();

  // --- The loop's

  // The patience of the request is not over.
  bool MayWait(MHD_Connection* connection) const;
  // The handler is asked again at the next Wake() of the event; `patience`
  // begins with the first time.
  void Park(MHD_Connection* connection, absl::Duration patience);
  // The request was answered, or its client has gone.
  void Forget(MHD_Connection* connection) { waiting_.erase(connection); }

 private:
  struct Waiting {
    absl::Time deadline;
    bool is_parked = false;
  };

  void Work();
  // In milliseconds; -1: any time.
  int Timeout(absl::Time now) const;
  // Of all that are parked, or of those whose patience is over.
  void Resume(absl::Time deadline);
  // Somebody wants to connect, and cannot.
  void MakeRoom();

  const std::shared_ptr<const WakeEvent> event_;
  OpenConnections* const connections_;
  MHD_Daemon* daemon_ = nullptr;
  int epoll_fd_ = -1;
  int listening_fd_ = -1;
  std::atomic<bool> is_over_{false};

  // The loop's.
  std::map<MHD_Connection*, Waiting> waiting_;
  // Until then nobody can be made room for.
  absl::Time no_room_until_ = absl::InfinitePast();

  std::thread thread_;
};

}  // namespace syncline

#endif  // SYNCLINE_PAGES_SERVER_MICRO_LOOP_H_
