// OpenConnections: which connections a server has, and which of them it can do
// without.
//
// A client that asks for something is told from one that holds a connection by
// when it last made a whole request. So where there are too many, this closes
// the oldest of those that never made one, and the ordinary client, whose
// request is as short as it is new, keeps its connection.
//
// "Closing" is shutdown(): who owns the socket sees it end, as if the client
// had gone, and cleans up.
//
// Thread rule: belongs to the server's thread; size() any thread.
// Tested by open_connections_test.

#ifndef SYNCLINE_PAGES_SERVER_OPEN_CONNECTIONS_H_
#define SYNCLINE_PAGES_SERVER_OPEN_CONNECTIONS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>

namespace syncline {

class OpenConnections {
 public:
  struct Connection {
    int fd = -1;
    // Counts up with connections and requests; 0: no request was made so far.
    std::int64_t opened = 0;
    std::int64_t asked = 0;
    // What the client has not read all of; null: nothing.
    std::shared_ptr<const std::string> unread;
    // It was closed here, and its owner has not noticed so far.
    bool is_shut = false;
  };
  using Entry = std::list<Connection>::iterator;

  OpenConnections(int most, std::size_t most_unread_bytes)
      : most_(most), most_unread_bytes_(most_unread_bytes) {}

  // A connection was opened. Closes another if there are too many.
  Entry Add(int fd);
  void Remove(Entry entry);
  // A whole request has come; `body`, which may be null, is the answer. If too
  // much is unread, those are closed that have not read theirs for longest;
  // four answers of the size of the longest one are never too much, if they
  // take no more than 3 MB together, nor are two longer ones.
  void BeginAnswer(Entry entry, std::shared_ptr<const std::string> body);
  // The client has read the answer.
  void EndAnswer(Entry entry) { entry->unread = nullptr; }

  // Closes the one that can best be done without; false: there is none.
  bool CloseOne() { return CloseOldest(all_.end()); }

  // All that were ever opened.
  std::int64_t num_opened() const { return num_opened_; }
  int size() const { return size_.load(std::memory_order_relaxed); }

 private:
  bool CloseOldest(Entry but);
  std::size_t LongestUnread() const;
  // Each body counts once.
  std::size_t UnreadBytes() const;
  void CloseUnread(Entry but, std::size_t most);
  static void Close(Connection* connection);

  const int most_;
  const std::size_t most_unread_bytes_;
  std::int64_t clock_ = 0;
  std::int64_t num_opened_ = 0;
  std::list<Connection> all_;
  std::atomic<int> size_{0};
};

}  // namespace syncline

#endif  // SYNCLINE_PAGES_SERVER_OPEN_CONNECTIONS_H_
