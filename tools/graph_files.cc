#include "tools/graph_files.h"

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/base/nearest_names.h"
#include "framework/base/status_macros.h"
#include "framework/graph/calculator_graph.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "tools/line_reader.h"
#include "tools/packet_lines.h"

namespace syncline {
namespace {

struct StreamAndFile {
  std::string stream;
  std::string path;
};

absl::StatusOr<StreamAndFile> Split(absl::string_view flag,
                                    absl::string_view given) {
  const auto equals = given.find('=');
  if (equals == absl::string_view::npos || equals == 0 ||
      equals + 1 == given.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat(flag, " takes STREAM=FILE, not \"", given, "\""));
  }
  return StreamAndFile{std::string(given.substr(0, equals)),
                       std::string(given.substr(equals + 1))};
}

absl::Status NoSuchStream(absl::string_view flag, absl::string_view what,
                          absl::string_view name,
                          const std::vector<std::string>& names) {
  return absl::InvalidArgumentError(absl::StrCat(
      flag, ": the graph has no ", what, " \"", name, "\".",
      names.empty() ? " It has none." : DidYouMeanOrKnownText(name, names)));
}

// What the readers of a graph input take: the first that says.
const PacketType* TypeOfInput(const GraphPlan& plan, int stream) {
  const PlanStream& input = plan.streams()[stream];
  if (!input.type->Types().empty()) return input.type;
  for (const PortRef& reader : input.consumers) {
    const PacketType* type = plan.nodes()[reader.node].inputs[reader.port].type;
    if (!type->Types().empty()) return type;
  }
  return input.type;
}

// A stream goes up in time; after PreStream and Max comes nothing.
absl::Status CheckOrder(Timestamp last, int last_line, Timestamp next) {
  if (last == Timestamp::Unset() || next >= last.NextAllowedInStream()) {
    return absl::OkStatus();
  }
  if (next > last) {
    return absl::InvalidArgumentError(absl::StrCat(
        "timestamp ", next.DebugString(), " comes after ", last.DebugString(),
        " in line ", last_line, ", and nothing can: take one of the two out"));
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "timestamp ", next.DebugString(), " comes after ", last.DebugString(),
      " in line ", last_line,
      ": each timestamp of a stream has to be above the one before; sort the "
      "lines (sort -n), and keep one of each timestamp"));
}

}  // namespace

std::string PathHint(absl::string_view path) {
  const char* const folder = std::getenv("BUILD_WORKING_DIRECTORY");
  if (folder == nullptr || absl::StartsWith(path, "/")) return "";
  return absl::StrCat(
      "; bazel run starts programs in another folder, so give "
      "the whole path: ",
      folder, "/", path);
}

absl::Status GraphFiles::OpenInput(const GraphPlan& plan,
                                   absl::string_view given) {
  SYNCLINE_ASSIGN_OR_RETURN(const StreamAndFile parts, Split("--input", given));
  const int position = plan.FindGraphInput(parts.stream);
  if (position < 0) {
    std::vector<std::string> names;
    for (const PlanGraphInput& input : plan.graph_inputs()) {
      names.push_back(input.name);
    }
    return NoSuchStream("--input", "input_stream", parts.stream, names);
  }
  for (const auto& other : inputs_) {
    if (other->stream == parts.stream) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--input: input_stream \"", parts.stream, "\" is given twice"));
    }
  }
  auto input = std::make_unique<Input>();
  input->stream = parts.stream;
  input->path = parts.path;
  input->type = TypeOfInput(plan, plan.graph_inputs()[position].stream);
  const absl::Status is_text = CheckIsText(*input->type);
  if (!is_text.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--input: input_stream \"", parts.stream, "\": ", is_text.message()));
  }
  const absl::Status opened = input->file.Open(parts.path);
  if (!opened.ok()) {
    return absl::NotFoundError(
        absl::StrCat("cannot read \"", parts.path, "\" for input_stream \"",
                     parts.stream, "\" (", opened.message(),
                     "): check that it is there and is a file you may read",
                     PathHint(parts.path)));
  }
  inputs_.push_back(std::move(input));
  return absl::OkStatus();
}

absl::Status GraphFiles::OpenOutput(const GraphPlan& plan,
                                    absl::string_view given) {
  SYNCLINE_ASSIGN_OR_RETURN(const StreamAndFile parts,
                            Split("--output", given));
  const int stream = plan.FindStream(parts.stream);
  if (stream < 0) {
    std::vector<std::string> names;
    for (const PlanStream& known : plan.streams()) names.push_back(known.name);
    return NoSuchStream("--output", "stream", parts.stream, names);
  }
  for (const auto& other : outputs_) {
    if (other->stream != parts.stream && other->path != parts.path) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("--output: \"", given, "\" and \"", other->stream, "=",
                     other->path, "\" have the stream or the file in common"));
  }
  const absl::Status is_text = CheckIsText(*plan.streams()[stream].type);
  if (!is_text.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--output: stream \"", parts.stream, "\": ", is_text.message()));
  }
  auto output = std::make_unique<Output>();
  output->stream = parts.stream;
  output->path = parts.path;
  if (parts.path == "-") {
    output->to = &std::cout;
  } else {
    output->file.open(parts.path, std::ios::binary | std::ios::trunc);
    if (!output->file) {
      return absl::NotFoundError(absl::StrCat(
          "cannot write \"", parts.path, "\" for stream \"", parts.stream,
          "\": check that the folder exists and you may write there",
          PathHint(parts.path)));
    }
    output->to = &output->file;
  }
  outputs_.push_back(std::move(output));
  return absl::OkStatus();
}

absl::Status GraphFiles::Open(const GraphPlan& plan,
                              absl::Span<const std::string> inputs,
                              absl::Span<const std::string> outputs,
                              bool is_fed_otherwise) {
  for (const std::string& given : inputs) {
    SYNCLINE_RETURN_IF_ERROR(OpenInput(plan, given));
  }
  for (const PlanGraphInput& input : plan.graph_inputs()) {
    bool is_fed = is_fed_otherwise;
    for (const auto& file : inputs_) is_fed |= file->stream == input.name;
    if (is_fed) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "the graph waits for input_stream \"", input.name,
        "\": give its packets with --input=", input.name,
        "=FILE, or feed it from a program (framework/calculator_graph.h); "
        "--check prints its plan"));
  }
  for (const std::string& given : outputs) {
    SYNCLINE_RETURN_IF_ERROR(OpenOutput(plan, given));
  }
  return absl::OkStatus();
}

absl::Status GraphFiles::Observe(CalculatorGraph* graph) {
  for (const auto& owned : outputs_) {
    Output* const output = owned.get();
    SYNCLINE_RETURN_IF_ERROR(graph->ObserveOutputStream(
        output->stream, [output](const Packet& packet) -> absl::Status {
          SYNCLINE_ASSIGN_OR_RETURN(const std::string line, PacketLine(packet));
          if (*output->to << line) return absl::OkStatus();
          return absl::UnavailableError(absl::StrCat(
              "stream \"", output->stream, "\" cannot be written to \"",
              output->path, "\": check that there is room"));
        }));
  }
  return absl::OkStatus();
}

absl::Status GraphFiles::AtLine(const Input& input,
                                const absl::Status& status) {
  if (status.ok() || absl::IsCancelled(status)) return status;
  return absl::Status(status.code(),
                      absl::StrCat(input.path, ":", input.file.line_number(),
                                   ": input_stream \"", input.stream,
                                   "\": ", status.message()));
}

absl::Status GraphFiles::Advance(Input* input) {
  std::string line;
  while (true) {
    const absl::StatusOr<bool> is_line = input->file.Next(&line);
    if (!is_line.ok()) return AtLine(*input, is_line.status());
    input->at_end = !*is_line;
    if (input->at_end) return absl::OkStatus();
    if (IsBlankLine(line)) continue;
    absl::StatusOr<Packet> packet = ParsePacketLine(*input->type, line);
    if (!packet.ok()) return AtLine(*input, packet.status());
    const Timestamp next = packet->Timestamp();
    SYNCLINE_RETURN_IF_ERROR(
        AtLine(*input, CheckOrder(input->last, input->last_line, next)));
    input->next = *std::move(packet);
    input->last = next;
    input->last_line = input->file.line_number();
    return absl::OkStatus();
  }
}

absl::Status GraphFiles::Feed(CalculatorGraph* graph, int interrupt_fd) {
  std::vector<Input*> open;
  // Reads on, and says how far the stream is settled: a join need not wait for
  // a file that has nothing for a long time. At the end the stream is closed.
  const auto advance = [&](Input* input) -> absl::Status {
    SYNCLINE_RETURN_IF_ERROR(Advance(input));
    if (input->at_end) return graph->CloseInputStream(input->stream);
    open.push_back(input);
    const Timestamp next = input->next.Timestamp();
    // With one file there is nobody to wait for it.
    if (inputs_.size() == 1 || next == Timestamp::PreStream()) {
      return absl::OkStatus();
    }
    return graph->SetInputStreamTimestampBound(input->stream, next);
  };
  for (const auto& input : inputs_) {
    input->file.set_interrupt_fd(interrupt_fd);
    SYNCLINE_RETURN_IF_ERROR(advance(input.get()));
  }
  while (!open.empty()) {
    const auto earliest =
        std::min_element(open.begin(), open.end(), [](Input* a, Input* b) {
          return a->next.Timestamp() < b->next.Timestamp();
        });
    Input* const input = *earliest;
    open.erase(earliest);
    SYNCLINE_RETURN_IF_ERROR(AtLine(
        *input,
        graph->AddPacketToInputStream(input->stream, std::move(input->next))));
    SYNCLINE_RETURN_IF_ERROR(advance(input));
  }
  return absl::OkStatus();
}

absl::StatusOr<GraphFiles::Streams> GraphFiles::ReadAll() {
  Streams streams;
  for (const auto& input : inputs_) {
    std::vector<Packet>& packets = streams[input->stream];
    while (true) {
      SYNCLINE_RETURN_IF_ERROR(Advance(input.get()));
      if (input->at_end) break;
      packets.push_back(std::move(input->next));
    }
  }
  return streams;
}

void GraphFiles::Flush() {
  for (const auto& output : outputs_) *output->to << std::flush;
}

absl::Status GraphFiles::Close() {
  for (const auto& output : outputs_) {
    if (output->to == &output->file) output->file.close();
    if (*output->to << std::flush) continue;
    return absl::UnavailableError(
        absl::StrCat("stream \"", output->stream, "\" could not be written to ",
                     "\"", output->path, "\": check that there is room"));
  }
  return absl::OkStatus();
}

}  // namespace syncline
