// FLAC, AIFF and other files: their samples are read as they were written, and
// files that were cut off or damaged are an error.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sndfile.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "calculators/audio/audio_file.h"
#include "calculators/audio/audio_reader.h"
#include "calculators/audio/audio_test_support.h"
#include "framework/calculator_framework.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "framework/port/file_helpers.h"
#include "testing/calculator_harness.h"
#include "testing/packet_matchers.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;

struct Format {
  const char* name;  // of files
  int format;        // of libsndfile
  double error;      // of a sample
};

constexpr Format kFlac = {"flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 1e-4};
constexpr Format kAiff = {"aiff", SF_FORMAT_AIFF | SF_FORMAT_PCM_24, 1e-6};
constexpr Format kOgg = {"ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, 0.2};
constexpr Format kFormats[] = {
    kFlac,
    kAiff,
    kOgg,
    {"aifc", SF_FORMAT_AIFF | SF_FORMAT_FLOAT, 0},
    {"au", SF_FORMAT_AU | SF_FORMAT_PCM_16, 1e-4},
    {"caf", SF_FORMAT_CAF | SF_FORMAT_ALAC_16, 1e-4},
    {"svx", SF_FORMAT_SVX | SF_FORMAT_PCM_16, 1e-4},
    {"w64", SF_FORMAT_W64 | SF_FORMAT_PCM_16, 1e-4},
    {"rifx", SF_FORMAT_WAV | SF_FORMAT_PCM_16 | SF_ENDIAN_BIG, 1e-4},
    // WAV files of kinds that WavReader does not read.
    {"wav", SF_FORMAT_WAV | SF_FORMAT_ULAW, 0.02}};

// The samples of one channel: two tones.
Matrix TwoTones(std::int64_t frames) {
  return 0.3f * Tone(440, 44100, frames) + 0.2f * Tone(3000, 44100, frames);
}

// Writes a file with these samples and returns its path.
std::string FileOf(const Format& format, const Matrix& samples) {
  const std::string path =
      InTestFolder(absl::StrCat("sound_file_test.", format.name));
  SF_INFO info = {};
  info.samplerate = 44100;
  info.channels = static_cast<int>(samples.rows());
  info.format = format.format;
  SNDFILE* const file = sf_open(path.c_str(), SFM_WRITE, &info);
  EXPECT_NE(file, nullptr) << format.name << ": " << sf_strerror(nullptr);
  if (file == nullptr) return path;
  EXPECT_EQ(sf_writef_float(file, samples.data(), samples.cols()),
            samples.cols());
  EXPECT_EQ(sf_close(file), 0);
  return path;
}

std::string ContentOf(const std::string& path) {
  std::string content;
  SYNCLINE_EXPECT_OK(file::GetContents(path, &content));
  return content;
}

// All samples of a file, or the status of opening or reading it.
absl::StatusOr<Matrix> ReadAll(const std::string& path) {
  SYNCLINE_ASSIGN_OR_RETURN(const auto reader, OpenAudioFile(path));
  SYNCLINE_RETURN_IF_ERROR(reader->CheckComplete());
  SYNCLINE_ASSIGN_OR_RETURN(Matrix samples, reader->Read(reader->frames()));
  SYNCLINE_RETURN_IF_ERROR(reader->CheckComplete());
  return samples;
}

absl::StatusOr<Matrix> ReadAllOf(absl::string_view content) {
  const std::string path = InTestFolder("sound_file_test.changed");
  SYNCLINE_EXPECT_OK(file::SetContents(path, content));
  return ReadAll(path);
}

float LargestDifference(const Matrix& one, const Matrix& other) {
  return (one - other).cwiseAbs().maxCoeff();
}

TEST(SoundFileTest, WhatIsWrittenIsReadAgainInEveryFormat) {
  const Matrix samples = TwoTones(30000);
  for (const Format& format : kFormats) {
    SCOPED_TRACE(format.name);
    const auto reader = OpenAudioFile(FileOf(format, samples));
    SYNCLINE_ASSERT_OK(reader.status());
    EXPECT_EQ((*reader)->channels(), 1);
    EXPECT_EQ((*reader)->sample_rate(), 44100);
    EXPECT_EQ((*reader)->frames(), 30000);
    const auto first = (*reader)->Read(10000);
    SYNCLINE_ASSERT_OK(first.status());
    ASSERT_EQ(first->cols(), 10000);
    EXPECT_LE(LargestDifference(*first, samples.leftCols(10000)), format.error);
    SYNCLINE_ASSERT_OK((*reader)->Seek(25000));
    EXPECT_EQ((*reader)->position(), 25000);
    const auto last = (*reader)->Read(10000);
    SYNCLINE_ASSERT_OK(last.status());
    ASSERT_EQ(last->cols(), 5000);
    EXPECT_LE(LargestDifference(*last, samples.rightCols(5000)), format.error);
    EXPECT_EQ((*reader)->Read(10000)->cols(), 0);
    SYNCLINE_EXPECT_OK((*reader)->Seek(40000));
    EXPECT_EQ((*reader)->position(), 30000);
    SYNCLINE_EXPECT_OK((*reader)->CheckComplete());
  }
}

TEST(SoundFileTest, ARowIsAChannel) {
  Matrix samples(3, 2);
  samples << 0.5f, -0.5f,  //
      0.25f, 0,            //
      -0.125f, -0.75f;
  const auto read = ReadAll(FileOf(kFlac, samples));
  SYNCLINE_ASSERT_OK(read.status());
  ASSERT_EQ(read->rows(), 3);
  ASSERT_EQ(read->cols(), 2);
  EXPECT_LE(LargestDifference(*read, samples), 1e-4);
}

TEST(SoundFileTest, AFileThatIsCutOffIsAnErrorInEveryFormat) {
  for (const Format& format : kFormats) {
    SCOPED_TRACE(format.name);
    const std::string content = ContentOf(FileOf(format, TwoTones(30000)));
    for (const double part : {0.3, 0.6, 0.95}) {
      const auto size =
          static_cast<std::size_t>(part * static_cast<double>(content.size()));
      const auto cut = ReadAllOf(content.substr(0, size));
      EXPECT_THAT(cut.status(),
                  StatusIs(absl::StatusCode::kDataLoss,
                           HasSubstr("sound_file_test.changed\"")))
          << part;
    }
  }
}

TEST(SoundFileTest, FramesBeforeTheCutAreRead) {
  const Matrix samples = TwoTones(30000);
  const std::string content = ContentOf(FileOf(kFlac, samples));
  const std::string path = InTestFolder("cut.flac");
  SYNCLINE_ASSERT_OK(
      file::SetContents(path, content.substr(0, content.size() / 2)));
  const auto reader = OpenAudioFile(path);
  SYNCLINE_ASSERT_OK(reader.status());
  // In compressed files, missing samples are found only when they are read.
  SYNCLINE_EXPECT_OK((*reader)->CheckComplete());
  const auto read = (*reader)->Read(30000);
  SYNCLINE_ASSERT_OK(read.status());
  EXPECT_GT(read->cols(), 5000);
  EXPECT_LT(read->cols(), 25000);
  EXPECT_LE(LargestDifference(*read, samples.leftCols(read->cols())), 1e-4);
  EXPECT_EQ((*reader)->frames(), read->cols());
  EXPECT_THAT((*reader)->CheckComplete(),
              StatusIs(absl::StatusCode::kDataLoss,
                       HasSubstr("promises 30000 frames")));
}

// No change of a file may end the process, or give more samples than it had.
TEST(SoundFileTest, NoByteOfAFileIsTrusted) {
  for (const Format& format : {kFlac, kAiff, kOgg}) {
    const std::string good = ContentOf(FileOf(format, TwoTones(3000)));
    int damaged = 0;
    const std::size_t step = good.size() / 300 + 1;
    for (std::size_t i = 0; i < good.size(); i += i < 80 ? 1 : step) {
      std::string changed = good;
      changed[i] = static_cast<char>(changed[i] ^ 0xFF);
      const auto samples = ReadAllOf(changed);
      if (!samples.ok()) ++damaged;
      EXPECT_LE(samples.ok() ? samples->cols() : 0, 4000)
          << format.name << " " << i;
    }
    EXPECT_GT(damaged, 20) << format.name;
  }
}

TEST(SoundFileTest, ADamagedFlacFileIsAnError) {
  std::string content = ContentOf(FileOf(kFlac, TwoTones(30000)));
  for (std::size_t i = 0; i < 40; ++i) content[content.size() / 2 + i] = 'x';
  EXPECT_THAT(
      ReadAllOf(content).status(),
      StatusIs(absl::StatusCode::kDataLoss, HasSubstr("could be decoded")));
}

TEST(SoundFileTest, WhatIsNoAudioIsRefused) {
  EXPECT_THAT(ReadAllOf(std::string(1000, 'x')).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("sound_file_test.changed\"")));
  EXPECT_THAT(ReadAllOf("").status(),
              AnyOf(StatusIs(absl::StatusCode::kDataLoss),
                    StatusIs(absl::StatusCode::kInvalidArgument)));
  EXPECT_THAT(
      OpenAudioFile("/no/such.flac").status(),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr("\"/no/such.flac\"")));
  EXPECT_THAT(OpenAudioFile("/dev/zero").status(),
              StatusIs(absl::StatusCode::kInvalidArgument));
  const Format voc = {"voc", SF_FORMAT_VOC | SF_FORMAT_PCM_16, 0};
  EXPECT_THAT(ReadAll(FileOf(voc, TwoTones(100))).status(),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("convert")));
}

// --- AudioDecoderCalculator

std::string Decoder(const std::string& options = "") {
  return absl::StrCat(R"pb(calculator: "AudioDecoderCalculator"
                           input_side_packet: "INPUT_FILE_PATH:path"
                           output_stream: "AUDIO:audio")pb",
                      " options { [syncline.AudioDecoderOptions.ext] {",
                      options, "} }");
}

TEST(SoundFileTest, TheCalculatorSendsTheSamplesOfAFlacFile) {
  const Matrix samples = TwoTones(5000);
  CalculatorHarness harness(Decoder("start_time: 0.01"));
  harness.SetSidePacket("INPUT_FILE_PATH",
                        MakePacket<std::string>(FileOf(kFlac, samples)));
  SYNCLINE_ASSERT_OK(harness.Run());
  const auto& audio = harness.Output("AUDIO");
  ASSERT_EQ(audio.size(), 5);
  EXPECT_EQ(audio[0].Timestamp(), Timestamp(10000));
  EXPECT_LE(
      LargestDifference(audio[0].Get<Matrix>(), samples.middleCols(441, 1024)),
      1e-4);
  const auto& header = harness.OutputHeader("AUDIO").Get<TimeSeriesHeader>();
  EXPECT_EQ(header.sample_rate(), 44100);
  EXPECT_EQ(header.num_channels(), 1);
}

TEST(SoundFileTest, TheCalculatorTakesOfACutFileWhatThereIsIfAskedTo) {
  const std::string content = ContentOf(FileOf(kFlac, TwoTones(30000)));
  const std::string path = InTestFolder("cut.flac");
  SYNCLINE_ASSERT_OK(
      file::SetContents(path, content.substr(0, content.size() / 2)));
  CalculatorHarness strict(Decoder());
  strict.SetSidePacket("INPUT_FILE_PATH", MakePacket<std::string>(path));
  EXPECT_THAT(strict.Run(),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr(path), HasSubstr("cut off"),
                             HasSubstr("ignore_decode_failures"))));
  CalculatorHarness lenient(
      Decoder("audio_stream { ignore_decode_failures: true }"));
  lenient.SetSidePacket("INPUT_FILE_PATH", MakePacket<std::string>(path));
  SYNCLINE_ASSERT_OK(lenient.Run());
  EXPECT_GT(lenient.Output("AUDIO").size(), 5);
}

}  // namespace
}  // namespace syncline
