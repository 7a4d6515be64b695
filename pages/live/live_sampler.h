// LiveSampler: looks at a graph while somebody looks at its page.
//
// A thread of its own takes a sample when somebody asks for one, and the last
// one is older than kPeriod: so at most ten a second, however many ask, and
// none while nobody does. Where a sample costs much, as of thousands of nodes,
// they are fewer, so that this thread takes a tenth of a core at most. The
// graph's threads do nothing for it.
//
// Whoever asks gets what there is, or is told for how long a newer one is worth
// waiting for. Nobody waits here: a graph that does not answer, as where a
// handler of its own hangs, keeps the sampler waiting and nobody else. The
// texts of a sample are made once, on this thread, for all who ask.
//
// Packets are looked at in the same way, as rarely: while somebody asks for a
// stream, its next packet is kept, and brought into a form that can be shown. A
// reader that takes the value out of it gets it all the same
// (packet/packet_looks.h).
//
// Thread rule: any thread; made and destroyed by one.
// Tested by live_sampler_test.

#ifndef SYNCLINE_PAGES_LIVE_LIVE_SAMPLER_H_
#define SYNCLINE_PAGES_LIVE_LIVE_SAMPLER_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "framework/base/cond_var.h"
#include "framework/base/mutex.h"
#include "framework/graph/calculator_graph.h"
#include "pages/live/live_sample.h"
#include "pages/live/sample_maker.h"
#include "pages/live/watched_streams.h"

namespace syncline {

class LiveSampler {
 public:
  static constexpr absl::Duration kPeriod = absl::Milliseconds(90);
  // Of a sample that took the thread a long time, until the next one.
  static constexpr absl::Duration kLongestPeriod = absl::Seconds(1);
  static constexpr absl::Duration kPatience = absl::Milliseconds(50);
  static constexpr absl::Duration kFirstPatience = absl::Seconds(1);
  static constexpr absl::Duration kStillNew = absl::Milliseconds(300);

  // The forms that samples have, and who is told of them. All are called on the
  // sampler's thread.
  struct Forms {
    std::function<std::string(const LiveSample&)> state;
    // Made for the samples for which somebody wants it.
    std::function<std::string(const LiveSample&)> metrics;
    // There is something new for those who wait. May be empty.
    std::function<void()> on_taken;
  };
  enum class Form { kState, kMetrics };

  // A sample, and what it became.
  struct Taken {
    std::shared_ptr<const LiveSample> sample;
    std::shared_ptr<const std::string> state;
    // Null where nobody has wanted it.
    std::shared_ptr<const std::string> metrics;
    // When it was taken, by the clock of the machine.
    absl::Time time;
  };
  struct Reply {
    // Null: there is none so far.
    Taken taken;
    // Not zero: a newer one comes soon. Who asks again when on_taken is called
    // gets it; after this time it is no longer worth waiting for.
    absl::Duration patience;
  };

  using Seen = WatchedStreams::Seen;

  // The graph is borrowed. RESOURCE_EXHAUSTED: the machine gives no thread.
  static absl::StatusOr<std::unique_ptr<LiveSampler>> Start(
      CalculatorGraph* graph, Forms forms);
  ~LiveSampler();
  LiveSampler(const LiveSampler&) = delete;
  LiveSampler& operator=(const LiveSampler&) = delete;

  // A sample that is new enough and has this form, or the last one. A graph
  // that has not answered for longer than `patience` is not worth waiting for;
  // before the first sample that is kFirstPatience at least. With no patience,
  // nothing new is asked for.
  //
  // Who asks again and again says which sample it `knows`, by its number. It
  // gets a later one at once if that is not older than kStillNew, and a newer
  // one is taken meanwhile, so that nobody waits.
  Reply Ask(Form form, absl::Duration patience = kPatience,
            std::int64_t knows = 0) ABSL_LOCKS_EXCLUDED(mutex_);
  // A sample that is taken after this call, or null if none is in `patience`.
  Taken AskNew(absl::Duration patience) ABSL_LOCKS_EXCLUDED(mutex_);
  // When somebody asked last; the infinite past if nobody did.
  absl::Time last_asked() const ABSL_LOCKS_EXCLUDED(mutex_);

  // The last packet of the stream, by its id in the plan, that was seen since
  // somebody asks for it.
  Seen AskPacket(int stream) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  LiveSampler(CalculatorGraph* graph, Forms forms);
  void Work() ABSL_LOCKS_EXCLUDED(mutex_);
  // What is to be done next.
  struct Job {
    bool is_last = false;
    bool takes_sample = false;
    bool makes_metrics = false;
    bool looks_at_packets = false;
    // What there is, for metrics that are missing.
    Taken taken;
  };
  Job WaitForJob() ABSL_LOCKS_EXCLUDED(mutex_);
  // Takes a sample, or gives the last one the form that is missing.
  void Take(Job job) ABSL_LOCKS_EXCLUDED(mutex_);
  void LookAtPackets() ABSL_LOCKS_EXCLUDED(mutex_);
  void StopLookingAtOld() ABSL_LOCKS_EXCLUDED(mutex_);

  CalculatorGraph* const graph_;
  const Forms forms_;

  SampleMaker maker_;  // the thread's

  mutable Mutex mutex_;
  CondVar asked_cv_;
  CondVar taken_cv_;
  bool wants_sample_ ABSL_GUARDED_BY(mutex_) = false;
  bool wants_metrics_ ABSL_GUARDED_BY(mutex_) = false;
  bool wants_packets_ ABSL_GUARDED_BY(mutex_) = false;
  // Packets are looked at no sooner.
  absl::Time packets_due_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();
  // Somebody was told that a newer sample comes soon.
  bool is_waited_for_ ABSL_GUARDED_BY(mutex_) = false;
  // Samples.
  std::int64_t num_begun_ ABSL_GUARDED_BY(mutex_) = 0;
  std::int64_t num_done_ ABSL_GUARDED_BY(mutex_) = 0;
  // When the thread began what it does; it does nothing in the far future.
  absl::Time busy_since_ ABSL_GUARDED_BY(mutex_) = absl::InfiniteFuture();
  bool is_over_ ABSL_GUARDED_BY(mutex_) = false;
  absl::Time last_asked_ ABSL_GUARDED_BY(mutex_) = absl::InfinitePast();
  Taken taken_ ABSL_GUARDED_BY(mutex_);
  // For how long it is new.
  absl::Duration period_ ABSL_GUARDED_BY(mutex_) = kPeriod;
  WatchedStreams streams_ ABSL_GUARDED_BY(mutex_);

  std::thread thread_;
};

}  // namespace syncline

#endif  // SYNCLINE_PAGES_LIVE_LIVE_SAMPLER_H_
