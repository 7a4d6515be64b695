// PageServices: what serves the page of a run, by name.
//
// The page needs a library that an installation may lack, so run_graph is not
// made with it. Whatever has it registers here: a library that is linked into
// the program, as in Bazel's run_graph, or the plug-in "page", a Debian package
// of its own, which run_graph opens when it is asked for a page (run_page.h).
//
// Thread rule: free functions, from any thread; a served page is used by one.
// Tested by run_page_test, and of an installation by package_test.

#ifndef SYNCLINE_TOOLS_PAGE_SERVICE_H_
#define SYNCLINE_TOOLS_PAGE_SERVICE_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "framework/base/typed_registry.h"
#include "framework/graph/calculator_graph.h"

namespace syncline {

// What is asked for on the command line.
struct PageRequest {
  bool is_wanted = false;
  int port = 0;
  std::string address = "127.0.0.1";
  bool has_control = false;
  // The page stays when the run has ended, until Ctrl-C.
  bool stays = false;
};

// The page is there as long as this lives.
class ServedPage {
 public:
  virtual ~ServedPage() = default;
  // What to open in a browser of this machine.
  virtual std::string Url() const = 0;
};

// They serve the page of a graph, which is borrowed and outlives the page,
// under a title. The last argument: the run has a flight recorder, or may have
// one for the page. Errors say what is wrong with the request.
using PageServices =
    GlobalFactoryRegistry<absl::StatusOr<std::unique_ptr<ServedPage>>,
                          CalculatorGraph*, const PageRequest&,
                          const std::string&, bool>;

// What live_page_service.cc registers.
inline constexpr char kPageService[] = "LivePageService";

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_PAGE_SERVICE_H_
