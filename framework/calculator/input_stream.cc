#include "framework/calculator/input_stream.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/misuse.h"
#include "framework/base/status_text.h"
#include "framework/calculator/collection_item_id.h"
#include "framework/calculator/packet_times.h"

namespace syncline {

const std::string& InputStream::NoName() {
  static const std::string& none = *new std::string();
  return none;
}

const Packet& InputStream::Header() const {
  static const Packet& none = *new Packet();
  return has_port_ ? port_->header : none;
}

InputStream::Port& InputStream::MyPort() {
  if (!has_port_) {
    port_ = new Port{.name = name_, .header = Packet(), .times = nullptr};
    has_port_ = true;
  }
  return *port_;
}

void InputStream::ReportWrongGet(const absl::Status& status) const {
  ReportMisuse(PrefixStatus(
      absl::StrCat(
          "Get() on the input stream \"", Name(), "\"",
          IsEmpty()
              ? absl::StrCat(
                    ", which has no packet for this call and is settled at ",
                    value_.Timestamp().DebugString(), "; ask IsEmpty() first: ")
              : std::string(": ")),
      status));
}

const PacketTimes& InputStream::MessageTimes() const {
  if (!KeepsMessageTimes()) {
    ReportMisuse(absl::FailedPreconditionError(absl::StrCat(
        "MessageTimes() on the input stream \"", Name(),
        "\", which does not keep them. The node has to ask for them, with "
        "input_stream_info { tag_index: \"...\" message_times: true } in the "
        "graph or KeepMessageTimes(\"...\") in the contract.")));
  }
  return *port_->times;
}

void InputStream::SetMessageTimes(const PacketTimes& times) {
  Port& port = MyPort();
  if (port.times == nullptr) {
    port.times = std::make_unique<PacketTimes>(times);
  } else {
    *port.times = times;
  }
}

InputStreamSet MakeInputStreams(std::shared_ptr<const PortLayout> layout,
                                void* memory) {
  InputStreamSet streams = memory == nullptr
                               ? InputStreamSet(std::move(layout))
                               : InputStreamSet(std::move(layout), memory);
  for (CollectionItemId id = streams.BeginId(); id < streams.EndId(); ++id) {
    streams.Get(id).SetName(&streams.layout().Names()[id.value()]);
  }
  return streams;
}

}  // namespace syncline
