// What somebody would write by hand who needs no graph, as a peer: a flow
// limiter of two threads and a slot for one packet; and for one packet until
// idle, two threads that wake each other by futex calls and do nothing else.
//
// Thread rule: one call at a time.
#ifndef SYNCLINE_BENCHMARKS_HAND_SUBJECT_H_
#define SYNCLINE_BENCHMARKS_HAND_SUBJECT_H_

#include <memory>

#include "benchmarks/subject.h"

namespace syncline {

std::unique_ptr<Subject> MakeHandSubject();

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_HAND_SUBJECT_H_
