#include "pages/server/open_connections.h"

#include <sys/socket.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace syncline {
namespace {

// Who reads a long answer is not closed for a few that came after it, however
// short these are: so many of the longest one are never too much, as long as
// they take no more than kMostBytesOfLong together; of longer ones, two.
constexpr std::size_t kMostUnreadAnswers = 4;
constexpr std::size_t kMostBytesOfLong = std::size_t{3} << 20;

std::size_t RoomForLong(std::size_t longest) {
  return std::max(2 * longest,
                  std::min(kMostUnreadAnswers * longest, kMostBytesOfLong));
}

}  // namespace

OpenConnections::Entry OpenConnections::Add(int fd) {
  all_.push_back({.fd = fd, .opened = ++clock_});
  size_.store(static_cast<int>(all_.size()), std::memory_order_relaxed);
  const auto open = std::count_if(
      all_.begin(), all_.end(), [](const Connection& c) { return !c.is_shut; });
  ++num_opened_;
  // The last one is that which has just come.
  if (open > most_) CloseOldest(std::prev(all_.end()));
  return std::prev(all_.end());
}

void OpenConnections::Remove(Entry entry) {
  all_.erase(entry);
  size_.store(static_cast<int>(all_.size()), std::memory_order_relaxed);
}

void OpenConnections::BeginAnswer(Entry entry,
                                  std::shared_ptr<const std::string> body) {
  entry->asked = ++clock_;
  entry->unread = std::move(body);
  if (entry->unread == nullptr) return;
  CloseUnread(entry,
              std::max(most_unread_bytes_, RoomForLong(LongestUnread())));
}

void OpenConnections::Close(Connection* connection) {
  shutdown(connection->fd, SHUT_RDWR);
  connection->is_shut = true;
}

bool OpenConnections::CloseOldest(Entry but) {
  Entry chosen = all_.end();
  for (Entry entry = all_.begin(); entry != all_.end(); ++entry) {
    if (entry == but || entry->is_shut) continue;
    if (chosen == all_.end() || std::tie(entry->asked, entry->opened) <
                                    std::tie(chosen->asked, chosen->opened)) {
      chosen = entry;
    }
  }
  if (chosen == all_.end()) return false;
  Close(&*chosen);
  return true;
}

std::size_t OpenConnections::LongestUnread() const {
  std::size_t longest = 0;
  for (const Connection& connection : all_) {
    if (connection.is_shut || connection.unread == nullptr) continue;
    longest = std::max(longest, connection.unread->size());
  }
  return longest;
}

std::size_t OpenConnections::UnreadBytes() const {
  std::set<const std::string*> bodies;
  std::size_t bytes = 0;
  for (const Connection& connection : all_) {
    if (connection.is_shut || connection.unread == nullptr) continue;
    if (bodies.insert(connection.unread.get()).second) {
      bytes += connection.unread->size();
    }
  }
  return bytes;
}

void OpenConnections::CloseUnread(Entry but, std::size_t most) {
  while (UnreadBytes() > most) {
    Entry chosen = all_.end();
    for (Entry entry = all_.begin(); entry != all_.end(); ++entry) {
      if (entry == but || entry->is_shut || entry->unread == nullptr) continue;
      if (chosen == all_.end() || entry->asked < chosen->asked) chosen = entry;
    }
    // One answer alone may be longer.
    if (chosen == all_.end()) return;
    Close(&*chosen);
  }
}

}  // namespace syncline
