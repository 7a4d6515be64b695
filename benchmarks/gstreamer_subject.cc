#include "benchmarks/gstreamer_subject.h"

#include <gst/app/gstappsrc.h>
#include <gst/gst.h>

#include <utility>

#include "absl/strings/string_view.h"
#include "framework/port/status_macros.h"

namespace syncline {
namespace {

// The same limit as that of a graph input of Syncline.
constexpr int kFedAtOnce = 100;
constexpr GstClockTime kTimeout = 600 * GST_SECOND;

struct Unref {
  void operator()(void* object) const { gst_object_unref(object); }
};
using ElementPtr = std::unique_ptr<GstElement, Unref>;

GstBuffer* BufferAt(std::int64_t time) {
  GstBuffer* const buffer =
      gst_buffer_new_allocate(nullptr, sizeof(time), nullptr);
  gst_buffer_fill(buffer, 0, &time, sizeof(time));
  GST_BUFFER_PTS(buffer) = static_cast<GstClockTime>(time);
  return buffer;
}

// The state of the callback of appsrc.
struct Feed {
  std::int64_t next = 0;
  std::int64_t packets = 0;
};

void OnNeedData(GstAppSrc* source, guint, gpointer data) {
  Feed* const feed = static_cast<Feed*>(data);
  if (feed->next < feed->packets) {
    gst_app_src_push_buffer(source, BufferAt(feed->next++));
  } else {
    gst_app_src_end_of_stream(source);
  }
}

class Pipeline {
 public:
  Pipeline() : pipeline_(gst_pipeline_new(nullptr)) {
    source_ = Add("appsrc");
    g_object_set(source_, "format", GST_FORMAT_TIME, "max-bytes", guint64{0},
                 "max-buffers", guint64{kFedAtOnce}, "block", TRUE, nullptr);
    sink_ = Add("fakesink");
    g_object_set(sink_, "sync", FALSE, "enable-last-sample", FALSE, nullptr);
  }
  ~Pipeline() { gst_element_set_state(pipeline_.get(), GST_STATE_NULL); }
  Pipeline(const Pipeline&) = delete;
  Pipeline& operator=(const Pipeline&) = delete;

  // The pipeline owns the element.
  GstElement* Add(const char* type) {
    GstElement* const element = gst_element_factory_make(type, nullptr);
    gst_bin_add(GST_BIN(pipeline_.get()), element);
    return element;
  }
  void Link(GstElement* from, GstElement* to) {
    linked_ &= gst_element_link(from, to) != FALSE;
  }

  void BuildChain(int size, bool with_queue) {
    GstElement* last = source_;
    // The sink counts as the last of the nodes.
    for (int i = 1; i < size; ++i) {
      if (with_queue && i == size / 2) last = AddAfter(last, "queue");
      last = AddAfter(last, "identity");
    }
    Link(last, sink_);
  }
  void BuildFanOut(int size, bool with_queue) {
    GstElement* const before =
        with_queue ? AddAfter(source_, "queue") : source_;
    GstElement* const tee = AddAfter(before, "tee");
    GstElement* const funnel = Add("funnel");
    for (int i = 0; i < size; ++i) Link(AddAfter(tee, "identity"), funnel);
    Link(funnel, sink_);
  }

  // Runs the pipeline to its end. With `push` the application sends the
  // buffers.
  absl::Status Run(std::int64_t packets, bool push) {
    if (!linked_) return absl::InternalError("GStreamer elements do not link");
    Feed feed{0, packets};
    GstAppSrc* const source = GST_APP_SRC(source_);
    if (!push) {
      GstAppSrcCallbacks callbacks = {};
      callbacks.need_data = OnNeedData;
      gst_app_src_set_callbacks(source, &callbacks, &feed, nullptr);
    }
    gst_element_set_state(pipeline_.get(), GST_STATE_PLAYING);
    if (push) {
      for (std::int64_t i = 0; i < packets; ++i) {
        gst_app_src_push_buffer(source, BufferAt(i));
      }
      gst_app_src_end_of_stream(source);
    }
    return WaitForEnd();
  }

  // The number of buffers that reached the sink.
  std::int64_t Delivered() const {
    GstStructure* stats = nullptr;
    g_object_get(sink_, "stats", &stats, nullptr);
    guint64 rendered = 0;
    gst_structure_get_uint64(stats, "rendered", &rendered);
    gst_structure_free(stats);
    return static_cast<std::int64_t>(rendered);
  }

 private:
  GstElement* AddAfter(GstElement* from, const char* type) {
    GstElement* const element = Add(type);
    if (absl::string_view(type) == "identity") {
      // Nobody listens, so no signal is to be made for each buffer.
      g_object_set(element, "signal-handoffs", FALSE, nullptr);
    }
    Link(from, element);
    return element;
  }

  absl::Status WaitForEnd() {
    const std::unique_ptr<GstBus, Unref> bus(
        gst_element_get_bus(pipeline_.get()));
    GstMessage* const message = gst_bus_timed_pop_filtered(
        bus.get(), kTimeout,
        static_cast<GstMessageType>(GST_MESSAGE_EOS | GST_MESSAGE_ERROR));
    if (message == nullptr) {
      return absl::DeadlineExceededError("GStreamer did not end");
    }
    const bool ended = GST_MESSAGE_TYPE(message) == GST_MESSAGE_EOS;
    gst_message_unref(message);
    return ended ? absl::OkStatus()
                 : absl::InternalError("GStreamer ended with an error");
  }

  const ElementPtr pipeline_;
  GstElement* source_;
  GstElement* sink_;
  bool linked_ = true;
};

class GstreamerSubject : public Subject {
 public:
  absl::string_view name() const override { return "GStreamer"; }

  bool Supports(const Workload& workload, int threads) const override {
    switch (workload.shape) {
      case Shape::kFedChain:
        return true;
      case Shape::kChain:
      case Shape::kFanOut:
        return threads > 0;
      default:
        return false;
    }
  }

  absl::StatusOr<Measurement> Run(const Workload& workload, int threads,
                                  std::int64_t packets) override {
    Pipeline pipeline;
    std::int64_t expected = packets;
    if (workload.shape == Shape::kFanOut) {
      pipeline.BuildFanOut(workload.size, threads > 1);
      expected *= workload.size;
    } else {
      pipeline.BuildChain(workload.size, threads > 1);
    }
    const Stopwatch stopwatch;
    SYNCLINE_RETURN_IF_ERROR(
        pipeline.Run(packets, workload.shape == Shape::kFedChain));
    return TimePerPacket(workload, stopwatch.ElapsedNs(), packets,
                         pipeline.Delivered(), expected);
  }
};

}  // namespace

std::unique_ptr<Subject> MakeGstreamerSubject(std::string* missing) {
  GError* error = nullptr;
  if (gst_init_check(nullptr, nullptr, &error) == FALSE) {
    *missing = error != nullptr ? error->message : "it does not start";
    g_clear_error(&error);
    return nullptr;
  }
  for (const char* type :
       {"appsrc", "identity", "fakesink", "tee", "funnel", "queue"}) {
    GstElementFactory* const factory = gst_element_factory_find(type);
    if (factory == nullptr) {
      *missing = absl::StrCat("it has no element \"", type, "\" here");
      return nullptr;
    }
    gst_object_unref(factory);
  }
  return std::make_unique<GstreamerSubject>();
}

}  // namespace syncline
