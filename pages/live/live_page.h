// LivePage: the page of a graph, for a browser, while it runs.
//
//   CalculatorGraph graph;
//   SYNCLINE_RETURN_IF_ERROR(graph.Initialize(config));
//   SYNCLINE_ASSIGN_OR_RETURN(const std::unique_ptr<LivePage> page,
//                             LivePage::Serve(&graph));
//   LOG(INFO) << "The graph is at " << page->Url();
//   SYNCLINE_RETURN_IF_ERROR(graph.Run());
//
// It shows the picture of the graph, and what its run does: packets, queues,
// calls, latencies, drops, conditions, who waits for whom, the log, and packets
// of streams that somebody chooses. `GET /metrics` gives numbers to Prometheus.
// docs/live_page.md describes it.
//
// COSTS. A thread looks at the graph while somebody looks at the page, at most
// ten times a second, and another one answers. The threads of the graph do
// nothing for it but what the flight recorder has them do, which Serve switches
// on if it is off.
//
// LIFE. The page shows whatever run goes on, or the last one, and says when one
// has ended and when another has begun. Serve may be called at any time after
// Initialize. The page goes before its graph.
//
// Thread rule: made and destroyed by one thread.
// Tested by live_page_test and, in a browser, by live_browser_test.

#ifndef SYNCLINE_PAGES_LIVE_LIVE_PAGE_H_
#define SYNCLINE_PAGES_LIVE_LIVE_PAGE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "framework/graph/calculator_graph.h"
#include "framework/tool/graph_page.h"

namespace syncline {

class LivePage {
 public:
  // The graph is borrowed. FAILED_PRECONDITION: it is not initialized.
  // UNAVAILABLE: the port is in use. INVALID_ARGUMENT: no such address or port.
  // UNIMPLEMENTED: this program was built without libmicrohttpd.
  static absl::StatusOr<std::unique_ptr<LivePage>> Serve(
      CalculatorGraph* graph, GraphPageOptions options = {});
  // If somebody looks at the page, gives it the time to get the last state.
  ~LivePage();
  LivePage(const LivePage&) = delete;
  LivePage& operator=(const LivePage&) = delete;

  // What to open in a browser of this machine.
  std::string Url() const;
  int port() const;

 private:
  class Handlers;

  explicit LivePage(std::unique_ptr<Handlers> handlers);

  const std::unique_ptr<Handlers> handlers_;
};

}  // namespace syncline

#endif  // SYNCLINE_PAGES_LIVE_LIVE_PAGE_H_
