// The page of pages/live as a service of run_graph: part of the program, or of
// the plug-in "page".

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "framework/base/registration.h"
#include "framework/base/status_macros.h"
#include "framework/graph/calculator_graph.h"
#include "pages/live/live_page.h"
#include "tools/page_service.h"

namespace syncline {
namespace {

class ServedLivePage : public ServedPage {
 public:
  explicit ServedLivePage(std::unique_ptr<LivePage> page)
      : page_(std::move(page)) {}
  std::string Url() const override { return page_->Url(); }

 private:
  const std::unique_ptr<LivePage> page_;
};

absl::StatusOr<std::unique_ptr<ServedPage>> ServeLivePage(
    CalculatorGraph* graph, const PageRequest& request,
    const std::string& title, bool is_traced) {
  LivePageOptions options;
  options.port = request.port;
  options.address = request.address;
  options.has_control = request.has_control;
  options.title = title;
  options.traces = is_traced;
  SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<LivePage> page,
                            LivePage::Serve(graph, std::move(options)));
  return std::make_unique<ServedLivePage>(std::move(page));
}

REGISTER_FACTORY_FUNCTION_QUALIFIED(PageServices, page_service, LivePageService,
                                    ServeLivePage);

}  // namespace
}  // namespace syncline
