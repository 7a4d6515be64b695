// WAV files: samples that were written are read again, and a file that is not a
// WAV file is refused with its name and the reason.
#include "calculators/audio/wav_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "calculators/audio/audio_file.h"
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
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

constexpr WavSample kAllSamples[] = {
    WavSample::kUnsigned8, WavSample::kInt16,   WavSample::kInt24,
    WavSample::kInt32,     WavSample::kFloat32, WavSample::kFloat64};

std::string Number(std::uint64_t value, int bytes) {
  std::string result;
  for (int i = 0; i < bytes; ++i) {
    result.push_back(static_cast<char>(value >> (8 * i) & 0xFF));
  }
  return result;
}

std::string Chunk(const std::string& name, const std::string& content) {
  return absl::StrCat(name, Number(content.size(), 4), content,
                      content.size() % 2 == 1 ? std::string(1, '\0') : "");
}

std::string FormatChunk(std::uint64_t tag, std::uint64_t channels,
                        std::uint64_t rate, std::uint64_t bits,
                        const std::string& more = "") {
  const std::uint64_t frame = channels * ((bits + 7) / 8);
  return Chunk("fmt ", absl::StrCat(Number(tag, 2), Number(channels, 2),
                                    Number(rate, 4), Number(rate * frame, 4),
                                    Number(frame, 2), Number(bits, 2), more));
}

std::string Riff(const std::string& chunks) {
  return absl::StrCat("RIFF", Number(chunks.size() + 4, 4), "WAVE", chunks);
}

// Writes a file with this content and returns its path.
std::string FileWith(absl::string_view content) {
  const std::string path = InTestFolder("wav_file_test.wav");
  SYNCLINE_EXPECT_OK(file::SetContents(path, content));
  return path;
}

// All samples of a file, or the status of opening it.
absl::StatusOr<Matrix> ReadAll(const std::string& path) {
  SYNCLINE_ASSIGN_OR_RETURN(WavReader reader, WavReader::Open(path));
  SYNCLINE_RETURN_IF_ERROR(reader.CheckComplete());
  return reader.Read(reader.frames());
}

absl::Status OpeningOf(const std::string& content) {
  return ReadAll(FileWith(content)).status();
}

TEST(WavFileTest, WhatIsWrittenIsReadAgainInEveryFormat) {
  Matrix samples(3, 5);
  samples << 0, 0.5f, -0.5f, 0.25f, -1,  //
      0.125f, 0, 0, 0, 0.75f,            //
      -0.25f, -0.75f, 0.5f, -1, 0;
  for (const WavSample sample : kAllSamples) {
    const std::string path = InTestFolder("round_trip.wav");
    auto writer = WavWriter::Create(
        path, {.sample = sample, .channels = 3, .sample_rate = 22050});
    SYNCLINE_ASSERT_OK(writer.status());
    SYNCLINE_ASSERT_OK(writer->Write(samples.leftCols(2)));
    SYNCLINE_ASSERT_OK(writer->Write(samples.rightCols(3)));
    SYNCLINE_ASSERT_OK(writer->Close());

    auto reader = WavReader::Open(path);
    SYNCLINE_ASSERT_OK(reader.status());
    SYNCLINE_EXPECT_OK(reader->CheckComplete());
    EXPECT_EQ(reader->format().sample, sample);
    EXPECT_EQ(reader->format().channels, 3);
    EXPECT_EQ(reader->format().sample_rate, 22050);
    EXPECT_EQ(reader->frames(), 5);
    // Multiples of 1/8 are exact in every format.
    EXPECT_EQ(*reader->Read(4), samples.leftCols(4));
    EXPECT_EQ(*reader->Read(4), samples.rightCols(1));
    EXPECT_EQ(reader->Read(4)->cols(), 0);
    SYNCLINE_EXPECT_OK(reader->Seek(2));
    EXPECT_EQ(*reader->Read(2), samples.middleCols(2, 2));
  }
}

TEST(WavFileTest, SamplesAreAsFineAsTheirFormat) {
  const Matrix samples = Tone(440, 8000, 1000, 0.9);
  const double steps[] = {1.0 / 128, 1.0 / 32768, 1.0 / 8388608, 1e-7, 0, 0};
  for (std::size_t i = 0; i < std::size(kAllSamples); ++i) {
    const std::string path = InTestFolder("fine.wav");
    auto writer = WavWriter::Create(path, {.sample = kAllSamples[i]});
    SYNCLINE_ASSERT_OK(writer.status());
    SYNCLINE_ASSERT_OK(writer->Write(samples));
    SYNCLINE_ASSERT_OK(writer->Close());
    const auto read = ReadAll(path);
    SYNCLINE_ASSERT_OK(read.status());
    EXPECT_LE((*read - samples).cwiseAbs().maxCoeff(), steps[i] / 2 * 1.001);
  }
}

TEST(WavFileTest, IntegersCutOffWhatIsTooLoud) {
  const std::string path = InTestFolder("loud.wav");
  auto writer = WavWriter::Create(path, {.sample = WavSample::kInt16});
  SYNCLINE_ASSERT_OK(writer.status());
  SYNCLINE_ASSERT_OK(
      writer->Write(Samples({2, -2, std::numeric_limits<float>::infinity(),
                             std::numeric_limits<float>::quiet_NaN()})));
  SYNCLINE_ASSERT_OK(writer->Close());
  const float highest = 32767.0f / 32768;
  EXPECT_EQ(*ReadAll(path), Samples({highest, -1, highest, 0}));
}

TEST(WavFileTest, WhatWasWrittenBeforeAFailureIsAFile) {
  const std::string path = InTestFolder("left.wav");
  auto writer = WavWriter::Create(path, {.sample = WavSample::kUnsigned8});
  SYNCLINE_ASSERT_OK(writer.status());
  EXPECT_EQ(ReadAll(path)->cols(), 0);
  SYNCLINE_ASSERT_OK(writer->Write(Samples({0.5, 0, -0.5})));
  // The file is not closed yet, and its samples have an odd number of bytes.
  EXPECT_EQ(*ReadAll(path), Samples({0.5, 0, -0.5}));
  EXPECT_THAT(writer->Write(Matrix::Zero(2, 1)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("has 1 channels, but the samples 2")));
  EXPECT_EQ(*ReadAll(path), Samples({0.5, 0, -0.5}));
}

TEST(WavFileTest, TheWriterRefusesWhatNoFileCanHave) {
  const std::string path = InTestFolder("never.wav");
  for (const WavFormat& format :
       {WavFormat{.channels = 0}, WavFormat{.channels = 40000},
        WavFormat{.channels = std::numeric_limits<int>::max()},
        WavFormat{.sample_rate = 0},
        WavFormat{.sample_rate = std::int64_t{1} << 40}}) {
    EXPECT_THAT(WavWriter::Create(path, format).status(),
                StatusIs(absl::StatusCode::kInvalidArgument));
  }
  EXPECT_THAT(WavWriter::Create("/no/such/folder/a.wav", {}).status(),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr("\"/no/such/folder/a.wav\"")));
}

TEST(WavFileTest, OtherChunksAndExtensibleFormatsAreRead) {
  const std::string extensible = absl::StrCat(
      Number(22, 2), Number(12, 2), Number(3, 4), Number(1, 2),
      absl::string_view("\0\0\0\0\x10\0\x80\0\0\xAA\0\x38\x9B\x71", 14));
  const std::string path = FileWith(Riff(absl::StrCat(
      Chunk("LIST", "odd"), Chunk("ds64", "short"),
      FormatChunk(0xFFFE, 2, 48000, 16, extensible), Chunk("fact", "1234"),
      Chunk("data", Number(0x40000000C000, 8)))));
  const auto samples = ReadAll(path);
  SYNCLINE_ASSERT_OK(samples.status());
  Matrix expected(2, 2);
  expected << -0.5f, 0.5f, 0, 0;
  EXPECT_EQ(*samples, expected);
}

TEST(WavFileTest, Rf64HasItsSizeInAChunkOfItsOwn) {
  const std::string chunks =
      absl::StrCat(Chunk("ds64", absl::StrCat(Number(0, 8), Number(4, 8),
                                              Number(2, 8), Number(0, 4))),
                   FormatChunk(1, 1, 8000, 16), "data", Number(0xFFFFFFFF, 4),
                   Number(0xC0004000, 4), "more that is no sample");
  for (const char* kind : {"RF64", "BW64"}) {
    const auto samples = ReadAll(
        FileWith(absl::StrCat(kind, Number(0xFFFFFFFF, 4), "WAVE", chunks)));
    SYNCLINE_ASSERT_OK(samples.status());
    EXPECT_EQ(*samples, Samples({0.5, -0.5}));
  }
}

TEST(WavFileTest, ASizeThatWasNotKnownIsThatOfTheFile) {
  const auto samples = ReadAll(FileWith(
      Riff(absl::StrCat(FormatChunk(1, 1, 8000, 16), "data",
                        Number(0xFFFFFFFF, 4), Number(0xC0004000, 4)))));
  SYNCLINE_ASSERT_OK(samples.status());
  EXPECT_EQ(*samples, Samples({0.5, -0.5}));
}

TEST(WavFileTest, ErrorsNameTheFileAndTheReason) {
  const std::string data = Chunk("data", std::string(8, '\0'));
  const auto plain = [&](std::uint64_t tag, std::uint64_t channels,
                         std::uint64_t rate, std::uint64_t bits) {
    return Riff(FormatChunk(tag, channels, rate, bits) + data);
  };
  const auto refuses = [](absl::StatusCode code, const std::string& reason) {
    return StatusIs(code,
                    AllOf(HasSubstr("wav_file_test.wav\""), HasSubstr(reason)));
  };
  using Code = absl::StatusCode;
  EXPECT_THAT(OpeningOf(""), refuses(Code::kInvalidArgument, "it has 0 bytes"));
  EXPECT_THAT(OpeningOf("RIFF\4\0\0"),
              refuses(Code::kInvalidArgument, "no WAV file"));
  EXPECT_THAT(OpeningOf("\x89PNG and so on, more than twelve bytes"),
              refuses(Code::kInvalidArgument, "begins with \"\\211PNG\""));
  EXPECT_THAT(OpeningOf(absl::StrCat("RIFX", Number(4, 4), "WAVE")),
              refuses(Code::kUnimplemented, "RIFX"));
  EXPECT_THAT(OpeningOf(Riff("")),
              refuses(Code::kInvalidArgument, "without a format chunk"));
  EXPECT_THAT(OpeningOf(Riff(FormatChunk(1, 1, 8000, 16))),
              refuses(Code::kInvalidArgument, "there is no data chunk"));
  EXPECT_THAT(OpeningOf(Riff(data + FormatChunk(1, 1, 8000, 16))),
              refuses(Code::kInvalidArgument, "come before the format"));
  EXPECT_THAT(OpeningOf(Riff(Chunk("fmt ", "short") + data)),
              refuses(Code::kInvalidArgument, "format chunk has 5 bytes"));
  EXPECT_THAT(OpeningOf(Riff(absl::StrCat("fmt ", Number(0xFFFFFFFE, 4)))),
              refuses(Code::kInvalidArgument, "format chunk has 0 bytes"));
  EXPECT_THAT(OpeningOf(plain(1, 0, 8000, 16)),
              refuses(Code::kInvalidArgument, "0 channels at 8000 Hz"));
  EXPECT_THAT(OpeningOf(plain(1, 1, 0, 16)),
              refuses(Code::kInvalidArgument, "1 channels at 0 Hz"));
  EXPECT_THAT(OpeningOf(plain(1, 1, 8000, 0)),
              refuses(Code::kInvalidArgument, "0 bytes for samples"));
  EXPECT_THAT(OpeningOf(plain(1, 1, 8000, 48)),
              refuses(Code::kUnimplemented, "PCM samples of 48 bits"));
  EXPECT_THAT(OpeningOf(plain(3, 1, 8000, 16)),
              refuses(Code::kUnimplemented, "floating point samples of 16"));
  EXPECT_THAT(OpeningOf(plain(2, 1, 8000, 4)),
              refuses(Code::kUnimplemented, "0x0002, Microsoft ADPCM"));
  EXPECT_THAT(OpeningOf(plain(0xFFFE, 1, 8000, 16)),
              refuses(Code::kInvalidArgument, "needs 40"));
  EXPECT_THAT(
      OpeningOf(
          Riff(FormatChunk(0xFFFE, 1, 8000, 16, std::string(24, 'x')) + data)),
      refuses(Code::kUnimplemented, "no plain header has"));
  EXPECT_THAT(WavReader::Open("/no/such.wav").status(),
              StatusIs(Code::kNotFound, HasSubstr("\"/no/such.wav\"")));
  // Opening a pipe would wait for a writer, and reading the device would never
  // end.
  const std::string pipe = InTestFolder("pipe.wav");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path :
       {std::string("/"), pipe, std::string("/dev/zero")}) {
    EXPECT_THAT(WavReader::Open(path).status(),
                StatusIs(Code::kInvalidArgument,
                         HasSubstr(absl::StrCat("\"", path, "\""))));
  }
}

TEST(WavFileTest, WhatTheHeaderClaimsIsComparedWithTheFile) {
  const std::string path = FileWith(
      Riff(absl::StrCat(FormatChunk(1, 1, 8000, 16), "data",
                        Number(0xFFFFFFF0, 4), Number(0xC0004000, 4))));
  auto reader = WavReader::Open(path);
  SYNCLINE_ASSERT_OK(reader.status());
  EXPECT_THAT(reader->CheckComplete(),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr("wav_file_test.wav\" is cut off"),
                             HasSubstr("there are 4 (2 frames)"))));
  EXPECT_EQ(reader->frames(), 2);
  EXPECT_EQ(*reader->Read(1000000), Samples({0.5, -0.5}));

  EXPECT_THAT(OpeningOf(Riff(absl::StrCat(FormatChunk(1, 1, 8000, 16),
                                          Chunk("data", "abc")))),
              StatusIs(absl::StatusCode::kDataLoss,
                       HasSubstr("in the middle of a frame")));
}

TEST(WavFileTest, NoByteOfAHeaderIsTrusted) {
  const std::string good =
      Riff(absl::StrCat(Chunk("LIST", "odd"), FormatChunk(1, 2, 8000, 16),
                        Chunk("data", std::string(16, '\1'))));
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const char value : {'\0', '\1', '\x7F', '\xFF'}) {
      std::string changed = good;
      changed[i] = value;
      const auto samples = ReadAll(FileWith(changed));
      EXPECT_LE(samples.ok() ? samples->size() : 0, 16);
    }
    const auto samples = ReadAll(FileWith(good.substr(0, i)));
    EXPECT_FALSE(samples.ok()) << i;
  }
}

TEST(AudioFileTest, OtherFormatsNeedAnotherLibrary) {
  const auto opening = [](const std::string& content) {
    return OpenAudioFile(FileWith(content)).status();
  };
  EXPECT_THAT(opening("fLaC" + std::string(100, '\0')),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("//calculators:on_sndfile")));
  EXPECT_THAT(opening(Riff(FormatChunk(2, 1, 8000, 4))),
              StatusIs(absl::StatusCode::kUnimplemented,
                       HasSubstr("//calculators:on_sndfile")));
  // libsndfile does not help with a damaged WAV file, so the error does not
  // name it.
  EXPECT_THAT(opening(Riff(FormatChunk(1, 0, 8000, 16))),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       Not(HasSubstr("on_sndfile"))));
  const auto wav = OpenAudioFile(FileWith(Riff(absl::StrCat(
      FormatChunk(1, 1, 8000, 16), Chunk("data", Number(0xC0004000, 4))))));
  SYNCLINE_ASSERT_OK(wav.status());
  EXPECT_EQ((*wav)->sample_rate(), 8000);
  EXPECT_EQ(*(*wav)->Read(10), Samples({0.5, -0.5}));
  EXPECT_EQ((*wav)->position(), 2);
}

// --- AudioDecoderCalculator and WavEncoderCalculator

std::string Decoder(const std::string& options = "") {
  return absl::StrCat(R"pb(calculator: "AudioDecoderCalculator"
                           input_side_packet: "INPUT_FILE_PATH:path"
                           output_stream: "AUDIO:audio"
                           output_stream: "AUDIO_HEADER:header")pb",
                      " options { [syncline.AudioDecoderOptions.ext] {",
                      options, "} }");
}

// Writes a file of this many frames and returns its path. Each sample is its
// number modulo 64, divided by 64.
std::string CountingFile(int frames, int rate) {
  const std::string path = InTestFolder("counting.wav");
  auto writer = WavWriter::Create(path, {.sample_rate = rate});
  SYNCLINE_EXPECT_OK(writer.status());
  Matrix samples(1, frames);
  for (int i = 0; i < frames; ++i) {
    samples(0, i) = static_cast<float>(i % 64) / 64;
  }
  SYNCLINE_EXPECT_OK(writer->Write(samples));
  SYNCLINE_EXPECT_OK(writer->Close());
  return path;
}

std::vector<std::int64_t> TimesOf(const std::vector<Packet>& packets) {
  std::vector<std::int64_t> result;
  for (const Packet& packet : packets) {
    result.push_back(packet.Timestamp().Value());
  }
  return result;
}

TEST(AudioDecoderTest, SendsTheSamplesAtTheirTimes) {
  CalculatorHarness harness(Decoder());
  harness.SetSidePacket("INPUT_FILE_PATH", MakePacket<std::string>(CountingFile(
                                               2 * 1024 + 10, 44100)));
  SYNCLINE_ASSERT_OK(harness.Run());
  const std::vector<Packet>& audio = harness.Output("AUDIO");
  // 1024 frames take 23219.95 microseconds.
  EXPECT_THAT(TimesOf(audio), ElementsAre(0, 23220, 46440));
  EXPECT_EQ(audio[0].Get<Matrix>().cols(), 1024);
  EXPECT_EQ(audio[2].Get<Matrix>().cols(), 10);
  EXPECT_EQ(audio[2].Get<Matrix>()(0, 3), 3.0f / 64);
  const auto& header = harness.OutputHeader("AUDIO").Get<TimeSeriesHeader>();
  EXPECT_EQ(header.sample_rate(), 44100);
  EXPECT_EQ(header.num_channels(), 1);
  ASSERT_THAT(harness.Output("AUDIO_HEADER"), SizeIs(1));
  EXPECT_EQ(harness.Output("AUDIO_HEADER")[0].Timestamp(),
            Timestamp::PreStream());
}

TEST(AudioDecoderTest, SendsAPartOfTheFile) {
  CalculatorHarness harness(Decoder("start_time: 0.5 end_time: 1.501"));
  harness.SetSidePacket("INPUT_FILE_PATH",
                        MakePacket<std::string>(CountingFile(4000, 1000)));
  SYNCLINE_ASSERT_OK(harness.Run());
  ASSERT_THAT(harness.Output("AUDIO"), SizeIs(1));
  EXPECT_EQ(harness.Output("AUDIO")[0].Timestamp(), Timestamp(500000));
  EXPECT_EQ(harness.Output("AUDIO")[0].Get<Matrix>().cols(), 1001);
  EXPECT_EQ(harness.Output("AUDIO")[0].Get<Matrix>()(0, 0), (500 % 64) / 64.0f);
}

TEST(AudioDecoderTest, RefusesWhatCannotBe) {
  const std::string path = CountingFile(10, 1000);
  const auto run = [&](const std::string& options, const std::string& file) {
    CalculatorHarness harness(Decoder(options));
    harness.SetSidePacket("INPUT_FILE_PATH", MakePacket<std::string>(file));
    return harness.Run();
  };
  EXPECT_THAT(run("start_time: -1", path),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("start_time is -1")));
  EXPECT_THAT(run("start_time: nan", path),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(run("start_time: 2 end_time: 1", path),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(run("audio_stream {} audio_stream {}", path),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("has 2 audio_stream")));
  EXPECT_THAT(
      run("audio_stream { stream_index: 1 }", path),
      StatusIs(absl::StatusCode::kNotFound, HasSubstr("no audio stream 1")));
  SYNCLINE_EXPECT_OK(
      run("audio_stream { stream_index: 1 allow_missing: true }", path));
  SYNCLINE_EXPECT_OK(run("start_time: 1e300", path));
  EXPECT_THAT(run("", "/no/such.wav"),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("/no/such.wav")));
}

TEST(AudioDecoderTest, TakesOfACutFileWhatThereIsIfAskedTo) {
  std::string content;
  SYNCLINE_ASSERT_OK(file::GetContents(CountingFile(100, 1000), &content));
  const std::string path = FileWith(content.substr(0, 44 + 2 * 30));
  CalculatorHarness strict(Decoder());
  strict.SetSidePacket("INPUT_FILE_PATH", MakePacket<std::string>(path));
  EXPECT_THAT(strict.Run(),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr(path), HasSubstr("30 frames"),
                             HasSubstr("ignore_decode_failures"))));
  CalculatorHarness lenient(
      Decoder("audio_stream { ignore_decode_failures: true }"));
  lenient.SetSidePacket("INPUT_FILE_PATH", MakePacket<std::string>(path));
  SYNCLINE_ASSERT_OK(lenient.Run());
  EXPECT_EQ(lenient.Output("AUDIO")[0].Get<Matrix>().cols(), 30);
}

TEST(WavEncoderTest, WritesAStream) {
  CalculatorHarness harness(R"pb(
    calculator: "WavEncoderCalculator"
    input_stream: "audio"
    input_side_packet: "OUTPUT_FILE_PATH:path"
    options {
      [syncline.WavEncoderCalculatorOptions.ext] { sample: FLOAT32 }
    }
  )pb");
  const std::string path = InTestFolder("encoded.wav");
  const Matrix samples = Tone(100, 8000, 1000, 3.0);
  harness.SetSidePacket("OUTPUT_FILE_PATH", MakePacket<std::string>(path));
  harness.SetHeader("", AudioHeader(8000, 1));
  harness.Feed("", InPackets(samples, 300, 8000));
  SYNCLINE_ASSERT_OK(harness.Run());
  EXPECT_EQ(*ReadAll(path), samples);
  EXPECT_EQ(WavReader::Open(path)->format().sample_rate, 8000);

  harness.SetHeader("", AudioHeader(8000.5, 1));
  EXPECT_THAT(harness.Run(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      HasSubstr("8000.5")));
}

}  // namespace
}  // namespace syncline
