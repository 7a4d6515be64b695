#include "tools/graph_files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
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
#include "framework/run/described_observer.h"
#include "tools/exit_status.h"
#include "tools/file_uses.h"
#include "tools/line_reader.h"
#include "tools/output_file.h"
#include "tools/packet_lines.h"
#include "tools/path_hint.h"

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
    return absl::InvalidArgumentError(absl::StrCat(
        flag, " takes STREAM=FILE, not \"", ShownName(given), "\""));
  }
  return StreamAndFile{std::string(given.substr(0, equals)),
                       std::string(given.substr(equals + 1))};
}

absl::Status NoSuchStream(absl::string_view flag, absl::string_view what,
                          absl::string_view name,
                          const std::vector<std::string>& names) {
  return absl::InvalidArgumentError(absl::StrCat(
      flag, ": the graph has no ", what, " \"", ShownName(name), "\".",
      names.empty() ? " It has none." : DidYouMeanOrKnownText(name, names)));
}

// Of a pipe or a terminal each line goes to one reader only.
bool IsOnePipe(int fd, int other_fd) {
  struct stat about = {};
  struct stat other = {};
  if (fstat(fd, &about) != 0 || fstat(other_fd, &other) != 0) return false;
  const bool is_consumed =
      S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode) || isatty(fd) != 0;
  return is_consumed && about.st_dev == other.st_dev &&
         about.st_ino == other.st_ino;
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

}  // namespace

absl::Status GraphFiles::OpenFileOf(Input* input, FileUses* uses) const {
  const bool is_standard = input->path == "-";
  for (const auto& other : inputs_) {
    if (!is_standard || other->path != "-") continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "--input: standard input is given to input_stream \"", other->stream,
        "\" and to \"", input->stream, "\": only one can have it"));
  }
  const absl::Status opened = is_standard ? input->file.OpenStandardInput()
                                          : input->file.Open(input->path);
  if (!opened.ok()) {
    return absl::NotFoundError(absl::StrCat(
        "cannot read \"", ShownName(input->path), "\" for input_stream \"",
        input->stream, "\" (", opened.message(),
        "): check that it is there and is a file you may read",
        is_standard ? "" : PathHint(input->path)));
  }
  for (const auto& other : inputs_) {
    if (!IsOnePipe(input->file.fd(), other->file.fd())) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "--input: \"", ShownName(other->path), "\" of input_stream \"",
        other->stream, "\" and \"", ShownName(input->path),
        "\" of input_stream \"", input->stream,
        "\" are one pipe or terminal, of which only one can have the packets: "
        "give each a file or a pipe of its own"));
  }
  uses->AddRead(absl::StrCat("--input=", input->stream), input->path,
                input->file.fd());
  if (!input->file.may_wait()) return absl::OkStatus();
  input->file.set_wait_text(absl::StrCat(
      "run_graph: waiting for the packets of input_stream \"", input->stream,
      "\", which come from ",
      isatty(input->file.fd()) != 0
          ? "the terminal: TIMESTAMP VALUE in each line, and Ctrl-D at the end"
      : is_standard ? "standard input"
                    : absl::StrCat("\"", ShownName(input->path), "\"")));
  return absl::OkStatus();
}

absl::Status GraphFiles::OpenInput(const GraphPlan& plan,
                                   absl::string_view given, FileUses* uses) {
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
  SYNCLINE_RETURN_IF_ERROR(OpenFileOf(input.get(), uses));
  inputs_.push_back(std::move(input));
  return absl::OkStatus();
}

absl::Status GraphFiles::OpenOutput(const GraphPlan& plan,
                                    absl::string_view given, FileUses* uses) {
  SYNCLINE_ASSIGN_OR_RETURN(const StreamAndFile parts,
                            Split("--output", given));
  const int stream = plan.FindStream(parts.stream);
  if (stream < 0) {
    std::vector<std::string> names;
    for (const PlanStream& known : plan.streams())
      names.emplace_back(known.name);
    return NoSuchStream("--output", "stream", parts.stream, names);
  }
  for (const auto& other : outputs_) {
    if (other->stream != parts.stream && other->path != parts.path) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "--output: \"", ShownName(given), "\" and \"", other->stream, "=",
        ShownName(other->path), "\" have the stream or the file in common"));
  }
  const absl::Status is_text = CheckIsText(*plan.streams()[stream].type);
  if (!is_text.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--output: stream \"", parts.stream, "\": ", is_text.message()));
  }
  auto output = std::make_unique<Output>();
  output->stream = parts.stream;
  output->path = parts.path;
  const absl::Status opened = output->file.Open(parts.path);
  if (!opened.ok()) {
    return absl::NotFoundError(
        absl::StrCat("cannot write \"", ShownName(parts.path),
                     "\" for stream \"", parts.stream, "\" (", opened.message(),
                     "): check that the folder exists and you may write there",
                     PathHint(parts.path)));
  }
  SYNCLINE_RETURN_IF_ERROR(uses->AddWritten(
      absl::StrCat("--output=", parts.stream), parts.path, output->file.fd()));
  outputs_.push_back(std::move(output));
  return absl::OkStatus();
}

absl::Status GraphFiles::Open(const GraphPlan& plan,
                              absl::Span<const std::string> inputs,
                              absl::Span<const std::string> outputs,
                              FileUses* uses, bool is_fed_otherwise) {
  for (const std::string& given : inputs) {
    SYNCLINE_RETURN_IF_ERROR(OpenInput(plan, given, uses));
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
    SYNCLINE_RETURN_IF_ERROR(OpenOutput(plan, given, uses));
  }
  return absl::OkStatus();
}

absl::Status GraphFiles::Observe(CalculatorGraph* graph) {
  for (const auto& owned : outputs_) {
    Output* const output = owned.get();
    SYNCLINE_RETURN_IF_ERROR(graph->ObserveOutputStream(
        output->stream,
        DescribedObserver{
            .name = absl::StrCat("--output=", output->stream, "=",
                                 ShownName(output->path)),
            .callback = [output](const Packet& packet) -> absl::Status {
              SYNCLINE_ASSIGN_OR_RETURN(const std::string line,
                                        PacketLine(packet));
              return CannotWrite(*output, output->file.Write(line));
            }}));
  }
  return absl::OkStatus();
}

absl::Status GraphFiles::BeginOutputs() {
  for (const auto& output : outputs_) {
    SYNCLINE_RETURN_IF_ERROR(CannotWrite(*output, output->file.Begin()));
  }
  return absl::OkStatus();
}

void GraphFiles::Flush() {
  // Close tells what cannot be written.
  for (const auto& output : outputs_) output->file.Flush().IgnoreError();
}

absl::Status GraphFiles::Close() {
  absl::Status status;
  for (const auto& output : outputs_) {
    status.Update(CannotWrite(*output, output->file.Close()));
  }
  return status;
}

absl::Status GraphFiles::CannotWrite(const Output& output,
                                     const absl::Status& status) {
  if (status.ok()) return status;
  return absl::UnavailableError(
      absl::StrCat("stream \"", output.stream, "\" cannot be written to \"",
                   ShownName(output.path), "\": ", status.message()));
}

}  // namespace syncline
