// The calculators of random graphs: RandomMixCalculator, RandomSourceCalculator
// and RandomSideCalculator, and the subgraph RandomSubgraph.
//
// All values are int64. Each output value is a hash of the node, the time and
// everything that the call was given, so that a packet that is lost, doubled,
// late or with the wrong partner anywhere changes all that follows from it.
// What a node does besides is written in its RandomNodeOptions.
//
// Thread rule: without the options under "Memory" a RandomMixCalculator has no
// state, and its calls may overlap.
#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator_framework.h"
#include "framework/port/ret_check.h"
#include "framework/subgraph.h"
#include "testing/random_graph.pb.h"

namespace syncline {
namespace {

// Mixes a value into a hash (the finaliser of splitmix64).
std::int64_t Mix(std::int64_t hash, std::int64_t value) {
  std::uint64_t x = static_cast<std::uint64_t>(hash) * 0x9e3779b97f4a7c15u +
                    static_cast<std::uint64_t>(value) + 0x632be59bd9b4e019u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return static_cast<std::int64_t>(x ^ (x >> 31));
}

bool Chosen(std::int64_t hash, int one_in) {
  return one_in > 0 && static_cast<std::uint64_t>(hash) % one_in == 0;
}

// The stream of a Mux that says which of the others counts.
constexpr char kChoice[] = "SELECT";

template <typename Set>
void SetTypes(Set& ports) {
  for (PacketType& type : ports) type.template Set<std::int64_t>();
}

// Sets the types, and what the options say about times.
absl::Status Describe(CalculatorContract* cc) {
  const auto& options = cc->Options<RandomNodeOptions>();
  SetTypes(cc->Inputs());
  if (cc->Inputs().HasTag(kChoice)) cc->Inputs().Tag(kChoice).Set<int>();
  SetTypes(cc->Outputs());
  for (const std::string& tag : cc->InputSidePackets().GetTags()) {
    const int count = cc->InputSidePackets().NumEntries(tag);
    for (int i = 0; i < count; ++i) {
      PacketType& type = cc->InputSidePackets().Get(tag, i);
      type.Set<std::int64_t>();
      if (tag == "OPTIONAL") type.Optional();
    }
  }
  SetTypes(cc->OutputSidePackets());
  if (options.offset() == RandomNodeOptions::IN_CONTRACT) {
    cc->SetTimestampOffset(TimestampDiff(options.delay()));
  }
  cc->SetProcessTimestampBounds(options.process_bounds());
  return absl::OkStatus();
}

std::int64_t HashOfSidePackets(CalculatorContext* cc, std::int64_t hash) {
  for (const Packet& packet : cc->InputSidePackets()) {
    hash = Mix(hash, packet.IsEmpty() ? 1 : packet.Get<std::int64_t>());
  }
  return hash;
}

void SetSidePackets(CalculatorContext* cc, std::int64_t hash) {
  for (OutputSidePacket& output : cc->OutputSidePackets()) {
    hash = Mix(hash, 77);
    output.Set(MakePacket<std::int64_t>(hash));
  }
}

// What a fault returns, if it returns.
absl::Status Fail(CalculatorContext* cc, const RandomNodeOptions& options) {
  const std::string text =
      absl::StrCat("planned fault of ", cc->NodeName(), ".");
  switch (options.fault()) {
    case RandomNodeOptions::EXCEPTION:
      throw std::runtime_error(text);
    case RandomNodeOptions::WRONG_TYPE:
      MakePacket<std::int64_t>(1).Get<std::string>();
      break;
    case RandomNodeOptions::ILLEGAL_TIME:
      for (OutputStream& output : cc->Outputs()) {
        output.AddPacket(MakePacket<std::int64_t>(1));
      }
      break;
    default:
      break;
  }
  return absl::DataLossError(text);
}

absl::Status FailIn(RandomNodeOptions::Phase phase, CalculatorContext* cc,
                    const RandomNodeOptions& options) {
  const bool fails = options.fault() != RandomNodeOptions::NONE &&
                     options.fault() != RandomNodeOptions::TIME_REPEATS &&
                     options.fault_in() == phase;
  return fails ? Fail(cc, options) : absl::OkStatus();
}

}  // namespace

// Any inputs and outputs.
class RandomMixCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    return Describe(cc);
  }

  absl::Status Open(CalculatorContext* cc) override {
    options_ = cc->Options<RandomNodeOptions>();
    overlaps_ = cc->NodeMaxInFlight() > 1;
    sent_.resize(cc->Outputs().NumEntries());
    side_ = HashOfSidePackets(cc, options_.salt());
    for (CollectionItemId id = cc->Inputs().BeginId();
         id < cc->Inputs().EndId(); ++id) {
      const Packet& header = cc->Inputs().Get(id).Header();
      // Behind a back edge it may not be there yet.
      if (cc->Inputs().TagAndIndexFromId(id).first == "LOOP") continue;
      if (!header.IsEmpty()) side_ = Mix(side_, header.Get<std::int64_t>());
    }
    if (options_.offset() == RandomNodeOptions::IN_OPEN) {
      cc->SetOffset(TimestampDiff(options_.delay()));
    }
    for (OutputStream& output : cc->Outputs()) {
      if (options_.send_header()) {
        output.SetHeader(MakePacket<std::int64_t>(Mix(side_, 5)));
      }
      if (options_.open_packet()) {
        output.AddPacket(MakePacket<std::int64_t>(Mix(side_, 6))
                             .At(Timestamp(options_.open_bound())));
      } else if (options_.has_open_bound()) {
        output.SetNextTimestampBound(Timestamp(options_.open_bound()));
      }
    }
    if (options_.side_packet_in() == RandomNodeOptions::OPEN) {
      SetSidePackets(cc, side_);
    }
    return FailIn(RandomNodeOptions::OPEN, cc, options_);
  }

  absl::Status Process(CalculatorContext* cc) override {
    bool has_packet = false;
    std::int64_t hash = Mix(side_, cc->InputTimestamp().Value());
    for (const InputStream& input : cc->Inputs()) {
      hash = Mix(hash, 2);
      if (input.IsEmpty()) continue;
      has_packet = true;
      const Packet& packet = input.Value();
      hash = Mix(hash, packet.ValidateAsType<int>().ok()
                           ? packet.Get<int>()
                           : packet.Get<std::int64_t>());
      hash = Mix(hash, packet.Timestamp().Value());
    }
    if (!has_packet) {
      for (OutputStream& output : cc->Outputs()) SendBound(cc, &output);
      return absl::OkStatus();
    }
    if (overlaps_) {
      if (options_.fault() != RandomNodeOptions::NONE &&
          options_.fault_in() == RandomNodeOptions::PROCESS &&
          Chosen(Mix(hash, 9), options_.fault_at())) {
        return Fail(cc, options_);
      }
    } else {
      ++calls_;
      if (options_.stateful()) hash = state_ = Mix(state_, hash);
      if (calls_ == 1 &&
          options_.side_packet_in() == RandomNodeOptions::PROCESS) {
        SetSidePackets(cc, hash);
      }
      if (calls_ == options_.fault_at()) {
        SYNCLINE_RETURN_IF_ERROR(
            FailIn(RandomNodeOptions::PROCESS, cc, options_));
      }
    }
    for (size_t i = 0; i < sent_.size(); ++i) {
      hash = Mix(hash, 3);
      const int index = static_cast<int>(i);
      if (options_.output_per_input() &&
          cc->Inputs().Get(CollectionItemId(index)).IsEmpty()) {
        continue;
      }
      SendAt(cc, hash, index);
    }
    const bool stops = options_.stop_at() > 0 && calls_ >= options_.stop_at();
    return stops ? tool::StatusStop() : absl::OkStatus();
  }

  absl::Status Close(CalculatorContext* cc) override {
    if (options_.flush()) {
      for (OutputStream& output : cc->Outputs()) Flush(&output);
    }
    if (options_.side_packet_in() == RandomNodeOptions::CLOSE ||
        (options_.side_packet_in() == RandomNodeOptions::PROCESS &&
         calls_ == 0)) {
      SetSidePackets(cc, overlaps_ ? side_ : Mix(side_, state_));
    }
    return FailIn(RandomNodeOptions::CLOSE, cc, options_);
  }

 private:
  // The time of the first answer to an input at `time`.
  Timestamp OutputTime(Timestamp time) const {
    if (!time.IsRangeValue()) return time;
    if (options_.stretch() > 1) {
      return Timestamp(time.Value() * options_.stretch());
    }
    return time + TimestampDiff(options_.delay());
  }

  bool IsFar(Timestamp time) const {
    return time.Value() >= std::int64_t{1} << 50 ||
           time.Value() <= -(std::int64_t{1} << 50);
  }

  void SendAt(CalculatorContext* cc, std::int64_t hash, int index) {
    OutputStream& output = cc->Outputs().Get(CollectionItemId(index));
    if (output.IsClosed()) return;
    Timestamp time = cc->InputTimestamp();
    if (options_.has_main_tag()) {
      const InputStream& main = cc->Inputs().Tag(options_.main_tag());
      if (main.IsEmpty()) return SendBound(cc, &output);
      if (options_.main_time()) time = main.Value().Timestamp();
    }
    if (!time.IsRangeValue() && !options_.pass_special()) return;
    if (options_.stretch() > 1 && IsFar(time)) return;
    const Timestamp first = OutputTime(time);
    if (options_.has_end_time() && first.Value() >= options_.end_time()) return;
    if (options_.has_open_bound() && first.Value() < options_.open_bound()) {
      return;
    }
    const int most = time.IsRangeValue() ? options_.stretch() : 1;
    for (int i = 0; i < most; ++i) {
      hash = Mix(hash, 4);
      if (Chosen(hash, options_.drop_one_in())) continue;
      const Timestamp at = i == 0 ? first : first + TimestampDiff(i);
      output.AddPacket(MakePacket<std::int64_t>(hash).At(at));
      if (overlaps_) continue;
      if (options_.fault() == RandomNodeOptions::TIME_REPEATS &&
          calls_ == options_.fault_at()) {
        output.AddPacket(MakePacket<std::int64_t>(hash).At(at));
      }
      if (++sent_[index] == options_.close_after()) return output.Close();
    }
    SendBound(cc, &output);
  }

  // What the next call can send first.
  void SendBound(CalculatorContext* cc, OutputStream* output) {
    const Timestamp time = cc->InputTimestamp();
    if (!options_.send_bounds() || output->IsClosed() || IsFar(time)) return;
    output->SetNextTimestampBound(OutputTime(time.NextAllowedInStream()));
  }

  void Flush(OutputStream* output) {
    if (output->IsClosed()) return;
    Timestamp time = output->NextTimestampBound();
    if (time == Timestamp::PreStream()) time = Timestamp::PostStream();
    if (time > Timestamp::PostStream()) return;
    output->AddPacket(MakePacket<std::int64_t>(Mix(state_, 8)).At(time));
  }

  // Constant after Open.
  RandomNodeOptions options_;
  bool overlaps_ = false;
  std::int64_t side_ = 0;
  // Not used where calls overlap.
  std::int64_t state_ = 0;
  int calls_ = 0;
  std::vector<int> sent_;  // packets, by output
};
REGISTER_CALCULATOR(RandomMixCalculator);

// IN to CHOICE: a number from 0 on for each packet.
class RandomChoiceCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("IN").Set<std::int64_t>();
    cc->Outputs().Tag("CHOICE").Set<int>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    const auto& options = cc->Options<RandomNodeOptions>();
    const auto hash = static_cast<std::uint64_t>(
        Mix(options.salt(), cc->Inputs().Tag("IN").Get<std::int64_t>()));
    cc->Outputs().Tag("CHOICE").AddPacket(
        MakePacket<int>(static_cast<int>(hash % std::max(1, options.choices())))
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(RandomChoiceCalculator);

// A source with any outputs: `count` packets, then it stops.
class RandomSourceCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    return Describe(cc);
  }

  absl::Status Open(CalculatorContext* cc) override {
    options_ = cc->Options<RandomNodeOptions>();
    side_ = HashOfSidePackets(cc, options_.salt());
    SetSidePackets(cc, side_);
    return FailIn(RandomNodeOptions::OPEN, cc, options_);
  }

  absl::Status Process(CalculatorContext* cc) override {
    ++calls_;
    if (calls_ == options_.fault_at()) {
      SYNCLINE_RETURN_IF_ERROR(
          FailIn(RandomNodeOptions::PROCESS, cc, options_));
    }
    if (options_.only_pre_stream() || options_.only_post_stream()) {
      Send(cc, options_.only_pre_stream() ? Timestamp::PreStream()
                                          : Timestamp::PostStream());
      return tool::StatusStop();
    }
    if (calls_ <= options_.count()) {
      Send(cc, Timestamp(options_.start() + (calls_ - 1) * options_.step()));
      return absl::OkStatus();
    }
    if (options_.end_at_max()) Send(cc, Timestamp::Max());
    return tool::StatusStop();
  }

  absl::Status Close(CalculatorContext* cc) override {
    return FailIn(RandomNodeOptions::CLOSE, cc, options_);
  }

  Timestamp SourceProcessOrder(const CalculatorContext*) const override {
    return Timestamp(calls_ * options_.step());
  }

 private:
  void Send(CalculatorContext* cc, Timestamp time) {
    std::int64_t hash = Mix(side_, time.Value());
    for (OutputStream& output : cc->Outputs()) {
      hash = Mix(hash, 3);
      if (Chosen(hash, options_.drop_one_in())) {
        if (options_.send_bounds() && time.IsRangeValue()) {
          output.SetNextTimestampBound(time.NextAllowedInStream());
        }
        continue;
      }
      output.AddPacket(MakePacket<std::int64_t>(hash).At(time));
    }
  }

  RandomNodeOptions options_;
  std::int64_t side_ = 0;
  int calls_ = 0;
};
REGISTER_CALCULATOR(RandomSourceCalculator);

// Side packets only.
class RandomSideCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    return Describe(cc);
  }

  absl::Status Open(CalculatorContext* cc) override {
    const auto& options = cc->Options<RandomNodeOptions>();
    SetSidePackets(cc, HashOfSidePackets(cc, options.salt()));
    return FailIn(RandomNodeOptions::OPEN, cc, options);
  }

  absl::Status Process(CalculatorContext*) override {
    return absl::InternalError("a node without streams is not processed");
  }
};
REGISTER_CALCULATOR(RandomSideCalculator);

// A chain of RandomMixCalculators between IN and OUT, some of them in subgraphs
// of their own, with shortcuts.
class RandomSubgraph : public Subgraph {
 public:
  absl::StatusOr<CalculatorGraphConfig> GetConfig(
      SubgraphContext* context) override {
    const auto& options = context->Options<RandomNodeOptions>();
    CalculatorGraphConfig config;
    config.add_input_stream("IN:s0");
    const int size = std::max(1, options.inner_nodes());
    for (int i = 0; i < size; ++i) {
      CalculatorGraphConfig::Node* const node = config.add_node();
      RandomNodeOptions* const inner =
          node->mutable_options()->MutableExtension(RandomNodeOptions::ext);
      inner->set_salt(Mix(options.salt(), i));
      if (i < options.inner_subgraphs()) {
        node->set_calculator("RandomSubgraph");
        inner->set_inner_nodes(1);
        inner->set_inner_subgraphs(options.inner_subgraphs() - i - 1);
        node->add_input_stream(absl::StrCat("IN:s", i));
        node->add_output_stream(absl::StrCat("OUT:s", i + 1));
        continue;
      }
      node->set_calculator("RandomMixCalculator");
      inner->set_offset(RandomNodeOptions::IN_CONTRACT);
      node->add_input_stream(absl::StrCat("IN:0:s", i));
      if (i > 1) node->add_input_stream(absl::StrCat("IN:1:s", i / 2));
      node->add_output_stream(absl::StrCat("OUT:s", i + 1));
    }
    config.add_output_stream(absl::StrCat("OUT:s", size));
    return config;
  }
};
REGISTER_SYNCLINE_GRAPH(RandomSubgraph);

}  // namespace syncline
