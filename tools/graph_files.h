// Files at the ends of a graph: packets read into its inputs, and written from
// its streams, one packet a line (see packet_lines.h).
//
//   GraphFiles files;
//   SYNCLINE_RETURN_IF_ERROR(files.Open(plan, {"in=numbers.txt"}, {"out=-"}));
//   ... graph.Initialize(plan)
//   SYNCLINE_RETURN_IF_ERROR(files.Observe(&graph));
//   SYNCLINE_RETURN_IF_ERROR(files.BeginOutputs());
//   ... graph.StartRun({})
//   const absl::Status fed = files.Feed(&graph);
//   ... graph.WaitUntilDone(), then files.Close()
//
// Files are read line by line, the earliest packet of all files first. So files
// may be larger than the memory, and no input runs ahead of what a join waits
// for. A file that begins late, or has a gap, does not delay the others. The
// next packet of a pipe or a terminal is not known before it arrives: if one of
// the inputs is such, each input is read on a thread of its own, and none waits
// for another.
//
// An output file keeps what was in it until BeginOutputs.
//
// Thread rule: for one thread; what is observed is written on the threads of
// the graph, one packet of a stream at a time.
// Tested by graph_files_test, run_graph_test and run_graph_files_test.

#ifndef SYNCLINE_TOOLS_GRAPH_FILES_H_
#define SYNCLINE_TOOLS_GRAPH_FILES_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "framework/graph/calculator_graph.h"
#include "framework/packet/packet.h"
#include "framework/packet/packet_type.h"
#include "framework/packet/timestamp.h"
#include "framework/plan/graph_plan.h"
#include "tools/file_uses.h"
#include "tools/line_reader.h"
#include "tools/output_file.h"

namespace syncline {

class GraphFiles {
 public:
  // Each of `inputs` and `outputs` is STREAM=FILE; "-" is standard input or
  // output. INVALID_ARGUMENT: not of that form, no such stream, a type without
  // text, given twice, or an output that is a file of `uses`, to which all are
  // added. FAILED_PRECONDITION: an input of the graph has no file, unless it is
  // fed otherwise. NOT_FOUND: a file that cannot be opened. Borrows `plan`
  // until Feed is done.
  absl::Status Open(const GraphPlan& plan, absl::Span<const std::string> inputs,
                    absl::Span<const std::string> outputs, FileUses* uses,
                    bool is_fed_otherwise = false);

  // Before StartRun. What cannot be written ends the run with a status.
  absl::Status Observe(CalculatorGraph* graph);
  // Right before StartRun: empties the output files.
  absl::Status BeginOutputs();

  // After StartRun: all packets of all files, then the end of each stream. An
  // error names file and line, or is the graph's; the graph is to be ended
  // then. CANCELLED, also in the middle of waiting for a pipe, once
  // `interrupt_fd` is readable (-1 for never).
  absl::Status Feed(CalculatorGraph* graph, int interrupt_fd = -1);

  // Who feeds which input of the graph, as "--input=in=FILE", by stream.
  std::map<std::string, std::string> FeederNames() const;
  // Somebody types the packets of an input at a terminal.
  bool AreTyped() const;
  // Feed may wait for somebody else, as at a pipe.
  bool MayWait() const;

  // While the graph is idle: what was written can be read elsewhere.
  void Flush();

  // Instead of Feed: all packets of all files at once, by stream.
  using Streams = std::map<std::string, std::vector<Packet>>;
  absl::StatusOr<Streams> ReadAll();

  // After the run: UNAVAILABLE if something could not be written.
  absl::Status Close();

 private:
  struct Input {
    std::string stream;
    std::string path;
    const PacketType* type = nullptr;
    LineReader file;
    bool at_end = false;
    Packet next;
    // The line and the timestamp of the packet before.
    int last_line = 0;
    Timestamp last = Timestamp::Unset();
  };
  struct Output {
    std::string stream;
    std::string path;
    OutputFile file{"run_graph"};
  };

  absl::Status OpenInput(const GraphPlan& plan, absl::string_view given,
                         FileUses* uses);
  absl::Status OpenFileOf(Input* input, FileUses* uses) const;
  absl::Status OpenOutput(const GraphPlan& plan, absl::string_view given,
                          FileUses* uses);
  // OK, or an error of the output, which is named.
  static absl::Status CannotWrite(const Output& output,
                                  const absl::Status& status);
  using AddFunction =
      std::function<absl::Status(const std::string& stream, Packet packet)>;
  // All packets of some inputs, the earliest first.
  static absl::Status FeedMerged(CalculatorGraph* graph,
                                 absl::Span<Input* const> inputs,
                                 const AddFunction& add);
  // Each input on a thread of its own, the last on this one.
  absl::Status FeedEach(CalculatorGraph* graph);
  // Reads the next packet, or notes the end.
  static absl::Status Advance(Input* input);
  // The status with the place in the file before it.
  static absl::Status AtLine(const Input& input, const absl::Status& status);

  std::vector<std::unique_ptr<Input>> inputs_;
  std::vector<std::unique_ptr<Output>> outputs_;
};

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_GRAPH_FILES_H_
