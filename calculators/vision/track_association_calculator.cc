// TrackAssociationCalculator: gives detections the identity of earlier
// detections of the same object.
//
//   node {
//     calculator: "TrackAssociationCalculator"
//     input_stream: "DETECTIONS:people"       # what a detector found
//     input_stream: "TRACKS:moved_tracks"     # optional: where tracks are now
//     output_stream: "TRACKS:tracks"          # with `track_id`
//     output_stream: "STATES:states"          # optional: TrackStateList
//   }                                         # the others:
//                                             # std::vector<Detection>
//
// At each packet of DETECTIONS, which may be empty vectors, detections and
// tracks are matched by the overlap of their boxes (match_boxes.h has the
// rule); a track matches only detections with the same first label. A detection
// that matches no track begins a new one, with a `track_id` of "1", "2" and so
// on, which is never used again in the run. A track without a matching
// detection is missed; the options say how often that may happen. TRACKS then
// has all tracks of this timestamp: detected tracks, with the box of the
// detection, and missed tracks whose place the input TRACKS gives. STATES has
// all tracks that have not ended.
//
// The input TRACKS gives the places of tracks now, as
// OpticalFlowTrackerCalculator sends them; it may have more timestamps than
// DETECTIONS. Detections in it without a `track_id` of this node are ignored. A
// track that it does not contain is expected at its last place.
//
// All boxes are relative to the image, or all are in pixels. An impossible box
// ends the run with an error.
//
// Nothing is sent if DETECTIONS is empty; the bound passes through (timestamp
// offset 0).
//
// Thread rule: one call at a time.
// Tested by track_association_calculator_test.
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "calculators/vision/box.h"
#include "calculators/vision/match_boxes.h"
#include "calculators/vision/track_association_calculator.pb.h"
#include "calculators/vision/track_state.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"

namespace syncline {
namespace {

constexpr char kDetections[] = "DETECTIONS";
constexpr char kTracks[] = "TRACKS";
constexpr char kStates[] = "STATES";

using Detections = std::vector<Detection>;

absl::Status CheckOptions(const TrackAssociationCalculatorOptions& options) {
  if (options.min_overlap() > 0 && options.min_overlap() <= 1 &&
      options.max_misses() >= 0 && options.smoothing() >= 0 &&
      options.smoothing() < 1 && options.max_tracks() >= 1) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "TrackAssociationCalculator needs min_overlap above 0 and up to 1, "
      "max_misses of at least 0, smoothing of at least 0 and below 1, and "
      "max_tracks of at least 1, but has ",
      options.ShortDebugString()));
}

struct Track {
  TrackState state;
  Detection detection;  // the newest detection, with the newest box
  Box box;
  // whether the input TRACKS contained it at this timestamp
  bool is_placed = false;
};

// Objects of two classes never share a track.
bool HaveSameLabel(const Detection& a, const Detection& b) {
  const auto text = [](const Detection& d) {
    return d.label_size() > 0 ? d.label(0) : std::string();
  };
  const auto id = [](const Detection& d) {
    return d.label_id_size() > 0 ? d.label_id(0) : -1;
  };
  return text(a) == text(b) && id(a) == id(b);
}

// The mean of both: weight `smoothing` for `expected`, the rest for `detected`.
Box Blend(const Box& expected, const Box& detected, double smoothing) {
  const auto blend = [smoothing](double a, double b) {
    return b + smoothing * (a - b);
  };
  return {blend(expected.x, detected.x), blend(expected.y, detected.y),
          blend(expected.width, detected.width),
          blend(expected.height, detected.height), detected.relative};
}

}  // namespace

class TrackAssociationCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag(kDetections).Set<Detections>();
    cc->Inputs().Tag(kTracks).Set<Detections>().Optional();
    cc->Outputs().Tag(kTracks).Set<Detections>();
    cc->Outputs().Tag(kStates).Set<TrackStateList>().Optional();
    cc->SetTimestampOffset(TimestampDiff(0));
    return CheckOptions(cc->Options<TrackAssociationCalculatorOptions>());
  }

  absl::Status Open(CalculatorContext* cc) override {
    options_ = cc->Options<TrackAssociationCalculatorOptions>();
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    for (Track& track : tracks_) track.is_placed = false;
    if (HasTagValue(cc->Inputs(), kTracks)) {
      SYNCLINE_RETURN_IF_ERROR(
          PlaceTracks(cc->Inputs().Tag(kTracks).Get<Detections>()));
    }
    const InputStream& input = cc->Inputs().Tag(kDetections);
    if (input.IsEmpty()) return absl::OkStatus();
    const auto& detections = input.Get<Detections>();
    std::vector<Box> boxes;
    for (const Detection& detection : detections) {
      SYNCLINE_ASSIGN_OR_RETURN(const Box box, BoxOf(detection));
      SYNCLINE_RETURN_IF_ERROR(CheckUnit(box));
      boxes.push_back(box);
    }
    Associate(detections, boxes, cc);
    Send(cc);
    return absl::OkStatus();
  }

 private:
  absl::Status CheckUnit(const Box& box) {
    if (!has_unit_) relative_ = box.relative;
    has_unit_ = true;
    if (box.relative == relative_) return absl::OkStatus();
    return absl::InvalidArgumentError(
        "some boxes are in pixels and some in parts of the image; send "
        "detections and tracks in the same unit");
  }

  absl::Status PlaceTracks(const Detections& placed) {
    std::map<std::string, Track*> by_id;
    for (Track& track : tracks_) by_id[track.state.track_id()] = &track;
    for (const Detection& detection : placed) {
      const auto known = by_id.find(detection.track_id());
      if (known == by_id.end()) continue;
      SYNCLINE_ASSIGN_OR_RETURN(const Box box, BoxOf(detection));
      SYNCLINE_RETURN_IF_ERROR(CheckUnit(box));
      known->second->box = box;
      known->second->detection = detection;
      known->second->is_placed = true;
    }
    return absl::OkStatus();
  }

  void Associate(const Detections& detections, const std::vector<Box>& boxes,
                 CalculatorContext* cc) {
    std::vector<Box> expected;
    for (const Track& track : tracks_) expected.push_back(track.box);
    const std::vector<int> detection_of =
        MatchBoxes(expected, boxes, options_.min_overlap(),
                   [this, &detections](int track, int detection) {
                     return HaveSameLabel(
                         tracks_[static_cast<std::size_t>(track)].detection,
                         detections[static_cast<std::size_t>(detection)]);
                   });
    std::vector<bool> is_taken(detections.size(), false);
    std::vector<Track> left;
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
      Track& track = tracks_[i];
      track.state.set_age(track.state.age() + 1);
      if (detection_of[i] < 0) {
        if (Miss(&track)) left.push_back(std::move(track));
        continue;
      }
      const auto detection = static_cast<std::size_t>(detection_of[i]);
      is_taken[detection] = true;
      Hit(detections[detection],
          Blend(track.box, boxes[detection], options_.smoothing()),
          boxes[detection], &track);
      left.push_back(std::move(track));
    }
    tracks_ = std::move(left);
    for (std::size_t i = 0; i < detections.size(); ++i) {
      if (!is_taken[i]) Begin(detections[i], boxes[i], cc);
    }
  }

  static void Hit(const Detection& detection, const Box& box,
                  const Box& detected, Track* track) {
    track->detection = detection;
    track->detection.set_track_id(track->state.track_id());
    MoveTo(box, detected, &track->detection);
    track->box = box;
    track->is_placed = true;
    track->state.set_hits(track->state.hits() + 1);
    track->state.set_misses(0);
  }

  // Whether the track continues.
  bool Miss(Track* track) const {
    track->state.set_misses(track->state.misses() + 1);
    return track->state.hits() >= options_.min_hits() &&
           track->state.misses() <= options_.max_misses();
  }

  void Begin(const Detection& detection, const Box& box,
             CalculatorContext* cc) {
    if (tracks_.size() >= static_cast<std::size_t>(options_.max_tracks())) {
      cc->GetCounter("NoRoomForTrack")->Increment();
      return;
    }
    Track track;
    track.state.set_track_id(absl::StrCat(++last_id_));
    track.state.set_begin_usec(cc->InputTimestamp().Microseconds());
    track.state.set_age(1);
    Hit(detection, box, box, &track);
    tracks_.push_back(std::move(track));
  }

  void Send(CalculatorContext* cc) const {
    Detections tracks;
    TrackStateList states;
    for (const Track& track : tracks_) {
      if (track.is_placed) {
        tracks.push_back(track.detection);
        tracks.back().set_timestamp_usec(cc->InputTimestamp().Microseconds());
      }
      *states.add_track() = track.state;
    }
    cc->Outputs().Tag(kTracks).AddPacket(
        MakePacket<Detections>(std::move(tracks)).At(cc->InputTimestamp()));
    if (cc->Outputs().HasTag(kStates)) {
      cc->Outputs().Tag(kStates).AddPacket(
          MakePacket<TrackStateList>(std::move(states))
              .At(cc->InputTimestamp()));
    }
  }

  TrackAssociationCalculatorOptions options_;
  std::vector<Track> tracks_;  // in the order in which they began
  std::int64_t last_id_ = 0;
  // The unit of all boxes, once there was one.
  bool has_unit_ = false;
  bool relative_ = false;
};
REGISTER_CALCULATOR(TrackAssociationCalculator);

}  // namespace syncline
