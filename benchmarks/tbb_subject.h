// oneTBB's flow graph as a peer.
//
// The message is {int64 timestamp, shared_ptr<const int64>}; nodes are serial
// function_nodes with their default (queueing) policy, joins are join_nodes
// that match the timestamp, and global_control sets the number of threads, the
// application's included.
//
// Thread rule: one call at a time.
#ifndef SYNCLINE_BENCHMARKS_TBB_SUBJECT_H_
#define SYNCLINE_BENCHMARKS_TBB_SUBJECT_H_

#include <memory>

#include "benchmarks/subject.h"

namespace syncline {

std::unique_ptr<Subject> MakeTbbSubject();

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_TBB_SUBJECT_H_
