// RunPage: the page of one run of run_graph.
//
// Thread rule: one thread.
// Tested by run_graph_page_test.

#ifndef SYNCLINE_TOOLS_RUN_PAGE_H_
#define SYNCLINE_TOOLS_RUN_PAGE_H_

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "framework/graph/calculator_graph.h"
#include "framework/tool/graph_page.h"
#include "tools/page_flags.h"

namespace syncline {

class RunPage {
 public:
  // `is_traced`: the run has a flight recorder, or may have one for the page.
  RunPage(PageRequest request, std::string title, bool is_traced)
      : request_(std::move(request)),
        title_(std::move(title)),
        is_traced_(is_traced) {}

  // Before the run: serves the page, if it is wanted, and says where it is. The
  // graph is borrowed, and outlives this. Opens the plug-in that has the page
  // if the program has none.
  absl::Status Start(CalculatorGraph* graph);
  // After the run: with --page_stay, waits for Ctrl-C or SIGTERM.
  void Stay() const;

 private:
  const PageRequest request_;
  const std::string title_;
  const bool is_traced_;
  std::unique_ptr<GraphPage> page_;
};

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_RUN_PAGE_H_
