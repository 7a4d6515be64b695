// Syncline as a subject of the benchmarks, through its public API only.
//
// Thread rule: one call at a time.
#ifndef SYNCLINE_BENCHMARKS_GRAPH_SUBJECT_H_
#define SYNCLINE_BENCHMARKS_GRAPH_SUBJECT_H_

#include <memory>

#include "benchmarks/subject.h"

namespace syncline {

std::unique_ptr<Subject> MakeGraphSubject();

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_GRAPH_SUBJECT_H_
