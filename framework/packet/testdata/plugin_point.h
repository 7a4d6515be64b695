// What the program and the plug-in of packet_plugin_test share: a type of
// value, and the functions of the plug-in.

#ifndef SYNCLINE_FRAMEWORK_PACKET_TESTDATA_PLUGIN_POINT_H_
#define SYNCLINE_FRAMEWORK_PACKET_TESTDATA_PLUGIN_POINT_H_

#include "framework/packet/packet.h"

namespace syncline {

// Counts its destructions in *destroyed.
struct PluginPoint {
  PluginPoint(int x, int y, int* destroyed)
      : x(x), y(y), destroyed(destroyed) {}
  ~PluginPoint() { ++*destroyed; }
  PluginPoint(const PluginPoint&) = delete;
  PluginPoint& operator=(const PluginPoint&) = delete;

  int x;
  int y;
  int* destroyed;
};

// The plug-in gives these as pointers, by C names.
struct PluginFunctions {
  // A packet of a PluginPoint, of an int and of a type of the plug-in alone.
  Packet (*make_point)(int x, int y, int* destroyed);
  Packet (*make_number)(int number);
  Packet (*make_private)();
  // Sums the values of a packet of a PluginPoint.
  int (*sum_point)(const Packet& packet);
  // Drops its copy of the packet there.
  void (*drop)(Packet packet);
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PACKET_TESTDATA_PLUGIN_POINT_H_
