#include "calculators/gpu/host_images.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "framework/formats/image_format.pb.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

const std::uint8_t* At(const ImageFrame& frame, int x, int y) {
  return frame.PixelData() + std::ptrdiff_t{y} * frame.WidthStep() +
         std::ptrdiff_t{x} * frame.NumberOfChannels();
}
std::uint8_t* At(ImageFrame& frame, int x, int y) {
  return const_cast<std::uint8_t*>(At(std::as_const(frame), x, y));
}

struct Rgba {
  int red;
  int green;
  int blue;
  int alpha;
};

Rgba ColorOf(const ImageFrame& frame, int x, int y) {
  const std::uint8_t* const p = At(frame, x, y);
  switch (frame.Format()) {
    case ImageFormat::GRAY8:
      return {p[0], p[0], p[0], 255};
    case ImageFormat::SRGB:
      return {p[0], p[1], p[2], 255};
    case ImageFormat::SRGBA:
      return {p[0], p[1], p[2], p[3]};
    default:
      return {p[2], p[1], p[0], p[3]};
  }
}

// A pixel between two, and how much the second counts, of 2048.
struct Neighbours {
  int first;
  int second;
  int weight;
};

Neighbours NeighboursOf(int place, int from, int to) {
  const std::int64_t whole = 2 * std::int64_t{to};
  std::int64_t position = (2 * std::int64_t{place} + 1) * from - to;
  position = std::clamp<std::int64_t>(position, 0, (from - 1) * whole);
  const int first = static_cast<int>(position / whole);
  return {first, std::min(first + 1, from - 1),
          static_cast<int>(position % whole * 2048 / whole)};
}

}  // namespace

ImageFrame RandomFrame(std::mt19937& random, ImageFormat::Format format,
                       int width, int height) {
  ImageFrame frame(format, width, height, 1u << random() % 6);
  for (int i = 0; i < frame.PixelDataSize(); ++i) {
    frame.MutablePixelData()[i] = static_cast<std::uint8_t>(random());
  }
  return frame;
}

ImageFormat::Format RandomFormat(std::mt19937& random) {
  constexpr ImageFormat::Format kFormats[] = {
      ImageFormat::GRAY8, ImageFormat::SRGB, ImageFormat::SRGBA,
      ImageFormat::SBGRA};
  return kFormats[random() % 4];
}

ImageFrame RandomFrame(std::mt19937& random) {
  const ImageFormat::Format format = RandomFormat(random);
  const int width = static_cast<int>(random() % 41);
  return RandomFrame(random, format, width, static_cast<int>(random() % 41));
}

ImageFrame HostConvert(const ImageFrame& frame, ImageFormat::Format format) {
  ImageFrame result(format, frame.Width(), frame.Height());
  for (int y = 0; y < frame.Height(); ++y) {
    for (int x = 0; x < frame.Width(); ++x) {
      const Rgba color = ColorOf(frame, x, y);
      std::uint8_t* const p = At(result, x, y);
      if (format == ImageFormat::GRAY8) {
        p[0] =
            static_cast<std::uint8_t>((9798 * color.red + 19235 * color.green +
                                       3735 * color.blue + 16384) /
                                      32768);
        continue;
      }
      const bool is_bgr = format == ImageFormat::SBGRA;
      p[is_bgr ? 2 : 0] = static_cast<std::uint8_t>(color.red);
      p[1] = static_cast<std::uint8_t>(color.green);
      p[is_bgr ? 0 : 2] = static_cast<std::uint8_t>(color.blue);
      if (format != ImageFormat::SRGB) {
        p[3] = static_cast<std::uint8_t>(color.alpha);
      }
    }
  }
  return result;
}

ImageFrame HostResize(const ImageFrame& frame, int width, int height,
                      bool nearest) {
  ImageFrame result(frame.Format(), width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const Neighbours across = NeighboursOf(x, frame.Width(), width);
      const Neighbours down = NeighboursOf(y, frame.Height(), height);
      const int near_x = (2 * x + 1) * frame.Width() / (2 * width);
      const int near_y = (2 * y + 1) * frame.Height() / (2 * height);
      for (int c = 0; c < frame.NumberOfChannels(); ++c) {
        const auto row = [&](int of) {
          return At(frame, across.first, of)[c] * (2048 - across.weight) +
                 At(frame, across.second, of)[c] * across.weight;
        };
        const int sum = row(down.first) * (2048 - down.weight) +
                        row(down.second) * down.weight;
        At(result, x, y)[c] =
            nearest ? At(frame, near_x, near_y)[c]
                    : static_cast<std::uint8_t>((sum + (1 << 21)) >> 22);
      }
    }
  }
  return result;
}

ImageFrame HostThreshold(const ImageFrame& frame, int threshold, int above,
                         int not_above) {
  ImageFrame result(frame.Format(), frame.Width(), frame.Height());
  for (int y = 0; y < frame.Height(); ++y) {
    for (int i = 0; i < frame.Width() * frame.NumberOfChannels(); ++i) {
      At(result, 0, y)[i] = static_cast<std::uint8_t>(
          At(frame, 0, y)[i] > threshold ? above : not_above);
    }
  }
  return result;
}

ImageFrame HostEdges(const ImageFrame& frame, bool sum_of_sides) {
  const ImageFrame gray = HostConvert(frame, ImageFormat::GRAY8);
  ImageFrame result(ImageFormat::GRAY8, frame.Width(), frame.Height());
  for (int y = 0; y < frame.Height(); ++y) {
    for (int x = 0; x < frame.Width(); ++x) {
      int across = 0;
      int down = 0;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          const int value = *At(gray, std::clamp(x + dx, 0, frame.Width() - 1),
                                std::clamp(y + dy, 0, frame.Height() - 1));
          across += dx * (dy == 0 ? 2 : 1) * value;
          down += dy * (dx == 0 ? 2 : 1) * value;
        }
      }
      const double length =
          std::sqrt(double{1} * across * across + double{1} * down * down);
      const int magnitude = sum_of_sides ? std::abs(across) + std::abs(down)
                                         : static_cast<int>(std::floor(length));
      *At(result, x, y) = static_cast<std::uint8_t>(std::min(magnitude, 255));
    }
  }
  return result;
}

ImageFrame HostBoxes(const ImageFrame& frame, const std::vector<HostBox>& boxes,
                     int thickness, const std::vector<int>& color) {
  ImageFrame result = HostConvert(frame, frame.Format());
  for (const HostBox& box : boxes) {
    for (int y = 0; y < frame.Height(); ++y) {
      for (int x = 0; x < frame.Width(); ++x) {
        const int to_side = std::min(
            {x - box.left, box.right - 1 - x, y - box.top, box.bottom - 1 - y});
        if (to_side < 0 || (thickness > 0 && to_side >= thickness)) continue;
        for (int c = 0; c < frame.NumberOfChannels(); ++c) {
          At(result, x, y)[c] = static_cast<std::uint8_t>(color[c]);
        }
      }
    }
  }
  return result;
}

void ExpectSameImage(const ImageFrame& actual, const ImageFrame& expected) {
  ASSERT_EQ(actual.Format(), expected.Format());
  ASSERT_EQ(actual.Width(), expected.Width());
  ASSERT_EQ(actual.Height(), expected.Height());
  const std::size_t row = static_cast<std::size_t>(expected.Width()) *
                          expected.NumberOfChannels() * expected.ByteDepth();
  for (int y = 0; row > 0 && y < expected.Height(); ++y) {
    ASSERT_EQ(
        std::memcmp(
            actual.PixelData() + std::ptrdiff_t{y} * actual.WidthStep(),
            expected.PixelData() + std::ptrdiff_t{y} * expected.WidthStep(),
            row),
        0)
        << "row " << y;
  }
}

}  // namespace syncline
