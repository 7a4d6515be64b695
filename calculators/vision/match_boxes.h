// Which detection belongs to which track.
//
// THE RULE. Of all pairs of a track and a detection that overlap enough, the
// one with the greatest overlap belongs together; then, of those that are left,
// the next one, and so on. Of pairs with the same overlap the one with the
// earlier track goes first, then the one with the earlier detection. (An
// assignment that makes the sum of overlaps as large as possible would
// sometimes take a worse partner for one so that another gets any; where boxes
// of people cross, that swaps their tracks.)
//
// Thread rule: a pure function.
// Tested by track_association_calculator_test.

#ifndef SYNCLINE_CALCULATORS_VISION_MATCH_BOXES_H_
#define SYNCLINE_CALCULATORS_VISION_MATCH_BOXES_H_

#include <functional>
#include <vector>

#include "calculators/vision/box.h"

namespace syncline {

// For each track the index of its detection, or -1. `may_match` says of a track
// and a detection whether they can belong together at all.
std::vector<int> MatchBoxes(const std::vector<Box>& tracks,
                            const std::vector<Box>& detections,
                            double min_overlap,
                            const std::function<bool(int, int)>& may_match);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VISION_MATCH_BOXES_H_
