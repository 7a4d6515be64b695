// PacketResamplerCalculator: sends one packet for each period, whatever the
// rate of the input.
//
//   node {
//     calculator: "PacketResamplerCalculator"
//     input_stream: "frames"                   # or DATA
//     input_stream: "VIDEO_HEADER:header"      # VideoHeader at PreStream;
//     input_side_packet: "OPTIONS:options"     # CalculatorOptions; optional,
//     input_side_packet: "SEED:seed"           # std::string, for jitter
//     output_stream: "even_frames"             # or DATA
//     output_stream: "VIDEO_HEADER:new_header" # with the new frame_rate
//     options { [syncline.PacketResamplerCalculatorOptions.ext] {
//       frame_rate: 10 } }
//   }
//
//   frames, in ms           0     40    130          290    400
//   even_frames, rate 10    0          100    200    300    400
//     which is that of      0          130    130    290    400
//
// The output times are first + round(i * 1e6 / frame_rate) in microseconds, for
// i = 0, 1, 2, ... `first` is the time of the first packet; with base_timestamp
// it is the one of base_timestamp + round(i * 1e6 / frame_rate), for any i,
// that is nearest to the first packet. sampling_times.h has the order in which
// doubles are rounded. Each output time gets the packet that is nearest to it;
// of two equally near, the later one. A packet exactly halfway between two
// output times counts for the later time only. If packets are rarer than output
// times, a packet is sent several times. Packets that are nearest to no output
// time are dropped.
//
// With jitter the output times are moved at random, and the packet nearest to
// one is sent once, at its own timestamp. The random moves depend only on SEED,
// so a run can be repeated.
//
// An empty input says that it is settled up to its time. It raises the bound up
// to the next output time without a packet, since the packet before may still
// be repeated there.
//
// Thread rule: one call at a time.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "calculators/core/forwarding.h"
#include "calculators/core/packet_resampler_calculator.pb.h"
#include "calculators/core/sampling_times.h"
#include "framework/calculator_framework.h"
#include "framework/formats/video_stream_header.h"
#include "framework/tool/options_util.h"

namespace syncline {
namespace {

using Options = PacketResamplerCalculatorOptions;

constexpr char kData[] = "DATA";
constexpr char kVideoHeader[] = "VIDEO_HEADER";
constexpr char kOptions[] = "OPTIONS";
constexpr char kSeed[] = "SEED";

// Farther times could overflow when periods are counted in 64 bits. 73,000
// years.
constexpr std::int64_t kFarthest = std::int64_t{1} << 61;

absl::Status CheckTime(absl::string_view what, Timestamp time) {
  if (time.IsRangeValue() && time.Value() >= -kFarthest &&
      time.Value() <= kFarthest) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat(what, " is ", time.DebugString(),
                   ", which is no time or too far from 0; times are from -",
                   kFarthest, " to ", kFarthest));
}

// How often one packet may be repeated to fill a gap.
constexpr std::int64_t kMaxRepeats = 1000000;

template <typename Ports>
auto& Data(Ports& ports) {
  return ports.HasTag(kData) ? ports.Tag(kData) : ports.Index(0);
}

}  // namespace

class PacketResamplerCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    PacketType& input = Data(cc->Inputs());
    input.SetAny();
    Data(cc->Outputs()).SetSameAs(&input);
    cc->Inputs().Tag(kVideoHeader).Set<VideoHeader>().Optional();
    cc->Outputs().Tag(kVideoHeader).Set<VideoHeader>().Optional();
    cc->InputSidePackets().Tag(kOptions).Set<CalculatorOptions>().Optional();
    cc->InputSidePackets().Tag(kSeed).Set<std::string>().Optional();
    if (cc->Outputs().HasTag(kVideoHeader) &&
        !cc->Inputs().HasTag(kVideoHeader)) {
      return absl::InvalidArgumentError(
          "PacketResamplerCalculator has the output VIDEO_HEADER, but no input "
          "VIDEO_HEADER that it could be made of");
    }
    cc->SetProcessTimestampBounds(true);
    // A bound only raises the bound of the output.
    cc->SetOrderIndependent(true);
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    options_ = tool::RetrieveOptions(cc->Options<Options>(),
                                     cc->InputSidePackets(), kOptions);
    if (!(options_.jitter() >= 0 && options_.jitter() <= 1)) {
      return absl::InvalidArgumentError(
          absl::StrCat("jitter is from 0 to 1, but is ", options_.jitter()));
    }
    if (options_.jitter() > 0 && !cc->InputSidePackets().HasTag(kSeed)) {
      return absl::InvalidArgumentError(
          "jitter needs the side packet SEED, from which random times are "
          "made");
    }
    start_ = LimitOr(Timestamp::Min(), options_.has_start_time(),
                     options_.start_time());
    end_ = LimitOr(Timestamp::Done(), options_.has_end_time(),
                   options_.end_time());
    return OpenWithHeader(cc);
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (HasTagValue(cc->Inputs(), kVideoHeader)) {
      SYNCLINE_RETURN_IF_ERROR(ForwardVideoHeader(cc));
    }
    Packet& packet = Data(cc->Inputs()).Value();
    OutputStream& output = Data(cc->Outputs());
    if (!packet.IsEmpty() && packet.Timestamp().IsRangeValue()) {
      SYNCLINE_RETURN_IF_ERROR(Take(std::move(packet), cc));
    } else {
      RaiseBound(
          times_ == nullptr ? FirstTime(BoundAfter(packet)) : LowestToCome(),
          output);
    }
    return absl::OkStatus();
  }

  absl::Status Close(CalculatorContext* cc) override {
    if (times_ == nullptr || !options_.flush_last_packet()) {
      return absl::OkStatus();
    }
    if (has_jitter()) {
      const auto half = static_cast<std::uint64_t>(times_->period_us() / 2);
      if (!is_sent_ && Distance(last_) <= half) {
        SendLast(last_.Timestamp(), cc);
      }
    } else if (times_->PeriodsFromNext(last_.Timestamp()) >= 0) {
      SendLast(times_->next(), cc);
    }
    return absl::OkStatus();
  }

 private:
  bool has_jitter() const { return options_.jitter() > 0; }

  static Timestamp LimitOr(Timestamp otherwise, bool is_set,
                           std::int64_t value) {
    return is_set ? Timestamp::CreateNoErrorChecking(value) : otherwise;
  }

  // --- Frame rate and headers

  absl::Status OpenWithHeader(CalculatorContext* cc) {
    frame_rate_ = options_.frame_rate();
    const Packet& header = Data(cc->Inputs()).Header();
    const bool has_video_header = header.ValidateAsType<VideoHeader>().ok();
    if (options_.use_input_frame_rate() && !cc->Inputs().HasTag(kVideoHeader)) {
      if (!has_video_header) return NoVideoHeaderError("use_input_frame_rate");
      UseRateOf(header.Get<VideoHeader>());
    }
    if (options_.output_header() == Options::PASS_HEADER) {
      if (!header.IsEmpty()) Data(cc->Outputs()).SetHeader(header);
    } else if (options_.output_header() == Options::UPDATE_VIDEO_HEADER) {
      if (!has_video_header) return NoVideoHeaderError("UPDATE_VIDEO_HEADER");
      VideoHeader video = header.Get<VideoHeader>();
      video.frame_rate = frame_rate_;
      Data(cc->Outputs()).SetHeader(MakePacket<VideoHeader>(video));
    }
    const bool is_known_later =
        options_.use_input_frame_rate() && cc->Inputs().HasTag(kVideoHeader);
    return is_known_later ? absl::OkStatus() : CheckFrameRate();
  }

  static absl::Status NoVideoHeaderError(absl::string_view option) {
    return absl::InvalidArgumentError(absl::StrCat(
        option, " needs an input stream whose header is a VideoHeader"));
  }

  void UseRateOf(const VideoHeader& header) {
    frame_rate_ = header.frame_rate;
    if (options_.max_frame_rate() > 0) {
      frame_rate_ = std::min(frame_rate_, options_.max_frame_rate());
    }
  }

  absl::Status CheckFrameRate() const {
    if (frame_rate_ > 0 && frame_rate_ <= 1e6) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(
        "The frame rate is ", frame_rate_,
        ", but has to be above 0 and at most 1000000, which is a packet in "
        "each microsecond; set the option frame_rate"));
  }

  absl::Status ForwardVideoHeader(CalculatorContext* cc) {
    VideoHeader header = cc->Inputs().Tag(kVideoHeader).Get<VideoHeader>();
    if (options_.use_input_frame_rate()) {
      UseRateOf(header);
      SYNCLINE_RETURN_IF_ERROR(CheckFrameRate());
    }
    if (!cc->Outputs().HasTag(kVideoHeader)) return absl::OkStatus();
    header.frame_rate = frame_rate_;
    cc->Outputs()
        .Tag(kVideoHeader)
        .AddPacket(MakePacket<VideoHeader>(header).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }

  // --- Times

  // The base of the output times, if `first` is the first packet.
  Timestamp BaseFor(Timestamp first) const {
    if (options_.has_base_timestamp()) {
      return Timestamp::CreateNoErrorChecking(options_.base_timestamp());
    }
    const bool is_reproducible = has_jitter() &&
                                 options_.jitter_with_reflection() &&
                                 options_.reproducible_sampling();
    return is_reproducible ? Timestamp(0) : first;
  }

  // The lowest time of an output, if the first packet comes at `bound`.
  Timestamp FirstTime(Timestamp bound) const {
    if (!bound.IsRangeValue() || has_jitter() || !CheckFrameRate().ok()) {
      return bound;
    }
    SamplingTimes times(frame_rate_, {});
    times.Start(BaseFor(bound), bound);
    return times.next();
  }
  // The lowest time of an output after the first packet.
  Timestamp LowestToCome() const {
    if (!has_jitter()) return times_->next();
    // The packet that is kept may be sent, or one after it.
    return is_sent_ ? last_.Timestamp().NextAllowedInStream()
                    : last_.Timestamp();
  }

  absl::Status Begin(Timestamp first, CalculatorContext* cc) {
    // Checked again, since the header that should have set the rate may be
    // missing.
    SYNCLINE_RETURN_IF_ERROR(CheckFrameRate());
    const Timestamp base = BaseFor(first);
    SYNCLINE_RETURN_IF_ERROR(CheckTime("base_timestamp", base));
    SamplingTimes::Jitter jitter{
        .amount = options_.jitter(),
        .one_in_period = has_jitter() && options_.jitter_with_reflection()};
    if (has_jitter()) {
      jitter.seed =
          SeedOf(cc->InputSidePackets().Tag(kSeed).Get<std::string>());
    }
    times_ = std::make_unique<SamplingTimes>(frame_rate_, jitter);
    times_->Start(base, first);
    return absl::OkStatus();
  }

  // --- Packets

  absl::Status Take(Packet packet, CalculatorContext* cc) {
    const Timestamp time = packet.Timestamp();
    SYNCLINE_RETURN_IF_ERROR(CheckTime("the timestamp of a packet", time));
    if (times_ == nullptr) SYNCLINE_RETURN_IF_ERROR(Begin(time, cc));
    if (has_jitter()) {
      TakeForRandomTimes(std::move(packet), cc);
    } else {
      SYNCLINE_RETURN_IF_ERROR(TakeForEvenTimes(std::move(packet), cc));
    }
    RaiseBound(LowestToCome(), Data(cc->Outputs()));
    return absl::OkStatus();
  }

  absl::Status TakeForEvenTimes(Packet packet, CalculatorContext* cc) {
    const Timestamp time = packet.Timestamp();
    std::int64_t periods = times_->PeriodsFromNext(time);
    if (periods > kMaxRepeats) {
      return absl::InvalidArgumentError(
          absl::StrCat("The packet at ", time.DebugString(), " is ", periods,
                       " periods after the time ", times_->next().DebugString(),
                       " that is due next; gaps of more than ", kMaxRepeats,
                       " periods are not filled"));
    }
    // Output times before this packet get the packet before it. Before the
    // first packet there may be one that was rounded down; the empty packet
    // that is sent for it only raises the bound.
    for (; periods > 0; --periods) SendLastAndAdvance(cc);
    const bool is_due = periods == 0 && time >= times_->next();
    const bool is_nearest =
        last_.IsEmpty() || Distance(packet) <= Distance(last_);
    if (is_due && !is_nearest) SendLastAndAdvance(cc);
    last_ = std::move(packet);
    if (is_due && is_nearest) SendLastAndAdvance(cc);
    return absl::OkStatus();
  }

  void SendLastAndAdvance(CalculatorContext* cc) {
    SendLast(times_->next(), cc);
    times_->Advance();
  }

  void TakeForRandomTimes(Packet packet, CalculatorContext* cc) {
    const Timestamp time = packet.Timestamp();
    if (!last_.IsEmpty()) {
      // Up to the middle, the packet before is nearer. It is sent once.
      const Timestamp middle =
          last_.Timestamp() + TimestampDiff(static_cast<std::int64_t>(
                                  (Distance(time, last_.Timestamp()) - 1) / 2));
      if (times_->next() <= middle) {
        if (!is_sent_) SendLast(last_.Timestamp(), cc);
        times_->AdvancePast(middle);
      }
    }
    last_ = std::move(packet);
    is_sent_ = false;
    if (times_->next() <= time) {
      times_->AdvancePast(time);
      SendLast(time, cc);
    }
  }

  static std::uint64_t Distance(Timestamp a, Timestamp b) {
    const auto low = static_cast<std::uint64_t>(std::min(a, b).Value());
    return static_cast<std::uint64_t>(std::max(a, b).Value()) - low;
  }
  std::uint64_t Distance(const Packet& packet) const {
    return Distance(packet.Timestamp(), times_->next());
  }

  void SendLast(Timestamp time, CalculatorContext* cc) {
    is_sent_ = true;
    const TimestampDiff margin(options_.round_limits() ? times_->period_us() / 2
                                                       : 0);
    const bool is_inside =
        (!start_.IsRangeValue() || time >= start_ - margin) &&
        (!end_.IsRangeValue() || time < end_ + margin);
    if (is_inside) Data(cc->Outputs()).AddPacket(last_.At(time));
  }

  Options options_;
  double frame_rate_ = 0;
  Timestamp start_;
  Timestamp end_;

  std::unique_ptr<SamplingTimes> times_;  // null before the first packet
  Packet last_;
  bool is_sent_ = false;  // last_ was sent at least once
};
REGISTER_CALCULATOR(PacketResamplerCalculator);

}  // namespace syncline
