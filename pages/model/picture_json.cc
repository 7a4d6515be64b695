#include "pages/model/picture_json.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_replace.h"
#include "nlohmann/json.hpp"
#include "pages/model/graph_picture.h"

namespace syncline {
namespace {

using Json = nlohmann::ordered_json;

// Sets a member unless it has the value that readers take for granted.
template <typename T>
void Put(Json* json, const char* name, const T& value, const T& absent = T()) {
  if (value != absent) (*json)[name] = value;
}

template <typename T, typename ToValue>
void PutList(Json* json, const char* name, const std::vector<T>& list,
             ToValue to_value) {
  if (list.empty()) return;
  Json values = Json::array();
  for (const T& element : list) values.push_back(to_value(element));
  (*json)[name] = std::move(values);
}

const char* KindName(PictureRemark::Kind kind) {
  switch (kind) {
    case PictureRemark::Kind::kError:
      return "error";
    case PictureRemark::Kind::kWarning:
      return "warning";
    case PictureRemark::Kind::kLint:
      return "lint";
  }
  return "error";
}

Json OfRemark(const PictureRemark& remark) {
  return {{"kind", KindName(remark.kind)}, {"text", remark.text}};
}

Json OfSetting(const PictureSetting& setting) {
  return {{"name", setting.name}, {"value", setting.value}};
}

Json OfCondition(const PictureCondition& condition) {
  Json json = Json::object();
  Put(&json, "name", condition.name);
  Put(&json, "type", condition.type);
  Put(&json, "options", condition.options);
  return json;
}

Json OfPort(const PicturePort& port) {
  Json json = Json::object();
  Put(&json, "label", port.label);
  Put(&json, "stream", port.stream, -1);
  Put(&json, "type", port.type);
  Put(&json, "is_back_edge", port.is_back_edge);
  Put(&json, "is_optional", port.is_optional);
  return json;
}

Json OfNode(const PictureNode& node) {
  Json json = Json::object();
  Put(&json, "name", node.name);
  Put(&json, "type", node.type);
  Put(&json, "location", node.location);
  Put(&json, "subgraph", node.subgraph, -1);
  Put(&json, "executor", node.executor);
  Put(&json, "is_source", node.is_source);
  Put(&json, "is_known", node.is_known);
  PutList(&json, "inputs", node.inputs, OfPort);
  PutList(&json, "outputs", node.outputs, OfPort);
  PutList(&json, "input_side_packets", node.input_side_packets, OfPort);
  PutList(&json, "output_side_packets", node.output_side_packets, OfPort);
  PutList(&json, "conditions", node.conditions, OfCondition);
  Put(&json, "options", node.options);
  PutList(&json, "settings", node.settings, OfSetting);
  PutList(&json, "remarks", node.remarks, OfRemark);
  return json;
}

Json OfSubgraph(const PictureSubgraph& subgraph) {
  Json json = Json::object();
  Put(&json, "name", subgraph.name);
  Put(&json, "type", subgraph.type);
  Put(&json, "location", subgraph.location);
  Put(&json, "parent", subgraph.parent, -1);
  Put(&json, "options", subgraph.options);
  PutList(&json, "remarks", subgraph.remarks, OfRemark);
  return json;
}

Json OfReader(const PictureStream::Reader& reader) {
  Json json = Json::object();
  Put(&json, "node", reader.node, -1);
  Put(&json, "port", reader.port, -1);
  Put(&json, "is_back_edge", reader.is_back_edge);
  return json;
}

Json OfStream(const PictureStream& stream) {
  Json json = Json::object();
  Put(&json, "name", stream.name);
  Put(&json, "type", stream.type);
  Put(&json, "from_node", stream.from_node, -1);
  Put(&json, "from_port", stream.from_port, -1);
  PutList(&json, "readers", stream.readers, OfReader);
  Put(&json, "is_graph_input", stream.is_graph_input);
  Put(&json, "is_graph_output", stream.is_graph_output);
  return json;
}

Json OfExecutor(const PictureExecutor& executor) {
  Json json = Json::object();
  Put(&json, "name", executor.name);
  Put(&json, "description", executor.description);
  return json;
}

Json OfQueue(const PictureQueue& queue) {
  Json json = Json::object();
  Put(&json, "size", queue.size);
  Put(&json, "limit", queue.limit);
  Put(&json, "num_packets", queue.num_packets);
  Put(&json, "num_dropped", queue.num_dropped);
  Put(&json, "first", queue.first);
  return json;
}

Json OfNodeState(const PictureNodeState& node) {
  const PictureNodeState absent;
  Json json = Json::object();
  PutList(&json, "queues", node.queues, OfQueue);
  Put(&json, "num_sent", node.num_sent);
  Put(&json, "condition_states", node.condition_states);
  Put(&json, "num_calls", node.num_calls, absent.num_calls);
  Put(&json, "host_time_us", node.host_time_us, absent.host_time_us);
  Put(&json, "is_in_call", node.is_in_call);
  return json;
}

Json OfWait(const PictureWait& wait) {
  Json json = Json::object();
  Put(&json, "waiting", wait.waiting, -1);
  Put(&json, "for_node", wait.for_node, -1);
  Put(&json, "stream", wait.stream, -1);
  Put(&json, "why", wait.why);
  return json;
}

}  // namespace

Json JsonValue(const GraphPicture& picture) {
  Json json = Json::object();
  Put(&json, "title", picture.title);
  PutList(&json, "nodes", picture.nodes, OfNode);
  PutList(&json, "subgraphs", picture.subgraphs, OfSubgraph);
  PutList(&json, "streams", picture.streams, OfStream);
  PutList(&json, "side_packets", picture.side_packets, OfStream);
  PutList(&json, "executors", picture.executors, OfExecutor);
  PutList(&json, "settings", picture.settings, OfSetting);
  PutList(&json, "remarks", picture.remarks, OfRemark);
  return json;
}

Json JsonValue(const PictureState& state) {
  Json json = Json::object();
  Put(&json, "phase", state.phase);
  Put(&json, "elapsed_us", state.elapsed_us);
  Put(&json, "error", state.error);
  Put(&json, "standstill", state.standstill);
  Put(&json, "standstill_text", state.standstill_text);
  PutList(&json, "nodes", state.nodes, OfNodeState);
  Put(&json, "num_packets", state.num_packets);
  PutList(&json, "waits", state.waits, OfWait);
  return json;
}

std::string JsonText(const Json& value) {
  // The three characters stand in strings only.
  return absl::StrReplaceAll(
      value.dump(/*indent=*/-1, ' ', /*ensure_ascii=*/true,
                 Json::error_handler_t::replace),
      {{"<", "\\u003c"}, {">", "\\u003e"}, {"&", "\\u0026"}});
}

std::string ToJson(const GraphPicture& picture) {
  return JsonText(JsonValue(picture));
}
std::string ToJson(const PictureState& state) {
  return JsonText(JsonValue(state));
}

}  // namespace syncline
