// RunPicture: the picture of one run of run_graph, drawn when the run has
// ended, and when it is asked for; and the picture of a graph that does not
// run.
//
// Where a run fails, its picture is that of the first error: what was in the
// queues then, and who waited for whom. After the end the queues are empty.
//
// Thread rule: one thread, but for Draw, which any may call between the start
// of the run and Finish. Tested by run_picture_test and run_graph_picture_test.

#ifndef SYNCLINE_TOOLS_RUN_PICTURE_H_
#define SYNCLINE_TOOLS_RUN_PICTURE_H_

#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "absl/types/optional.h"
#include "framework/base/mutex.h"
#include "framework/config/calculator_graph_template.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/graph_text/graph_source.h"
#include "framework/plan/graph_plan.h"
#include "pages/model/graph_picture.h"
#include "tools/file_uses.h"
#include "tools/picture_flag.h"

namespace syncline {

class RunPicture {
 public:
  // `title` is what the graph is called by.
  RunPicture(PictureRequest request, std::string title)
      : request_(std::move(request)), title_(std::move(title)) {}
  RunPicture(const RunPicture&) = delete;
  RunPicture& operator=(const RunPicture&) = delete;

  absl::Status AddUses(FileUses* uses) const;
  // Before the graph is initialized. It borrows this object for its life.
  absl::Status Watch(CalculatorGraph* graph);
  // While the graph runs; returns what to tell the user, or nothing.
  std::string Draw(CalculatorGraph* graph) const;
  // After the run, which has ended with `status`, or by a signal.
  absl::Status Finish(CalculatorGraph* graph, const absl::Status& status,
                      bool is_interrupted) const;

 private:
  PictureState StateNow(CalculatorGraph* graph) const;
  absl::Status Write(const CalculatorGraph& graph,
                     const PictureState& state) const;

  const PictureRequest request_;
  const std::string title_;
  const absl::Time start_ = absl::Now();
  mutable Mutex mutex_;
  // Of the first error.
  absl::optional<PictureState> at_error_ ABSL_GUARDED_BY(mutex_);
};

// Draws the graph that was read from the file `path`: the plan with what the
// linter finds, or, where the graph does not compile, as much of it as is
// known, with its errors. Draws nothing where no picture is asked for.
absl::Status DrawGraph(const PictureRequest& request,
                       const absl::StatusOr<GraphPlan>& plan,
                       const GraphSource& source, const std::string& path,
                       FileUses* uses);

// The same where the file could not be read, for `error`: it has options of
// types that this program does not have, and is drawn without a knowledge of
// these. Draws nothing where that is not why.
absl::Status DrawUnreadGraph(const PictureRequest& request,
                             const std::string& path,
                             const TemplateDict& template_arguments,
                             const absl::Status& error, FileUses* uses);

}  // namespace syncline

#endif  // SYNCLINE_TOOLS_RUN_PICTURE_H_
