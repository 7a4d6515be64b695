// Each kind of difference between a recorded stream and the stream of the
// present run is shown as a timeline together with the packets that were fed to
// the graph, word for word.

#include "framework/recording/stream_comparison.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "framework/packet/packet.h"
#include "framework/packet/packet_bytes.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "framework/recording/recording_file.h"
#include "framework/recording/recording_reader.h"
#include "framework/recording/recording_writer.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// Timestamps and values.
using Packets = std::vector<std::pair<std::int64_t, int>>;

std::string BytesOf(int value) {
  return BytesOfPacket(MakePacket<int>(value)).value();
}

// The graph input "numbers" has 4, 5, ... at 10, 20, ..., "sums" has `sums`.
std::unique_ptr<RecordingReader> Recorded(const Packets& sums) {
  const std::string path = ::testing::TempDir() + "/comparison.syncline";
  std::remove(path.c_str());
  RecordingHeader header;
  header.streams = {{"numbers", true, "int"}, {"sums", false, "int"}};
  auto writer = RecordingWriter::Create(path, header).value();
  std::int64_t seq = 0;
  for (int i = 1; i <= 5; ++i) {
    ++seq;
    SYNCLINE_EXPECT_OK(
        writer->AppendPacket(seq, 0, Timestamp(10 * i), seq, BytesOf(3 + i)));
  }
  for (const auto& [timestamp, value] : sums) {
    ++seq;
    SYNCLINE_EXPECT_OK(writer->AppendPacket(seq, 1, Timestamp(timestamp), seq,
                                            BytesOf(value)));
  }
  SYNCLINE_EXPECT_OK(writer->Finish("OK"));
  return RecordingReader::Open(path).value();
}

// What is shown when `now` comes in place of `recorded`; "" where that is the
// same.
std::string Shown(const Packets& recorded, const Packets& now,
                  bool was_cut = false) {
  const auto recording = Recorded(recorded);
  RecordingRange range;
  range.stream = 1;
  range.packets_only = true;
  StreamComparison comparison(recording->header().streams[1],
                              recording->Events(range).value(), was_cut);
  for (const auto& [timestamp, value] : now) {
    SYNCLINE_EXPECT_OK(
        comparison.Compare(Timestamp(timestamp), BytesOf(value)));
  }
  SYNCLINE_EXPECT_OK(comparison.Finish());
  if (!comparison.differs()) return "";
  return comparison.Difference() +
         InputsAround(*recording, comparison.timestamp());
}

TEST(StreamComparisonTest, TheSamePacketsAreNoDifference) {
  EXPECT_EQ(Shown({{10, 4}, {20, 9}}, {{10, 4}, {20, 9}}), "");
  EXPECT_EQ(Shown({}, {}), "");
}

TEST(StreamComparisonTest, AnotherValueIsShownBesideTheRecordedOne) {
  EXPECT_EQ(
      Shown({{10, 4}, {20, 9}, {30, 15}, {40, 22}},
            {{10, 4}, {20, 9}, {30, 16}, {40, 22}}),
      R"(stream "sums" differs from the recording at its packet 3, timestamp 30: another value
                  timestamp  value
                         10  4
                         20  9
  rec                    30  15
  now                    30  16
                         40  22
inputs of the graph around it:
                         20  numbers: 5
                         30  numbers: 6
                         40  numbers: 7)");
}

TEST(StreamComparisonTest, APacketMoreIsShownAtItsPlace) {
  EXPECT_EQ(
      Shown({{10, 4}, {30, 15}}, {{10, 4}, {20, 9}, {30, 15}}),
      R"(stream "sums" differs from the recording at its packet 2, timestamp 20: a packet more
                  timestamp  value
                         10  4
  now                    20  9
                         30  15
  rec   has ended
inputs of the graph around it:
                         10  numbers: 4
                         20  numbers: 5
                         30  numbers: 6)");
}

TEST(StreamComparisonTest, APacketMoreAtTheEndIsOneToo) {
  EXPECT_EQ(
      Shown({{10, 4}}, {{10, 4}, {60, 9}}),
      R"(stream "sums" differs from the recording at its packet 2, timestamp 60: a packet more
                  timestamp  value
                         10  4
  now                    60  9
  rec   has ended
inputs of the graph around it:
                         40  numbers: 7
                         50  numbers: 8)");
}

TEST(StreamComparisonTest, APacketLessIsShownAtItsPlace) {
  EXPECT_EQ(
      Shown({{10, 4}, {20, 4}, {30, 4}}, {{10, 4}, {30, 4}}),
      R"(stream "sums" differs from the recording at its packet 2, timestamp 20: a packet less
                  timestamp  value
                         10  4
  rec                    20  4
                         30  4
  now   has ended
inputs of the graph around it:
                         10  numbers: 4
                         20  numbers: 5
                         30  numbers: 6)");
}

TEST(StreamComparisonTest, AStreamWithoutPacketsHasEnded) {
  EXPECT_EQ(
      Shown({{5, 4}}, {}),
      R"(stream "sums" differs from the recording at its packet 1, timestamp 5: a packet less
                  timestamp  value
  rec                     5  4
  now   has ended
inputs of the graph around it:
                         10  numbers: 4)");
}

TEST(StreamComparisonTest, TheSameValueAtAnotherTimestampIsNamedSo) {
  EXPECT_EQ(
      Shown({{10, 4}, {20, 9}, {30, 15}}, {{10, 4}, {21, 9}, {30, 15}}),
      R"(stream "sums" differs from the recording at its packet 2, timestamp 20: another timestamp
                  timestamp  value
                         10  4
  rec                    20  9
  now                    21  9
                         30  15
inputs of the graph around it:
                         10  numbers: 4
                         20  numbers: 5
                         30  numbers: 6)");
}

TEST(StreamComparisonTest, ValuesInAnotherOrderAreShownOnBothSides) {
  EXPECT_EQ(
      Shown({{10, 4}, {20, 9}, {30, 15}}, {{10, 4}, {20, 15}, {30, 9}}),
      R"(stream "sums" differs from the recording at its packet 2, timestamp 20: another value
                  timestamp  value
                         10  4
  rec                    20  9
  now                    20  15
  rec                    30  15
  now                    30  9
inputs of the graph around it:
                         10  numbers: 4
                         20  numbers: 5
                         30  numbers: 6)");
}

TEST(StreamComparisonTest, OnlyWhatIsNearIsShown) {
  Packets recorded;
  Packets now;
  for (int i = 1; i <= 20; ++i) {
    recorded.emplace_back(i, i);
    now.emplace_back(i, i < 10 ? i : -i);
  }
  EXPECT_EQ(
      Shown(recorded, now),
      R"(stream "sums" differs from the recording at its packet 10, timestamp 10: another value
                  timestamp  value
                          7  7
                          8  8
                          9  9
  rec                    10  10
  now                    10  -10
  rec                    11  11
  now                    11  -11
  rec                    12  12
  now                    12  -12
  rec                    13  13
  now                    13  -13
inputs of the graph around it:
                         10  numbers: 4
                         20  numbers: 5)");
}

TEST(StreamComparisonTest, WhatFollowsTheEndOfACutRecordingIsNoDifference) {
  EXPECT_EQ(Shown({{10, 4}}, {{10, 4}, {20, 9}}, /*was_cut=*/true), "");
  EXPECT_NE(Shown({{10, 4}}, {{10, 5}, {20, 9}}, /*was_cut=*/true), "");
}

TEST(StreamComparisonTest, SidesHaveTheNamesThatTheyAreGiven) {
  const auto recording = Recorded({{10, 4}});
  RecordingRange range;
  range.stream = 1;
  range.packets_only = true;
  StreamComparison comparison(recording->header().streams[1],
                              recording->Events(range).value(), false);
  SYNCLINE_EXPECT_OK(comparison.Compare(Timestamp(10), BytesOf(5)));
  SYNCLINE_EXPECT_OK(comparison.Finish());
  StreamComparison::Sides sides;
  sides.recorded = "1st";
  sides.now = "2nd";
  sides.differs_from = "is not the same";
  EXPECT_EQ(
      comparison.Difference(sides),
      R"(stream "sums" is not the same at its packet 1, timestamp 10: another value
                  timestamp  value
  1st                    10  4
  2nd                    10  5)");
}

}  // namespace
}  // namespace syncline
