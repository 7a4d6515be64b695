#include "framework/trace/convert/profile_names.h"

#include <algorithm>
#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace syncline {
namespace {

// A graph has fewer nodes and streams. It bounds what a damaged file can ask
// for.
constexpr std::int64_t kMaxNumber = 1'000'000;

// In place of the number of a stream: it was not asked for so far, and the file
// has its name, which is empty, or has it not.
constexpr std::int32_t kNotListed = -1;
constexpr std::int32_t kNoName = -2;

// "frames" of "frames", "TAG:frames" and "TAG:0:frames".
absl::string_view StreamName(absl::string_view port) {
  return port.substr(port.rfind(':') + 1);
}

// What tag_index of an InputStreamInfo says of this port: "TAG" or "TAG:0" for
// "TAG:frames", "" or ":1" for ports without a tag, by their order.
bool IsTagIndex(absl::string_view tag_index, absl::string_view port,
                int untagged_before) {
  const std::size_t last = port.rfind(':');
  if (last == port.npos) {
    return tag_index == absl::StrCat(":", untagged_before) ||
           (tag_index.empty() && untagged_before == 0);
  }
  const absl::string_view tag = port.substr(0, last);
  return tag_index == tag || tag_index == absl::StrCat(tag, ":0") ||
         absl::StrCat(tag_index, ":0") == tag;
}

}  // namespace

ProfileNames::ProfileNames(const GraphProfile& profile) {
  header_.add_executor("");
  if (!profile.has_config()) return;
  *header_.mutable_config() = profile.config();
  ReadConfig(profile.config());
}

void ProfileNames::ReadConfig(const CalculatorGraphConfig& config) {
  for (const CalculatorGraphConfig::Node& node : config.node()) {
    const std::int32_t number =
        NodeOf(node.name().empty() ? node.calculator() : node.name());
    TraceFileHeader::Node* const described = header_.mutable_node(number);
    described->set_calculator(node.calculator());
    int untagged = 0;
    for (const std::string& port : node.input_stream()) {
      bool is_back_edge = false;
      for (const InputStreamInfo& info : node.input_stream_info()) {
        if (!info.back_edge()) continue;
        is_back_edge |= IsTagIndex(info.tag_index(), port, untagged);
      }
      if (!absl::StrContains(port, ":")) ++untagged;
      AddPort(number, StreamOf(std::string(StreamName(port))));
      described->add_input_is_back_edge(is_back_edge);
    }
    for (const std::string& port : node.output_stream()) {
      const std::int32_t stream = StreamOf(std::string(StreamName(port)));
      described->add_output_stream(stream);
      header_.mutable_stream(stream)->set_producer(number);
    }
  }
  for (const std::string& port : config.output_stream()) {
    const auto stream = streams_.find(std::string(StreamName(port)));
    if (stream == streams_.end()) continue;
    header_.mutable_stream(stream->second)->set_is_graph_output(true);
  }
}

void ProfileNames::BeginPart(const GraphTrace& part) {
  // Of several parts, only the first of each file names the nodes.
  if (part.calculator_name_size() > 0) node_numbers_.clear();
  for (const std::string& name : part.calculator_name()) {
    node_numbers_.push_back(NodeOf(name));
  }
  stream_numbers_.clear();
  for (const std::string& name : part.stream_name()) {
    stream_numbers_.push_back(name.empty() ? kNoName : StreamOf(name));
  }
}

absl::StatusOr<std::int32_t> ProfileNames::Node(std::int64_t number) {
  if (number < 0 || number >= kMaxNumber) {
    return absl::DataLossError(absl::StrCat("there is no node ", number));
  }
  const auto position = static_cast<std::size_t>(number);
  if (position >= node_numbers_.size()) node_numbers_.resize(position + 1, -1);
  if (node_numbers_[position] < 0) {
    node_numbers_[position] = NodeOf(absl::StrCat("node ", number));
  }
  return node_numbers_[position];
}

absl::StatusOr<std::int32_t> ProfileNames::Stream(std::int64_t number) {
  if (number < 0 || number >= kMaxNumber) {
    return absl::DataLossError(absl::StrCat("there is no stream ", number));
  }
  const auto position = static_cast<std::size_t>(number);
  if (position >= stream_numbers_.size()) {
    stream_numbers_.resize(position + 1, kNotListed);
  }
  if (stream_numbers_[position] < 0) {
    const bool has_no_name =
        number == 0 || stream_numbers_[position] == kNoName;
    stream_numbers_[position] = has_no_name
                                    ? UnknownStream()
                                    : StreamOf(absl::StrCat("stream ", number));
  }
  return stream_numbers_[position];
}

std::int32_t ProfileNames::Port(std::int32_t node, std::int32_t stream,
                                int before) {
  std::vector<std::int32_t>& ports = ports_[{node, stream}];
  if (ports.empty()) AddPort(node, stream);
  return ports[std::min<std::size_t>(before, ports.size() - 1)];
}

void ProfileNames::AddPort(std::int32_t node, std::int32_t stream) {
  TraceFileHeader::Node* const described = header_.mutable_node(node);
  ports_[{node, stream}].push_back(described->input_stream_size());
  described->add_input_stream(stream);
}

void ProfileNames::AddProducer(std::int32_t node, std::int32_t stream) {
  TraceFileHeader::Stream* const described = header_.mutable_stream(stream);
  if (described->has_producer()) return;
  described->set_producer(node);
  header_.mutable_node(node)->add_output_stream(stream);
}

std::int32_t ProfileNames::NodeOf(const std::string& name) {
  const auto [found, is_new] =
      nodes_.emplace(name, static_cast<std::int32_t>(nodes_.size()));
  if (is_new) {
    TraceFileHeader::Node* const node = header_.add_node();
    node->set_name(name);
    node->set_executor(0);
  }
  return found->second;
}

std::int32_t ProfileNames::StreamOf(const std::string& name) {
  const auto [found, is_new] =
      streams_.emplace(name, static_cast<std::int32_t>(streams_.size()));
  if (is_new) header_.add_stream()->set_name(name);
  return found->second;
}

}  // namespace syncline
