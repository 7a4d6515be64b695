#include "tools/run_graph_usage.h"

#include "absl/strings/str_cat.h"
#include "tools/device_flag.h"
#include "tools/lint/lint_text.h"
#include "tools/page_flags.h"
#include "tools/picture_flag.h"
#include "tools/recording_flags.h"
#include "tools/trace_flags.h"

namespace syncline {
namespace {

constexpr char kHelp[] =
    R"(Reads a Syncline graph, compiles it to a plan and runs it to its end.

usage: run_graph --graph=FILE [--input=STREAM=FILE] [--output=STREAM=FILE]
                 [OPTION...]

  --graph=FILE         the graph: Protobuf text (.pbtxt) or binary (.binarypb)
  --input=STREAM=FILE  packets for an input stream, a line each, such as
                       "20 hello"; - is standard input
  --output=STREAM=FILE write the packets of a stream; - is standard output
  --input_side_packets=NAME=VALUE
                       a side packet for the run
  --plugin=FILE        a library with calculators, or the name of an installed
                       one, such as opencv
  --check              print the plan, or the errors, and stop; with --lint
                       what is likely to stand still
  --describe=TYPE      print what a type is and stop; --list_types lists them
  --record=FILE        write what comes into the graph; --replay=FILE plays it
  --trace=FILE         write what happens, call by call, for the program trace
  --picture=FILE       draw the graph and its run: .svg, or .dot for Graphviz
  --page               show the run in the browser while it goes on
  --device=NAME        the device of nodes that use one; help lists them
  --version            what this program was built from, and for which devices
  --help=all           every flag, with all that is to say of it

Examples:
  run_graph --graph=g.pbtxt
  run_graph --graph=g.pbtxt --input=in=in.txt --output=out=-
  run_graph --graph=g.pbtxt --check --lint
  run_graph --graph=g.pbtxt --record=run.syncline
  run_graph --replay=run.syncline --check
  run_graph --describe=FlowLimiterCalculator

Ctrl-C ends a run in good order; Ctrl-\ says what its nodes wait for.
)";

// Of both.
constexpr char kExitStatus[] = R"(
Exit status: 0 the graph is good and its run was, 1 it is or was not, or packets
were left, or --lint has found something, 2 the command line is wrong, 130 or
143 interrupted by Ctrl-C or SIGTERM.
)";

constexpr char kUsageBegin[] =
    R"(Reads a Syncline graph, compiles it to a plan and runs it to its end.

usage: run_graph --graph=FILE [--template_args=NAME=VALUE,...]
                 [--input_side_packets=NAME=VALUE,...]
                 [--input=STREAM=FILE,...] [--output=STREAM=FILE,...]
                 [--plugin=FILE,...] [--log_level=[NODE=]LEVEL,...]
                 [--record=FILE] [--page[=PORT]]
                 [--device=NAME] [--check_device_access=BOOL]
       run_graph --replay=FILE [--graph=FILE] [--check]
       run_graph --graph=FILE --explore=N | --check [--lint] |
                              --write_binary=FILE
       run_graph --describe=TYPE | --list_types [--plugin=FILE,...]

  --graph=FILE         the graph: Protobuf text (.pbtxt) or binary (.binarypb)
                       (--calculator_graph_config_file=FILE is the same)
  --template_args=NAME=VALUE
                       a value for a parameter of a graph template; with ";" in
                       it a list, such as names=left;right
  --input_side_packets=NAME=VALUE
                       a side packet for the run, read as the type that the
                       graph asks for: a number, true or false, a string, or a
                       Protobuf message in text form
  --input=STREAM=FILE  packets for an input stream of the graph, one a line:
                       TIMESTAMP VALUE, such as "20 hello"; - is standard
                       input
  --output=STREAM=FILE write the packets of a stream, in the same form; - is
                       standard output. A file that is read, by whatever
                       name, is not written
  --plugin=FILE        a shared library with calculators, subgraphs, executors
                       and the like that the graph names; or the name of an
                       installed one, such as opencv: docs/installing.md
  --log_level=LEVEL    how much is logged: PANIC, ERROR, WARNING, INFO, DEBUG or
                       VERBOSE; NODE=LEVEL for the nodes of that name, in which
                       * and ? stand for others
  The last six may be repeated, or take a list with commas.
)";

constexpr char kUsageCheck[] =
    R"(  --explore=N          run the graph in N orders of its calls, one thread and
                       one call at a time, and of what they have devices do
                       (on stand_in:0), and compare what comes out
  --check              print the plan, or the errors, and stop
  --lint               with --check: print what is likely to stand still, in
                       place of the plan. A comment such as
                       # NOLINT(unread-output) silences a finding
                       (docs/concepts/linting.md). The rules find
)";

constexpr char kUsageEnd[] =
    R"(  --describe=TYPE      print what a registered type is, with its ports and its
                       parameters, and stop; also an extension, and by id
  --list_types         print all registered types by kind and stop
  --strict             treat what would be ignored with a warning as an error
  --allow_leftover     exit with 0 though packets were left that no call took,
                       as in a loop that nobody feeds
  --explain_after=TIME say why the run stands still once nothing has moved for
                       this time: seconds, or with a unit, as 500ms; 0 says
                       nothing. By default 1
  --write_binary=FILE  write the graph, as read, in binary form and stop
  --version            what this program was built from, and for which devices
  --help               the most important of this; --help=all is this text

Ctrl-C ends a run in good order: nodes are closed, files are written to the end.
The second ends the program at once. Ctrl-\ (SIGQUIT) says what the nodes wait
for, and the run goes on.
)";

}  // namespace

std::string RunGraphUsage() {
  return absl::StrCat(kUsageBegin, kRecordingFlagsHelp, kTraceFlagsHelp,
                      kPictureFlagHelp, kPageFlagsHelp, kDeviceFlagHelp,
                      kUsageCheck, LintRulesHelp(), kUsageEnd, kExitStatus);
}

std::string RunGraphHelp() { return absl::StrCat(kHelp, kExitStatus); }

}  // namespace syncline
