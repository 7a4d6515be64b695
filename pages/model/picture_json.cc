#include "pages/model/picture_json.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_replace.h"
#include "nlohmann/json.hpp"
#include "pages/model/graph_picture.h"
#include "pages/model/json_writer.h"

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

// --- States, which are written many times a second

void PutInt(const char* name, std::int64_t value, JsonWriter* json,
            std::int64_t absent = 0) {
  if (value != absent) json->Key(name).Int(value);
}

void PutText(const char* name, const std::string& value, JsonWriter* json) {
  if (!value.empty()) json->Key(name).String(value);
}

template <typename T, typename Write>
void PutAll(const char* name, const std::vector<T>& list, JsonWriter* json,
            Write write) {
  if (list.empty()) return;
  json->Key(name).BeginArray();
  for (const T& element : list) write(element);
  json->EndArray();
}

void WriteQueue(const PictureQueue& queue, JsonWriter* json) {
  json->BeginObject();
  PutInt("size", queue.size, json);
  PutInt("limit", queue.limit, json);
  PutInt("num_packets", queue.num_packets, json);
  PutInt("num_dropped", queue.num_dropped, json);
  PutText("first", queue.first, json);
  json->EndObject();
}

void WriteNodeState(const PictureNodeState& node, JsonWriter* json) {
  const PictureNodeState absent;
  json->BeginObject();
  PutAll("queues", node.queues, json,
         [json](const PictureQueue& queue) { WriteQueue(queue, json); });
  PutAll("num_sent", node.num_sent, json,
         [json](std::int64_t count) { json->Int(count); });
  PutAll("condition_states", node.condition_states, json,
         [json](const std::string& state) { json->String(state); });
  PutInt("num_calls", node.num_calls, json, absent.num_calls);
  PutInt("host_time_us", node.host_time_us, json, absent.host_time_us);
  if (node.is_in_call) json->Key("is_in_call").Bool(true);
  json->EndObject();
}

void WriteWait(const PictureWait& wait, JsonWriter* json) {
  json->BeginObject();
  PutInt("waiting", wait.waiting, json, -1);
  PutInt("for_node", wait.for_node, json, -1);
  PutInt("stream", wait.stream, json, -1);
  PutText("why", wait.why, json);
  json->EndObject();
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

void WriteState(const PictureState& state, JsonWriter* json) {
  json->BeginObject();
  PutText("phase", state.phase, json);
  PutInt("elapsed_us", state.elapsed_us, json);
  PutText("error", state.error, json);
  PutText("standstill", state.standstill, json);
  PutText("standstill_text", state.standstill_text, json);
  PutAll("nodes", state.nodes, json,
         [json](const PictureNodeState& node) { WriteNodeState(node, json); });
  PutAll("num_packets", state.num_packets, json,
         [json](std::int64_t count) { json->Int(count); });
  PutAll("waits", state.waits, json,
         [json](const PictureWait& wait) { WriteWait(wait, json); });
  json->EndObject();
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
  JsonWriter json;
  WriteState(state, &json);
  return std::move(json).Text();
}

}  // namespace syncline
