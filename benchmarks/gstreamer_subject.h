// GStreamer as a peer: appsrc, identity elements, fakesink; tee and funnel for
// branches. The funnel joins nothing: the buffer of every branch arrives by
// itself.
//
// A message is a buffer of 8 bytes with a time. As a source, appsrc asks for
// data with a callback; for fed chains, the application pushes buffers.
// GStreamer has one thread for each source and each queue element, so two
// threads are a queue in the middle of the chain or before the branches, and
// with an application that pushes there is always a second one.
//
// Thread rule: one call at a time.
#ifndef SYNCLINE_BENCHMARKS_GSTREAMER_SUBJECT_H_
#define SYNCLINE_BENCHMARKS_GSTREAMER_SUBJECT_H_

#include <memory>
#include <string>

#include "benchmarks/subject.h"

namespace syncline {

// Null if this machine lacks an element; *missing says which.
std::unique_ptr<Subject> MakeGstreamerSubject(std::string* missing);

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_GSTREAMER_SUBJECT_H_
