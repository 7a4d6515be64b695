#include "pages/live/packet_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "framework/formats/image.h"
#include "framework/formats/image_format.pb.h"
#include "framework/formats/image_frame.h"
#include "framework/formats/matrix.h"
#include "framework/packet/timestamp.h"
#include "framework/recording/value_text.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/message.h"
#include "google/protobuf/text_format.h"

namespace syncline {
namespace {

// --- Pictures

using Rgba = std::array<std::uint8_t, 4>;

template <typename T>
T ChannelAt(const std::uint8_t* pixel, int channel) {
  T value;
  std::memcpy(&value, pixel + channel * sizeof(T), sizeof(T));
  return value;
}

std::uint8_t OfFloat(float value) {
  // Also for what is no number.
  if (!(value > 0)) return 0;
  return static_cast<std::uint8_t>(std::min(value, 1.0f) * 255.0f + 0.5f);
}

Rgba GrayPixel(std::uint8_t gray) { return {gray, gray, gray, 255}; }

// Of the formats in FillerOf().
template <ImageFormat::Format kFormat>
Rgba PixelOf(const std::uint8_t* at) {
  switch (kFormat) {
    case ImageFormat::SRGB:
      return {at[0], at[1], at[2], 255};
    case ImageFormat::SRGBA:
      return {at[0], at[1], at[2], at[3]};
    case ImageFormat::SBGRA:
      return {at[2], at[1], at[0], at[3]};
    case ImageFormat::GRAY8:
      return GrayPixel(at[0]);
    case ImageFormat::GRAY16:
      return GrayPixel(
          static_cast<std::uint8_t>(ChannelAt<std::uint16_t>(at, 0) >> 8));
    case ImageFormat::SRGB48:
    case ImageFormat::SRGBA64: {
      Rgba pixel = {0, 0, 0, 255};
      const int channels = kFormat == ImageFormat::SRGB48 ? 3 : 4;
      for (int i = 0; i < channels; ++i) {
        pixel[i] =
            static_cast<std::uint8_t>(ChannelAt<std::uint16_t>(at, i) >> 8);
      }
      return pixel;
    }
    case ImageFormat::VEC32F1:
      return GrayPixel(OfFloat(ChannelAt<float>(at, 0)));
    case ImageFormat::VEC32F2:
      return {OfFloat(ChannelAt<float>(at, 0)),
              OfFloat(ChannelAt<float>(at, 1)), 0, 255};
    case ImageFormat::VEC32F4:
      return {
          OfFloat(ChannelAt<float>(at, 0)), OfFloat(ChannelAt<float>(at, 1)),
          OfFloat(ChannelAt<float>(at, 2)), OfFloat(ChannelAt<float>(at, 3))};
    default:
      return {};
  }
}

int ScaledDown(int size, int longest, int most) {
  if (longest <= most) return size;
  return std::max(
      1, static_cast<int>(static_cast<std::int64_t>(size) * most / longest));
}

// Where in `all` bytes or rows the two samples are that stand for each of
// `shown` places.
using Samples = std::vector<std::array<std::ptrdiff_t, 2>>;

Samples SamplesOf(int all, int shown, int step) {
  Samples samples(shown);
  const auto place = [&](int at, int part) {
    return static_cast<std::ptrdiff_t>((4 * std::int64_t{at} + part) * all /
                                       (4 * std::int64_t{shown})) *
           step;
  };
  for (int i = 0; i < shown; ++i) samples[i] = {place(i, 1), place(i, 3)};
  return samples;
}

// Each pixel is the mean of four in the area that it stands for.
template <ImageFormat::Format kFormat>
void FillPicture(const ImageFrame& frame, PacketView* view) {
  const Samples columns =
      SamplesOf(view->width, view->shown_width,
                frame.NumberOfChannels() * frame.ByteDepth());
  const Samples rows =
      SamplesOf(view->height, view->shown_height, frame.WidthStep());
  view->rgba.resize(rows.size() * columns.size() * 4);
  char* to = view->rgba.data();
  for (const std::array<std::ptrdiff_t, 2>& row : rows) {
    for (const std::array<std::ptrdiff_t, 2>& column : columns) {
      std::array<int, 4> sum = {};
      for (const std::ptrdiff_t y : row) {
        for (const std::ptrdiff_t x : column) {
          const Rgba pixel = PixelOf<kFormat>(frame.PixelData() + y + x);
          for (int i = 0; i < 4; ++i) sum[i] += pixel[i];
        }
      }
      for (const int channel : sum) *to++ = static_cast<char>(channel / 4);
    }
  }
}

using Filler = void (*)(const ImageFrame& frame, PacketView* view);

// Null: a picture of this format is not shown.
Filler FillerOf(ImageFormat::Format format) {
  switch (format) {
    case ImageFormat::SRGB:
      return FillPicture<ImageFormat::SRGB>;
    case ImageFormat::SRGBA:
      return FillPicture<ImageFormat::SRGBA>;
    case ImageFormat::SBGRA:
      return FillPicture<ImageFormat::SBGRA>;
    case ImageFormat::GRAY8:
      return FillPicture<ImageFormat::GRAY8>;
    case ImageFormat::GRAY16:
      return FillPicture<ImageFormat::GRAY16>;
    case ImageFormat::SRGB48:
      return FillPicture<ImageFormat::SRGB48>;
    case ImageFormat::SRGBA64:
      return FillPicture<ImageFormat::SRGBA64>;
    case ImageFormat::VEC32F1:
      return FillPicture<ImageFormat::VEC32F1>;
    case ImageFormat::VEC32F2:
      return FillPicture<ImageFormat::VEC32F2>;
    case ImageFormat::VEC32F4:
      return FillPicture<ImageFormat::VEC32F4>;
    default:
      return nullptr;
  }
}

bool IsShown(const ImageFrame& frame) {
  return FillerOf(frame.Format()) != nullptr && frame.Width() > 0 &&
         frame.Height() > 0 && frame.PixelData() != nullptr;
}

void ShowPicture(const ImageFrame& frame, PacketView* view) {
  view->kind = PacketView::Kind::kPicture;
  view->width = frame.Width();
  view->height = frame.Height();
  const int longest = std::max(view->width, view->height);
  view->shown_width = ScaledDown(view->width, longest, PacketView::kMostPixels);
  view->shown_height =
      ScaledDown(view->height, longest, PacketView::kMostPixels);
  FillerOf(frame.Format())(frame, view);
}

// --- Matrices

// Of the cells of a matrix that one place stands for, at most so many rows and
// columns are looked at, evenly spread: a reader may be waiting.
constexpr int kMostOfAPlace = 8;

void ShowMatrix(const Matrix& matrix, PacketView* view) {
  view->kind = PacketView::Kind::kMatrix;
  view->width = static_cast<int>(matrix.cols());
  view->height = static_cast<int>(matrix.rows());
  view->shown_width = std::min(view->width, PacketView::kMostCells);
  view->shown_height = std::min(view->height, PacketView::kMostCells);
  const auto begin = [](int shown, int all, int all_shown) {
    return static_cast<int>(static_cast<std::int64_t>(shown) * all / all_shown);
  };
  const auto step = [](int from, int to) {
    return (to - from + kMostOfAPlace - 1) / kMostOfAPlace;
  };
  view->values.resize(static_cast<std::size_t>(view->shown_width) *
                      view->shown_height);
  // The columns of a matrix lie one after the other.
  for (int x = 0; x < view->shown_width; ++x) {
    const int left = begin(x, view->width, view->shown_width);
    const int right = begin(x + 1, view->width, view->shown_width);
    for (int y = 0; y < view->shown_height; ++y) {
      const int top = begin(y, view->height, view->shown_height);
      const int bottom = begin(y + 1, view->height, view->shown_height);
      float furthest = std::numeric_limits<float>::quiet_NaN();
      for (int column = left; column < right; column += step(left, right)) {
        for (int row = top; row < bottom; row += step(top, bottom)) {
          const float value = matrix(row, column);
          if (std::isnan(furthest) || std::abs(value) > std::abs(furthest)) {
            furthest = value;
          }
        }
      }
      view->values[static_cast<std::size_t>(y) * view->shown_width + x] =
          furthest;
    }
  }
}

// --- Texts

std::string Cut(absl::string_view text) {
  if (text.size() <= PacketView::kLongestText) return std::string(text);
  return absl::StrCat(text.substr(0, PacketView::kLongestText), "\n... (",
                      text.size(), " bytes)");
}

// As far as there is room, and no further: a message may be very large.
std::string MessageText(const google::protobuf::Message& message) {
  std::string text(PacketView::kLongestText, '\0');
  google::protobuf::io::ArrayOutputStream stream(text.data(),
                                                 static_cast<int>(text.size()));
  google::protobuf::TextFormat::Printer printer;
  printer.SetUseUtf8StringEscaping(true);
  const bool is_whole = printer.Print(message, &stream);
  text.resize(is_whole ? static_cast<std::size_t>(stream.ByteCount())
                       : std::min(text.size(), std::strlen(text.c_str())));
  return is_whole ? text : absl::StrCat(text, "\n...");
}

bool AppendMessages(const Packet& packet, std::string* text) {
  const auto full = [](const google::protobuf::MessageLite* message) {
    return dynamic_cast<const google::protobuf::Message*>(message);
  };
  if (packet.ValidateAsProtoMessageLite().ok()) {
    const auto* const message = full(&packet.GetProtoMessageLite());
    if (message == nullptr) return false;
    *text = MessageText(*message);
    return true;
  }
  const auto messages = packet.GetVectorOfProtoMessageLitePtrs();
  if (!messages.ok()) return false;
  *text = absl::StrCat(messages->size(), " messages\n");
  for (const google::protobuf::MessageLite* const lite : *messages) {
    const auto* const message = full(lite);
    if (message == nullptr || text->size() > PacketView::kLongestText) break;
    absl::StrAppend(text, "\n", MessageText(*message));
  }
  *text = Cut(*text);
  return true;
}

// Null: the packet holds no picture that lies in the memory of the host.
std::shared_ptr<const ImageFrame> FrameOf(const Packet& packet) {
  if (packet.ValidateAsType<ImageFrame>().ok()) {
    // The packet outlives it.
    return std::shared_ptr<const ImageFrame>(&packet.Get<ImageFrame>(),
                                             [](const ImageFrame*) {});
  }
  if (!packet.ValidateAsType<Image>().ok()) return nullptr;
  const Image& image = packet.Get<Image>();
  return image.UsesGpu() ? nullptr : image.GetImageFrameSharedPtr();
}

const Matrix* MatrixOf(const Packet& packet) {
  if (packet.ValidateAsType<Matrix>().ok()) return &packet.Get<Matrix>();
  if (!packet.ValidateAsType<std::vector<Matrix>>().ok()) return nullptr;
  const auto& channels = packet.Get<std::vector<Matrix>>();
  return channels.empty() ? nullptr : &channels[0];
}

}  // namespace

PacketView MakePacketView(const Packet& packet) {
  PacketView view;
  if (packet.IsEmpty()) return view;
  view.timestamp = packet.Timestamp().DebugString();
  view.type = packet.DebugTypeName();
  if (packet.ValidateAsType<std::string>().ok()) {
    view.text = Cut(packet.Get<std::string>());
    return view;
  }
  if (AppendMessages(packet, &view.text)) return view;
  const std::shared_ptr<const ImageFrame> frame = FrameOf(packet);
  if (frame != nullptr && IsShown(*frame)) {
    ShowPicture(*frame, &view);
    view.text = absl::StrCat(ImageFormat::Format_Name(frame->Format()), ", ",
                             view.width, " x ", view.height, " pixels");
    return view;
  }
  const Matrix* const matrix = MatrixOf(packet);
  if (matrix != nullptr && matrix->size() > 0) {
    ShowMatrix(*matrix, &view);
    view.text =
        absl::StrCat(view.height, view.height == 1 ? " row" : " rows", ", ",
                     view.width, view.width == 1 ? " column" : " columns");
    return view;
  }
  view.text = ValueText(packet);
  return view;
}

}  // namespace syncline
