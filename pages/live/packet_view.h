// What a page shows of a packet: a picture, numbers to draw as a spectrogram or
// as curves, or a text. However large the packet is, this is small: pictures
// and matrices are scaled down, and texts are cut.
//
// Thread rule: a pure function and values.
// Tested by packet_view_test.

#ifndef SYNCLINE_PAGES_LIVE_PACKET_VIEW_H_
#define SYNCLINE_PAGES_LIVE_PACKET_VIEW_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "framework/packet/packet.h"

namespace syncline {

struct PacketView {
  // Pictures have no more pixels on a side, which is what the page has room
  // for; matrices no more rows and columns.
  static constexpr int kMostPixels = 360;
  static constexpr int kMostCells = 256;
  static constexpr std::size_t kLongestText = 16 * 1024;

  enum class Kind { kText, kPicture, kMatrix };

  Kind kind = Kind::kText;
  // As Timestamp::DebugString has it.
  std::string timestamp;
  std::string type;
  // Of kPicture and kMatrix, one line that says how large it is.
  std::string text;

  // Of the packet: pixels, or rows and columns.
  int width = 0;
  int height = 0;
  // What is left of it when it was scaled down.
  int shown_width = 0;
  int shown_height = 0;
  // Of kPicture: four bytes a pixel, red, green, blue and opacity, row by row.
  std::string rgba;
  // Of kMatrix, row by row. Of several values that fall into one place, the one
  // that is furthest from 0, of 8 x 8 at most; what is no number is NaN.
  std::vector<float> values;
};

PacketView MakePacketView(const Packet& packet);

}  // namespace syncline

#endif  // SYNCLINE_PAGES_LIVE_PACKET_VIEW_H_
