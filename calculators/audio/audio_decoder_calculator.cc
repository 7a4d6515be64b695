// AudioDecoderCalculator: a source of the samples of a WAV, FLAC, AIFF or other
// file.
//
//   node {
//     calculator: "AudioDecoderCalculator"
//     input_side_packet: "INPUT_FILE_PATH:path"    # std::string
//     output_stream: "AUDIO:audio"                 # Matrix
//     output_stream: "AUDIO_HEADER:audio_header"   # TimeSeriesHeader, optional
//     options { [syncline.AudioDecoderOptions.ext] {
//       start_time: 1.5
//       end_time: 3 } }
//   }
//
// AUDIO has the samples, from -1 to 1, in packets of 1024 frames (fewer where
// there are very many channels, and at the end): a row is a channel, a column
// is a moment. A packet's timestamp is the time of its first frame in the file,
// rounded to microseconds. The header of AUDIO is a TimeSeriesHeader.
// AUDIO_HEADER carries the same header as a packet at PreStream, and as its
// header.
//
// WAV files are always read (wav_file.h says which); FLAC, AIFF, Ogg and others
// where the program has //calculators:on_sndfile linked in. A file that cannot
// be read, is damaged or was cut off is an error that names it. Open returns
// the error if the header shows the damage; otherwise Process does. With
// ignore_decode_failures, the frames before the damage are sent. A file has
// only the audio stream 0: any other stream_index is an error, or with
// allow_missing a stream without packets.
//
// If the side packet OPTIONS (AudioDecoderOptions) is given, it is merged into
// the options.
//
// Thread rule: one call at a time.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "calculators/audio/audio_file.h"
#include "calculators/audio/audio_reader.h"
#include "framework/calculator_framework.h"
#include "framework/deps/mathutil.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "framework/port/logging.h"
#include "util/audio_decoder.pb.h"
#include "util/time_series_util.h"

namespace syncline {
namespace {

constexpr std::int64_t kFramesPerPacket = 1024;
constexpr std::int64_t kMaxValuesPerPacket = std::int64_t{1} << 20;

// The first frame that is not before `seconds`.
std::int64_t FrameAt(double seconds, std::int64_t sample_rate) {
  // Allows for rounding: a frame up to a millionth of a frame earlier counts,
  // too.
  return MathUtil::SafeCast<std::int64_t>(
      std::ceil(seconds * static_cast<double>(sample_rate) - 1e-6));
}

}  // namespace

class AudioDecoderCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->InputSidePackets().Tag("INPUT_FILE_PATH").Set<std::string>();
    cc->InputSidePackets().Tag("OPTIONS").Set<AudioDecoderOptions>().Optional();
    cc->Outputs().Tag("AUDIO").Set<Matrix>();
    cc->Outputs().Tag("AUDIO_HEADER").Set<TimeSeriesHeader>().Optional();
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    AudioDecoderOptions options = cc->Options<AudioDecoderOptions>();
    if (cc->InputSidePackets().HasTag("OPTIONS")) {
      options.MergeFrom(
          cc->InputSidePackets().Tag("OPTIONS").Get<AudioDecoderOptions>());
    }
    if (options.audio_stream_size() > 1) {
      return absl::InvalidArgumentError(
          absl::StrCat("AudioDecoderOptions has ", options.audio_stream_size(),
                       " audio_stream, but an audio file has one"));
    }
    const AudioStreamOptions stream = options.audio_stream_size() == 1
                                          ? options.audio_stream(0)
                                          : AudioStreamOptions();
    takes_damaged_ = stream.ignore_decode_failures();
    const auto& path =
        cc->InputSidePackets().Tag("INPUT_FILE_PATH").Get<std::string>();
    SYNCLINE_ASSIGN_OR_RETURN(reader_, OpenAudioFile(path));
    SYNCLINE_RETURN_IF_ERROR(CheckComplete());
    if (stream.stream_index() != 0) {
      end_ = 0;
      if (stream.allow_missing()) return absl::OkStatus();
      return absl::NotFoundError(
          absl::StrCat("\"", path, "\" has no audio stream ",
                       stream.stream_index(), ", only 0; see allow_missing"));
    }
    SetHeader(cc);
    return SeekToStart(options);
  }

  absl::Status Process(CalculatorContext* cc) override {
    const std::int64_t begin = reader_->position();
    if (begin >= end_) return tool::StatusStop();
    const std::int64_t count = std::max<std::int64_t>(
        1, std::min({kFramesPerPacket, end_ - begin,
                     kMaxValuesPerPacket / reader_->channels()}));
    SYNCLINE_ASSIGN_OR_RETURN(Matrix samples, reader_->Read(count));
    if (samples.cols() < count) {
      SYNCLINE_RETURN_IF_ERROR(CheckComplete());
      end_ = reader_->frames();
      if (samples.cols() == 0) return tool::StatusStop();
    }
    OutputStream& output = cc->Outputs().Tag("AUDIO");
    // A damaged header may give such a high rate that two packets get the same
    // microsecond. So the timestamp is raised where needed.
    const Timestamp time =
        std::max(Timestamp(0) + TimeOf(begin), output.NextTimestampBound());
    output.AddPacket(MakePacket<Matrix>(std::move(samples)).At(time));
    return absl::OkStatus();
  }

 private:
  // An error if the file is cut off or damaged, unless the user wants the part
  // that can be read.
  absl::Status CheckComplete() const {
    const absl::Status complete = reader_->CheckComplete();
    if (complete.ok()) return complete;
    if (takes_damaged_) {
      LOG(WARNING) << complete.message();
      return absl::OkStatus();
    }
    return absl::Status(
        complete.code(),
        absl::StrCat(complete.message(),
                     "; set ignore_decode_failures to take the frames that are "
                     "there"));
  }

  TimestampDiff TimeOf(std::int64_t frame) const {
    return time_series_util::SamplesToTimestampDiff(
        frame, static_cast<double>(reader_->sample_rate()));
  }

  void SetHeader(CalculatorContext* cc) {
    TimeSeriesHeader header;
    header.set_sample_rate(static_cast<double>(reader_->sample_rate()));
    header.set_num_channels(reader_->channels());
    const Packet packet = MakePacket<TimeSeriesHeader>(std::move(header));
    cc->Outputs().Tag("AUDIO").SetHeader(packet);
    if (!cc->Outputs().HasTag("AUDIO_HEADER")) return;
    OutputStream& output = cc->Outputs().Tag("AUDIO_HEADER");
    output.SetHeader(packet);
    output.AddPacket(packet.At(Timestamp::PreStream()));
    output.Close();
  }

  // Also sets end_.
  absl::Status SeekToStart(const AudioDecoderOptions& options) {
    const std::int64_t rate = reader_->sample_rate();
    const double start = options.start_time();
    end_ = reader_->frames();
    if (options.has_end_time()) {
      end_ = std::min(end_, FrameAt(options.end_time(), rate));
    }
    if (!(start >= 0) ||
        (options.has_end_time() && !(options.end_time() >= start))) {
      return absl::InvalidArgumentError(absl::StrCat(
          "start_time is ", start, " and end_time ", options.end_time(),
          ", but they are seconds from 0, one after the other"));
    }
    return reader_->Seek(FrameAt(start, rate));
  }

  std::unique_ptr<AudioReader> reader_;  // from Open on
  std::int64_t end_ = 0;                 // in frames
  bool takes_damaged_ = false;
};
REGISTER_CALCULATOR(AudioDecoderCalculator);

}  // namespace syncline
