#include "pages/live/live_page.h"

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/status_macros.h"
#include "nlohmann/json.hpp"
#include "pages/assets/graph_assets.h"
#include "pages/live/live_assets.h"
#include "pages/live/live_sample.h"
#include "pages/live/live_sampler.h"
#include "pages/live/packet_view.h"
#include "pages/live/page_log.h"
#include "pages/live/page_trace.h"
#include "pages/model/make_picture.h"
#include "pages/model/picture_json.h"
#include "pages/server/http_server.h"
#include "pages/server/listening_socket.h"
#include "pages/server/request_check.h"
#include "pages/server/wake_event.h"

namespace syncline {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kJson[] = "application/json";

// Somebody who asked within this time still looks, and asks again within the
// other one.
constexpr absl::Duration kLooksStill = absl::Seconds(1);
constexpr absl::Duration kAsksAgain = absl::Milliseconds(300);

// Who asks for numbers now and then gets those of now, also on a busy machine.
constexpr absl::Duration kMetricsPatience = absl::Seconds(1);

HttpAnswer OfType(absl::string_view type, std::string text) {
  HttpAnswer answer;
  answer.content_type = std::string(type);
  answer.body = std::make_shared<const std::string>(std::move(text));
  return answer;
}

HttpServer::Handler Asset(absl::string_view type, std::string text) {
  const HttpAnswer answer = OfType(type, std::move(text));
  return [answer](const HttpRequest&) { return answer; };
}

HttpAnswer OfStatus(const absl::Status& status) {
  if (status.ok()) return TextAnswer(200, "done\n");
  const bool is_conflict =
      absl::IsFailedPrecondition(status) || absl::IsAlreadyExists(status);
  return TextAnswer(is_conflict ? 409 : 500,
                    absl::StrCat(status.message(), "\n"));
}

HttpAnswer OfFile(absl::StatusOr<UniqueFd> file, absl::string_view name) {
  if (!file.ok()) return OfStatus(file.status());
  HttpAnswer answer;
  answer.content_type = "application/octet-stream";
  answer.saved_as = std::string(name);
  answer.file = file->Release();
  return answer;
}

// There is no answer so far.
HttpAnswer Later(absl::Duration patience) {
  HttpAnswer answer;
  answer.patience = patience;
  return answer;
}

HttpAnswer NoGraph() { return TextAnswer(503, "The graph does not answer.\n"); }

std::string PacketJson(const LiveSampler::Seen& seen) {
  if (seen.view == nullptr) return JsonText({{"number", 0}});
  const PacketView& view = *seen.view;
  Json json = {{"number", seen.number},
               {"timestamp", view.timestamp},
               {"type", view.type},
               {"text", view.text}};
  if (view.kind != PacketView::Kind::kText) {
    json["kind"] =
        view.kind == PacketView::Kind::kPicture ? "picture" : "matrix";
    json["width"] = view.shown_width;
    json["height"] = view.shown_height;
  }
  if (view.kind == PacketView::Kind::kMatrix) json["values"] = view.values;
  return JsonText(json);
}

}  // namespace

// What the page says to whom. The server's thread hands out what the sampler's
// has made, and makes short texts only.
class LivePage::Handlers {
 public:
  Handlers(CalculatorGraph* graph, GraphPageOptions options)
      : graph_(graph),
        options_(std::move(options)),
        trace_(graph, options_.trace_folder) {}
  ~Handlers();

  absl::Status Start();
  const HttpServer& server() const { return *server_; }

 private:
  std::map<std::string, HttpServer::Handler> Table();
  void AddAssets(std::map<std::string, HttpServer::Handler>* table);
  void AddControl(std::map<std::string, HttpServer::Handler>* table);
  absl::Status StartSampler();
  HttpAnswer State(const HttpRequest& request);
  HttpAnswer Metrics(const HttpRequest& request);
  HttpAnswer Log(const HttpRequest& request);
  HttpAnswer PacketOf(const HttpRequest& request);
  HttpAnswer PixelsOf(const HttpRequest& request);
  absl::StatusOr<int> StreamOf(const HttpRequest& request) const;
  void TellTrace() ABSL_LOCKS_EXCLUDED(mutex_);

  CalculatorGraph* const graph_;
  const GraphPageOptions options_;
  std::string page_;
  PageLog log_;
  // The server's.
  PageTrace trace_;
  Mutex mutex_;
  // For the sampler.
  LivePageState told_ ABSL_GUARDED_BY(mutex_);
  // Wakes the server for those who wait for the sampler.
  const std::shared_ptr<const WakeEvent> event_ =
      std::make_shared<const WakeEvent>();
  // The server goes first, then what it asks.
  std::unique_ptr<LiveSampler> sampler_;
  std::unique_ptr<HttpServer> server_;
};

absl::Status LivePage::Handlers::Start() {
  if (options_.traces) {
    // Where it is on already, it serves as well.
    const absl::Status enabled = graph_->EnableFlightRecorder();
    if (!enabled.ok() && !absl::IsAlreadyExists(enabled)) return enabled;
  }
  SYNCLINE_ASSIGN_OR_RETURN(page_, MakeToken());
  TellTrace();
  SYNCLINE_RETURN_IF_ERROR(StartSampler());
  HttpServer::Options server;
  server.wake_event = event_;
  server.address = options_.address;
  server.port = options_.port;
  if (!IsLoopbackAddress(options_.address)) {
    SYNCLINE_ASSIGN_OR_RETURN(server.token, MakeToken());
  }
  server.handlers = Table();
  SYNCLINE_ASSIGN_OR_RETURN(server_, HttpServer::Start(std::move(server)));
  return absl::OkStatus();
}

absl::Status LivePage::Handlers::StartSampler() {
  LiveSampler::Forms forms;
  forms.state = [this](const LiveSample& sample) {
    LivePageState state;
    {
      MutexLock lock(&mutex_);
      state = told_;
    }
    state.last_line = log_.last();
    return LiveJson(sample, state);
  };
  forms.metrics = [this](const LiveSample& sample) {
    return LiveMetrics(graph_->plan(), sample);
  };
  forms.on_taken = [this] { event_->Wake(); };
  SYNCLINE_ASSIGN_OR_RETURN(sampler_,
                            LiveSampler::Start(graph_, std::move(forms)));
  return absl::OkStatus();
}

LivePage::Handlers::~Handlers() {
  if (server_ == nullptr) return;
  if (absl::Now() - sampler_->last_asked() > kLooksStill) return;
  if (sampler_->AskNew(kAsksAgain).sample != nullptr) {
    absl::SleepFor(kAsksAgain);
  }
}

void LivePage::Handlers::TellTrace() {
  MutexLock lock(&mutex_);
  told_.page = page_;
  told_.has_control = options_.has_control;
  told_.is_tracing = trace_.is_on();
  told_.trace_text = trace_.text();
  told_.has_trace = trace_.has_file();
}

std::map<std::string, HttpServer::Handler> LivePage::Handlers::Table() {
  std::map<std::string, HttpServer::Handler> table;
  AddAssets(&table);
  AddControl(&table);
  table["GET /picture.json"] =
      Asset(kJson, ToJson(MakeGraphPicture(graph_->plan(), options_.title)));
  table["GET /state.json"] = [this](const HttpRequest& request) {
    return State(request);
  };
  table["GET /metrics"] = [this](const HttpRequest& request) {
    return Metrics(request);
  };
  table["GET /log.json"] = [this](const HttpRequest& request) {
    return Log(request);
  };
  table["GET /packet.json"] = [this](const HttpRequest& request) {
    return PacketOf(request);
  };
  table["GET /packet.rgba"] = [this](const HttpRequest& request) {
    return PixelsOf(request);
  };
  return table;
}

void LivePage::Handlers::AddAssets(
    std::map<std::string, HttpServer::Handler>* table) {
  constexpr char kScript[] = "text/javascript; charset=utf-8";
  (*table)["GET /"] =
      Asset("text/html; charset=utf-8", std::string(LiveHtml()));
  (*table)["GET /graph.js"] = Asset(kScript, std::string(GraphScript()));
  (*table)["GET /live.js"] = Asset(kScript, std::string(LiveScript()));
  (*table)["GET /page.css"] =
      Asset("text/css; charset=utf-8", absl::StrCat(GraphStyle(), LiveStyle()));
  (*table)["GET /icon.svg"] = Asset("image/svg+xml", std::string(LiveIcon()));
}

void LivePage::Handlers::AddControl(
    std::map<std::string, HttpServer::Handler>* table) {
  const auto add = [&](const char* name, std::function<HttpAnswer()> press) {
    (*table)[name] = [this, press](const HttpRequest&) {
      if (options_.has_control) return press();
      return TextAnswer(403,
                        "This page only shows the graph. A program that is to "
                        "be controlled from its page says so: "
                        "run_graph --page_control.\n");
    };
  };
  add("POST /trace/start", [this] {
    const absl::Status status = trace_.Start();
    TellTrace();
    return OfStatus(status);
  });
  add("POST /trace/stop", [this] {
    const absl::Status status = trace_.Stop();
    TellTrace();
    return OfStatus(status);
  });
  add("GET /trace/file", [this] { return OfFile(trace_.Open(), "run.trace"); });
  add("GET /trace/recent",
      [this] { return OfFile(trace_.OpenRecent(), "recent.trace"); });
}

HttpAnswer LivePage::Handlers::State(const HttpRequest& request) {
  std::int64_t since = 0;
  if (!absl::SimpleAtoi(request.argument("since"), &since)) since = 0;
  const LiveSampler::Reply reply = sampler_->Ask(
      LiveSampler::Form::kState,
      request.may_wait ? LiveSampler::kPatience : absl::ZeroDuration(), since);
  if (reply.patience > absl::ZeroDuration()) return Later(reply.patience);
  const LiveSampler::Taken& taken = reply.taken;
  if (taken.state == nullptr) return NoGraph();
  HttpAnswer answer;
  if (since == taken.sample->number) {
    answer.status = 204;
    // For how long the graph has not answered.
    answer.headers = {{"X-Age-Ms", absl::StrCat(absl::ToInt64Milliseconds(
                                       absl::Now() - taken.time))}};
    return answer;
  }
  answer.content_type = kJson;
  answer.body = taken.state;
  return answer;
}

HttpAnswer LivePage::Handlers::Metrics(const HttpRequest& request) {
  const LiveSampler::Reply reply =
      sampler_->Ask(LiveSampler::Form::kMetrics,
                    request.may_wait ? kMetricsPatience : absl::ZeroDuration());
  if (reply.patience > absl::ZeroDuration()) return Later(reply.patience);
  const LiveSampler::Taken& taken = reply.taken;
  // Numbers of long ago are none.
  if (taken.metrics == nullptr || absl::Now() - taken.time > absl::Seconds(2)) {
    return NoGraph();
  }
  HttpAnswer answer;
  answer.content_type = "text/plain; version=0.0.4; charset=utf-8";
  answer.body = taken.metrics;
  return answer;
}

HttpAnswer LivePage::Handlers::Log(const HttpRequest& request) {
  std::int64_t since = 0;
  if (!absl::SimpleAtoi(request.argument("since"), &since)) since = 0;
  Json lines = Json::array();
  for (const PageLog::Line& line : log_.Since(since)) {
    lines.push_back({{"number", line.number},
                     {"severity", std::string(1, line.severity)},
                     {"time", line.time},
                     {"place", line.place},
                     {"text", line.text}});
  }
  return OfType(kJson, JsonText({{"lines", std::move(lines)}}));
}

absl::StatusOr<int> LivePage::Handlers::StreamOf(
    const HttpRequest& request) const {
  int stream = -1;
  if (absl::SimpleAtoi(request.argument("stream"), &stream) && stream >= 0 &&
      stream < static_cast<int>(graph_->plan().streams().size())) {
    return stream;
  }
  return absl::NotFoundError("The graph has no stream of this number.\n");
}

HttpAnswer LivePage::Handlers::PacketOf(const HttpRequest& request) {
  const absl::StatusOr<int> stream = StreamOf(request);
  if (!stream.ok()) return TextAnswer(404, stream.status().message());
  const LiveSampler::Seen seen = sampler_->AskPacket(*stream);
  std::int64_t since = -1;
  if (absl::SimpleAtoi(request.argument("since"), &since) &&
      since == seen.number) {
    HttpAnswer answer;
    answer.status = 204;
    return answer;
  }
  return OfType(kJson, PacketJson(seen));
}

HttpAnswer LivePage::Handlers::PixelsOf(const HttpRequest& request) {
  const absl::StatusOr<int> stream = StreamOf(request);
  if (!stream.ok()) return TextAnswer(404, stream.status().message());
  const LiveSampler::Seen seen = sampler_->AskPacket(*stream);
  if (seen.view == nullptr || seen.view->kind != PacketView::Kind::kPicture) {
    return TextAnswer(404, "The stream's last packet is no picture.\n");
  }
  HttpAnswer answer;
  answer.content_type = "application/octet-stream";
  // It lives as long as the view that it is a part of.
  answer.body = std::shared_ptr<const std::string>(seen.view, &seen.view->rgba);
  answer.headers = {{"X-Width", absl::StrCat(seen.view->shown_width)},
                    {"X-Height", absl::StrCat(seen.view->shown_height)},
                    {"X-Number", absl::StrCat(seen.number)}};
  return answer;
}

// --- LivePage

LivePage::LivePage(std::unique_ptr<Handlers> handlers)
    : handlers_(std::move(handlers)) {}

LivePage::~LivePage() = default;

absl::StatusOr<std::unique_ptr<LivePage>> LivePage::Serve(
    CalculatorGraph* graph, GraphPageOptions options) {
  if (graph->profiler() == nullptr) {
    return absl::FailedPreconditionError(
        "The graph is not initialized: call Initialize() before Serve().");
  }
  auto handlers = std::make_unique<Handlers>(graph, std::move(options));
  SYNCLINE_RETURN_IF_ERROR(handlers->Start());
  return std::unique_ptr<LivePage>(new LivePage(std::move(handlers)));
}

std::string LivePage::Url() const { return handlers_->server().Url(); }
int LivePage::port() const { return handlers_->server().port(); }

}  // namespace syncline
