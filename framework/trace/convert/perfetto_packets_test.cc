#include "framework/trace/convert/perfetto_packets.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "framework/port/status_matchers.h"
#include "framework/trace/convert/wire_writer.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

TEST(WireWriterTest, WritesTheFormOfProtobuf) {
  WireWriter writer;
  EXPECT_TRUE(writer.empty());
  writer.AddVarint(1, 150);
  writer.AddBytes(2, "ab");
  writer.AddFixed64(47, 1);
  writer.AddVarint(3, ~std::uint64_t{0});
  EXPECT_EQ(writer.bytes(),
            std::string("\x08\x96\x01"
                        "\x12\x02"
                        "ab"
                        "\xf9\x02\x01\0\0\0\0\0\0\0"
                        "\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
                        28));
  writer.clear();
  EXPECT_EQ(writer.bytes(), "");
  writer.AddBytes(1, "");
  EXPECT_EQ(writer.bytes(), std::string("\x0a\0", 2));
}

TEST(WireWriterTest, GrowsAsItIsWritten) {
  WireWriter writer;
  std::string expected;
  const std::string text(100, 'x');
  for (int i = 0; i < 1000; ++i) {
    writer.AddBytes(1, text);
    expected += "\x0a\x64" + text;
  }
  EXPECT_EQ(writer.bytes(), expected);
}

TEST(PerfettoPacketsTest, WritesWhatOneEventIs) {
  std::string file;
  PerfettoPackets packets([&file](absl::string_view piece) {
    file.append(piece.data(), piece.size());
    return absl::OkStatus();
  });
  PerfettoEvent event;
  event.type = PerfettoEvent::kInstant;
  event.track = 5;
  event.ns = 7;
  event.name = packets.EventName("n");
  packets.AddEvent(event);
  SYNCLINE_EXPECT_OK(packets.Finish());
  // A packet of: the time 7, the sequence 1, an event of type 3 with name 1 on
  // track 5, the name, the flags 3, clock 3, the first of its sequence.
  EXPECT_EQ(file, std::string("\x0a\x1d"
                              "\x40\x07"
                              "\x50\x01"
                              "\x5a\x06\x48\x03\x50\x01\x58\x05"
                              "\x62\x07\x12\x05\x08\x01\x12\x01n"
                              "\x68\x03"
                              "\xd0\x03\x03"
                              "\xb8\x05\x01",
                              31));
}

TEST(PerfettoPacketsTest, ANameHasOneNumber) {
  PerfettoPackets packets([](absl::string_view) { return absl::OkStatus(); });
  const std::uint64_t first = packets.EventName("a");
  EXPECT_NE(first, 0u);
  EXPECT_NE(packets.EventName("b"), first);
  EXPECT_EQ(packets.EventName("a"), first);
}

TEST(PerfettoPacketsTest, HandsOnPiecesAsTheyCome) {
  std::vector<std::size_t> sizes;
  PerfettoPackets packets([&sizes](absl::string_view piece) {
    sizes.push_back(piece.size());
    return absl::OkStatus();
  });
  for (int i = 0; i < 20'000; ++i) packets.AddTrack(i + 1, {.name = "track"});
  EXPECT_GT(sizes.size(), 3u);
  for (const std::size_t size : sizes) {
    EXPECT_GE(size, 64u * 1024);
    EXPECT_LT(size, 65u * 1024);
  }
  SYNCLINE_EXPECT_OK(packets.Finish());
}

TEST(PerfettoPacketsTest, AnErrorEndsTheWriting) {
  int calls = 0;
  PerfettoPackets packets([&calls](absl::string_view) {
    ++calls;
    return absl::ResourceExhaustedError("the disk is full");
  });
  for (int i = 0; i < 50'000; ++i) packets.AddTrack(i + 1, {.name = "track"});
  EXPECT_THAT(packets.Finish(), StatusIs(absl::StatusCode::kResourceExhausted,
                                         "the disk is full"));
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace syncline
