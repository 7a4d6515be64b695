// A library that makes and reads packets, opened by packet_plugin_test.

#include <utility>

#include "framework/packet/packet.h"
#include "framework/packet/testdata/plugin_point.h"

namespace syncline {

// Only the library knows this type.
struct KnownToThePluginOnly {
  int value = 1;
};

extern "C" {

extern const PluginFunctions kPluginFunctions;
const PluginFunctions kPluginFunctions = {
    [](int x, int y, int* destroyed) {
      return MakePacket<PluginPoint>(x, y, destroyed);
    },
    [](int number) { return MakePacket<int>(number); },
    [] { return MakePacket<KnownToThePluginOnly>(); },
    [](const Packet& packet) {
      const auto& point = packet.Get<PluginPoint>();
      return point.x + point.y;
    },
    [](Packet packet) { Packet dropped = std::move(packet); },
};

}  // extern "C"
}  // namespace syncline
