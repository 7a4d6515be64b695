// The page of pages/live as a service (framework/tool/graph_page.h): part of
// run_graph, or of the plug-in "page".

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "framework/base/registration.h"
#include "framework/base/status_macros.h"
#include "framework/graph/calculator_graph.h"
#include "framework/tool/graph_page.h"
#include "pages/live/live_page.h"

namespace syncline {
namespace {

class ServedLivePage : public GraphPage {
 public:
  explicit ServedLivePage(std::unique_ptr<LivePage> page)
      : page_(std::move(page)) {}
  std::string Url() const override { return page_->Url(); }

 private:
  const std::unique_ptr<LivePage> page_;
};

absl::StatusOr<std::unique_ptr<GraphPage>> ServeLivePage(
    CalculatorGraph* graph, const GraphPageOptions& options) {
  SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<LivePage> page,
                            LivePage::Serve(graph, options));
  return std::make_unique<ServedLivePage>(std::move(page));
}

REGISTER_FACTORY_FUNCTION_QUALIFIED(GraphPageServices, page_service,
                                    LivePageService, ServeLivePage);

}  // namespace
}  // namespace syncline
