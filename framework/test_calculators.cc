// Calculators that tests ported from MediaPipe put into their graphs, under the
// names that those tests use. Tests of Syncline use testing/test_calculators.h.
// A program can link only one of the two, since some names are in both.
// MergeCalculator, which those tests expect here, is that of calculators/core.
//
// Unless a comment says otherwise, streams and side packets have no tags and
// carry int.
//
// Thread rule: as for any calculator.
// Tested by test_calculators_test.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/calculator/test_lambda_base.h"
#include "framework/calculator_framework.h"
#include "framework/formats/matrix.h"
#include "framework/packet_generator.h"
#include "framework/test_calculators.pb.h"

namespace syncline {

using ProcessFunction = std::function<absl::Status(const InputStreamShardSet&,
                                                   OutputStreamShardSet*)>;

// Sends twice the input.
class DoubleIntCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<int>();
    cc->Outputs().Index(0).SetSameAs(&cc->Inputs().Index(0));
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(cc->Inputs().Index(0).Get<int>() * 2)
            .At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(DoubleIntCalculator);

// Sends the product of the inputs, if all have a packet, and of the side
// packets.
class MultiplyIntCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& type : cc->Inputs()) type.Set<int>();
    for (PacketType& type : cc->InputSidePackets()) type.Set<int>();
    cc->Outputs().Index(0).Set<int>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    int product = 1;
    for (const InputStream& input : cc->Inputs()) {
      if (input.IsEmpty()) return absl::OkStatus();
      product *= input.Get<int>();
    }
    for (const Packet& factor : cc->InputSidePackets()) {
      product *= factor.Get<int>();
    }
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(product).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(MultiplyIntCalculator);

// Splits a uint64_t into its high and its low half, as a pair of uint32_t.
class IntSplitterPacketGenerator : public PacketGenerator {
 public:
  static absl::Status FillExpectations(const PacketGeneratorOptions&,
                                       PacketTypeSet* inputs,
                                       PacketTypeSet* outputs) {
    inputs->Index(0).Set<std::uint64_t>();
    outputs->Index(0).Set<std::pair<std::uint32_t, std::uint32_t>>();
    return absl::OkStatus();
  }
  static absl::Status Generate(const PacketGeneratorOptions&,
                               const PacketSet& inputs, PacketSet* outputs) {
    const auto value = inputs.Index(0).Get<std::uint64_t>();
    outputs->Index(0) = MakePacket<std::pair<std::uint32_t, std::uint32_t>>(
        static_cast<std::uint32_t>(value >> 32),
        static_cast<std::uint32_t>(value));
    return absl::OkStatus();
  }
};
REGISTER_PACKET_GENERATOR(IntSplitterPacketGenerator);

// The same with side packets: HIGH, LOW, and PAIR for both of them.
class TaggedIntSplitterPacketGenerator : public PacketGenerator {
 public:
  static absl::Status FillExpectations(const PacketGeneratorOptions&,
                                       PacketTypeSet* inputs,
                                       PacketTypeSet* outputs) {
    inputs->Index(0).Set<std::uint64_t>();
    outputs->Tag("HIGH").Set<std::uint32_t>();
    outputs->Tag("LOW").Set<std::uint32_t>();
    outputs->Tag("PAIR").Set<std::pair<std::uint32_t, std::uint32_t>>();
    return absl::OkStatus();
  }
  static absl::Status Generate(const PacketGeneratorOptions&,
                               const PacketSet& inputs, PacketSet* outputs) {
    const auto value = inputs.Index(0).Get<std::uint64_t>();
    const auto high = static_cast<std::uint32_t>(value >> 32);
    const auto low = static_cast<std::uint32_t>(value);
    outputs->Tag("HIGH") = MakePacket<std::uint32_t>(high);
    outputs->Tag("LOW") = MakePacket<std::uint32_t>(low);
    outputs->Tag("PAIR") =
        MakePacket<std::pair<std::uint32_t, std::uint32_t>>(high, low);
    return absl::OkStatus();
  }
};
REGISTER_PACKET_GENERATOR(TaggedIntSplitterPacketGenerator);

// A source. Its side packet is a pair (n, k) of uint32_t. At the timestamps 1
// to n it sends k times the timestamp, if the timestamp has the same remainder
// as k when divided by 3. At PostStream it sends their sum (int) and mean
// (double) on the other outputs. The header of the first output is the name of
// the calculator and k.
class RangeCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->InputSidePackets()
        .Index(0)
        .Set<std::pair<std::uint32_t, std::uint32_t>>();
    cc->Outputs().Index(0).Set<int>();
    cc->Outputs().Index(1).Set<int>();
    cc->Outputs().Index(2).Set<double>();
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    const auto& range = cc->InputSidePackets()
                            .Index(0)
                            .Get<std::pair<std::uint32_t, std::uint32_t>>();
    n_ = range.first;
    k_ = range.second;
    cc->Outputs().Index(0).SetHeader(
        MakePacket<std::string>(absl::StrCat(cc->CalculatorType(), k_)));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    while (at_ < n_) {
      ++at_;
      if (at_ % 3 != k_ % 3) continue;
      const auto value = static_cast<int>(at_ * k_);
      total_ += value;
      ++count_;
      cc->Outputs().Index(0).AddPacket(
          MakePacket<int>(value).At(Timestamp(at_)));
      return absl::OkStatus();
    }
    cc->Outputs().Index(1).AddPacket(
        MakePacket<int>(total_).At(Timestamp::PostStream()));
    cc->Outputs().Index(2).AddPacket(
        MakePacket<double>(count_ == 0 ? 0.0
                                       : static_cast<double>(total_) / count_)
            .At(Timestamp::PostStream()));
    return tool::StatusStop();
  }

 private:
  std::uint32_t n_ = 0;
  std::uint32_t k_ = 0;
  std::uint32_t at_ = 0;
  int count_ = 0;
  int total_ = 0;
};
REGISTER_CALCULATOR(RangeCalculator);

// Sends the standard deviation of DATA about MEAN (a double at PostStream),
// rounded to an int, at PostStream.
class StdDevCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Tag("DATA").Set<int>();
    cc->Inputs().Tag("MEAN").Set<double>();
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    if (!cc->Inputs().Tag("DATA").IsEmpty()) {
      values_.push_back(cc->Inputs().Tag("DATA").Get<int>());
    }
    if (cc->InputTimestamp() != Timestamp::PostStream()) {
      return absl::OkStatus();
    }
    RET_CHECK(!cc->Inputs().Tag("MEAN").IsEmpty());
    const double mean = cc->Inputs().Tag("MEAN").Get<double>();
    double squares = 0;
    for (const int value : values_) squares += (value - mean) * (value - mean);
    const double deviation =
        values_.empty()
            ? 0
            : std::sqrt(squares / static_cast<double>(values_.size()));
    cc->Outputs().Index(0).AddPacket(
        MakePacket<int>(static_cast<int>(std::lround(deviation)))
            .At(Timestamp::PostStream()));
    return absl::OkStatus();
  }

 private:
  std::vector<int> values_;
};
REGISTER_CALCULATOR(StdDevCalculator);

// Sends all packets of the inputs, in the order in which they came, as a
// std::vector<Packet> at PostStream.
class SaverCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& type : cc->Inputs()) type.SetAny();
    cc->Outputs().Index(0).Set<std::vector<Packet>>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    for (const InputStream& input : cc->Inputs()) {
      if (!input.IsEmpty()) packets_.push_back(input.Value());
    }
    return absl::OkStatus();
  }
  absl::Status Close(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::vector<Packet>>(std::move(packets_))
            .At(Timestamp::PostStream()));
    return absl::OkStatus();
  }

 private:
  std::vector<Packet> packets_;
};
REGISTER_CALCULATOR(SaverCalculator);

// A source of matrices of random numbers, which depend only on the side packet
// (a string); see RandomMatrixCalculatorOptions.
class RandomMatrixCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->InputSidePackets().Index(0).Set<std::string>();
    cc->Outputs().Index(0).Set<Matrix>();
    const auto& options = cc->Options<RandomMatrixCalculatorOptions>();
    constexpr int kMaxSide = 10000;
    if (options.rows() <= 0 || options.rows() > kMaxSide ||
        options.cols() <= 0 || options.cols() > kMaxSide ||
        options.timestamp_step() <= 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "RandomMatrixCalculatorOptions needs rows and cols from 1 to ",
          kMaxSide, " and a timestamp_step above 0"));
    }
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    const auto& text = cc->InputSidePackets().Index(0).Get<std::string>();
    std::seed_seq seed(text.begin(), text.end());
    random_.seed(seed);
    next_ = Timestamp(
        cc->Options<RandomMatrixCalculatorOptions>().start_timestamp());
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const auto& options = cc->Options<RandomMatrixCalculatorOptions>();
    if (next_ >= Timestamp(options.limit_timestamp())) {
      return tool::StatusStop();
    }
    auto matrix = std::make_unique<Matrix>(options.rows(), options.cols());
    std::uniform_real_distribution<float> number(-1.0f, 1.0f);
    for (int column = 0; column < options.cols(); ++column) {
      for (int row = 0; row < options.rows(); ++row) {
        (*matrix)(row, column) = number(random_);
      }
    }
    cc->Outputs().Index(0).Add(matrix.release(), next_);
    next_ += options.timestamp_step();
    return absl::OkStatus();
  }

 private:
  std::mt19937 random_;
  Timestamp next_;
};
REGISTER_CALCULATOR(RandomMatrixCalculator);

// Sends the mean (a column) and the covariance of the columns of all matrices,
// as a pair of matrices at PostStream.
class MeanAndCovarianceCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<Matrix>();
    cc->Outputs().Index(0).Set<std::pair<Matrix, Matrix>>();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const Eigen::MatrixXd columns =
        cc->Inputs().Index(0).Get<Matrix>().cast<double>();
    if (count_ == 0) {
      sum_ = Eigen::VectorXd::Zero(columns.rows());
      products_ = Eigen::MatrixXd::Zero(columns.rows(), columns.rows());
    }
    RET_CHECK_EQ(columns.rows(), sum_.rows());
    sum_ += columns.rowwise().sum();
    products_ += columns * columns.transpose();
    count_ += columns.cols();
    return absl::OkStatus();
  }
  absl::Status Close(CalculatorContext* cc) override {
    RET_CHECK_GT(count_, 0);
    const Eigen::VectorXd mean = sum_ / static_cast<double>(count_);
    const Eigen::MatrixXd covariance =
        products_ / static_cast<double>(count_) - mean * mean.transpose();
    cc->Outputs().Index(0).AddPacket(
        MakePacket<std::pair<Matrix, Matrix>>(mean.cast<float>(),
                                              covariance.cast<float>())
            .At(Timestamp::PostStream()));
    return absl::OkStatus();
  }

 private:
  Eigen::VectorXd sum_;
  Eigen::MatrixXd products_;
  std::int64_t count_ = 0;
};
REGISTER_CALCULATOR(MeanAndCovarianceCalculator);

// Sends the side packet as the only packet of the output, at PostStream.
class SidePacketToOutputPacketCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->InputSidePackets().Index(0).SetAny();
    cc->Outputs().Index(0).SetSameAs(&cc->InputSidePackets().Index(0));
    return absl::OkStatus();
  }
  absl::Status Open(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        cc->InputSidePackets().Index(0).At(Timestamp::PostStream()));
    cc->Outputs().Index(0).Close();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override {
    return tool::StatusStop();
  }
};
REGISTER_CALCULATOR(SidePacketToOutputPacketCalculator);

// The same calculator under another name.
class ExternalInputToOutputPacketCalculator
    : public SidePacketToOutputPacketCalculator {};
REGISTER_CALCULATOR(ExternalInputToOutputPacketCalculator);

// Does what its side packets say: OPEN, PROCESS and CLOSE are optional
// functions of the context; or one side packet without a tag is a function of
// inputs and outputs. Streams carry any type.
class LambdaCalculator : public LambdaBase<CalculatorBase> {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    if (cc->InputSidePackets().NumEntries("") > 0) {
      cc->InputSidePackets().Index(0).Set<ProcessFunction>();
    }
    return LambdaBase::GetContract(cc);
  }
  absl::Status Process(CalculatorContext* cc) override {
    if (cc->InputSidePackets().NumEntries("") == 0) {
      return LambdaBase::Process(cc);
    }
    return cc->InputSidePackets().Index(0).Get<ProcessFunction>()(
        cc->Inputs(), &cc->Outputs());
  }
};
REGISTER_CALCULATOR(LambdaCalculator);

// Accepts any ports and does nothing.
class DummyTestCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    for (PacketType& type : cc->Inputs()) type.SetAny();
    for (PacketType& type : cc->Outputs()) type.SetAny();
    for (PacketType& type : cc->InputSidePackets()) type.SetAny();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext*) override { return absl::OkStatus(); }
};
REGISTER_CALCULATOR(DummyTestCalculator);

// Sends the input after a sleep of as many microseconds as the side packet
// says.
class PassThroughWithSleepCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    cc->Outputs().Index(0).SetSameAs(&cc->Inputs().Index(0));
    cc->InputSidePackets().Index(0).Set<int>();
    cc->SetTimestampOffset(TimestampDiff(0));
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    absl::SleepFor(
        absl::Microseconds(cc->InputSidePackets().Index(0).Get<int>()));
    cc->Outputs().Index(0).AddPacket(cc->Inputs().Index(0).Value());
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(PassThroughWithSleepCalculator);

// Sends the packet that an input packet holds, at the timestamp of the input
// packet. If the inner packet is empty, it only raises the bound.
class ForwardNestedPacketOrEmitBoundUpdateCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).Set<Packet>();
    cc->Outputs().Index(0).SetAny();
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    const auto& nested = cc->Inputs().Index(0).Get<Packet>();
    // An empty inner packet is such a bound.
    cc->Outputs().Index(0).AddPacket(nested.At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(ForwardNestedPacketOrEmitBoundUpdateCalculator);

// Sends each timestamp that settles, as a packet of Timestamp. Bounds without
// packets count, too.
class TimestampBoundReceiverCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    cc->Inputs().Index(0).SetAny();
    cc->Outputs().Index(0).Set<Timestamp>();
    cc->SetProcessTimestampBounds(true);
    return absl::OkStatus();
  }
  absl::Status Process(CalculatorContext* cc) override {
    cc->Outputs().Index(0).AddPacket(
        MakePacket<Timestamp>(cc->InputTimestamp()).At(cc->InputTimestamp()));
    return absl::OkStatus();
  }
};
REGISTER_CALCULATOR(TimestampBoundReceiverCalculator);

}  // namespace syncline
