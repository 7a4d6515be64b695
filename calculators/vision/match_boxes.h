// Decides which detection belongs to which track.
//
// The rule: of all pairs of a track and a detection that overlap enough, the
// pair with the greatest overlap belongs together; then the greatest of the
// remaining pairs, and so on. If pairs have the same overlap, the one with the
// earlier track comes first, then the one with the earlier detection. (Another
// rule would maximise the sum of all overlaps. It would sometimes give a track
// a worse detection so that another track gets one at all; when boxes of people
// cross, that swaps their tracks.)
//
// Thread rule: a pure function.
// Tested by track_association_calculator_test.

#ifndef SYNCLINE_CALCULATORS_VISION_MATCH_BOXES_H_
#define SYNCLINE_CALCULATORS_VISION_MATCH_BOXES_H_

#include <functional>
#include <vector>

#include "calculators/vision/box.h"

namespace syncline {

// For each track the index of its detection, or -1. `may_match` says whether a
// track and a detection can belong together at all.
std::vector<int> MatchBoxes(const std::vector<Box>& tracks,
                            const std::vector<Box>& detections,
                            double min_overlap,
                            const std::function<bool(int, int)>& may_match);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VISION_MATCH_BOXES_H_
