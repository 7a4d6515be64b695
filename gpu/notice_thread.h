// NoticeThread: the thread for what must not happen where it is found out.
//
//   NoticeThread::Post([listeners] { listeners->Notify(); });
//
// A host function must not use devices, and a thread that gives work to a
// stream must not wait for another one. But whoever is told something, and
// whatever is destroyed, may do anything. So there is one thread for all such
// calls, which sleeps in between and holds no lock while it calls.
//
// A thread that chooses the order of all that happens has a NoticeCollector:
// the functions that it posts wait there, in place of the notice thread.
//
// Thread rule: any thread.
// Tested by notices_test.

#ifndef SYNCLINE_GPU_NOTICE_THREAD_H_
#define SYNCLINE_GPU_NOTICE_THREAD_H_

#include <deque>
#include <functional>

namespace syncline::gpu {

class NoticeThread {
 public:
  // Calls `function` on the notice thread, and destroys it there. Returns at
  // once.
  static void Post(std::function<void()> function);
  // The same when `wait` has returned, which may block: it has a thread of its
  // own, so that nothing else that was posted waits for it. A thread costs far
  // more than a notice: for what happens rarely.
  static void PostAfter(std::function<void()> wait,
                        std::function<void()> function);
  // Returns when what was posted before has been called, also that of
  // PostAfter(). For tests.
  static void WaitForPosted();
};

// While it exists, what the thread that made it posts waits here. The innermost
// one counts. For tests that run devices without threads.
//
// Thread rule: one thread.
class NoticeCollector {
 public:
  NoticeCollector();
  // What has not been called goes to the notice thread.
  ~NoticeCollector();
  NoticeCollector(const NoticeCollector&) = delete;
  NoticeCollector& operator=(const NoticeCollector&) = delete;

  bool empty() const { return functions_.empty(); }
  // Calls the one that came first. REQUIRES: !empty().
  void CallNext();

 private:
  friend class NoticeThread;

  // Of this thread; null for none.
  static NoticeCollector*& Innermost();
  // False if this thread has none.
  static bool Take(std::function<void()>* function);

  NoticeCollector* const outer_;
  std::deque<std::function<void()>> functions_;
};

}  // namespace syncline::gpu

#endif  // SYNCLINE_GPU_NOTICE_THREAD_H_
