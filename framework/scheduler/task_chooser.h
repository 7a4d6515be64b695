// TaskChooser: decides what runs next, in place of the priorities.
//
// For tests that run a graph in many orders. With a chooser a graph runs on the
// thread that waits for it, one task at a time, and each time there is more
// than one thing to do, the chooser says which. The same answers give the same
// run.
//
// Thread rule: called by one thread at a time, with a lock held: it must not
// call anything of the graph.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_TASK_CHOOSER_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_TASK_CHOOSER_H_

#include <cstddef>

namespace syncline {

class TaskChooser {
 public:
  virtual ~TaskChooser() = default;
  // Returns a number from 0 to count - 1; 0 is the task that came first.
  // REQUIRES: count > 1.
  virtual std::size_t Choose(std::size_t count) = 0;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_TASK_CHOOSER_H_
