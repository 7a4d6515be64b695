// For tests: messages, times and the like as values of examples.txt.
//
// Thread rule: any thread.
// Tested by calculator_examples_test.
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "calculators/example_values.h"
#include "calculators/util/latency.pb.h"
#include "calculators/util/packet_frequency.pb.h"
#include "framework/calculator_framework.h"
#include "framework/deps/clock.h"
#include "framework/formats/classification.pb.h"
#include "framework/formats/detection.pb.h"
#include "framework/formats/image_file_properties.pb.h"
#include "framework/formats/landmark.pb.h"
#include "framework/formats/rect.pb.h"
#include "framework/formats/time_series_header.pb.h"
#include "framework/port/parse_text_proto.h"
#include "framework/resource.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"
#include "gtest/gtest.h"
#include "util/color.pb.h"
#include "util/render_data.pb.h"

namespace syncline {
namespace {

using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;

// --- Messages: {x: 1 y: 2}

// Rounds all numbers of a message, so that texts can be compared.
void RoundNumbers(Message* message) {
  const auto& reflection = *message->GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(*message, &fields);
  for (const FieldDescriptor* const field : fields) {
    const int count =
        field->is_repeated() ? reflection.FieldSize(*message, field) : 1;
    for (int i = 0; i < count; ++i) {
      const bool is_one = !field->is_repeated();
      switch (field->cpp_type()) {
        case FieldDescriptor::CPPTYPE_MESSAGE:
          RoundNumbers(
              is_one ? reflection.MutableMessage(message, field)
                     : reflection.MutableRepeatedMessage(message, field, i));
          break;
        case FieldDescriptor::CPPTYPE_FLOAT:
          if (is_one) {
            reflection.SetFloat(message, field,
                                static_cast<float>(SixDigits(
                                    reflection.GetFloat(*message, field))));
          } else {
            reflection.SetRepeatedFloat(
                message, field, i,
                static_cast<float>(SixDigits(
                    reflection.GetRepeatedFloat(*message, field, i))));
          }
          break;
        case FieldDescriptor::CPPTYPE_DOUBLE:
          // None of the values is a repeated double.
          reflection.SetDouble(
              message, field, SixDigits(reflection.GetDouble(*message, field)));
          break;
        default:
          break;
      }
    }
  }
}

template <typename T>
T MessageOf(absl::string_view text) {
  T message;
  EXPECT_TRUE(ParseTextProto(std::string(WithoutBraces(text)), &message))
      << text;
  return message;
}
template <typename T>
std::string TextOf(T message) {
  RoundNumbers(&message);
  return absl::StrCat("{", message.ShortDebugString(), "}");
}

template <typename T>
ExampleType MessageType() {
  return {
      [](absl::string_view text) { return MakePacket<T>(MessageOf<T>(text)); },
      [](const Packet& packet) { return TextOf(packet.Get<T>()); }};
}
template <typename T>
ExampleType MessagesType() {
  return {[](absl::string_view text) {
            std::vector<T> messages;
            for (const std::string& word : WordsInBrackets(text)) {
              messages.push_back(MessageOf<T>(word));
            }
            return MakePacket<std::vector<T>>(std::move(messages));
          },
          [](const Packet& packet) {
            std::vector<std::string> texts;
            for (const T& one : packet.Get<std::vector<T>>()) {
              texts.push_back(TextOf(one));
            }
            return absl::StrCat("[", absl::StrJoin(texts, " "), "]");
          }};
}

// --- Others

// A clock that is a second further each time that it is read.
class ReadingClock : public Clock {
 public:
  explicit ReadingClock(std::int64_t start_us)
      : now_(absl::FromUnixMicros(start_us)) {}
  absl::Time TimeNow() override {
    return std::exchange(now_, now_ + absl::Seconds(1));
  }
  void Sleep(absl::Duration duration) override { now_ += duration; }
  void SleepUntil(absl::Time wake_time) override { now_ = wake_time; }

 private:
  absl::Time now_;
};

std::int64_t Int64Of(absl::string_view text) {
  std::int64_t value = 0;
  EXPECT_TRUE(absl::SimpleAtoi(text, &value)) << text;
  return value;
}

// A pair of packets of ints: [1 2], with - for an empty one.
using PacketPair = std::pair<Packet, Packet>;
std::string IntOf(const Packet& packet) {
  return packet.IsEmpty() ? "-" : absl::StrCat(packet.Get<int>());
}

}  // namespace

void AddMessageTypes(std::map<std::string, ExampleType>* types) {
  const std::map<std::string, ExampleType> more = {
      {"ClassificationList", MessageType<ClassificationList>()},
      {"Color", MessageType<Color>()},
      {"Detection", MessageType<Detection>()},
      {"DetectionList", MessageType<DetectionList>()},
      {"ImageFileProperties", MessageType<ImageFileProperties>()},
      {"LandmarkList", MessageType<LandmarkList>()},
      {"NormalizedLandmarkList", MessageType<NormalizedLandmarkList>()},
      {"NormalizedRect", MessageType<NormalizedRect>()},
      {"PacketFrequency", MessageType<PacketFrequency>()},
      {"PacketLatency", MessageType<PacketLatency>()},
      {"Rect", MessageType<Rect>()},
      {"RenderData", MessageType<RenderData>()},
      {"TimeSeriesHeader", MessageType<TimeSeriesHeader>()},
      {"vector<ClassificationList>", MessagesType<ClassificationList>()},
      {"vector<Detection>", MessagesType<Detection>()},
      {"vector<LandmarkList>", MessagesType<LandmarkList>()},
      {"vector<NormalizedLandmarkList>",
       MessagesType<NormalizedLandmarkList>()},
      {"vector<NormalizedRect>", MessagesType<NormalizedRect>()},
      {"vector<Rect>", MessagesType<Rect>()},
      {"Time",
       {[](absl::string_view text) {
          return MakePacket<absl::Time>(absl::FromUnixMicros(Int64Of(text)));
        },
        [](const Packet& packet) {
          return absl::StrCat(absl::ToUnixMicros(packet.Get<absl::Time>()));
        }}},
      {"Duration",
       {[](absl::string_view text) {
          return MakePacket<absl::Duration>(absl::Microseconds(Int64Of(text)));
        },
        [](const Packet& packet) {
          return absl::StrCat(
              absl::ToInt64Microseconds(packet.Get<absl::Duration>()));
        }}},
      {"Clock",
       {[](absl::string_view text) {
          return MakePacket<std::shared_ptr<Clock>>(
              std::make_shared<ReadingClock>(Int64Of(text)));
        },
        nullptr}},
      {"Resource",
       {[](absl::string_view text) {
          return Adopt<Resource>(
              MakeStringResource(std::string(text)).release());
        },
        [](const Packet& packet) {
          return std::string(packet.Get<Resource>().ToStringView());
        }}},
      {"PacketPair",
       {[](absl::string_view text) {
          PacketPair pair;
          const std::vector<std::string> words = WordsInBrackets(text);
          EXPECT_EQ(words.size(), 2u) << text;
          Packet* const parts[] = {&pair.first, &pair.second};
          for (std::size_t i = 0; i < 2 && i < words.size(); ++i) {
            if (words[i] == "-") continue;
            *parts[i] = MakePacket<int>(static_cast<int>(Int64Of(words[i])));
          }
          return MakePacket<PacketPair>(std::move(pair));
        },
        [](const Packet& packet) {
          const auto& pair = packet.Get<PacketPair>();
          return absl::StrCat("[", IntOf(pair.first), " ", IntOf(pair.second),
                              "]");
        }}},
  };
  types->insert(more.begin(), more.end());
}

}  // namespace syncline
