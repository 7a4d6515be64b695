// The functions of syncline.h for graphs and their pollers.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/base/no_destructor.h"
#include "framework/base/status_macros.h"
#include "framework/c/call.h"
#include "framework/c/graph_object.h"
#include "framework/c/handles.h"
#include "framework/c/packet_object.h"
#include "framework/c/syncline.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph_text/graph_source.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_bytes.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "framework/run/output_stream_poller.h"

namespace syncline {
namespace {

// Calls `body` with a graph and with the name of one of its parts.
template <typename Body>
syncline_code CallOnGraph(syncline_graph graph, const char* name,
                          absl::string_view argument, Body&& body) {
  return Call([&]() -> absl::Status {
    SYNCLINE_ASSIGN_OR_RETURN(const GraphUse use, GraphUse::Begin(graph));
    SYNCLINE_RETURN_IF_ERROR(NotNull(name, argument));
    return body(use);
  });
}

template <typename Body>
syncline_code CallOnGraph(syncline_graph graph, Body&& body) {
  return CallOnGraph(graph, "", "", std::forward<Body>(body));
}

// The function that CalculatorGraph calls for each packet of a stream.
std::function<absl::Status(const Packet&)> ObserverFunction(
    const GraphObject* graph, const std::string& stream,
    syncline_observer observer, void* user_data) {
  return [=](const Packet& packet) {
    const ObserverCall mark(graph);
    const syncline_packet handle = NewPacket(packet);
    const syncline_code code = observer(user_data, handle);
    // Ignores the error if the observer has freed the packet itself.
    Packets().Remove(handle).IgnoreError();
    if (code == SYNCLINE_OK) return absl::OkStatus();
    return absl::Status(
        static_cast<absl::StatusCode>(code),
        absl::StrCat("the observer of stream \"", stream,
                     "\" ended the run with ", syncline_code_name(code)));
  };
}

absl::StatusOr<Packet> PacketForInput(const GraphPlan& plan, const char* stream,
                                      const char* type,
                                      absl::string_view bytes) {
  if (type != nullptr) return PacketFromBytes(type, bytes);
  const int input = plan.FindGraphInput(stream);
  if (input < 0) {
    return absl::NotFoundError(
        absl::StrCat("the graph has no input stream \"", stream, "\""));
  }
  return PacketFromBytes(
      *plan.streams()[plan.graph_inputs()[input].stream].type, bytes);
}

// --- Pollers

Handles<OutputStreamPoller, syncline_poller>& Pollers() {
  static NoDestructor<Handles<OutputStreamPoller, syncline_poller>> pollers(
      "poller", 3);
  return *pollers;
}

absl::Status PollNext(OutputStreamPoller* poller, std::int64_t timeout,
                      syncline_packet* packet) {
  Packet next;
  OutputStreamPoller::Result result;
  if (timeout < 0) {
    result = poller->Next(&next) ? OutputStreamPoller::Result::kPacket
                                 : OutputStreamPoller::Result::kEnd;
  } else {
    result = poller->NextWithin(absl::Microseconds(timeout), &next);
  }
  switch (result) {
    case OutputStreamPoller::Result::kPacket:
      *packet = NewPacket(std::move(next));
      return absl::OkStatus();
    case OutputStreamPoller::Result::kTimeout:
      return absl::DeadlineExceededError(
          absl::StrCat("no packet came within ", timeout, " microseconds"));
    case OutputStreamPoller::Result::kEnd:
      break;
  }
  return absl::OutOfRangeError(
      "no packet comes any more: the stream or the run has ended, or no run "
      "was started");
}

}  // namespace
}  // namespace syncline

using syncline::Call;
using syncline::CallOnGraph;
using syncline::GraphUse;
using syncline::NotNull;
using syncline::Packet;

extern "C" {

// --- Graphs

syncline_code syncline_graph_create_from_text(const char* text, size_t size,
                                              const char* name,
                                              syncline_graph* graph) {
  if (graph != nullptr) *graph = nullptr;
  return Call([&]() -> absl::Status {
    SYNCLINE_RETURN_IF_ERROR(NotNull(graph, "graph"));
    SYNCLINE_RETURN_IF_ERROR(NotNull(text, "text"));
    SYNCLINE_ASSIGN_OR_RETURN(
        const absl::string_view config,
        syncline::BytesOf(text, size == SIZE_MAX ? std::strlen(text) : size));
    return syncline::CreateGraph(
        syncline::ReadGraphText(config, name == nullptr ? "" : name), graph);
  });
}

syncline_code syncline_graph_create_from_binary(const void* bytes, size_t size,
                                                const char* name,
                                                syncline_graph* graph) {
  if (graph != nullptr) *graph = nullptr;
  return Call([&]() -> absl::Status {
    SYNCLINE_RETURN_IF_ERROR(NotNull(graph, "graph"));
    SYNCLINE_ASSIGN_OR_RETURN(const absl::string_view config,
                              syncline::BytesOf(bytes, size));
    return syncline::CreateGraph(
        syncline::ReadGraphBinary(config, name == nullptr ? "" : name), graph);
  });
}

syncline_code syncline_graph_create_from_file(const char* path,
                                              syncline_graph* graph) {
  if (graph != nullptr) *graph = nullptr;
  return Call([&]() -> absl::Status {
    SYNCLINE_RETURN_IF_ERROR(NotNull(graph, "graph"));
    SYNCLINE_RETURN_IF_ERROR(NotNull(path, "path"));
    return syncline::CreateGraph(syncline::ReadGraphFile(path), graph);
  });
}

syncline_code syncline_graph_free(syncline_graph graph) {
  return Call([&] { return syncline::FreeGraph(graph); });
}

syncline_code syncline_graph_set_side_packet(syncline_graph graph,
                                             const char* name,
                                             syncline_packet packet) {
  return CallOnGraph(
      graph, name, "name", [&](const GraphUse& use) -> absl::Status {
        syncline::GraphObject& object = use.object();
        // The old packet is destroyed after the lock, since the destructor of
        // its value may run any code.
        Packet old;
        if (packet == nullptr) {
          syncline::MutexLock lock(&object.mutex);
          const auto found = object.side_packets.find(name);
          if (found == object.side_packets.end()) {
            return absl::OkStatus();
          }
          old.swap(found->second);
          object.side_packets.erase(found);
          return absl::OkStatus();
        }
        SYNCLINE_ASSIGN_OR_RETURN(const auto value,
                                  syncline::Packets().Get(packet));
        SYNCLINE_RETURN_IF_ERROR(object.plan.CheckSidePackets(
            {{name, value->packet}}, /*complete=*/false));
        Packet side_packet = value->packet.At(syncline::Timestamp::Unset());
        syncline::MutexLock lock(&object.mutex);
        old.swap(object.side_packets[name]);
        object.side_packets[name].swap(side_packet);
        return absl::OkStatus();
      });
}

syncline_code syncline_graph_observe(syncline_graph graph, const char* stream,
                                     syncline_observer observer,
                                     void* user_data) {
  return CallOnGraph(
      graph, stream, "stream", [&](const GraphUse& use) -> absl::Status {
        if (observer == nullptr) return NotNull(nullptr, "observer");
        return use->ObserveOutputStream(
            stream, syncline::ObserverFunction(&use.object(), stream, observer,
                                               user_data));
      });
}

syncline_code syncline_graph_add_poller(syncline_graph graph,
                                        const char* stream, int max_queue_size,
                                        syncline_poller* poller) {
  if (poller != nullptr) *poller = nullptr;
  return CallOnGraph(
      graph, stream, "stream", [&](const GraphUse& use) -> absl::Status {
        SYNCLINE_RETURN_IF_ERROR(NotNull(poller, "poller"));
        if (max_queue_size < -1 || max_queue_size == 0) {
          return absl::InvalidArgumentError(
              absl::StrCat("a queue of ", max_queue_size,
                           " packets: at least 1, or -1 for no limit"));
        }
        SYNCLINE_ASSIGN_OR_RETURN(syncline::OutputStreamPoller made,
                                  use->AddOutputStreamPoller(stream));
        made.SetMaxQueueSize(max_queue_size);
        *poller = syncline::Pollers().Add(
            std::make_shared<syncline::OutputStreamPoller>(std::move(made)));
        return absl::OkStatus();
      });
}

syncline_code syncline_graph_start(syncline_graph graph) {
  return CallOnGraph(graph, [&](const GraphUse& use) {
    std::map<std::string, Packet> side_packets;
    {
      syncline::MutexLock lock(&use.object().mutex);
      side_packets = use.object().side_packets;
    }
    return use->StartRun(side_packets);
  });
}

syncline_code syncline_graph_add_packet(syncline_graph graph,
                                        const char* stream,
                                        syncline_packet packet) {
  return CallOnGraph(
      graph, stream, "stream", [&](const GraphUse& use) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(const auto object,
                                  syncline::Packets().Get(packet));
        return use->AddPacketToInputStream(stream, object->packet);
      });
}

syncline_code syncline_graph_add_bytes(syncline_graph graph, const char* stream,
                                       const char* type, const void* bytes,
                                       size_t size, int64_t timestamp) {
  return CallOnGraph(
      graph, stream, "stream", [&](const GraphUse& use) -> absl::Status {
        SYNCLINE_ASSIGN_OR_RETURN(const absl::string_view value,
                                  syncline::BytesOf(bytes, size));
        SYNCLINE_ASSIGN_OR_RETURN(const syncline::Timestamp at,
                                  syncline::TimestampOf(timestamp));
        SYNCLINE_ASSIGN_OR_RETURN(
            const Packet packet,
            syncline::PacketForInput(use.object().plan, stream, type, value));
        return use->AddPacketToInputStream(stream, packet.At(at));
      });
}

syncline_code syncline_graph_set_timestamp_bound(syncline_graph graph,
                                                 const char* stream,
                                                 int64_t timestamp) {
  return CallOnGraph(graph, stream, "stream", [&](const GraphUse& use) {
    return use->SetInputStreamTimestampBound(
        stream, syncline::Timestamp::CreateNoErrorChecking(timestamp));
  });
}

syncline_code syncline_graph_close_input(syncline_graph graph,
                                         const char* stream) {
  return CallOnGraph(graph, stream, "stream", [&](const GraphUse& use) {
    return use->CloseInputStream(stream);
  });
}

syncline_code syncline_graph_close_all_inputs(syncline_graph graph) {
  return CallOnGraph(
      graph, [](const GraphUse& use) { return use->CloseAllInputStreams(); });
}

syncline_code syncline_graph_wait_until_idle(syncline_graph graph) {
  return CallOnGraph(graph,
                     [](const GraphUse& use) { return use->WaitUntilIdle(); });
}

syncline_code syncline_graph_wait_until_done(syncline_graph graph) {
  return CallOnGraph(graph,
                     [](const GraphUse& use) { return use->WaitUntilDone(); });
}

syncline_code syncline_graph_cancel(syncline_graph graph) {
  return CallOnGraph(graph, [](const GraphUse& use) {
    use->Cancel();
    return absl::OkStatus();
  });
}

syncline_code syncline_graph_output_side_packet(syncline_graph graph,
                                                const char* name,
                                                syncline_packet* packet) {
  if (packet != nullptr) *packet = nullptr;
  return CallOnGraph(
      graph, name, "name", [&](const GraphUse& use) -> absl::Status {
        SYNCLINE_RETURN_IF_ERROR(NotNull(packet, "packet"));
        SYNCLINE_ASSIGN_OR_RETURN(Packet value, use->GetOutputSidePacket(name));
        *packet = syncline::NewPacket(std::move(value));
        return absl::OkStatus();
      });
}

syncline_code syncline_graph_explain(syncline_graph graph,
                                     syncline_packet* text) {
  if (text != nullptr) *text = nullptr;
  return CallOnGraph(graph, [&](const GraphUse& use) -> absl::Status {
    SYNCLINE_RETURN_IF_ERROR(NotNull(text, "text"));
    *text =
        syncline::NewPacket(syncline::MakePacket<std::string>(use->Explain()));
    return absl::OkStatus();
  });
}

// --- Pollers

syncline_code syncline_poller_next(syncline_poller poller,
                                   int64_t timeout_microseconds,
                                   syncline_packet* packet) {
  if (packet != nullptr) *packet = nullptr;
  return Call([&]() -> absl::Status {
    SYNCLINE_RETURN_IF_ERROR(NotNull(packet, "packet"));
    SYNCLINE_ASSIGN_OR_RETURN(const auto object,
                              syncline::Pollers().Get(poller));
    return syncline::PollNext(object.get(), timeout_microseconds, packet);
  });
}

syncline_code syncline_poller_free(syncline_poller poller) {
  if (poller == nullptr) return SYNCLINE_OK;
  return Call([&] { return syncline::Pollers().Remove(poller).status(); });
}

}  // extern "C"
