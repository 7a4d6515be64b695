// For tests: images and headers of videos as values of examples.txt.
//
// Thread rule: any thread.
// Tested by calculator_examples_test.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "calculators/example_values.h"
#include "framework/calculator_framework.h"
#include "framework/formats/image.h"
#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/video_stream_header.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// --- Images: [SRGB 255,0,0 0,0,0; 1,2,3 4,5,6], two pixels in each row

double ValueOf(absl::string_view text) {
  double value = 0;
  EXPECT_TRUE(absl::SimpleAtod(text, &value)) << text;
  return value;
}

std::vector<std::string> ValuesIn(absl::string_view pixel) {
  return absl::StrSplit(pixel, ',');
}

// Writes a value of a pixel, of 1, 2 or 4 bytes, to `place`; 4 are a float.
template <typename T>
void Write(double value, std::uint8_t* place) {
  const T stored = static_cast<T>(value);
  std::memcpy(place, &stored, sizeof(T));
}
void SetValue(double value, int bytes, std::uint8_t* place) {
  if (bytes == 1) {
    *place = static_cast<std::uint8_t>(value);
  } else if (bytes == 2) {
    Write<std::uint16_t>(value, place);
  } else {
    Write<float>(value, place);
  }
}

template <typename T>
double Read(const std::uint8_t* place) {
  T stored;
  std::memcpy(&stored, place, sizeof(T));
  return stored;
}
double GetValue(int bytes, const std::uint8_t* place) {
  if (bytes == 1) return *place;
  if (bytes == 2) return Read<std::uint16_t>(place);
  return SixDigits(Read<float>(place));
}

std::unique_ptr<ImageFrame> FrameOf(absl::string_view text) {
  std::vector<std::string> words = WordsInBrackets(text);
  ImageFormat::Format format = ImageFormat::UNKNOWN;
  if (words.size() < 2 || !ImageFormat::Format_Parse(words[0], &format)) {
    ADD_FAILURE() << text << " is no image";
    return std::make_unique<ImageFrame>(ImageFormat::GRAY8, 1, 1);
  }
  std::vector<std::vector<std::string>> rows = {{}};
  for (std::size_t i = 1; i < words.size(); ++i) {
    absl::string_view word = words[i];
    const bool ends = absl::ConsumeSuffix(&word, ";");
    rows.back().emplace_back(word);
    if (ends) rows.emplace_back();
  }
  auto frame = std::make_unique<ImageFrame>(
      format, static_cast<int>(rows[0].size()), static_cast<int>(rows.size()));
  const int bytes = frame->ByteDepth();
  const auto channels = static_cast<std::size_t>(frame->NumberOfChannels());
  for (std::size_t y = 0; y < rows.size(); ++y) {
    EXPECT_EQ(rows[y].size(), rows[0].size()) << text;
    std::uint8_t* place = frame->MutablePixelData() +
                          static_cast<std::ptrdiff_t>(y) * frame->WidthStep();
    for (const std::string& pixel : rows[y]) {
      const std::vector<std::string> values = ValuesIn(pixel);
      EXPECT_EQ(values.size(), channels) << text;
      for (std::size_t i = 0; i < channels; ++i, place += bytes) {
        SetValue(i < values.size() ? ValueOf(values[i]) : 0, bytes, place);
      }
    }
  }
  return frame;
}

std::string TextOf(const ImageFrame& frame) {
  const int bytes = frame.ByteDepth();
  std::vector<std::string> rows;
  for (int y = 0; y < frame.Height(); ++y) {
    const std::uint8_t* place =
        frame.PixelData() + std::ptrdiff_t{y} * frame.WidthStep();
    std::vector<std::string> pixels;
    for (int x = 0; x < frame.Width(); ++x) {
      std::vector<std::string> values;
      for (int i = 0; i < frame.NumberOfChannels(); ++i, place += bytes) {
        values.push_back(absl::StrCat(GetValue(bytes, place)));
      }
      pixels.push_back(absl::StrJoin(values, ","));
    }
    rows.push_back(absl::StrJoin(pixels, " "));
  }
  return absl::StrCat("[", ImageFormat::Format_Name(frame.Format()), " ",
                      absl::StrJoin(rows, "; "), "]");
}

// --- Headers

// {SRGB 640x480 25 Hz 2 s}
VideoHeader VideoHeaderOf(absl::string_view text) {
  VideoHeader header;
  const std::vector<std::string> words =
      absl::StrSplit(WithoutBraces(text), ' ');
  const std::vector<std::string> size =
      absl::StrSplit(words.size() == 6 ? words[1] : "", 'x');
  EXPECT_TRUE(size.size() == 2 && words[3] == "Hz" && words[5] == "s" &&
              ImageFormat::Format_Parse(words[0], &header.format))
      << text;
  if (size.size() != 2) return header;
  header.width = static_cast<int>(ValueOf(size[0]));
  header.height = static_cast<int>(ValueOf(size[1]));
  header.frame_rate = ValueOf(words[2]);
  header.duration = static_cast<float>(ValueOf(words[4]));
  return header;
}
std::string TextOf(const VideoHeader& header) {
  return absl::StrCat("{", ImageFormat::Format_Name(header.format), " ",
                      header.width, "x", header.height, " ", header.frame_rate,
                      " Hz ", header.duration, " s}");
}

}  // namespace

void AddImageTypes(std::map<std::string, ExampleType>* types) {
  const std::map<std::string, ExampleType> more = {
      {"ImageFrame",
       {[](absl::string_view text) { return Adopt(FrameOf(text).release()); },
        [](const Packet& packet) { return TextOf(packet.Get<ImageFrame>()); }}},
      {"Image",
       {[](absl::string_view text) {
          return MakePacket<Image>(ImageFrameSharedPtr(FrameOf(text)));
        },
        [](const Packet& packet) {
          return TextOf(*packet.Get<Image>().GetImageFrameSharedPtr());
        }}},
      {"VideoHeader",
       {[](absl::string_view text) {
          return MakePacket<VideoHeader>(VideoHeaderOf(text));
        },
        [](const Packet& packet) {
          return TextOf(packet.Get<VideoHeader>());
        }}},
  };
  types->insert(more.begin(), more.end());
}

}  // namespace syncline
