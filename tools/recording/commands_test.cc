#include "tools/recording/commands.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "calculators/audio/wav_file.h"
#include "framework/config/calculator.pb.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image.h"
#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_bytes.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "framework/recording/recording_writer.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.pb.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "tools/recording/value_json.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string NewPath(const std::string& name) {
  const std::string path = absl::StrCat(::testing::TempDir(), "/", name);
  std::filesystem::remove_all(path);
  return path;
}

// A recording of one stream with these packets, at 10, 20, ...
std::string RecordingOf(const std::string& name,
                        const std::vector<Packet>& packets) {
  const std::string path = NewPath(name);
  RecordingHeader header;
  header.streams = {{"s", true, TypeNameOfPacket(packets.at(0))}};
  auto writer = RecordingWriter::Create(path, header);
  SYNCLINE_EXPECT_OK(writer.status());
  for (std::size_t i = 0; i < packets.size(); ++i) {
    const auto bytes = BytesOfPacket(packets[i]);
    SYNCLINE_EXPECT_OK(bytes.status());
    const auto n = static_cast<std::int64_t>(i) + 1;
    SYNCLINE_EXPECT_OK(
        (*writer)->AppendPacket(n, 0, Timestamp(10 * n), n, *bytes));
  }
  SYNCLINE_EXPECT_OK((*writer)->Finish("OK"));
  return path;
}

std::string Exported(const std::string& path, ExportOptions::Format format) {
  ExportOptions options;
  options.format = format;
  options.out = NewPath("exported");
  options.sample_rate = 8'000;
  RecordingPart part;
  part.streams = {"s"};
  const absl::Status status = ExportRecording(path, part, options);
  if (!status.ok()) return std::string(status.message());
  std::stringstream text;
  text << std::ifstream(options.out, std::ios::binary).rdbuf();
  return text.str();
}

TEST(ExportTest, CsvQuotesWhatNeedsIt) {
  EXPECT_EQ(Exported(RecordingOf("strings.syncline",
                                 {MakePacket<std::string>("plain"),
                                  MakePacket<std::string>("a,\"b\"")}),
                     ExportOptions::kCsv),
            "timestamp,value\r\n10,plain\r\n20,\"a,\"\"b\"\"\"\r\n");
  EXPECT_EQ(
      Exported(RecordingOf("numbers.syncline", {MakePacket<std::int64_t>(-5)}),
               ExportOptions::kCsv),
      "timestamp,value\r\n10,-5\r\n");
}

TEST(ExportTest, JsonHasALineForEachPacket) {
  EXPECT_EQ(Exported(RecordingOf("floats.syncline",
                                 {MakePacket<std::vector<float>>(
                                     std::vector<float>{0.5f, -1.0f})}),
                     ExportOptions::kJson),
            "{\"stream\":\"s\",\"timestamp\":\"10\",\"value\":[0.5,-1]}\n");
  EXPECT_THAT(
      Exported(RecordingOf("bytes.syncline", {MakePacket<std::string>("\xff")}),
               ExportOptions::kJson),
      HasSubstr(R"({"base64":"/w=="})"));
}

TEST(ExportTest, EveryTextIsAStringOfJson) {
  const std::string text = "a\"b\\c\n\x01\x7f \xc3\xa4";
  const auto value = [](const Packet& packet) {
    return nlohmann::json::parse(
        Exported(RecordingOf("texts.syncline", {packet}),
                 ExportOptions::kJson))["value"];
  };
  EXPECT_EQ(value(MakePacket<std::string>(text)), text);
  EXPECT_EQ(value(MakePacket<std::vector<std::string>>(
                std::vector<std::string>{text, "\xff"})),
            nlohmann::json({text, {{"base64", "/w=="}}}));
}

TEST(ExportTest, ANameThatIsNoTextIsAStringOfJson) {
  EXPECT_EQ(nlohmann::json::parse(JsonString("a\xff\"")), "a\xef\xbf\xbd\"");
}

TEST(ExportTest, SizesAndTimesAreNumbers) {
  EXPECT_EQ(Exported(RecordingOf("sizes.syncline",
                                 {MakePacket<std::pair<int, int>>(640, 480)}),
                     ExportOptions::kCsv),
            "timestamp,value\r\n10,\"[640,480]\"\r\n");
  EXPECT_THAT(
      Exported(RecordingOf("times.syncline", {MakePacket<Timestamp>(7)}),
               ExportOptions::kJson),
      HasSubstr(R"("value":"7")"));
  EXPECT_THAT(Exported(RecordingOf("padding.syncline",
                                   {MakePacket<std::array<float, 4>>(
                                       std::array<float, 4>{0.5f, 0, 1, 2})}),
                       ExportOptions::kJson),
              HasSubstr(R"("value":[0.5,0,1,2])"));
}

TEST(ExportTest, MessagesAreProtobufsJson) {
  Detection detection;
  detection.add_label("cat");
  detection.add_score(0.5f);
  EXPECT_THAT(Exported(RecordingOf("detection.syncline",
                                   {MakePacket<Detection>(detection)}),
                       ExportOptions::kJson),
              HasSubstr(R"("value":{"label":["cat"],"score":[0.5]})"));
  EXPECT_THAT(Exported(RecordingOf("detections.syncline",
                                   {MakePacket<std::vector<Detection>>(
                                       std::vector<Detection>(2, detection))}),
                       ExportOptions::kJson),
              HasSubstr(R"("value":[{"label":["cat"],"score":[0.5]},{)"));
}

TEST(ExportTest, ImagesAreFiles) {
  ImageFrame frame(ImageFormat::SRGB, 3, 2);
  frame.SetToZero();
  const std::string path = RecordingOf(
      "images.syncline", {MakePacket<ImageFrame>(std::move(frame))});
  ExportOptions options;
  options.format = ExportOptions::kImages;
  options.out = NewPath("images");
  RecordingPart part;
  part.streams = {"s"};
  SYNCLINE_EXPECT_OK(ExportRecording(path, part, options));
  EXPECT_TRUE(std::filesystem::exists(options.out + "/10.png") ||
              std::filesystem::exists(options.out + "/10.ppm"));
  EXPECT_THAT(
      Exported(RecordingOf("text.syncline", {MakePacket<std::string>("text")}),
               ExportOptions::kImages),
      HasSubstr("text.syncline\", stream \"s\", timestamp 10: stream \"s\" has "
                "no images but \"string\""));
}

// What an export of frames writes and one of handles of the same frames.
TEST(ExportTest, ImagesThatAreHandlesAreTheSameFiles) {
  const auto frame = [] {
    auto result = std::make_shared<ImageFrame>(ImageFormat::GRAY8, 5, 3);
    for (int i = 0; i < 15; ++i) {
      result->MutablePixelData()[i % 5 + i / 5 * result->WidthStep()] =
          static_cast<std::uint8_t>(i);
    }
    return result;
  };
  ImageFrame copy;
  copy.CopyFrom(*frame(), ImageFrame::kDefaultAlignmentBoundary);
  std::vector<std::string> files;
  for (const Packet& packet :
       {MakePacket<ImageFrame>(std::move(copy)), MakePacket<Image>(frame())}) {
    ExportOptions options;
    options.format = ExportOptions::kImages;
    options.out = NewPath("same_images");
    RecordingPart part;
    part.streams = {"s"};
    SYNCLINE_ASSERT_OK(
        ExportRecording(RecordingOf("same.syncline", {packet}), part, options));
    for (const auto& entry : std::filesystem::directory_iterator(options.out)) {
      std::stringstream text;
      text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
      files.push_back(text.str());
    }
  }
  ASSERT_EQ(files.size(), 2u);
  EXPECT_GT(files[0].size(), 15u);
  EXPECT_EQ(files[0], files[1]);
  EXPECT_THAT(Exported(RecordingOf("none.syncline", {MakePacket<Image>()}),
                       ExportOptions::kImages),
              HasSubstr("an image without pixels"));
}

TEST(ExportTest, MatricesAreSound) {
  const std::string path = RecordingOf(
      "sound.syncline", {MakePacket<Matrix>(Matrix::Constant(1, 100, 0.5f))});
  const std::string wav = Exported(path, ExportOptions::kWav);
  EXPECT_EQ(wav.substr(0, 4), "RIFF");
  EXPECT_GE(wav.size(), 400u);
}

TEST(InfoTest, HeadersAndGapsAreShown) {
  const std::string path = NewPath("gaps.syncline");
  RecordingHeader header;
  header.streams = {{"s", true, "string"}};
  header.stream_headers = {{"s", "string", "as it was"}};
  SYNCLINE_ASSERT_OK_AND_ASSIGN(auto writer,
                                RecordingWriter::Create(path, header));
  SYNCLINE_EXPECT_OK(writer->AppendPacket(1, 0, Timestamp(10), 1, "x"));
  SYNCLINE_EXPECT_OK(writer->AppendGap(2, 0, 7));
  SYNCLINE_EXPECT_OK(writer->Finish("OK"));
  std::ostringstream text;
  SYNCLINE_EXPECT_OK(PrintRecording(path, &text));
  EXPECT_THAT(text.str(), HasSubstr("header of s (string): \"as it was\"\n"));
  EXPECT_THAT(text.str(),
              HasSubstr("7 packets are missing: the disk was too slow"));
}

// Two channels of sound with the header of a series, or without.
std::string SoundWithRate(double sample_rate) {
  const std::string path = NewPath("rate.syncline");
  RecordingHeader header;
  header.streams = {{"s", true, "::syncline::Matrix"}};
  if (sample_rate != 0) {
    TimeSeriesHeader series;
    series.set_sample_rate(sample_rate);
    const Packet packet = MakePacket<TimeSeriesHeader>(series);
    header.stream_headers = {
        {"s", TypeNameOfPacket(packet), BytesOfPacket(packet).value()}};
  }
  auto writer = RecordingWriter::Create(path, header).value();
  for (int i = 1; i <= 2; ++i) {
    Matrix samples(2, 3);
    samples << 0.0f, 0.25f * i, 0.5f, -1.0f, 1.0f, 0.75f;
    SYNCLINE_EXPECT_OK(writer->AppendPacket(
        i, 0, Timestamp(10 * i), i,
        BytesOfPacket(MakePacket<Matrix>(samples)).value()));
  }
  SYNCLINE_EXPECT_OK(writer->Finish("OK"));
  return path;
}

TEST(ExportTest, SoundHasTheRateOfItsHeaderAndAllItsSamples) {
  ExportOptions options;
  options.format = ExportOptions::kWav;
  options.out = NewPath("rate.wav");
  RecordingPart part;
  part.streams = {"s"};
  SYNCLINE_ASSERT_OK(ExportRecording(SoundWithRate(16'000), part, options));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(WavReader wav, WavReader::Open(options.out));
  EXPECT_EQ(wav.format().sample_rate, 16'000);
  EXPECT_EQ(wav.format().channels, 2);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Matrix samples, wav.Read(100));
  Matrix expected(2, 6);
  expected << 0.0f, 0.25f, 0.5f, 0.0f, 0.5f, 0.5f,  //
      -1.0f, 1.0f, 0.75f, -1.0f, 1.0f, 0.75f;
  EXPECT_EQ(samples, expected);

  options.sample_rate = 8'000;
  SYNCLINE_ASSERT_OK(ExportRecording(SoundWithRate(16'000), part, options));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(wav, WavReader::Open(options.out));
  EXPECT_EQ(wav.format().sample_rate, 8'000);

  options.sample_rate = 0;
  EXPECT_THAT(ExportRecording(SoundWithRate(0), part, options).message(),
              HasSubstr("rate.syncline\" has no header of stream \"s\" that "
                        "tells its sample rate: say it with --sample_rate=HZ"));
  EXPECT_THAT(ExportRecording(SoundWithRate(62.5), part, options).message(),
              HasSubstr("a sample rate of 62.5 Hz, which no WAV file has"));
}

TEST(DiffTest, AnotherHeaderIsADifference) {
  const auto with_header = [](const std::string& name,
                              const std::vector<std::string>& headers) {
    const std::string path = NewPath(name);
    RecordingHeader header;
    header.streams = {{"s", true, "string"}};
    for (const std::string& text : headers) {
      header.stream_headers.push_back({"s", "string", text});
    }
    SYNCLINE_EXPECT_OK(
        RecordingWriter::Create(path, header).value()->Finish("OK"));
    return path;
  };
  const std::string one = with_header("one.syncline", {"16 kHz"});
  const std::string other = with_header("other.syncline", {"8 kHz"});
  const std::string none = with_header("no_header.syncline", {});
  std::ostringstream out;
  EXPECT_TRUE(DiffRecordings(one, one, {}, &out).value());
  EXPECT_FALSE(DiffRecordings(one, other, {}, &out).value());
  EXPECT_EQ(out.str(),
            absl::StrCat("the header of stream \"s\" of \"", other,
                         "\" differs from that of \"", one,
                         "\"\n  1st   \"16 kHz\"\n  2nd   \"8 kHz\"\n"));
  out.str("");
  EXPECT_FALSE(DiffRecordings(none, one, {}, &out).value());
  EXPECT_THAT(out.str(), HasSubstr("\n  1st   none\n  2nd   \"16 kHz\"\n"));
}

TEST(DiffTest, ShowsTheFirstDifference) {
  const std::string left =
      RecordingOf("left.syncline", {MakePacket<int>(1), MakePacket<int>(2)});
  const std::string right =
      RecordingOf("right.syncline", {MakePacket<int>(1), MakePacket<int>(3)});
  std::ostringstream out;
  SYNCLINE_ASSERT_OK_AND_ASSIGN(bool same,
                                DiffRecordings(left, left, {}, &out));
  EXPECT_TRUE(same);
  EXPECT_EQ(out.str(), "");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(same, DiffRecordings(left, right, {}, &out));
  EXPECT_FALSE(same);
  EXPECT_THAT(out.str(), HasSubstr("at its packet 2, timestamp 20"));
  RecordingPart part;
  part.range.to = Timestamp(10);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(same, DiffRecordings(left, right, part, &out));
  EXPECT_TRUE(same);
}

TEST(DiffTest, PacketsThatARecordingLeftOutAreNamed) {
  const auto with_gap = [](const std::string& name, std::int64_t missing,
                           int last) {
    const std::string path = NewPath(name);
    RecordingHeader header;
    header.streams = {{"s", true, "int"}};
    auto writer = RecordingWriter::Create(path, header).value();
    SYNCLINE_EXPECT_OK(writer->AppendPacket(
        1, 0, Timestamp(10), 1, BytesOfPacket(MakePacket<int>(last)).value()));
    if (missing > 0) {
      SYNCLINE_EXPECT_OK(writer->AppendGap(2, 0, missing));
    }
    SYNCLINE_EXPECT_OK(writer->Finish("OK"));
    return path;
  };
  const std::string whole = with_gap("whole.syncline", 0, 1);
  const std::string gaps = with_gap("with_gap.syncline", 7, 1);
  const std::string other = with_gap("other_gap.syncline", 7, 2);
  const std::string missing =
      absl::StrCat("7 packets of stream \"s\" are missing from \"", gaps,
                   "\": the disk was too slow\n");
  std::ostringstream out;
  EXPECT_TRUE(DiffRecordings(gaps, gaps, {}, &out).value());
  EXPECT_EQ(out.str(), "");
  EXPECT_TRUE(DiffRecordings(whole, gaps, {}, &out).value());
  EXPECT_EQ(out.str(), missing);
  out.str("");
  EXPECT_FALSE(DiffRecordings(gaps, other, {}, &out).value());
  EXPECT_THAT(out.str(), HasSubstr("at its packet 1, timestamp 10"));
  EXPECT_THAT(out.str(), HasSubstr(missing));
}

// Of a message in it nobody knows the fields.
TEST(ExportTest, AMessageThatHasNoJsonIsItsBytes) {
  CalculatorGraphConfig graph;
  auto* const options = graph.add_node()->add_node_options();
  options->set_type_url("type.googleapis.com/elsewhere.Unknown");
  options->set_value("\x08\x01");
  EXPECT_THAT(
      Exported(RecordingOf("any.syncline",
                           {MakePacket<CalculatorGraphConfig>(graph)}),
               ExportOptions::kJson),
      AllOf(HasSubstr("CalculatorGraphConfig\""), HasSubstr("\"base64\":\"")));
}

TEST(ExportTest, ARecordingIsNotWrittenOver) {
  const std::string path = RecordingOf("self.syncline", {MakePacket<int>(1)});
  ExportOptions options;
  options.out = path;
  RecordingPart part;
  part.streams = {"s"};
  EXPECT_THAT(ExportRecording(path, part, options).message(),
              HasSubstr("self.syncline\" is the recording"));
  SYNCLINE_EXPECT_OK(RecordingReader::Open(path).status());
}

TEST(ExportTest, WithoutPacketsThereIsAHeaderOrAnError) {
  const std::string path = RecordingOf("few.syncline", {MakePacket<int>(1)});
  ExportOptions options;
  options.out = NewPath("few.csv");
  RecordingPart part;
  part.streams = {"s"};
  part.range.from = Timestamp(11);
  SYNCLINE_ASSERT_OK(ExportRecording(path, part, options));
  std::stringstream text;
  text << std::ifstream(options.out, std::ios::binary).rdbuf();
  EXPECT_EQ(text.str(), "timestamp,value\r\n");
  options.format = ExportOptions::kWav;
  options.sample_rate = 8'000;
  EXPECT_THAT(ExportRecording(path, part, options).message(),
              HasSubstr("no packets are there to write to"));
}

// A program that does not know a message cuts recordings of it all the same.
TEST(CutTest, MessagesThatThisProgramDoesNotKnowStayReadable) {
  google::protobuf::FileDescriptorSet files;
  auto* const file = files.add_file();
  file->set_name("elsewhere.proto");
  file->set_package("elsewhere");
  auto* const message = file->add_message_type();
  message->set_name("Pose");
  auto* const field = message->add_field();
  field->set_name("x");
  field->set_number(1);
  field->set_type(google::protobuf::FieldDescriptorProto::TYPE_INT32);
  field->set_label(google::protobuf::FieldDescriptorProto::LABEL_OPTIONAL);
  RecordingHeader header;
  header.streams = {{"s", true, "elsewhere.Pose"}};
  header.messages["elsewhere.Pose"] = files.SerializeAsString();
  const std::string path = NewPath("poses.syncline");
  {
    auto writer = RecordingWriter::Create(path, header).value();
    SYNCLINE_EXPECT_OK(
        writer->AppendPacket(1, 0, Timestamp(10), 1, "\x08\x05"));
    SYNCLINE_EXPECT_OK(writer->Finish("OK"));
  }
  const std::string out = NewPath("cut_poses.syncline");
  SYNCLINE_ASSERT_OK(CutRecording(path, {}, out));
  for (const std::string& recording : {path, out}) {
    EXPECT_THAT(Exported(recording, ExportOptions::kJson),
                HasSubstr("\"value\":{\"x\":5}"));
  }
}

TEST(DiffTest, AnotherTypeIsADifferenceWhateverItsBytesAre) {
  const std::string ints = RecordingOf("ints.syncline", {MakePacket<int>(0)});
  const std::string floats =
      RecordingOf("floats.syncline", {MakePacket<float>(0)});
  std::ostringstream out;
  EXPECT_FALSE(DiffRecordings(ints, floats, {}, &out).value());
  EXPECT_THAT(out.str(), AllOf(HasSubstr("the type of stream \"s\""),
                               HasSubstr("1st   int\n  2nd   float\n")));
}

TEST(DiffTest, AnUnknownTypeIsNotThatOfAnyPacket) {
  const std::string ints = RecordingOf("known.syncline", {MakePacket<int>(0)});
  const std::string unknown = NewPath("unknown.syncline");
  RecordingHeader header;
  header.streams = {{"s", true, ""}};
  auto writer = RecordingWriter::Create(unknown, header).value();
  SYNCLINE_EXPECT_OK(writer->AppendPacket(
      1, 0, Timestamp(10), 1, BytesOfPacket(MakePacket<int>(0)).value()));
  SYNCLINE_EXPECT_OK(writer->Finish("OK"));
  for (const auto& [left, right] :
       {std::pair(ints, unknown), std::pair(unknown, ints)}) {
    std::ostringstream out;
    const absl::Status status = DiffRecordings(left, right, {}, &out).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
    EXPECT_THAT(status.message(), HasSubstr("stream \"s\", which has no type"));
  }
}

// A file that may not grow any more stands for a disk that is full.
int ExitStatusOfCutOnAFullDisk(const std::string& path, const std::string& out,
                               rlim_t max_bytes) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {max_bytes, max_bytes};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) _exit(2);
    _exit(CutRecording(path, {}, out).ok() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

TEST(CutTest, AFullDiskLeavesNoFile) {
  const std::string path = RecordingOf(
      "large.syncline",
      std::vector<Packet>(500, MakePacket<std::string>(1'000, 'x')));
  const std::string out = NewPath("full.syncline");
  // Not even the tables; the tables, and some of the packets.
  for (const rlim_t max_bytes : {rlim_t{1'000}, rlim_t{300'000}}) {
    EXPECT_EQ(ExitStatusOfCutOnAFullDisk(path, out, max_bytes), 1);
    EXPECT_FALSE(std::filesystem::exists(out)) << max_bytes;
    EXPECT_FALSE(std::filesystem::exists(out + "-journal")) << max_bytes;
  }
  // What somebody else had made is left to them.
  std::ofstream(out).close();
  EXPECT_EQ(ExitStatusOfCutOnAFullDisk(path, out, 1'000), 1);
  EXPECT_TRUE(std::filesystem::exists(out));
  EXPECT_EQ(std::filesystem::file_size(out), 0u);
  EXPECT_EQ(ExitStatusOfCutOnAFullDisk(path, out, 100'000'000), 0);
}

TEST(InfoTest, NothingInAFileIsACommandToTheTerminal) {
  const std::string path = NewPath("escape.syncline");
  RecordingHeader header;
  header.streams = {{"s", true, "a\x1b[2J"}};
  header.side_packets = {{"p\x1b[5m", "int", "x"}};
  SYNCLINE_EXPECT_OK(
      RecordingWriter::Create(path, header).value()->Finish("\x1b[31mOK"));
  std::ostringstream text;
  SYNCLINE_EXPECT_OK(PrintRecording(path, &text));
  EXPECT_THAT(text.str(),
              AllOf(HasSubstr("\\x1b[31mOK"), HasSubstr("a\\x1b[2J"),
                    HasSubstr("p\\x1b[5m")));
  EXPECT_THAT(text.str(), Not(HasSubstr("\x1b")));
}

// Of the streams too.
TEST(CutTest, StreamsAreLeftOut) {
  const std::string path = NewPath("two.syncline");
  RecordingHeader header;
  header.streams = {{"a", true, "int"}, {"b", true, "int"}};
  auto writer = RecordingWriter::Create(path, header).value();
  const std::string bytes = BytesOfPacket(MakePacket<int>(7)).value();
  SYNCLINE_ASSERT_OK(writer->AppendPacket(1, 0, Timestamp(10), 1, bytes));
  SYNCLINE_ASSERT_OK(writer->AppendPacket(2, 1, Timestamp(20), 2, bytes));
  SYNCLINE_ASSERT_OK(writer->AppendBound(3, 1, Timestamp(30), 3));
  SYNCLINE_ASSERT_OK(writer->Finish("OK"));
  RecordingPart part;
  part.streams = {"b"};
  const std::string out = NewPath("one.syncline");
  SYNCLINE_ASSERT_OK(CutRecording(path, part, out));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto cut, RecordingReader::Open(out));
  ASSERT_EQ(cut->header().streams.size(), 1u);
  EXPECT_EQ(cut->header().streams[0].name, "b");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(RecordingEvents events, cut->Events({}));
  RecordedEvent event;
  EXPECT_TRUE(events.Next(&event).value());
  EXPECT_EQ(event.timestamp, Timestamp(20));
  EXPECT_TRUE(events.Next(&event).value());
  EXPECT_EQ(event.kind, RecordedEvent::kBound);
  EXPECT_FALSE(events.Next(&event).value());
  // At the end it stays.
  EXPECT_FALSE(events.Next(&event).value());
  // A new file only.
  EXPECT_EQ(CutRecording(path, part, out).code(),
            absl::StatusCode::kAlreadyExists);
}

TEST(CutTest, WhatCanBeReadOfADamagedRecordingIsSaved) {
  const std::string path = RecordingOf(
      "damaged.syncline",
      std::vector<Packet>(500, MakePacket<std::string>(1'000, 'x')));
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(std::filesystem::file_size(path) *
                                           3 / 5 / 4'096 * 4'096));
    file << std::string(4'096, '\xff');
  }
  const std::string out = NewPath("saved.syncline");
  const absl::Status status = CutRecording(path, {}, out);
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(status.message(), HasSubstr("damaged.syncline"));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto saved, RecordingReader::Open(out));
  // It says that it was cut short.
  EXPECT_FALSE(saved->ended().has_value());
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const auto summaries, saved->Summarize());
  EXPECT_GT(summaries.at(0).packets, 100);
  EXPECT_LT(summaries.at(0).packets, 500);
}

TEST(CutTest, APartIsARecording) {
  const std::string path =
      RecordingOf("whole.syncline",
                  {MakePacket<int>(1), MakePacket<int>(2), MakePacket<int>(3)});
  const std::string out = NewPath("part.syncline");
  RecordingPart part;
  part.range.from = Timestamp(20);
  SYNCLINE_EXPECT_OK(CutRecording(path, part, out));
  std::ostringstream text;
  SYNCLINE_EXPECT_OK(PrintRecording(out, &text));
  EXPECT_THAT(text.str(), HasSubstr("the run ended: OK"));
  EXPECT_THAT(Exported(out, ExportOptions::kCsv),
              HasSubstr("20,2\r\n30,3\r\n"));
  part.streams = {"t"};
  EXPECT_EQ(CutRecording(path, part, NewPath("none.syncline")).code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace syncline
