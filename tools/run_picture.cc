#include "tools/run_picture.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/mutex.h"
#include "framework/base/status_macros.h"
#include "framework/config/graph_runtime_info.pb.h"
#include "framework/graph/calculator_graph.h"
#include "framework/plan/graph_draft.h"
#include "framework/plan/graph_plan.h"
#include "pages/model/graph_picture.h"
#include "pages/model/make_picture.h"
#include "pages/model/picture_state.h"
#include "tools/exit_status.h"
#include "tools/file_uses.h"
#include "tools/lint/lint_finding.h"
#include "tools/lint/lint_text.h"
#include "tools/lint_remarks.h"
#include "tools/picture_flag.h"
#include "tools/view_graph/view_picture.h"

namespace syncline {

absl::Status RunPicture::AddUses(FileUses* uses) const {
  return AddPictureUse(request_, uses);
}

absl::Status RunPicture::Watch(CalculatorGraph* graph) {
  if (request_.path.empty()) return absl::OkStatus();
  return graph->SetErrorCallback([this, graph](const absl::Status& error) {
    PictureState state = StateNow(graph);
    state.phase = "failed";
    state.error = std::string(error.message());
    MutexLock lock(&mutex_);
    if (!at_error_.has_value()) at_error_ = std::move(state);
  });
}

PictureState RunPicture::StateNow(CalculatorGraph* graph) const {
  const absl::StatusOr<GraphRuntimeInfo> info = graph->GetGraphRuntimeInfo();
  // Before the run has begun there is nothing to show.
  PictureState state = MakePictureState(
      graph->plan(), info.ok() ? *info : GraphRuntimeInfo(), graph->GetWaits());
  state.phase = "running";
  state.elapsed_us = absl::ToInt64Microseconds(absl::Now() - start_);
  return state;
}

absl::Status RunPicture::Write(const CalculatorGraph& graph,
                               const PictureState& state) const {
  return WritePicture(request_, MakeGraphPicture(graph.plan(), title_), &state);
}

std::string RunPicture::Draw(CalculatorGraph* graph) const {
  if (request_.path.empty()) return "";
  const absl::Status written = Write(*graph, StateNow(graph));
  if (!written.ok()) return std::string(written.message());
  return absl::StrCat("the picture is in \"", ShownName(request_.path), "\"");
}

absl::Status RunPicture::Finish(CalculatorGraph* graph,
                                const absl::Status& status,
                                bool is_interrupted) const {
  if (request_.path.empty()) return absl::OkStatus();
  PictureState state = StateNow(graph);
  {
    MutexLock lock(&mutex_);
    if (at_error_.has_value()) state = *at_error_;
  }
  if (is_interrupted) {
    state.phase = "interrupted";
    state.error.clear();
  } else {
    state.phase = status.ok() ? "ended" : "failed";
    state.error = std::string(status.message());
  }
  return Write(*graph, state);
}

absl::Status DrawGraph(const PictureRequest& request,
                       const absl::StatusOr<GraphPlan>& plan,
                       const GraphSource& source, const std::string& path,
                       FileUses* uses) {
  if (request.path.empty()) return absl::OkStatus();
  SYNCLINE_RETURN_IF_ERROR(AddPictureUse(request, uses));
  if (!plan.ok()) {
    CompileOptions options;
    options.log_warnings = false;
    const GraphDraft draft = DraftGraph(source, options);
    GraphPicture picture = MakeGraphPicture(draft, path);
    // A type that nobody knows is an error for whoever wants to run the graph.
    if (draft.errors.empty()) {
      AddRemark(
          -1,
          {PictureRemark::Kind::kError, std::string(plan.status().message())},
          &picture);
    }
    return WritePicture(request, picture);
  }
  GraphPicture picture = MakeGraphPicture(*plan, path);
  SYNCLINE_ASSIGN_OR_RETURN(const std::vector<LintFinding> findings,
                            LintGraphFile(*plan, source, path));
  AddFindings(findings, &picture);
  return WritePicture(request, picture);
}

absl::Status DrawUnreadGraph(const PictureRequest& request,
                             const std::string& path,
                             const TemplateDict& template_arguments,
                             const absl::Status& error, FileUses* uses) {
  if (request.path.empty() || path.empty()) return absl::OkStatus();
  absl::StatusOr<GraphPicture> picture =
      MakeViewPicture({.path = path, .template_arguments = template_arguments});
  if (!picture.ok()) return absl::OkStatus();
  SYNCLINE_RETURN_IF_ERROR(AddPictureUse(request, uses));
  AddRemark(-1, {PictureRemark::Kind::kError, std::string(error.message())},
            &*picture);
  return WritePicture(request, *picture);
}

}  // namespace syncline
