// A whole graph over a WAV file: two results of one stream, at unequal rates,
// are the same for any number of threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "calculators/audio/audio_test_support.h"
#include "calculators/audio/wav_file.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/matrix.h"
#include "testing/graph_harness.h"
#include "testing/packet_matchers.h"
#include "testing/worker_counts.h"

namespace syncline {
namespace {

using ::testing::SizeIs;

constexpr char kGraph[] = R"pb(
  deterministic: true
  input_side_packet: "path"
  input_side_packet: "copy"
  node {
    calculator: "AudioDecoderCalculator"
    input_side_packet: "INPUT_FILE_PATH:path"
    output_stream: "AUDIO:audio"
    output_stream: "AUDIO_HEADER:header"
  }
  node {
    calculator: "WavEncoderCalculator"
    input_side_packet: "OUTPUT_FILE_PATH:copy"
    input_stream: "audio"
  }
  node {
    calculator: "AverageTimeSeriesAcrossChannelsCalculator"
    input_stream: "audio"
    output_stream: "mono"
  }
  node {
    calculator: "SpectrogramCalculator"
    input_stream: "mono"
    output_stream: "spectrogram"
    options {
      [syncline.SpectrogramCalculatorOptions.ext] {
        frame_duration_seconds: 0.032
        frame_overlap_seconds: 0.022
      }
    }
  }
  node {
    calculator: "MfccCalculator"
    input_stream: "spectrogram"
    output_stream: "mfcc"
  }
  node {
    calculator: "SpectrogramImageCalculator"
    input_stream: "spectrogram"
    output_stream: "picture"
  }
  node {
    calculator: "PassThroughCalculator"
    input_stream: "audio"
    input_stream: "mfcc"
    output_stream: "audio_with_mfcc"
    output_stream: "mfcc_with_audio"
  }
)pb";

constexpr int kRate = 16000;
constexpr int kSamples = 20000;

// Two channels with a tone of 2000 Hz in each.
std::string ToneFile() {
  const std::string path = InTestFolder("tone.wav");
  Matrix samples(2, kSamples);
  samples.row(0) = Tone(2000, kRate, kSamples, 0.5);
  samples.row(1) = Tone(2000, kRate, kSamples, 0.25);
  auto writer = WavWriter::Create(path, {.channels = 2, .sample_rate = kRate});
  SYNCLINE_EXPECT_OK(writer.status());
  SYNCLINE_EXPECT_OK(writer->Write(samples));
  SYNCLINE_EXPECT_OK(writer->Close());
  return path;
}

class AudioGraphTest : public WorkersTest {};
SYNCLINE_TEST_WITH_ALL_WORKERS(AudioGraphTest);

TEST_P(AudioGraphTest, AFileBecomesASpectrogramAndItsPicture) {
  GraphHarness graph(kGraph, GetParam());
  const std::string path = ToneFile();
  const std::string copy = InTestFolder("tone_copy.wav");
  graph.SetSidePacket("path", MakePacket<std::string>(path));
  graph.SetSidePacket("copy", MakePacket<std::string>(copy));
  SYNCLINE_ASSERT_OK(graph.Run());

  // A frame of 512 samples begins every 160 samples; the last one is filled up.
  constexpr int kFrames = (kSamples - 512 + 159) / 160 + 1;
  std::int64_t frames = 0;
  for (const Packet& packet : graph.Packets("spectrogram")) {
    EXPECT_EQ(packet.Timestamp(), Timestamp(frames * 10000));
    const auto& power = packet.Get<Matrix>();
    for (Eigen::Index i = 0; i < power.cols(); ++i, ++frames) {
      Eigen::Index peak = 0;
      power.col(i).maxCoeff(&peak);
      EXPECT_EQ(peak, 64) << frames;  // of 31.25 Hz each
    }
  }
  EXPECT_EQ(frames, kFrames);
  ASSERT_THAT(graph.Packets("picture"), SizeIs(1));
  const auto& picture = graph.Packets("picture")[0].Get<ImageFrame>();
  EXPECT_EQ(picture.Width(), kFrames);
  EXPECT_EQ(picture.Height(), 257);
  EXPECT_EQ(graph.Packets("audio_with_mfcc").size(),
            graph.Packets("audio").size());
  EXPECT_EQ(graph.Packets("mfcc_with_audio").size(),
            graph.Packets("spectrogram").size());

  auto original = WavReader::Open(path);
  auto copied = WavReader::Open(copy);
  SYNCLINE_ASSERT_OK(copied.status());
  EXPECT_EQ(*copied->Read(kSamples), *original->Read(kSamples));
}

}  // namespace
}  // namespace syncline
