// Names for the types that packets carry most. Linked into every program that
// has packets.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/packet/type_map.h"

namespace syncline {
namespace {

using PacketPair = std::pair<Packet, Packet>;
using PacketMap = std::map<std::string, Packet>;
using StringMap = std::map<std::string, std::string>;
using IntPair = std::pair<int, int>;
using Float4Array = std::array<float, 4>;
using Float16Array = std::array<float, 16>;

SYNCLINE_REGISTER_TYPE(bool, "bool", nullptr, nullptr);
SYNCLINE_REGISTER_TYPE(char, "char", nullptr, nullptr);
SYNCLINE_REGISTER_TYPE(double, "double", nullptr, nullptr);
SYNCLINE_REGISTER_TYPE(float, "float", nullptr, nullptr);
SYNCLINE_REGISTER_TYPE(int, "int", nullptr, nullptr);
SYNCLINE_REGISTER_TYPE(std::int64_t, "int64_t", nullptr, nullptr);
SYNCLINE_REGISTER_TYPE(std::string, "string", nullptr, nullptr);
SYNCLINE_REGISTER_TYPE(std::uint64_t, "uint64_t", nullptr, nullptr);
SYNCLINE_REGISTER_TYPE(unsigned int, "unsigned int", nullptr, nullptr);

SYNCLINE_REGISTER_TYPE(std::vector<bool>, "::std::vector<bool>", nullptr,
                       nullptr);
SYNCLINE_REGISTER_TYPE(std::vector<char>, "::std::vector<char>", nullptr,
                       nullptr);
SYNCLINE_REGISTER_TYPE(std::vector<double>, "::std::vector<double>", nullptr,
                       nullptr);
SYNCLINE_REGISTER_TYPE(std::vector<float>, "::std::vector<float>", nullptr,
                       nullptr);
SYNCLINE_REGISTER_TYPE(std::vector<int>, "::std::vector<int>", nullptr,
                       nullptr);
SYNCLINE_REGISTER_TYPE(std::vector<std::int64_t>, "::std::vector<int64_t>",
                       nullptr, nullptr);
SYNCLINE_REGISTER_TYPE(std::vector<std::string>, "::std::vector<::std::string>",
                       nullptr, nullptr);
SYNCLINE_REGISTER_TYPE(std::vector<std::vector<float>>,
                       "::std::vector<::std::vector<float>>", nullptr, nullptr);
SYNCLINE_REGISTER_TYPE(std::vector<std::uint64_t>, "::std::vector<uint64_t>",
                       nullptr, nullptr);
SYNCLINE_REGISTER_TYPE_WITH_PROXY(IntPair, "::std::pair<int, int>", nullptr,
                                  nullptr);
SYNCLINE_REGISTER_TYPE(std::vector<IntPair>,
                       "::std::vector<::std::pair<int, int>>", nullptr,
                       nullptr);
SYNCLINE_REGISTER_TYPE_WITH_PROXY(Float4Array, "::std::array<float, 4>",
                                  nullptr, nullptr);
SYNCLINE_REGISTER_TYPE_WITH_PROXY(Float16Array, "::std::array<float, 16>",
                                  nullptr, nullptr);
SYNCLINE_REGISTER_TYPE(std::vector<Float16Array>,
                       "::std::vector<::std::array<float, 16>>", nullptr,
                       nullptr);
SYNCLINE_REGISTER_TYPE_WITH_PROXY(StringMap,
                                  "::std::map<::std::string, ::std::string>",
                                  nullptr, nullptr);

SYNCLINE_REGISTER_TYPE(absl::Time, "::absl::Time", nullptr, nullptr);
SYNCLINE_REGISTER_TYPE(absl::Duration, "::absl::Duration", nullptr, nullptr);

SYNCLINE_REGISTER_TYPE(Packet, "::syncline::Packet", nullptr, nullptr);
SYNCLINE_REGISTER_TYPE(Timestamp, "::syncline::Timestamp", nullptr, nullptr);
SYNCLINE_REGISTER_TYPE(std::vector<Packet>, "::std::vector<::syncline::Packet>",
                       nullptr, nullptr);
SYNCLINE_REGISTER_TYPE(std::vector<Timestamp>,
                       "::std::vector<::syncline::Timestamp>", nullptr,
                       nullptr);
SYNCLINE_REGISTER_TYPE_WITH_PROXY(
    PacketPair, "::std::pair<::syncline::Packet, ::syncline::Packet>", nullptr,
    nullptr);
SYNCLINE_REGISTER_TYPE_WITH_PROXY(
    PacketMap, "::std::map<::std::string, ::syncline::Packet>", nullptr,
    nullptr);

}  // namespace
}  // namespace syncline
