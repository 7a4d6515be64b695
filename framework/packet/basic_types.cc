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

// Their bytes are in basic_bytes.cc, if they have any.
#define SYNCLINE_NAME_TYPE(type, name) \
  SYNCLINE_REGISTER_TYPE(type, name, nullptr, nullptr)

using PacketPair = std::pair<Packet, Packet>;
using PacketMap = std::map<std::string, Packet>;
using StringMap = std::map<std::string, std::string>;
using IntPair = std::pair<int, int>;
using Float4Array = std::array<float, 4>;
using Float16Array = std::array<float, 16>;

SYNCLINE_NAME_TYPE(bool, "bool");
SYNCLINE_NAME_TYPE(char, "char");
SYNCLINE_NAME_TYPE(double, "double");
SYNCLINE_NAME_TYPE(float, "float");
SYNCLINE_NAME_TYPE(int, "int");
SYNCLINE_NAME_TYPE(std::int64_t, "int64_t");
SYNCLINE_NAME_TYPE(std::string, "string");
SYNCLINE_NAME_TYPE(std::uint64_t, "uint64_t");
SYNCLINE_NAME_TYPE(unsigned int, "unsigned int");

SYNCLINE_NAME_TYPE(std::vector<bool>, "::std::vector<bool>");
SYNCLINE_NAME_TYPE(std::vector<char>, "::std::vector<char>");
SYNCLINE_NAME_TYPE(std::vector<double>, "::std::vector<double>");
SYNCLINE_NAME_TYPE(std::vector<float>, "::std::vector<float>");
SYNCLINE_NAME_TYPE(std::vector<int>, "::std::vector<int>");
SYNCLINE_NAME_TYPE(std::vector<std::int64_t>, "::std::vector<int64_t>");
SYNCLINE_NAME_TYPE(std::vector<std::string>, "::std::vector<::std::string>");
SYNCLINE_NAME_TYPE(std::vector<std::vector<float>>,
                   "::std::vector<::std::vector<float>>");
SYNCLINE_NAME_TYPE(std::vector<std::uint64_t>, "::std::vector<uint64_t>");
SYNCLINE_NAME_TYPE(IntPair, "::std::pair<int, int>");
SYNCLINE_NAME_TYPE(std::vector<IntPair>,
                   "::std::vector<::std::pair<int, int>>");
SYNCLINE_NAME_TYPE(Float4Array, "::std::array<float, 4>");
SYNCLINE_NAME_TYPE(Float16Array, "::std::array<float, 16>");
SYNCLINE_NAME_TYPE(std::vector<Float16Array>,
                   "::std::vector<::std::array<float, 16>>");
SYNCLINE_NAME_TYPE(StringMap, "::std::map<::std::string, ::std::string>");

SYNCLINE_NAME_TYPE(absl::Time, "::absl::Time");
SYNCLINE_NAME_TYPE(absl::Duration, "::absl::Duration");

SYNCLINE_NAME_TYPE(Packet, "::syncline::Packet");
SYNCLINE_NAME_TYPE(Timestamp, "::syncline::Timestamp");
SYNCLINE_NAME_TYPE(std::vector<Packet>, "::std::vector<::syncline::Packet>");
SYNCLINE_NAME_TYPE(std::vector<Timestamp>,
                   "::std::vector<::syncline::Timestamp>");
SYNCLINE_NAME_TYPE(PacketPair,
                   "::std::pair<::syncline::Packet, ::syncline::Packet>");
SYNCLINE_NAME_TYPE(PacketMap, "::std::map<::std::string, ::syncline::Packet>");

#undef SYNCLINE_NAME_TYPE

}  // namespace
}  // namespace syncline
