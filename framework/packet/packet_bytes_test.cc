#include "framework/packet/packet_bytes.h"

#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "framework/config/calculator.pb.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"
#include "framework/packet/type_map.h"
#include "framework/port/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Celsius {
  int degrees;
};

SYNCLINE_REGISTER_TYPE(
    Celsius, "::syncline::Celsius",
    [](const Packet& packet, std::string* bytes) {
      *bytes = absl::StrCat(packet.Get<Celsius>().degrees);
      return absl::OkStatus();
    },
    [](const std::string& bytes, Packet* packet) {
      if (bytes.empty()) return absl::InvalidArgumentError("no degrees");
      *packet = MakePacket<Celsius>(Celsius{std::stoi(bytes)});
      return absl::OkStatus();
    });

struct Silent {};
SYNCLINE_REGISTER_TYPE(Silent, "Silent", nullptr, nullptr);

struct Fragile {};
SYNCLINE_REGISTER_TYPE(
    Fragile, "::syncline::Fragile",
    [](const Packet&, std::string*) -> absl::Status {
      throw std::runtime_error("it broke");
    },
    nullptr);

template <typename T>
void ExpectItComesBack(const T& value, const std::string& type) {
  const Packet packet = MakePacket<T>(value);
  EXPECT_EQ(TypeNameOfPacket(packet), type);
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::string bytes, BytesOfPacket(packet));
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Packet read,
                                PacketFromBytes(type, bytes));
  EXPECT_EQ(read.Get<T>(), value) << type;
}

TEST(PacketBytesTest, ValuesOfEachTypeComeBack) {
  ExpectItComesBack<std::vector<bool>>({true, false, true},
                                       "::std::vector<bool>");
  ExpectItComesBack<std::vector<std::string>>(
      {"", std::string(300, 'x'), std::string(1, '\0')},
      "::std::vector<::std::string>");
  ExpectItComesBack<bool>(true, "bool");
  ExpectItComesBack<char>('x', "char");
  ExpectItComesBack<int>(-7, "int");
  ExpectItComesBack<unsigned int>(7u, "unsigned int");
  ExpectItComesBack<std::int64_t>(std::numeric_limits<std::int64_t>::min(),
                                  "int64_t");
  ExpectItComesBack<std::uint64_t>(std::numeric_limits<std::uint64_t>::max(),
                                   "uint64_t");
  ExpectItComesBack<float>(0.5f, "float");
  ExpectItComesBack<double>(-0.25, "double");
  ExpectItComesBack<std::string>(std::string("a\0b", 3), "string");
  ExpectItComesBack<std::vector<char>>({'a', 'b'}, "::std::vector<char>");
  ExpectItComesBack<std::vector<int>>({1, 2, 3}, "::std::vector<int>");
  ExpectItComesBack<std::vector<std::int64_t>>({4}, "::std::vector<int64_t>");
  ExpectItComesBack<std::vector<float>>({}, "::std::vector<float>");
  ExpectItComesBack<std::vector<double>>({0.5}, "::std::vector<double>");
  ExpectItComesBack<std::vector<std::uint64_t>>({1, 2},
                                                "::std::vector<uint64_t>");
}

TEST(PacketBytesTest, ValuesOfTheStandardLibraryComeBack) {
  ExpectItComesBack<std::pair<int, int>>({640, -480}, "::std::pair<int, int>");
  ExpectItComesBack<std::vector<std::pair<int, int>>>(
      {{1, 2}, {3, 4}}, "::std::vector<::std::pair<int, int>>");
  ExpectItComesBack<std::array<float, 4>>({0.5f, 1, 2, 3},
                                          "::std::array<float, 4>");
  ExpectItComesBack<std::array<float, 16>>({1, 0, 0, 2},
                                           "::std::array<float, 16>");
  ExpectItComesBack<std::vector<std::array<float, 16>>>(
      {{1}, {2}}, "::std::vector<::std::array<float, 16>>");
  ExpectItComesBack<std::vector<std::vector<float>>>(
      {{}, {1, 2}, {3}}, "::std::vector<::std::vector<float>>");
  ExpectItComesBack<std::map<std::string, std::string>>(
      {{"", "x"}, {"a", ""}}, "::std::map<::std::string, ::std::string>");
}

TEST(PacketBytesTest, TimesComeBackToTheQuarterOfANanosecond) {
  for (const Timestamp value :
       {Timestamp::Unset(), Timestamp(-5), Timestamp::Done()}) {
    ExpectItComesBack<Timestamp>(value, "::syncline::Timestamp");
  }
  ExpectItComesBack<std::vector<Timestamp>>(
      {Timestamp(1), Timestamp::Max()}, "::std::vector<::syncline::Timestamp>");
  const absl::Duration tick = absl::Nanoseconds(1) / 4;
  for (const absl::Duration value :
       {absl::ZeroDuration(), tick, -tick, absl::Seconds(-3) + 3 * tick,
        absl::Hours(1) - tick, absl::InfiniteDuration(),
        -absl::InfiniteDuration(),
        absl::Seconds(std::numeric_limits<std::int64_t>::max()),
        absl::Seconds(std::numeric_limits<std::int64_t>::min())}) {
    ExpectItComesBack<absl::Duration>(value, "::absl::Duration");
    ExpectItComesBack<absl::Time>(absl::UnixEpoch() + value, "::absl::Time");
  }
}

// Bytes of a good value that were cut off, or have something behind them, or a
// number that cannot be.
TEST(PacketBytesTest, DamagedValuesOfTheStandardLibraryAreErrors) {
  const std::vector<Packet> packets = {
      MakePacket<std::pair<int, int>>(1, 2),
      MakePacket<std::array<float, 16>>(),
      MakePacket<Timestamp>(1),
      MakePacket<absl::Duration>(absl::Milliseconds(1)),
  };
  for (const Packet& packet : packets) {
    const std::string type = TypeNameOfPacket(packet);
    const std::string good = BytesOfPacket(packet).value();
    for (std::size_t size = 0; size < good.size(); ++size) {
      EXPECT_THAT(
          PacketFromBytes(type, good.substr(0, size)),
          StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(type)));
    }
    EXPECT_FALSE(PacketFromBytes(type, good + "x").ok()) << type;
  }
  const std::string late = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
  EXPECT_FALSE(PacketFromBytes("::absl::Duration", late).ok());
  // A piece that says that it is longer than all there is.
  for (const char* type :
       {"::std::vector<::std::string>", "::std::vector<::std::vector<float>>",
        "::std::map<::std::string, ::std::string>"}) {
    EXPECT_FALSE(PacketFromBytes(type, "\xff\xff\xff\xff\x7f").ok());
    EXPECT_FALSE(PacketFromBytes(type, "\x05x").ok());
    EXPECT_FALSE(PacketFromBytes(type, "\xff").ok());
  }
  // Keys twice.
  EXPECT_FALSE(PacketFromBytes("::std::map<::std::string, ::std::string>",
                               std::string("\1a\0\1a\0", 6))
                   .ok());
}

TEST(PacketBytesTest, MessagesAreSerialized) {
  CalculatorGraphConfig config;
  config.add_input_stream("in");
  const Packet packet = MakePacket<CalculatorGraphConfig>(config);
  EXPECT_EQ(TypeNameOfPacket(packet), "syncline.CalculatorGraphConfig");
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const std::string bytes, BytesOfPacket(packet));
  for (const char* name :
       {"syncline.CalculatorGraphConfig", "mediapipe.CalculatorGraphConfig",
        "::syncline::CalculatorGraphConfig"}) {
    SYNCLINE_ASSERT_OK_AND_ASSIGN(const Packet read,
                                  PacketFromBytes(name, bytes));
    EXPECT_EQ(read.Get<CalculatorGraphConfig>().input_stream(0), "in");
  }
  EXPECT_THAT(PacketFromBytes("syncline.CalculatorGraphConfig", "\xff"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("CalculatorGraphConfig")));
}

TEST(PacketBytesTest, ATypeMayBringFunctionsOfItsOwn) {
  SYNCLINE_ASSERT_OK_AND_ASSIGN(const Packet packet,
                                PacketFromBytes("syncline::Celsius", "21"));
  EXPECT_EQ(packet.Get<Celsius>().degrees, 21);
  EXPECT_EQ(TypeNameOfPacket(packet), "::syncline::Celsius");
  EXPECT_EQ(*BytesOfPacket(packet), "21");
  EXPECT_THAT(PacketFromBytes("::syncline::Celsius", ""),
              StatusIs(absl::StatusCode::kInvalidArgument, "no degrees"));
}

TEST(PacketBytesTest, FunctionsThatThrowAreErrors) {
  EXPECT_THAT(PacketFromBytes("::syncline::Celsius", "warm"),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("stoi")));
  EXPECT_THAT(BytesOfPacket(MakePacket<Fragile>()),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("it broke")));
}

TEST(PacketBytesTest, TheTypeOfAStreamIsEnough) {
  EXPECT_EQ(PacketFromBytes(PacketType().Set<std::string>(), "ab")
                ->Get<std::string>(),
            "ab");
  EXPECT_EQ((PacketFromBytes(PacketType().SetOneOf<Silent, std::string>(), "ab")
                 ->Get<std::string>()),
            "ab");
  EXPECT_THAT(PacketFromBytes(PacketType().SetAny(), "ab"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(PacketFromBytes(PacketType().Set<Silent>(), "ab"),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("Silent")));
}

TEST(PacketBytesTest, BytesThatAreNoSuchValueAreErrors) {
  for (const char* type : {"int", "int64_t", "float", "double", "bool", "char",
                           "uint64_t", "unsigned int"}) {
    EXPECT_THAT(PacketFromBytes(type, "abc"),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(type)));
  }
  EXPECT_THAT(PacketFromBytes("bool", "\x02"),
              StatusIs(absl::StatusCode::kInvalidArgument));
  EXPECT_THAT(PacketFromBytes("::std::vector<float>", "abcde"),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("a multiple of 4, not 5")));
}

TEST(PacketBytesTest, TypesWithoutBytesAreErrorsThatSayWhatHelps) {
  EXPECT_THAT(PacketFromBytes("Silent", ""),
              StatusIs(absl::StatusCode::kUnimplemented,
                       AllOf(HasSubstr("\"Silent\""),
                             HasSubstr("SYNCLINE_REGISTER_TYPE"))));
  EXPECT_THAT(BytesOfPacket(MakePacket<Silent>()),
              StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("Silent")));
  EXPECT_THAT(PacketFromBytes("syncline.CalculatorGraphConfik", ""),
              StatusIs(absl::StatusCode::kNotFound,
                       HasSubstr("syncline.CalculatorGraphConfig")));
}

TEST(PacketBytesTest, AnEmptyPacketHasNeitherTypeNorBytes) {
  EXPECT_EQ(TypeNameOfPacket(Packet()), "");
  EXPECT_EQ(*BytesOfPacket(Packet()), "");
}

TEST(PacketBytesTest, SaysBeforehandWhichTypesHaveBytes) {
  SYNCLINE_EXPECT_OK(CheckHasBytes(TypeIdOf<int>()));
  SYNCLINE_EXPECT_OK(CheckHasBytes(TypeIdOf<Celsius>()));
  // A message inside of another.
  MakePacket<CalculatorGraphConfig::Node>();
  SYNCLINE_EXPECT_OK(CheckHasBytes(TypeIdOf<CalculatorGraphConfig::Node>()));
  const absl::Status status = CheckHasBytes(TypeIdOf<Silent>());
  EXPECT_EQ(status.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(status.message(), HasSubstr("\"Silent\""));
}

}  // namespace
}  // namespace syncline
