// For tests of calculators that read one series of samples and send another: a
// runner whose headers and packets need few lines of code.
//
//   class HalveRateTest : public TimeSeriesCalculatorTest<HalveRateOptions> {
//    protected:
//     void SetUp() override {
//       calculator_name_ = "HalveRateCalculator";
//       input_sample_rate_ = 8000;
//       num_input_channels_ = 2;
//       num_input_samples_ = 10;
//     }
//   };
//
//   TEST_F(HalveRateTest, KeepsTheChannels) {
//     options_.set_factor(2);
//     InitializeGraph();
//     FillInputHeader();
//     AppendInputPacket(NewRandomMatrix(2, 10), /*timestamp=*/0);
//     SYNCLINE_ASSERT_OK(RunGraph());
//     EXPECT_EQ(output().packets.size(), 1);
//   }
//
// The calculator has one input and one output, both without a tag, unless the
// test says otherwise: with num_inputs_ and num_outputs_ it has several, which
// are asked for by index, and with input_stream_tags_ and output_stream_tags_
// it has one of each tag. A calculator without options needs no class of them:
// TimeSeriesCalculatorTest<>.
//
// BasicTimeSeriesCalculatorTestBase is for tests that give a header, packets,
// and the expected result.
//
// Thread rule: for one thread.
// Tested by time_series_test_util_test.

#ifndef SYNCLINE_UTIL_TIME_SERIES_TEST_UTIL_H_
#define SYNCLINE_UTIL_TIME_SERIES_TEST_UTIL_H_

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/calculator.pb.h"
#include "framework/calculator_runner.h"
#include "framework/deps/message_matchers.h"
#include "framework/formats/matrix.h"
#include "framework/formats/time_series_header.pb.h"
#include "framework/packet.h"
#include "framework/port/gmock.h"
#include "framework/port/gtest.h"
#include "framework/port/status_matchers.h"
#include "framework/timestamp.h"

namespace syncline {

// Stands for the options of a calculator that has none.
struct NoOptions {};

template <typename OptionsClass = NoOptions>
class TimeSeriesCalculatorTest : public ::testing::Test {
 protected:
  // --- Before InitializeGraph

  // The name of the calculator, and its options.
  std::string calculator_name_;
  OptionsClass options_;
  // Side packets, which have no tags.
  int num_side_packets_ = 0;
  // Streams without tags. Not looked at where there are tags.
  int num_inputs_ = 1;
  int num_outputs_ = 1;
  std::vector<std::string> input_stream_tags_;
  std::vector<std::string> output_stream_tags_;

  // --- Before FillInputHeader. A number that is 0 is not set in the header.

  double input_sample_rate_ = 0;
  double input_packet_rate_ = 0;
  int num_input_channels_ = 0;
  int num_input_samples_ = 0;
  double audio_sample_rate_ = 0;

  // Null before InitializeGraph.
  std::unique_ptr<CalculatorRunner> runner_;

  void InitializeGraph() { InitializeGraph(OptionsToPass()); }
  void InitializeGraph(const CalculatorOptions& options) {
    CalculatorGraphConfig::Node node;
    node.set_calculator(calculator_name_);
    *node.mutable_options() = options;
    AddStreams("input", input_stream_tags_, num_inputs_,
               node.mutable_input_stream());
    AddStreams("output", output_stream_tags_, num_outputs_,
               node.mutable_output_stream());
    AddStreams("side_packet", {}, num_side_packets_,
               node.mutable_input_side_packet());
    runner_ = std::make_unique<CalculatorRunner>(node);
  }

  void PopulateHeader(TimeSeriesHeader* header) const {
    if (input_sample_rate_ != 0) header->set_sample_rate(input_sample_rate_);
    if (input_packet_rate_ != 0) header->set_packet_rate(input_packet_rate_);
    if (num_input_channels_ != 0) header->set_num_channels(num_input_channels_);
    if (num_input_samples_ != 0) header->set_num_samples(num_input_samples_);
    if (audio_sample_rate_ != 0) {
      header->set_audio_sample_rate(audio_sample_rate_);
    }
  }
  // `port` is an index or a tag.
  template <typename Port = int>
  void FillInputHeader(const Port& port = 0) {
    auto header = std::make_unique<TimeSeriesHeader>();
    PopulateHeader(header.get());
    input(port).header = Adopt(header.release());
  }

  // Takes ownership of the payload: a Matrix, or another type that the
  // calculator reads.
  template <typename T>
  void AppendInputPacket(const T* payload, Timestamp timestamp, int index = 0) {
    input(index).packets.push_back(Adopt(payload).At(timestamp));
  }
  // `port` is an index or a tag.
  template <typename Port, typename T>
  void AppendInputPacket(const Port& port, const T* payload,
                         Timestamp timestamp) {
    input(port).packets.push_back(Adopt(payload).At(timestamp));
  }
  template <typename Port, typename T>
  void AppendInputPacket(const Port& port, const T* payload,
                         std::int64_t timestamp) {
    AppendInputPacket(port, payload, Timestamp(timestamp));
  }
  template <typename T>
  void AppendInputPacket(const T* payload, std::int64_t timestamp) {
    AppendInputPacket(payload, Timestamp(timestamp));
  }

  absl::Status RunGraph() { return runner_->Run(); }

  CalculatorRunner::StreamContents& input(int index = 0) {
    return runner_->MutableInputs()->Index(index);
  }
  CalculatorRunner::StreamContents& input(const std::string& tag) {
    return runner_->MutableInputs()->Tag(tag);
  }
  const CalculatorRunner::StreamContents& output(int index = 0) const {
    return runner_->Outputs().Index(index);
  }
  const CalculatorRunner::StreamContents& output(const std::string& tag) const {
    return runner_->Outputs().Tag(tag);
  }

  // A matrix of Eigen's random numbers from -1 to 1. The caller owns it.
  static Matrix* NewRandomMatrix(int num_channels, int num_samples) {
    return new Matrix(Matrix::Random(num_channels, num_samples));
  }

  void ExpectOutputHeaderEquals(const TimeSeriesHeader& expected) const {
    ASSERT_FALSE(output().header.IsEmpty());
    EXPECT_THAT(output().header.template Get<TimeSeriesHeader>(),
                EqualsProto(expected));
  }
  void ExpectOutputHeaderEqualsInputHeader() {
    ExpectOutputHeaderEquals(input().header.template Get<TimeSeriesHeader>());
  }

  // Expects the same shape, and numbers that differ by a few float roundings at
  // most.
  static void ExpectApproximatelyEqual(const Matrix& expected,
                                       const Matrix& actual) {
    ASSERT_EQ(expected.rows(), actual.rows());
    ASSERT_EQ(expected.cols(), actual.cols());
    for (int row = 0; row < expected.rows(); ++row) {
      for (int column = 0; column < expected.cols(); ++column) {
        EXPECT_NEAR(expected(row, column), actual(row, column),
                    1e-5 * (1 + std::abs(expected(row, column))))
            << "at channel " << row << ", sample " << column;
      }
    }
  }

 private:
  // One stream of each tag, or `count` without a tag.
  template <typename Names>
  static void AddStreams(const std::string& name,
                         const std::vector<std::string>& tags, int count,
                         Names* names) {
    if (tags.empty()) {
      for (int i = 0; i < count; ++i)
        *names->Add() = absl::StrCat(name, "_", i);
    }
    for (const std::string& tag : tags) {
      *names->Add() = absl::StrCat(tag, ":", name, "_", names->size());
    }
  }

  CalculatorOptions OptionsToPass() const {
    CalculatorOptions options;
    if constexpr (requires { OptionsClass::ext; }) {
      *options.MutableExtension(OptionsClass::ext) = options_;
    }
    return options;
  }
};

class BasicTimeSeriesCalculatorTestBase : public TimeSeriesCalculatorTest<> {
 protected:
  // The timestamps of packets follow from the sample rate, beginning at 0, for
  // inputs and for expected outputs.
  void Test(const TimeSeriesHeader& input_header,
            const std::vector<Matrix>& input_packets,
            const TimeSeriesHeader& expected_header,
            const std::vector<Matrix>& expected_packets) {
    InitializeGraph();
    input().header = MakePacket<TimeSeriesHeader>(input_header);
    const std::vector<Timestamp> times =
        Times(input_packets, input_header.sample_rate());
    for (size_t i = 0; i < input_packets.size(); ++i) {
      input().packets.push_back(
          MakePacket<Matrix>(input_packets[i]).At(times[i]));
    }
    SYNCLINE_ASSERT_OK(RunGraph());
    ExpectOutputHeaderEquals(expected_header);
    ASSERT_EQ(output().packets.size(), expected_packets.size());
    for (size_t i = 0; i < expected_packets.size(); ++i) {
      ExpectApproximatelyEqual(expected_packets[i],
                               output().packets[i].Get<Matrix>());
      if (i < times.size()) {
        EXPECT_EQ(output().packets[i].Timestamp(), times[i]);
      }
    }
  }

 private:
  static std::vector<Timestamp> Times(const std::vector<Matrix>& packets,
                                      double sample_rate) {
    std::vector<Timestamp> times;
    std::int64_t samples = 0;
    for (const Matrix& packet : packets) {
      times.push_back(Timestamp::FromSeconds(
          sample_rate > 0 ? static_cast<double>(samples) / sample_rate : 0));
      samples += packet.cols();
    }
    return times;
  }
};

}  // namespace syncline

#endif  // SYNCLINE_UTIL_TIME_SERIES_TEST_UTIL_H_
