// ListenerList: functions to call when something has changed.
//
//   Listener listener = list.Add([this] { LookAgain(); });
//   ...
//   list.Notify();                    // calls LookAgain on this thread
//
// A listener lives as long as its token. Once the token's destructor has
// returned, the function does not run and never will, so it may use objects
// that are destroyed next. For that the destructor waits for calls in progress
// on other threads; within the function itself it does not wait. The token must
// not be destroyed under a lock that the function takes.
//
// Functions are called without a lock. When two threads notify, two calls of
// one function may run at the same time. Notify need not call a function that
// is added while it runs. Notify without listeners costs one read.
//
// Thread rule: a list, from any thread; a token, one thread at a time. Either
// may be destroyed first, but a list not during its Notify.
// Tested by listener_list_test.

#ifndef SYNCLINE_FRAMEWORK_BASE_LISTENER_LIST_H_
#define SYNCLINE_FRAMEWORK_BASE_LISTENER_LIST_H_

#include <functional>
#include <memory>
#include <utility>

#include "absl/base/attributes.h"

namespace syncline {

namespace listener_internal {
class Entry;
class Entries;
}  // namespace listener_internal

class ABSL_MUST_USE_RESULT Listener {
 public:
  Listener() = default;
  ~Listener() { End(); }
  Listener(Listener&& other) noexcept { *this = std::move(other); }
  Listener& operator=(Listener&& other) noexcept;

  // What the destructor does. The token is empty then.
  void End();

 private:
  friend class ListenerList;
  Listener(std::weak_ptr<listener_internal::Entries> list,
           std::shared_ptr<listener_internal::Entry> entry)
      : list_(std::move(list)), entry_(std::move(entry)) {}

  std::weak_ptr<listener_internal::Entries> list_;
  std::shared_ptr<listener_internal::Entry> entry_;
};

class ListenerList {
 public:
  ListenerList();
  ~ListenerList();
  ListenerList(const ListenerList&) = delete;
  ListenerList& operator=(const ListenerList&) = delete;

  // An empty function is never called.
  Listener Add(std::function<void()> function);
  // Calls every listener, in the order in which they came.
  void Notify();

 private:
  const std::shared_ptr<listener_internal::Entries> entries_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_BASE_LISTENER_LIST_H_
