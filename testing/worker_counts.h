// WorkersTest: a test of whole graphs that leave nothing behind, with any
// workers.
//
//   class JoinTest : public WorkersTest {};
//   SYNCLINE_TEST_WITH_ALL_WORKERS(JoinTest);
//   TEST_P(JoinTest, WaitsForBoth) {
//     GraphHarness graph("...", GetParam());
//
// What workers are, and the macros: framework/graph/test_workers.h.
//
// Thread rule: none.

#ifndef SYNCLINE_TESTING_WORKER_COUNTS_H_
#define SYNCLINE_TESTING_WORKER_COUNTS_H_

#include "framework/graph/test_workers.h"
#include "gtest/gtest.h"
#include "testing/lifetimes.h"

namespace syncline {

class WorkersTest : public LifetimesTest,
                    public ::testing::WithParamInterface<Workers> {};

}  // namespace syncline

#endif  // SYNCLINE_TESTING_WORKER_COUNTS_H_
