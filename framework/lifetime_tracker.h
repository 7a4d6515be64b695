// LifetimeTracker: counts how many of the objects that it made still exist; for
// tests.
//
//   LifetimeTracker tracker;
//   Packet packet = Adopt(tracker.MakeObject().release());
//   EXPECT_EQ(tracker.live_count(), 1);
//
// Thread rule: any thread. The tracker must outlive its objects.
// Tested by lifetime_tracker_test.
#ifndef SYNCLINE_FRAMEWORK_LIFETIME_TRACKER_H_
#define SYNCLINE_FRAMEWORK_LIFETIME_TRACKER_H_

#include <atomic>
#include <memory>

namespace syncline {

class LifetimeTracker {
 public:
  class Object {
   public:
    explicit Object(LifetimeTracker* tracker) : tracker_(tracker) {
      ++tracker_->live_count_;
    }
    ~Object() { --tracker_->live_count_; }
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;

   private:
    LifetimeTracker* const tracker_;
  };

  std::unique_ptr<Object> MakeObject() {
    return std::make_unique<Object>(this);
  }
  int live_count() const { return live_count_; }

 private:
  std::atomic<int> live_count_{0};
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_LIFETIME_TRACKER_H_
