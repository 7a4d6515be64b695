// How many threads a pool has where nobody says: one for each core that the
// process may use. The pool of a graph has no more than can be useful there.
//
// Thread rule: free functions, any thread.
// Tested by default_num_threads_test and, for shared pools, by
// shared_thread_pool_test.

#ifndef SYNCLINE_FRAMEWORK_SCHEDULER_DEFAULT_NUM_THREADS_H_
#define SYNCLINE_FRAMEWORK_SCHEDULER_DEFAULT_NUM_THREADS_H_

namespace syncline {

// For a graph that has work for at most `useful_threads` at a time: at least 1.
int DefaultNumThreads(int useful_threads);

// For a pool that graphs share: nobody knows what they will have to do.
int DefaultNumSharedThreads();

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_SCHEDULER_DEFAULT_NUM_THREADS_H_
