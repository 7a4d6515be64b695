// The decoder and the encoder: alone, and in graphs whose runs succeed or fail.

#include <unistd.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "calculators/video/test_clips.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/video_stream_header.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/calculator_harness.h"
#include "testing/graph_harness.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<int> Numbers(const std::vector<Packet>& packets) {
  std::vector<int> numbers;
  for (const Packet& packet : packets) {
    numbers.push_back(FrameNumber(packet.Get<ImageFrame>()));
  }
  return numbers;
}

std::vector<std::int64_t> Times(const std::vector<Packet>& packets) {
  std::vector<std::int64_t> times;
  for (const Packet& packet : packets) {
    times.push_back(packet.Timestamp().Value());
  }
  return times;
}

// --- Decoder

std::string Decoder(absl::string_view options) {
  return absl::StrCat(
      "calculator: 'OpenCvVideoDecoderCalculator' "
      "output_stream: 'VIDEO:frames' "
      "output_stream: 'VIDEO_PRESTREAM:header' "
      "options { [syncline.OpenCvVideoDecoderCalculatorOptions.ext] { ",
      options, " } }");
}
std::string DecoderOf(const std::string& path, absl::string_view options = "") {
  return Decoder(absl::StrCat("input_file_path: '", path, "' ", options));
}

TEST(VideoDecoderTest, SendsFramesAtTheirTimesAndAHeaderBefore) {
  CalculatorHarness harness(
      "calculator: 'OpenCvVideoDecoderCalculator' "
      "input_side_packet: 'INPUT_FILE_PATH:path' "
      "output_stream: 'VIDEO:frames' output_stream: 'VIDEO_PRESTREAM:header'");
  harness.SetSidePacket("INPUT_FILE_PATH",
                        MakePacket<std::string>(WriteClip({.frames = 4})));
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_THAT(Numbers(harness.Output("VIDEO")), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(Times(harness.Output("VIDEO")),
              ElementsAre(0, 100000, 200000, 300000));
  ASSERT_EQ(harness.Output("VIDEO_PRESTREAM").size(), 1u);
  const Packet& header = harness.Output("VIDEO_PRESTREAM")[0];
  EXPECT_EQ(header.Timestamp(), Timestamp::PreStream());
  EXPECT_EQ(header.Get<VideoHeader>().width, 64);
  EXPECT_EQ(header.Get<VideoHeader>().height, 48);
  EXPECT_EQ(header.Get<VideoHeader>().frame_rate, 10);
  EXPECT_EQ(harness.OutputHeader("VIDEO").Get<VideoHeader>().duration,
            header.Get<VideoHeader>().duration);
}

TEST(VideoDecoderTest, SendsWhatTheOptionsAskFor) {
  const std::string path = WriteClip({.frames = 8});
  const std::pair<const char*, std::vector<int>> kOptions[] = {
      {"max_frames: 3", {0, 1, 2}},
      {"start_time_us: 450000", {5, 6, 7}},
      {"start_time_us: 200000 end_time_us: 400000", {2, 3}},
      {"start_time_us: 200000 max_frames: 1", {2}},
      {"start_time_us: 100000000", {}},
  };
  for (const auto& [options, numbers] : kOptions) {
    CalculatorHarness harness(DecoderOf(path, options));
    SYNCLINE_ASSERT_OK(harness.Run()) << options;
    EXPECT_EQ(Numbers(harness.Output("VIDEO")), numbers) << options;
  }
}

TEST(VideoDecoderTest, RefusesOptionsOutOfRange) {
  for (const char* const options :
       {"", "input_file_path: 'a' camera_index: 0", "camera_index: -1",
        "input_file_path: 'a' max_frames: -1",
        "input_file_path: 'a' frame_rate: 0",
        "input_file_path: 'a' frame_rate: nan",
        "input_file_path: 'a' frame_rate: 1e300",
        "input_file_path: 'a' start_time_us: 5 end_time_us: 5"}) {
    EXPECT_EQ(CalculatorHarness(Decoder(options)).Run().code(),
              absl::StatusCode::kInvalidArgument)
        << options;
  }
}

TEST(VideoDecoderTest, SendsWhatThereIsOfADamagedFile) {
  const std::string path = WriteClip({.name = "cut.avi", .frames = 8});
  CutOff(path);
  CalculatorHarness harness(DecoderOf(path));
  EXPECT_EQ(harness.Run().code(), absl::StatusCode::kDataLoss);
  EXPECT_FALSE(harness.Output("VIDEO").empty());
  SYNCLINE_EXPECT_OK(
      CalculatorHarness(DecoderOf(path, "allow_truncated: true")).Run());
}

// --- Encoder

std::string Encoder(absl::string_view options) {
  return absl::StrCat(
      "calculator: 'OpenCvVideoEncoderCalculator' input_stream: 'VIDEO:frames' "
      "input_side_packet: 'OUTPUT_FILE_PATH:path' "
      "options { [syncline.OpenCvVideoEncoderCalculatorOptions.ext] { ",
      options, " } }");
}

std::vector<Packet> Frames(int count, const ClipOptions& options = {},
                           ImageFormat::Format format = ImageFormat::SRGB) {
  std::vector<Packet> frames;
  for (int i = 0; i < count; ++i) {
    frames.push_back(ClipFrame(i, Timestamp(i * 100000), options, format));
  }
  return frames;
}

// Encodes to `path` and returns the status.
absl::Status Encode(absl::string_view options, const std::string& path,
                    std::vector<Packet> frames) {
  CalculatorHarness harness{absl::string_view(Encoder(options))};
  harness.SetSidePacket("OUTPUT_FILE_PATH", MakePacket<std::string>(path));
  harness.Feed("VIDEO", std::move(frames));
  return harness.Run();
}

std::vector<int> NumbersIn(const std::string& path) {
  CalculatorHarness harness{absl::string_view(DecoderOf(path))};
  SYNCLINE_EXPECT_OK(harness.Run());
  return Numbers(harness.Output("VIDEO"));
}

TEST(VideoEncoderTest, WritesEveryFrameWithEveryCodec) {
  for (const auto& [codec, container] :
       {std::pair("MJPG", "avi"), std::pair("mp4v", "mp4"),
        std::pair("XVID", "avi"), std::pair("avc1", "mp4"),
        std::pair("FFV1", "mkv"), std::pair("", "avi"), std::pair("", "mp4")}) {
    const std::string path =
        TempPath(absl::StrCat("codec", codec, ".", container));
    SYNCLINE_EXPECT_OK(
        Encode(absl::StrCat("codec: '", codec, "' video_format: '", container,
                            "' fps: 10"),
               path, Frames(5)));
    EXPECT_THAT(NumbersIn(path), ElementsAre(0, 1, 2, 3, 4)) << path;
  }
}

TEST(VideoEncoderTest, TakesEveryFormatOfBytes) {
  for (const auto format :
       {ImageFormat::GRAY8, ImageFormat::SRGB, ImageFormat::SRGBA}) {
    const std::string path = TempPath("format.avi");
    SYNCLINE_EXPECT_OK(Encode("fps: 10", path, Frames(3, {}, format)));
    EXPECT_THAT(NumbersIn(path), ElementsAre(0, 1, 2)) << format;
  }
}

TEST(VideoEncoderTest, LeavesTheLastColumnAndRowOfOddSizesOut) {
  const std::string path = TempPath("odd.avi");
  SYNCLINE_EXPECT_OK(
      Encode("fps: 10", path, Frames(3, {.width = 63, .height = 47})));
  CalculatorHarness decoder{absl::string_view(DecoderOf(path))};
  SYNCLINE_ASSERT_OK(decoder.Run());
  EXPECT_THAT(Numbers(decoder.Output("VIDEO")), ElementsAre(0, 1, 2));
  EXPECT_EQ(decoder.Output("VIDEO")[0].Get<ImageFrame>().Width(), 62);
  EXPECT_EQ(decoder.Output("VIDEO")[0].Get<ImageFrame>().Height(), 46);
}

TEST(VideoEncoderTest, KeepsTheTimesOfFramesIfAskedFor) {
  std::vector<Packet> uneven;
  for (const auto& [number, time] :
       {std::pair(0, 2000), std::pair(1, 502000), std::pair(2, 702000),
        std::pair(3, 1302000)}) {
    uneven.push_back(ClipFrame(number, Timestamp(time)));
  }
  for (const auto& [options, times] :
       {std::pair("fps: 10",
                  std::vector<std::int64_t>{0, 100000, 200000, 300000}),
        std::pair("fps: 10 keep_timestamps: true",
                  std::vector<std::int64_t>{0, 500000, 700000, 1300000})}) {
    const std::string path = TempPath("kept.avi");
    SYNCLINE_ASSERT_OK(Encode(options, path, uneven));
    CalculatorHarness decoder{absl::string_view(DecoderOf(path))};
    SYNCLINE_ASSERT_OK(decoder.Run());
    EXPECT_THAT(Numbers(decoder.Output("VIDEO")), ElementsAre(0, 1, 2, 3));
    std::vector<std::int64_t> read;
    for (const Packet& frame : decoder.Output("VIDEO")) {
      read.push_back(frame.Timestamp().Value());
    }
    EXPECT_EQ(read, times) << options;
  }
  EXPECT_THAT(
      std::string(Encode("fps: 10 keep_timestamps: true", TempPath("no.avi"),
                         {ClipFrame(0, Timestamp::PreStream())})
                      .message()),
      HasSubstr("which is no time"));
}

TEST(VideoEncoderTest, HasTheRateOfOptionsOrHeaders) {
  const std::string prestream = "input_stream: 'VIDEO_PRESTREAM:header' ";
  for (const auto& [options, rate] :
       {std::pair("", 20.0f), std::pair("fps: 12.5", 12.5f)}) {
    const std::string path = TempPath("rate.avi");
    CalculatorHarness harness(
        absl::string_view(absl::StrCat(prestream, Encoder(options))));
    harness.SetSidePacket("OUTPUT_FILE_PATH", MakePacket<std::string>(path));
    VideoHeader header;
    header.frame_rate = 20;
    harness.Feed("VIDEO_PRESTREAM",
                 {MakePacket<VideoHeader>(header).At(Timestamp::PreStream())});
    harness.Feed("VIDEO", Frames(3));
    SYNCLINE_ASSERT_OK(harness.Run());
    CalculatorHarness decoder{absl::string_view(DecoderOf(path))};
    SYNCLINE_ASSERT_OK(decoder.Run());
    EXPECT_EQ(decoder.OutputHeader("VIDEO").Get<VideoHeader>().frame_rate,
              rate);
  }
}

TEST(VideoEncoderTest, SaysWhatIsWrong) {
  const std::string path = TempPath("bad.avi");
  const struct {
    const char* options;
    std::string path;
    const char* says;
  } kBad[] = {
      {"", path, "fps"},
      {"fps: 0", path, "fps"},
      {"fps: nan", path, "fps"},
      {"fps: 1e9", path, "fps"},
      {"fps: 10 width: 64", path, "both"},
      {"fps: 10 width: 64 height: -1", path, "width"},
      {"fps: 10 width: 100000 height: 100000", path, "width"},
      {"fps: 10 width: 32 height: 32", path, "32x32"},
      {"fps: 10 codec: 'MJPEG'", path, "four letters"},
      {"fps: 10 codec: 'QQQQ'", path, "codec \"QQQQ\""},
      {"fps: 10 video_format: 'mp4'", path, "end in .mp4"},
      {"fps: 10", TempPath("bad"), "end in .avi"},
      {"fps: 10", TempPath("bad.xyz"), "codec"},
      {"fps: 10 codec: 'MJPG'", TempPath("bad.xyz"), "bad.xyz"},
      {"fps: 10", TempPath("no_folder/bad.avi"), "no_folder"},
      {"fps: 10", "", "end in .avi"},
  };
  for (const auto& bad : kBad) {
    const absl::Status status = Encode(bad.options, bad.path, Frames(2));
    EXPECT_FALSE(status.ok()) << bad.options << ", " << bad.path;
    EXPECT_THAT(std::string(status.message()), HasSubstr(bad.says));
  }
}

TEST(VideoEncoderTest, KeepsWhatWasWrittenBeforeAFrameThatDoesNotFit) {
  const std::string path = TempPath("kept.avi");
  std::vector<Packet> frames = Frames(3);
  frames.push_back(
      ClipFrame(3, Timestamp(300000), {.width = 32, .height = 32}));
  EXPECT_THAT(
      std::string(Encode("fps: 10", path, frames).message()),
      AllOf(HasSubstr("kept.avi"), HasSubstr("frame 3"), HasSubstr("32x32")));
  EXPECT_THAT(NumbersIn(path), ElementsAre(0, 1, 2));
  frames.back() = MakePacket<ImageFrame>(ImageFormat::VEC32F1, 64, 48)
                      .At(Timestamp(300000));
  EXPECT_FALSE(Encode("fps: 10", path, frames).ok());
  EXPECT_THAT(NumbersIn(path), ElementsAre(0, 1, 2));
  frames.back() = MakePacket<ImageFrame>().At(Timestamp(300000));
  EXPECT_THAT(std::string(Encode("fps: 10", path, frames).message()),
              HasSubstr("no pixels"));
  EXPECT_THAT(NumbersIn(path), ElementsAre(0, 1, 2));
}

TEST(VideoEncoderTest, NoticesAFullDisk) {
  const std::string path = TempPath("full.avi");
  ASSERT_EQ(symlink("/dev/full", path.c_str()), 0);
  EXPECT_EQ(Encode("fps: 10", path, Frames(20)).code(),
            absl::StatusCode::kDataLoss);
}

TEST(VideoEncoderTest, WithoutAFrameThereIsNoFile) {
  const std::string path = TempPath("nothing.avi");
  SYNCLINE_EXPECT_OK(Encode("fps: 10", path, {}));
  EXPECT_THAT(FileBytes(path), IsEmpty());
}

// --- Graphs

class VideoGraphTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(VideoGraphTest);

constexpr char kCopyVideo[] = R"pb(
  input_side_packet: "in"
  input_side_packet: "out"
  node {
    calculator: "OpenCvVideoDecoderCalculator"
    input_side_packet: "INPUT_FILE_PATH:in"
    output_stream: "VIDEO:frames"
    output_stream: "VIDEO_PRESTREAM:header"
  }
  node {
    calculator: "PassThroughCalculator"
    input_stream: "frames"
    output_stream: "same_frames"
  }
  node {
    calculator: "OpenCvVideoEncoderCalculator"
    input_stream: "VIDEO:same_frames"
    input_stream: "VIDEO_PRESTREAM:header"
    input_side_packet: "OUTPUT_FILE_PATH:out"
  }
)pb";

TEST_P(VideoGraphTest, TheSameFramesMakeTheSameBytes) {
  const std::string in = WriteClip({.frames = 20});
  for (const char* const name : {"same.avi", "same.mp4"}) {
    const std::string out = TempPath(name);
    GraphHarness graph(kCopyVideo, GetParam());
    graph.SetSidePacket("in", MakePacket<std::string>(in));
    graph.SetSidePacket("out", MakePacket<std::string>(out));
    SYNCLINE_ASSERT_OK(graph.Run());
    EXPECT_EQ(NumbersIn(out).size(), 20u);
    // The file of the first run of this process; all later ones must equal it.
    static auto& first = *new std::map<std::string, std::string>;
    const std::string bytes = FileBytes(out);
    EXPECT_EQ(bytes, first.try_emplace(name, bytes).first->second) << name;
    SYNCLINE_ASSERT_OK(graph.Run());
    EXPECT_EQ(FileBytes(out), bytes) << name;
  }
}

TEST_P(VideoGraphTest, AFailedRunLeavesAValidFile) {
  const std::string in = WriteClip({.name = "fails.avi", .frames = 8});
  CutOff(in);
  const std::string out = TempPath("valid.avi");
  GraphHarness graph(kCopyVideo, GetParam());
  graph.SetSidePacket("in", MakePacket<std::string>(in));
  graph.SetSidePacket("out", MakePacket<std::string>(out));
  const absl::Status status = graph.Run();
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("OpenCvVideoDecoderCalculator"),
                    HasSubstr("fails.avi"), HasSubstr("cut off")));
  // The run may end before the last frame arrives. The frames that arrived are
  // in the file.
  const std::string written = FileBytes(out);
  if (written.empty()) return;
  const std::vector<int> numbers = NumbersIn(out);
  for (int i = 0; i < static_cast<int>(numbers.size()); ++i) {
    EXPECT_EQ(numbers[i], i);
  }
}

}  // namespace
}  // namespace syncline
