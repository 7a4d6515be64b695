// What JSON each kind of recorded value becomes.
#include "tools/recording/value_json.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/formats/matrix.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_bytes.h"
#include "framework/packet/timestamp.h"
#include "framework/port/status_matchers.h"
#include "framework/recording/recording_file.h"
#include "framework/recording/recording_reader.h"
#include "framework/recording/recording_writer.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.pb.h"
#include "google/protobuf/duration.pb.h"
#include "google/protobuf/empty.pb.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::absl::StatusCode;
using ::google::protobuf::Duration;

// A recording without packets, which describes google.protobuf.Duration.
class ValueJsonTest : public ::testing::Test {
 protected:
  ValueJsonTest() {
    const std::string path = absl::StrCat(::testing::TempDir(), "/v.syncline");
    std::filesystem::remove(path);
    google::protobuf::FileDescriptorSet files;
    Duration::descriptor()->file()->CopyTo(files.add_file());
    RecordingHeader header;
    header.messages["google.protobuf.Duration"] = files.SerializeAsString();
    SYNCLINE_EXPECT_OK(
        RecordingWriter::Create(path, header).value()->Finish("OK"));
    recording_ = RecordingReader::Open(path).value();
    json_ = std::make_unique<ValueJson>(recording_.get());
  }

  template <typename T>
  std::string Of(T value) {
    const Packet packet = MakePacket<T>(std::move(value));
    return json_->Of(TypeNameOfPacket(packet), BytesOfPacket(packet).value())
        .value();
  }

  std::unique_ptr<RecordingReader> recording_;
  std::unique_ptr<ValueJson> json_;
};

TEST_F(ValueJsonTest, NumbersAreNumbersUpToThirtyTwoBits) {
  EXPECT_EQ(Of<int>(-5), "-5");
  EXPECT_EQ(Of<unsigned int>(4'000'000'000), "4000000000");
  EXPECT_EQ(Of<std::int64_t>(-5), "\"-5\"");
  EXPECT_EQ(Of<std::uint64_t>(std::numeric_limits<std::uint64_t>::max()),
            "\"18446744073709551615\"");
  EXPECT_EQ(Of<bool>(true), "true");
  EXPECT_EQ(Of<bool>(false), "false");
  EXPECT_EQ(Of(Timestamp(12)), "\"12\"");
}

// As many digits as tell it from all others, and no more than it has.
TEST_F(ValueJsonTest, FloatingPointNumbersReadAsTheyWere) {
  EXPECT_EQ(Of<float>(-1), "-1");
  EXPECT_EQ(Of<float>(0.1f), "0.100000001");
  EXPECT_EQ(Of<double>(0.5), "0.5");
  EXPECT_EQ(Of<double>(0.1), "0.10000000000000001");
  for (const double infinity : {1, -1}) {
    const std::string text = infinity > 0 ? "\"Infinity\"" : "\"-Infinity\"";
    EXPECT_EQ(Of<double>(infinity * HUGE_VAL), text);
    EXPECT_EQ(Of<float>(static_cast<float>(infinity * HUGE_VAL)), text);
  }
  EXPECT_EQ(Of<double>(std::nan("")), "\"NaN\"");
}

TEST_F(ValueJsonTest, VectorsArraysAndPairsAreArrays) {
  EXPECT_EQ(Of(std::vector<int>{}), "[]");
  EXPECT_EQ(Of(std::vector<int>{1, -2}), "[1,-2]");
  EXPECT_EQ(Of(std::vector<std::int64_t>{1, 2}), "[\"1\",\"2\"]");
  EXPECT_EQ(Of(std::vector<std::uint64_t>{3}), "[\"3\"]");
  EXPECT_EQ(Of(std::vector<float>{0.5f, 2}), "[0.5,2]");
  EXPECT_EQ(Of(std::vector<double>{0.25}), "[0.25]");
  EXPECT_EQ(Of(std::array<float, 4>{1, 2, 3, 0.5f}), "[1,2,3,0.5]");
  std::array<float, 16> transform = {};
  transform[15] = 1;
  EXPECT_EQ(Of(transform), "[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1]");
  EXPECT_EQ(Of(std::pair<int, int>(640, 480)), "[640,480]");
}

TEST_F(ValueJsonTest, StringsAreStringsOrTheirBytes) {
  EXPECT_EQ(Of<std::string>("a\"b\n"), R"("a\"b\n")");
  EXPECT_EQ(Of<std::string>("\xff"), R"({"base64":"/w=="})");
  EXPECT_EQ(Of(std::vector<std::string>{"a", "\xff"}),
            R"(["a",{"base64":"/w=="}])");
  EXPECT_EQ(Of(std::vector<std::string>{}), "[]");
}

TEST_F(ValueJsonTest, MatricesAreTheirColumns) {
  Matrix matrix(2, 3);
  matrix << 1, 2, 3,  //
      4, 5, 6.5f;
  EXPECT_EQ(Of(matrix), R"({"rows":2,"cols":3,"data":[1,4,2,5,3,6.5]})");
}

TEST_F(ValueJsonTest, MessagesAreAsTheRecordingDescribesThem) {
  Duration duration;
  duration.set_seconds(2);
  EXPECT_EQ(Of(duration), "\"2s\"");
  // Each with its length in front.
  const std::string one = "\x02" + duration.SerializeAsString();
  EXPECT_EQ(
      json_->Of("std::vector<::google::protobuf::Duration>", one + one).value(),
      R"(["2s","2s"])");
  // By whatever name C++ has for it.
  EXPECT_EQ(
      json_->Of("::google::protobuf::Duration", duration.SerializeAsString())
          .value(),
      "\"2s\"");
}

// Empty is a message that the recording does not describe.
TEST_F(ValueJsonTest, OtherTypesAreTheirBytesWithTheName) {
  EXPECT_EQ(json_->Of("elsewhere.Type\xff", "ab").value(),
            "{\"type\":\"elsewhere.Type\xef\xbf\xbd\",\"base64\":\"YWI=\"}");
  EXPECT_EQ(json_->Of("google.protobuf.Empty", "").value(),
            R"({"type":"google.protobuf.Empty","base64":""})");
}

TEST_F(ValueJsonTest, BytesOfAnotherTypeAreDataLoss) {
  EXPECT_EQ(json_->Of("int", "1").status().code(), StatusCode::kDataLoss);
  EXPECT_EQ(json_->Of("google.protobuf.Duration", "\x08").status().code(),
            StatusCode::kDataLoss);
}

TEST(JsonStringTest, IsQuotedAndUtf8) {
  EXPECT_EQ(JsonString(""), "\"\"");
  EXPECT_EQ(JsonString("a\\b\t"), R"("a\\b\t")");
  EXPECT_EQ(JsonString("\xc3\xa4\xff"), "\"\xc3\xa4\xef\xbf\xbd\"");
}

}  // namespace
}  // namespace syncline
