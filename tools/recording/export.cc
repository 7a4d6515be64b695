// The export command: packets as text, images and sound.
//
// Thread rule: single-threaded.
// Tested by commands_test.
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <system_error>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "calculators/audio/wav_file.h"
#include "framework/base/status_macros.h"
#include "framework/formats/image.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "framework/packet/packet.h"
#include "framework/recording/graph_player.h"
#include "framework/recording/recording_file.h"
#include "tools/exit_status.h"
#include "tools/output_file.h"
#include "tools/packet_lines.h"
#include "tools/recording/commands.h"
#include "tools/recording/image_file.h"
#include "tools/recording/value_json.h"

namespace syncline {
namespace {

// Where the packets go, one by one.
class Sink {
 public:
  virtual ~Sink() = default;
  // Before all else.
  virtual absl::Status Open() { return absl::OkStatus(); }
  virtual absl::Status Add(const RecordedStream& stream,
                           const RecordedEvent& event) = 0;
  virtual absl::Status Close() = 0;
};

// To a file, or to standard output.
class TextSink : public Sink {
 public:
  explicit TextSink(std::string path) : path_(std::move(path)) {}

  absl::Status Open() override {
    const absl::Status opened = file_.Open(path_);
    if (opened.ok()) return opened;
    return absl::UnavailableError(absl::StrCat(
        "cannot write \"", ShownName(path_), "\": ", opened.message(),
        ": check that the folder exists and you may write there"));
  }
  absl::Status Write(absl::string_view text) {
    // What the file held before stays until the first packet could be read.
    if (!std::exchange(has_begun_, true)) {
      SYNCLINE_RETURN_IF_ERROR(CannotWrite(file_.Begin()));
    }
    return CannotWrite(file_.Write(text));
  }
  absl::Status Close() override {
    // Without packets, too, the file is written.
    SYNCLINE_RETURN_IF_ERROR(Write(""));
    return CannotWrite(file_.Close());
  }

 private:
  absl::Status CannotWrite(const absl::Status& status) const {
    if (status.ok()) return status;
    return absl::UnavailableError(absl::StrCat(
        "cannot write \"", ShownName(path_), "\": ", status.message()));
  }

  const std::string path_;
  OutputFile file_{"recording"};
  bool has_begun_ = false;
};

// "timestamp,value". A value with commas, quotes or line ends is in quotes.
class CsvSink : public TextSink {
 public:
  CsvSink(const RecordingReader* recording, std::string path)
      : TextSink(std::move(path)), json_(recording) {}

  absl::Status Add(const RecordedStream& stream,
                   const RecordedEvent& event) override {
    std::string value = event.data;
    if (stream.type != "string") {
      SYNCLINE_ASSIGN_OR_RETURN(value, json_.Of(stream.type, event.data));
      // 64-bit numbers have quotes in JSON only.
      if (stream.type == "int64_t" || stream.type == "uint64_t") {
        value = absl::StrReplaceAll(value, {{"\"", ""}});
      }
    }
    if (value.find_first_of(",\"\r\n") != value.npos) {
      value = absl::StrCat("\"", absl::StrReplaceAll(value, {{"\"", "\"\""}}),
                           "\"");
    }
    SYNCLINE_RETURN_IF_ERROR(WriteHeader());
    return Write(
        absl::StrCat(TimestampText(event.timestamp), ",", value, "\r\n"));
  }
  // A stream without packets has a header, too.
  absl::Status Close() override {
    SYNCLINE_RETURN_IF_ERROR(WriteHeader());
    return TextSink::Close();
  }

 private:
  absl::Status WriteHeader() {
    return std::exchange(has_header_, true) ? absl::OkStatus()
                                            : Write("timestamp,value\r\n");
  }

  ValueJson json_;
  bool has_header_ = false;
};

// One object a line.
class JsonSink : public TextSink {
 public:
  JsonSink(const RecordingReader* recording, std::string path)
      : TextSink(std::move(path)), json_(recording) {}

  absl::Status Add(const RecordedStream& stream,
                   const RecordedEvent& event) override {
    SYNCLINE_ASSIGN_OR_RETURN(const std::string value,
                              json_.Of(stream.type, event.data));
    // The value is JSON already, with the digits of its own writer.
    return Write(absl::StrCat(
        "{\"stream\":", JsonString(stream.name),
        ",\"timestamp\":", JsonString(TimestampText(event.timestamp)),
        ",\"value\":", value, "}\n"));
  }

 private:
  ValueJson json_;
};

absl::Status HasNo(absl::string_view what, const RecordedStream& stream) {
  return absl::InvalidArgumentError(
      absl::StrCat("stream \"", stream.name, "\" has no ", what, " but \"",
                   stream.type, "\": export it with --format=json"));
}

// Of one stream, a file for each packet.
class ImageSink : public Sink {
 public:
  explicit ImageSink(std::string folder) : folder_(std::move(folder)) {}

  absl::Status Add(const RecordedStream& stream,
                   const RecordedEvent& event) override {
    SYNCLINE_ASSIGN_OR_RETURN(const Packet packet,
                              DecodeRecorded(stream.type, event.data));
    const ImageFrame* frame = nullptr;
    if (packet.ValidateAsType<ImageFrame>().ok()) {
      frame = &packet.Get<ImageFrame>();
    } else if (packet.ValidateAsType<Image>().ok()) {
      frame = packet.Get<Image>().GetImageFrameSharedPtr().get();
    } else {
      return HasNo("images", stream);
    }
    if (frame == nullptr || frame->IsEmpty()) {
      return absl::InvalidArgumentError(
          "it is an image without pixels, which no file holds: leave it out "
          "with --from and --to");
    }
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    return WriteImageFile(
        *frame, absl::StrCat(folder_, "/", TimestampText(event.timestamp),
                             ImageFileExtension(*frame)));
  }
  absl::Status Close() override { return absl::OkStatus(); }

 private:
  const std::string folder_;
};

// One matrix after the other; the first says how many channels there are.
class WavSink : public Sink {
 public:
  WavSink(std::string path, std::int64_t sample_rate)
      : path_(std::move(path)), sample_rate_(sample_rate) {}

  absl::Status Add(const RecordedStream& stream,
                   const RecordedEvent& event) override {
    SYNCLINE_ASSIGN_OR_RETURN(const Packet packet,
                              DecodeRecorded(stream.type, event.data));
    if (!packet.ValidateAsType<Matrix>().ok()) return HasNo("matrices", stream);
    const auto& samples = packet.Get<Matrix>();
    if (!writer_.has_value()) {
      WavFormat format;
      format.sample = WavSample::kFloat32;
      format.channels = static_cast<int>(samples.rows());
      format.sample_rate = sample_rate_;
      SYNCLINE_ASSIGN_OR_RETURN(WavWriter writer,
                                WavWriter::Create(path_, format));
      writer_.emplace(std::move(writer));
      channels_ = samples.rows();
    }
    if (samples.rows() != channels_) {
      return absl::InvalidArgumentError(absl::StrCat(
          "stream \"", stream.name, "\" has ", channels_, " channels and, at ",
          TimestampText(event.timestamp), ", ", samples.rows()));
    }
    return writer_->Write(samples);
  }
  absl::Status Close() override {
    if (writer_.has_value()) return writer_->Close();
    return absl::InvalidArgumentError(
        absl::StrCat("no packets are there to write to \"",
                     absl::Utf8SafeCHexEscape(path_), "\""));
  }

 private:
  const std::string path_;
  const std::int64_t sample_rate_;
  std::int64_t channels_ = 0;
  absl::optional<WavWriter> writer_;
};

// As the flag says, or the header of the stream, in whole Hz.
absl::StatusOr<std::int64_t> SampleRate(const RecordingReader& recording,
                                        const std::string& stream,
                                        std::int64_t flag) {
  if (flag > 0) return flag;
  for (const RecordedSidePacket& header : recording.header().stream_headers) {
    if (header.name != stream) continue;
    SYNCLINE_ASSIGN_OR_RETURN(const Packet packet,
                              DecodeRecorded(header.type, header.data));
    if (!packet.ValidateAsType<TimeSeriesHeader>().ok()) break;
    const double rate = packet.Get<TimeSeriesHeader>().sample_rate();
    if (rate >= 1 && rate <= std::numeric_limits<std::int32_t>::max() &&
        rate == std::floor(rate)) {
      return static_cast<std::int64_t>(rate);
    }
    return absl::InvalidArgumentError(absl::StrCat(
        "\"", absl::Utf8SafeCHexEscape(recording.path()),
        "\": the header of stream \"", stream, "\" has a sample rate of ", rate,
        " Hz, which no WAV file has: choose one with --sample_rate=HZ"));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "\"", absl::Utf8SafeCHexEscape(recording.path()),
      "\" has no header of stream \"", stream,
      "\" that tells its sample rate: say it with --sample_rate=HZ"));
}

std::unique_ptr<Sink> SinkFor(const RecordingReader* recording,
                              const ExportOptions& options,
                              std::int64_t sample_rate) {
  switch (options.format) {
    case ExportOptions::kCsv:
      return std::make_unique<CsvSink>(recording, options.out);
    case ExportOptions::kJson:
      return std::make_unique<JsonSink>(recording, options.out);
    case ExportOptions::kImages:
      return std::make_unique<ImageSink>(options.out);
    case ExportOptions::kWav:
      return std::make_unique<WavSink>(options.out, sample_rate);
  }
  return nullptr;
}

absl::Status CheckIsNotItself(const std::string& path, const std::string& out) {
  std::error_code error;
  if (!std::filesystem::equivalent(path, out, error)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("\"", absl::Utf8SafeCHexEscape(out),
                   "\" is the recording: choose another --out"));
}

// Which stream, or nothing for all.
absl::StatusOr<absl::optional<int>> ChooseStream(
    const RecordingReader& recording, const RecordingPart& part) {
  if (part.streams.empty()) return absl::optional<int>();
  const absl::optional<int> stream = recording.FindStream(part.streams[0]);
  if (stream.has_value()) return stream;
  return CheckStreams(recording, part);
}

}  // namespace

absl::Status ExportRecording(const std::string& path, const RecordingPart& part,
                             const ExportOptions& options) {
  SYNCLINE_ASSIGN_OR_RETURN(const auto recording, RecordingReader::Open(path));
  SYNCLINE_RETURN_IF_ERROR(CheckIsNotItself(path, options.out));
  RecordingRange range = part.range;
  range.packets_only = true;
  SYNCLINE_ASSIGN_OR_RETURN(range.stream, ChooseStream(*recording, part));
  SYNCLINE_ASSIGN_OR_RETURN(RecordingEvents events, recording->Events(range));
  std::int64_t sample_rate = 0;
  if (options.format == ExportOptions::kWav) {
    SYNCLINE_ASSIGN_OR_RETURN(
        sample_rate,
        SampleRate(*recording, part.streams.at(0), options.sample_rate));
  }
  const std::unique_ptr<Sink> sink =
      SinkFor(recording.get(), options, sample_rate);
  SYNCLINE_RETURN_IF_ERROR(sink->Open());
  RecordedEvent event;
  while (true) {
    SYNCLINE_ASSIGN_OR_RETURN(const bool more, events.Next(&event));
    if (!more) return sink->Close();
    const RecordedStream& stream = recording->header().streams[event.stream];
    const absl::Status added = sink->Add(stream, event);
    if (!added.ok()) {
      return absl::Status(
          added.code(),
          absl::StrCat("\"", absl::Utf8SafeCHexEscape(path), "\", stream \"",
                       stream.name, "\", timestamp ",
                       TimestampText(event.timestamp), ": ", added.message()));
    }
  }
}

}  // namespace syncline
