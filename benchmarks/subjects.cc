// The subjects of this program. A peer whose library was missing when the
// program was built is left out; everything else works without it.

#include <utility>

#include "benchmarks/graph_subject.h"
#include "benchmarks/hand_subject.h"
#include "benchmarks/subject.h"
#ifdef SYNCLINE_BENCHMARKS_WITH_TBB
#include "benchmarks/tbb_subject.h"
#endif
#ifdef SYNCLINE_BENCHMARKS_WITH_GSTREAMER
#include "benchmarks/gstreamer_subject.h"
#endif

namespace syncline {
Subjects MakeSubjects() {
  Subjects result;
  result.present.push_back(MakeGraphSubject());
  result.present.push_back(MakeHandSubject());
#ifdef SYNCLINE_BENCHMARKS_WITH_TBB
  for (auto& subject : MakeTbbSubjects()) {
    result.present.push_back(std::move(subject));
  }
#else
  result.missing.emplace_back("oneTBB: built without it (./setup --tbb)");
#endif
#ifdef SYNCLINE_BENCHMARKS_WITH_GSTREAMER
  std::string reason;
  if (auto subject = MakeGstreamerSubject(&reason)) {
    result.present.push_back(std::move(subject));
  } else {
    result.missing.emplace_back("GStreamer: " + reason);
  }
#else
  result.missing.emplace_back(
      "GStreamer: built without it (./setup --gstreamer)");
#endif
  return result;
}

}  // namespace syncline
