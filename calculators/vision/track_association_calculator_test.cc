// TrackAssociationCalculator: which detection belongs to which track, how long
// tracks live, and impossible boxes.
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "calculators/vision/box.h"
#include "calculators/vision/match_boxes.h"
#include "calculators/vision/track_state.pb.h"
#include "framework/calculator_framework.h"
#include "framework/formats/detection.pb.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/calculator_harness.h"

namespace syncline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Detections = std::vector<Detection>;

Detection At(float x, float y, float size = 0.2f,
             const std::string& label = "person") {
  Detection detection;
  detection.add_label(label);
  detection.add_score(0.9f);
  LocationData& location = *detection.mutable_location_data();
  location.set_format(LocationData::RELATIVE_BOUNDING_BOX);
  auto& box = *location.mutable_relative_bounding_box();
  box.set_xmin(x);
  box.set_ymin(y);
  box.set_width(size);
  box.set_height(size);
  return detection;
}

Detection Named(const std::string& id, Detection detection) {
  detection.set_track_id(id);
  return detection;
}

// Runs of one node, timestamp by timestamp: 0, 1, 2 and so on.
class Association {
 public:
  explicit Association(const std::string& options = "")
      : harness_(absl::StrCat(
            "calculator: 'TrackAssociationCalculator' "
            "input_stream: 'DETECTIONS:found' input_stream: 'TRACKS:moved' "
            "output_stream: 'TRACKS:tracks' output_stream: 'STATES:states' "
            "options { [syncline.TrackAssociationCalculatorOptions.ext] {",
            options, "} }")) {}

  // Feeds detections at the next timestamp.
  Association& Found(Detections detections) {
    ++time_;
    found_.push_back(
        MakePacket<Detections>(std::move(detections)).At(Timestamp(time_)));
    return *this;
  }
  // Feeds tracks at the timestamp of the last Found().
  Association& Moved(Detections tracks) {
    moved_.push_back(
        MakePacket<Detections>(std::move(tracks)).At(Timestamp(time_)));
    return *this;
  }

  absl::Status Run() {
    harness_.Feed("DETECTIONS", found_);
    harness_.Feed("TRACKS", moved_);
    return harness_.Run();
  }
  const Detections& Tracks(int time) const {
    return harness_.Output("TRACKS")[time].Get<Detections>();
  }
  std::vector<std::string> Ids(int time) const {
    std::vector<std::string> ids;
    for (const Detection& track : Tracks(time)) ids.push_back(track.track_id());
    return ids;
  }
  const TrackStateList& States(int time) const {
    return harness_.Output("STATES")[time].Get<TrackStateList>();
  }
  CalculatorHarness& harness() { return harness_; }

 private:
  CalculatorHarness harness_;
  std::vector<Packet> found_;
  std::vector<Packet> moved_;
  int time_ = -1;
};

TEST(MatchBoxesTest, TakesTheGreatestOverlapFirst) {
  const auto any = [](int, int) { return true; };
  const Box a{0, 0, 10, 10}, b{4, 0, 10, 10}, c{3, 0, 10, 10};
  // Both tracks overlap both detections; c is nearer to b.
  EXPECT_THAT(MatchBoxes({a, b}, {c, a}, 0.1, any), ElementsAre(1, 0));
  EXPECT_THAT(MatchBoxes({a, b}, {c}, 0.1, any), ElementsAre(-1, 0));
  EXPECT_THAT(MatchBoxes({a}, {b}, 0.9, any), ElementsAre(-1));
  EXPECT_THAT(MatchBoxes({}, {b}, 0.9, any), IsEmpty());
  // If overlaps are equal, the earlier track comes first, then the earlier
  // detection.
  EXPECT_THAT(MatchBoxes({a, a}, {a}, 0.1, any), ElementsAre(0, -1));
  EXPECT_THAT(MatchBoxes({a}, {a, a}, 0.1, any), ElementsAre(0));
}

TEST(BoxTest, OverlapIsTheShareOfTheCommonArea) {
  EXPECT_DOUBLE_EQ(IntersectionOverUnion({0, 0, 2, 1}, {1, 0, 2, 1}), 1.0 / 3);
  EXPECT_DOUBLE_EQ(IntersectionOverUnion({0, 0, 2, 1}, {0, 0, 2, 1}), 1);
  EXPECT_DOUBLE_EQ(IntersectionOverUnion({0, 0, 2, 1}, {2, 0, 2, 1}), 0);
  EXPECT_DOUBLE_EQ(IntersectionOverUnion({0, 0, 0, 0}, {0, 0, 0, 0}), 0);
}

TEST(TrackAssociationTest, KeepsIdsWhileBoxesOverlap) {
  Association run;
  run.Found({At(0.1f, 0.1f), At(0.6f, 0.6f)})
      .Found({At(0.62f, 0.6f), At(0.12f, 0.1f)})
      .Found({At(0.14f, 0.1f), At(0.64f, 0.6f), At(0.1f, 0.7f)});
  SYNCLINE_ASSERT_OK(run.Run());
  EXPECT_THAT(run.Ids(0), ElementsAre("1", "2"));
  EXPECT_THAT(run.Ids(1), ElementsAre("1", "2"));
  EXPECT_THAT(run.Ids(2), ElementsAre("1", "2", "3"));
  EXPECT_FLOAT_EQ(
      run.Tracks(2)[1].location_data().relative_bounding_box().xmin(), 0.64f);
  EXPECT_EQ(run.Tracks(2)[1].timestamp_usec(), 2);
  EXPECT_EQ(run.Tracks(2)[1].label(0), "person");
}

TEST(TrackAssociationTest, TellsAgeHitsAndMisses) {
  Association run("max_misses: 2");
  run.Found({At(0.1f, 0.1f)})
      .Found({At(0.1f, 0.1f)})
      .Found({})
      .Found({})
      .Found({});
  SYNCLINE_ASSERT_OK(run.Run());
  EXPECT_EQ(run.States(1).track(0).age(), 2);
  EXPECT_EQ(run.States(1).track(0).hits(), 2);
  EXPECT_EQ(run.States(3).track(0).age(), 4);
  EXPECT_EQ(run.States(3).track(0).hits(), 2);
  EXPECT_EQ(run.States(3).track(0).misses(), 2);
  EXPECT_EQ(run.States(3).track(0).begin_usec(), 0);
  EXPECT_EQ(run.States(4).track_size(), 0);
  // The track is missed, and its place is not known.
  EXPECT_THAT(run.Ids(2), IsEmpty());
}

TEST(TrackAssociationTest, SendsWhatWasMissedWhereItWasMovedTo) {
  Association run;
  run.Found({At(0.1f, 0.1f)})
      .Found({At(0.1f, 0.1f)})
      .Found({})
      .Moved({Named("1", At(0.3f, 0.1f)), Named("99", At(0.5f, 0.5f)),
              At(0.7f, 0.7f)})
      .Found({At(0.32f, 0.1f)});
  SYNCLINE_ASSERT_OK(run.Run());
  ASSERT_THAT(run.Ids(2), ElementsAre("1"));
  EXPECT_FLOAT_EQ(
      run.Tracks(2)[0].location_data().relative_bounding_box().xmin(), 0.3f);
  EXPECT_THAT(run.Ids(3), ElementsAre("1"));
}

TEST(TrackAssociationTest, TracksThatMovedMeetTheirDetections) {
  Association run;
  run.Found({At(0.1f, 0.1f), At(0.4f, 0.1f)})
      // Each has moved to the place of the other.
      .Found({At(0.1f, 0.1f), At(0.4f, 0.1f)})
      .Moved({Named("1", At(0.4f, 0.1f)), Named("2", At(0.1f, 0.1f))});
  SYNCLINE_ASSERT_OK(run.Run());
  EXPECT_FLOAT_EQ(
      run.Tracks(1)[0].location_data().relative_bounding_box().xmin(), 0.4f);
  EXPECT_THAT(run.Ids(1), ElementsAre("1", "2"));
}

TEST(TrackAssociationTest, ATrackThatWasSeenOnceEndsWhenItIsMissed) {
  Association run("min_hits: 2 max_misses: 5");
  run.Found({At(0.1f, 0.1f)}).Found({}).Found({At(0.1f, 0.1f)});
  SYNCLINE_ASSERT_OK(run.Run());
  EXPECT_EQ(run.States(1).track_size(), 0);
  EXPECT_THAT(run.Ids(2), ElementsAre("2"));
}

TEST(TrackAssociationTest, OtherLabelsAreOtherTracks) {
  Association run;
  run.Found({At(0.1f, 0.1f, 0.2f, "cat")}).Found({At(0.1f, 0.1f, 0.2f, "dog")});
  SYNCLINE_ASSERT_OK(run.Run());
  EXPECT_THAT(run.Ids(1), ElementsAre("2"));
}

TEST(TrackAssociationTest, SmoothingKeepsPartOfWhatWasExpected) {
  Association run("smoothing: 0.75");
  run.Found({At(0.1f, 0.1f)}).Found({At(0.14f, 0.1f)});
  SYNCLINE_ASSERT_OK(run.Run());
  EXPECT_NEAR(run.Tracks(1)[0].location_data().relative_bounding_box().xmin(),
              0.11, 1e-6);
}

TEST(TrackAssociationTest, BeginsNoMoreTracksThanItMay) {
  Association run("max_tracks: 1");
  run.Found({At(0.1f, 0.1f), At(0.6f, 0.6f)});
  SYNCLINE_ASSERT_OK(run.Run());
  EXPECT_THAT(run.Ids(0), ElementsAre("1"));
  EXPECT_EQ(run.harness().CounterValue("NoRoomForTrack"), 1);
}

TEST(TrackAssociationTest, RefusesBoxesThatCannotBe) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  Detection in_pixels;
  in_pixels.mutable_location_data()->set_format(LocationData::BOUNDING_BOX);
  auto& box = *in_pixels.mutable_location_data()->mutable_bounding_box();
  box.set_xmin(1);
  box.set_ymin(1);
  box.set_width(5);
  box.set_height(5);
  Detection everywhere;
  everywhere.mutable_location_data()->set_format(LocationData::GLOBAL);
  const std::vector<std::pair<Detection, std::string>> bad = {
      {At(nan, 0), "cannot be"},       {At(0, inf), "cannot be"},
      {At(0, 0, -1), "cannot be"},     {At(1e30f, 0), "cannot be"},
      {everywhere, "has no box"},      {Detection(), "has no box"},
      {in_pixels, "in the same unit"},
  };
  for (const auto& [detection, message] : bad) {
    Association found;
    found.Found({At(0.1f, 0.1f), detection});
    EXPECT_THAT(std::string(found.Run().message()), HasSubstr(message));
    Association moved;
    moved.Found({At(0.1f, 0.1f)}).Found({}).Moved({Named("1", detection)});
    EXPECT_THAT(std::string(moved.Run().message()), HasSubstr(message));
  }
}

TEST(TrackAssociationTest, TakesBoxesOutsideOfTheImage) {
  Association run;
  run.Found({At(-5, 0.1f), At(3, 3, 0)}).Found({At(-5, 0.1f), At(3, 3, 0)});
  SYNCLINE_ASSERT_OK(run.Run());
  // A box without extent overlaps nothing.
  EXPECT_THAT(run.Ids(1), ElementsAre("1", "3"));
}

TEST(TrackAssociationTest, RefusesOptionsOutOfTheirRange) {
  for (const std::string options :
       {"min_overlap: 0", "min_overlap: nan", "min_overlap: 1.5",
        "max_misses: -1", "smoothing: 1", "smoothing: nan", "max_tracks: 0"}) {
    EXPECT_THAT(std::string(Association(options).Run().message()),
                HasSubstr("needs min_overlap"))
        << options;
  }
}

}  // namespace
}  // namespace syncline
