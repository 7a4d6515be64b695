// ServeGraphPage: the page of a graph, for a browser, while it runs.
//
//   CalculatorGraph graph;
//   SYNCLINE_RETURN_IF_ERROR(graph.Initialize(config));
//   SYNCLINE_ASSIGN_OR_RETURN(const std::unique_ptr<GraphPage> page,
//                             ServeGraphPage(&graph));
//   LOG(INFO) << "The graph is at " << page->Url();
//   SYNCLINE_RETURN_IF_ERROR(graph.Run());
//
// docs/live_page.md describes it. The page needs a library of its own, so the
// framework is not made with it: it is pages/live/live_page.h, by a service
// that registers here. Either the program has it linked in, or it is in the
// plug-in "page", a Debian package of its own, which is opened when somebody
// asks for a page.
//
// Thread rule: free functions, from any thread; a page is made and destroyed by
// one.
// Tested by graph_page_test, run_graph_page_test and, of an installation,
// package_test.

#ifndef SYNCLINE_FRAMEWORK_TOOL_GRAPH_PAGE_H_
#define SYNCLINE_FRAMEWORK_TOOL_GRAPH_PAGE_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "framework/base/typed_registry.h"
#include "framework/graph/calculator_graph.h"

namespace syncline {

struct GraphPageOptions {
  // 0: any port that is free.
  int port = 0;
  // In numbers. With any other than one of loopback, whoever asks needs a
  // token, which is part of Url().
  std::string address = "127.0.0.1";
  // The page may start and stop traces. Else it changes nothing.
  bool has_control = false;
  // Where its traces go; empty: the folder of temporary files.
  std::string trace_folder;
  // What the page is called: the file of the graph, for instance.
  std::string title;
  // Where nothing traces the graph, have it traced, in memory. If not, times of
  // calls, latencies and packets are missing then.
  bool traces = true;
};

// The page is there as long as this lives.
class GraphPage {
 public:
  virtual ~GraphPage() = default;
  // What to open in a browser of this machine.
  virtual std::string Url() const = 0;
};

// At any time after Initialize(). The graph is borrowed, and outlives the page.
// NOT_FOUND: the page is not there; the error says what to install.
// FAILED_PRECONDITION: the graph is not initialized. UNAVAILABLE: the port is
// in use. INVALID_ARGUMENT: no such address or port. Other errors are of a
// plug-in that cannot be opened.
absl::StatusOr<std::unique_ptr<GraphPage>> ServeGraphPage(
    CalculatorGraph* graph, const GraphPageOptions& options = {});

// What serves pages, by name.
using GraphPageServices =
    GlobalFactoryRegistry<absl::StatusOr<std::unique_ptr<GraphPage>>,
                          CalculatorGraph*, const GraphPageOptions&>;

namespace internal {

// The name of the service, and that of the plug-in.
inline constexpr char kGraphPageService[] = "LivePageService";
inline constexpr char kPagePlugin[] = "page";

// Opens the plug-in in `plugin_folder`, unless there is a service already.
absl::Status ProvideGraphPageService(const std::string& plugin_folder);

}  // namespace internal
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TOOL_GRAPH_PAGE_H_
