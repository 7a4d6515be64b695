// StandstillWatch: says by itself why a run stands still, as soon as it has
// stood still for some time while somebody waits for it.
//
//   no call has ended, and no packet or bound has moved, for `after`
//   somebody waits for the run, and has waited for `after`
//   no node waits for the graph's clock, no call sleeps on it, and no source
//   waits for a device
//     -> `tell` gets the text, once; again when the cause is one that was not
//        told so far, or the node that it is about has taken or sent something
//        in between (one that owes answers: when it owes another number of
//        them). What comes again and again, as behind a slow camera, is told
//        twice, a long call once, and then only if it lasts three times as long
//        as it ever did, or has not come for sixty times `after`.
//
// A source that is in a call, and has sent packets before, may wait for a
// device: a camera has a frame now and then. So does the feeder of a graph
// input, from whom packets have come. If nobody waits for anything else, it is
// told only once it lasts three times as long as any such wait before it, and
// kShortestTold at least; a first call that does not return, once it lasts
// longer than the first frame of a slow camera (report/call_step).
//
// A thread of its own looks fifty times in `after`, and every 20 ms at most, so
// that it tells that much later than `after` at most. It reads a few counters;
// the nodes are looked at only once these have not moved for `after`.
//
// Thread rule: made and destroyed by one thread. `tell` is called on the
// watch's.
// Tested by standstill_watch_test, standstill_streams_test,
// standstill_calls_test and standstill_quiet_test.

#ifndef SYNCLINE_FRAMEWORK_GRAPH_STANDSTILL_WATCH_H_
#define SYNCLINE_FRAMEWORK_GRAPH_STANDSTILL_WATCH_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "framework/report/run_view.h"
#include "framework/report/standstill.h"
#include "framework/run/graph_run.h"
#include "framework/scheduler/alarm_thread.h"
#include "framework/scheduler/application_thread_executor.h"

namespace syncline {

class StandstillWatch {
 public:
  struct Settings {
    // Above 0.
    absl::Duration after = absl::Seconds(1);
    // Gets the text, which has several lines.
    std::function<void(const std::string&)> tell;
    // The program waits for the run, whatever its threads do.
    bool program_waits = false;
  };
  static constexpr absl::Duration kShortestTold = absl::Seconds(60);

  // RESOURCE_EXHAUSTED: the machine gives no thread.
  static absl::StatusOr<std::unique_ptr<StandstillWatch>> Start(
      Settings settings, std::shared_ptr<GraphRun> run,
      std::shared_ptr<WaitPoint> wait_point);
  // Waits for a call of `tell` that goes on.
  ~StandstillWatch() = default;
  StandstillWatch(const StandstillWatch&) = delete;
  StandstillWatch& operator=(const StandstillWatch&) = delete;

 private:
  StandstillWatch(Settings settings, std::shared_ptr<GraphRun> run,
                  std::shared_ptr<WaitPoint> wait_point);

  absl::Status SetAlarm(std::int64_t steady_ns);
  // For the alarm: looks, and sets the next alarm.
  void Wake();
  // Returns when to look again, by the steady clock.
  std::int64_t Look(std::int64_t now_ns);
  // The run has stood still for long enough, and is waited for.
  void LookAtNodes(std::int64_t now_ns);
  // The run goes on, and is waited for: looks at the loops in it that may stand
  // still all the same.
  void LookAtLoops(std::int64_t now_ns);
  // The standstill is to be told, and counts as told. `moved`: MovedBy;
  // `lasts_ns`: for how long it has been one.
  bool IsNews(const Standstill& standstill, std::uint64_t moved,
              std::int64_t lasts_ns, std::int64_t now_ns);
  // A standstill of this cause, by Standstill::told_as, has ended.
  void NoteEnd(const std::string& told_as, std::int64_t lasted_ns,
               std::int64_t now_ns);
  void Tell(const Standstill& standstill, const RunView& view);
  void NoteProgress(std::int64_t now_ns);
  // What the last node of the standstill has taken and sent so far. Where it is
  // about no node, anything that has moved in the run.
  std::uint64_t MovedBy(const Standstill& standstill,
                        const RunView& view) const;

  const Settings settings_;
  const std::int64_t after_ns_;
  const std::int64_t pause_ns_;
  const std::shared_ptr<GraphRun> run_;
  const bool has_loops_;
  const std::shared_ptr<WaitPoint> wait_point_;

  // --- For the thread of the alarm
  std::uint64_t progress_ = 0;
  // Since when, about, the counters have not moved.
  std::int64_t still_since_ns_ = 0;
  // The longest wait for a device that ended by itself.
  std::int64_t longest_wait_ns_ = 0;
  // Since the last progress, a source was in a call that may wait for one.
  bool waits_for_device_ = false;
  // A cause that was told, by Standstill::told_as.
  struct ToldCause {
    int times = 0;
    // What its node had moved when it was told last.
    std::uint64_t moved = 0;
    // For how long the run has stood still for this cause, at most.
    std::int64_t longest_ns = 0;
    // When it was last found.
    std::int64_t found_at_ns = 0;
  };
  std::map<std::string, ToldCause> told_;
  // The one for which the run stands still since the last progress; empty: it
  // was not looked at since then.
  std::string stands_as_;
  // Not before this time are the nodes looked at again.
  std::int64_t look_at_nodes_at_ns_ = 0;
  // A loop as it was found each time since then.
  struct LoopWait {
    std::string told_as;
    // The node that owes the answer, and what it has moved.
    int last_node = -1;
    std::uint64_t moved = 0;
    std::int64_t since_ns = 0;
    bool is_told = false;

    bool IsSame(const LoopWait& other) const {
      return told_as == other.told_as && moved == other.moved;
    }
  };
  // By the node that waits for it.
  std::map<int, LoopWait> loops_;
  std::int64_t look_at_loops_at_ns_ = 0;

  AlarmThread thread_;
  Alarm alarm_{&thread_, [this] { Wake(); }};
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_GRAPH_STANDSTILL_WATCH_H_
