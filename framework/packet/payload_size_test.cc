#include "framework/packet/payload_size.h"

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "framework/config/calculator.pb.h"
#include "framework/packet/packet.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

struct Frame {
  std::size_t pixels = 0;
};
struct Unwilling {
  std::int64_t value = 0;
};

}  // namespace

template <>
struct PayloadSize<Frame> {
  static std::size_t Bytes(const Frame& frame) {
    return sizeof(frame) + frame.pixels;
  }
};
template <>
struct PayloadSize<Unwilling> {
  static std::size_t Bytes(const Unwilling&) {
    throw std::runtime_error("no idea");
  }
};

namespace {

TEST(PayloadSizeTest, PlainValuesTakeTheirSize) {
  EXPECT_EQ(MakePacket<int>(7).PayloadBytes(), sizeof(int));
  EXPECT_EQ((MakePacket<std::array<char, 1000>>().PayloadBytes()), 1000u);
  EXPECT_EQ(MakePacket<int[3]>(1, 2, 3).PayloadBytes(), 3 * sizeof(int));
}

TEST(PayloadSizeTest, AnEmptyPacketTakesNothing) {
  EXPECT_EQ(Packet().PayloadBytes(), 0u);
}

TEST(PayloadSizeTest, StringsCountWhatTheyOwn) {
  EXPECT_EQ(MakePacket<std::string>("short").PayloadBytes(),
            sizeof(std::string));
  EXPECT_GE(MakePacket<std::string>(5000, 'x').PayloadBytes(),
            sizeof(std::string) + 5000);
}

TEST(PayloadSizeTest, VectorsCountTheirElements) {
  EXPECT_EQ(MakePacket<std::vector<double>>(100).PayloadBytes(),
            sizeof(std::vector<double>) + 100 * sizeof(double));
  EXPECT_EQ((MakePacket<std::vector<std::string>>(2, std::string(5000, 'x'))
                 .PayloadBytes()),
            sizeof(std::vector<std::string>) +
                2 * MakePacket<std::string>(5000, 'x').PayloadBytes());
  EXPECT_GE(MakePacket<std::vector<bool>>(8000).PayloadBytes(), 1000u);
}

TEST(PayloadSizeTest, ProtosCountTheirFields) {
  CalculatorGraphConfig config;
  const std::size_t empty =
      MakePacket<CalculatorGraphConfig>(config).PayloadBytes();
  EXPECT_GE(empty, sizeof(config));
  config.set_package(std::string(5000, 'x'));
  EXPECT_GE(MakePacket<CalculatorGraphConfig>(config).PayloadBytes(),
            empty + 5000);
}

TEST(PayloadSizeTest, ATypeMaySayItself) {
  EXPECT_EQ(MakePacket<Frame>(Frame{640 * 480}).PayloadBytes(),
            sizeof(Frame) + 640 * 480);
  EXPECT_EQ(MakePacket<std::vector<Frame>>(2, Frame{100}).PayloadBytes(),
            sizeof(std::vector<Frame>) + 2 * sizeof(Frame));
}

TEST(PayloadSizeTest, AFunctionThatThrowsDoesNoHarm) {
  EXPECT_EQ(MakePacket<Unwilling>().PayloadBytes(), sizeof(Unwilling));
}

TEST(PayloadSizeTest, WhereTheValueLivesMakesNoDifference) {
  const std::string text(5000, 'x');
  EXPECT_EQ(PointToForeign(&text).PayloadBytes(),
            Adopt(new std::string(text)).PayloadBytes());
}

}  // namespace
}  // namespace syncline
