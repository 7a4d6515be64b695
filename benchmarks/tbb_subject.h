// oneTBB's flow graph as two peers.
//
// "oneTBB" is what somebody writes who takes the defaults: the message is
// {int64 timestamp, shared_ptr<const int64>}; nodes are serial function_nodes
// with their default (queueing) policy, joins are join_nodes that match the
// timestamp.
//
// "oneTBB plain" is what an expert would try: the message is {int64, int64},
// nodes are queueing_lightweight (a node may run within the call that sends to
// it), a limiter_node lets at most 100 packets of a source in, and joins are
// queueing: they take the first packet of each input, whatever its time. So
// they fit only where the order is kept; sinks count where it was not.
//
// global_control sets the number of threads, the application's included.
//
// Thread rule: one call at a time.
#ifndef SYNCLINE_BENCHMARKS_TBB_SUBJECT_H_
#define SYNCLINE_BENCHMARKS_TBB_SUBJECT_H_

#include <memory>
#include <vector>

#include "benchmarks/subject.h"

namespace syncline {

std::vector<std::unique_ptr<Subject>> MakeTbbSubjects();

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_TBB_SUBJECT_H_
