// All small cases of fused nodes: whatever the inputs and the parts do in the
// first calls, a node whose packets go from part to part directly does what it
// does through queues and the default rule.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "framework/base/status_stop.h"
#include "framework/calculator/calculator_base.h"
#include "framework/calculator/context.h"
#include "framework/calculator/contract.h"
#include "framework/calculator/input_stream.h"
#include "framework/calculator/node_environment.h"
#include "framework/calculator/output_stream.h"
#include "framework/node/fused_node_test_support.h"
#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

// What comes in, at the next time or later.
enum class In {
  kPackets,  // at each input that has not ended
  kGap,      // bounds, which pass between calls, and packets after them
  kBound,    // a bound that passes between calls, without a call
  kNothing,  // a call without packets
  kOther,    // a packet only at the input "other"
  kLate,     // packets where "other" is settled only up to the time before
  kLast,     // packets, and the end of "in"
  kEnd,      // the end of "in"
  kEndAll,   // the end of all inputs
};

// What a call does to each output of its part.
enum class Act {
  kSend,
  kPassOn,  // the packet of the first input
  kSendTwo,
  kNothing,
  kBound,
  kSendAndBound,
  kSendLater,
  kSendEarlier,
  kSendLast,  // at PostStream
  kClose,
  kStop,
  kFail,
  kMisuse,
};

// A call of the node, or a bound. One part does something special in it.
struct Event {
  absl::string_view name;
  In in = In::kPackets;
  int part = -1;
  Act act = Act::kSend;
};

constexpr Event kPlainEvent = {.name = "packet"};

// What a node is made of. Its inputs are "in" and, maybe, "other".
struct Shape {
  absl::string_view name;
  // The ports of each part.
  std::vector<std::string> parts;
  std::vector<int> offsets;  // by part; empty: they have none
  // Outputs of the node that nobody reads.
  std::vector<std::string> unread;
};

void SetOffset(size_t part, int offset) {
  auto& contract = part == 0   ? PartA::contract
                   : part == 1 ? PartB::contract
                               : PartC::contract;
  contract = [offset](CalculatorContract* cc) {
    cc->SetTimestampOffset(offset);
    return absl::OkStatus();
  };
}

// The node in one run after the other.
class NodeOfCases {
 public:
  NodeOfCases(const Shape& shape, bool with_queues)
      : shape_(shape),
        with_queues_(with_queues),
        driver_(TextOf(shape), Functions()),
        has_other_(driver_.contract().Inputs().HasTag("OTHER")) {
    EXPECT_EQ(driver_.status(), absl::OkStatus()) << shape.name;
  }
  ~NodeOfCases() { ForgetContracts(); }

  void Begin(bool sends_in_close) {
    notes_.clear();
    driver_.StartRun();
    if (with_queues_) driver_.UseQueues();
    for (size_t i = 0; i < shape_.unread.size(); ++i) {
      StreamProgress& progress = progress_[i];
      progress.bound = Timestamp::PreStream();
      progress.packets_added = 0;
      const int port =
          driver_.contract().Outputs().GetId(shape_.unread[i], 0).value();
      driver_.environment().output_ports()[port].unread = &progress;
    }
    sends_in_close_ = sends_in_close;
    time_ = 0;
    has_ended_ = other_has_ended_ = false;
    event_ = &kPlainEvent;
    After(driver_.Open());
  }
  bool CanDo(const Event& event) const {
    switch (event.in) {
      case In::kPackets:
      case In::kGap:
      case In::kLast:
      case In::kEnd:
        return !has_ended_;
      case In::kOther:
        return has_other_ && !other_has_ended_;
      case In::kLate:
        return has_other_ && !has_ended_ && !other_has_ended_;
      case In::kEndAll:
        return !has_ended_ || (has_other_ && !other_has_ended_);
      default:
        return true;
    }
  }
  // False: the node is not called any more.
  bool Do(const Event& event) {
    event_ = &event;
    const int step = event.in == In::kGap || event.in == In::kBound ? 4 : 1;
    if (step > 1) driver_.PassBounds(Timestamp(time_ + step));
    time_ += step;
    if (event.in == In::kBound) return true;
    const bool has_packets = event.in != In::kNothing && event.in != In::kEnd &&
                             event.in != In::kEndAll;
    const bool ends_in = event.in == In::kLast || event.in == In::kEnd;
    if (has_packets && !has_ended_ && event.in != In::kOther) {
      driver_.Add("IN", time_);
    }
    has_ended_ |= ends_in || event.in == In::kEndAll;
    if (has_ended_) driver_.End("IN");
    if (has_other_) {
      if (event.in == In::kLate) {
        driver_.Settle("OTHER", Timestamp(time_ - 1));
      } else if (has_packets && !other_has_ended_) {
        driver_.Add("OTHER", time_);
      }
      other_has_ended_ |= event.in == In::kEndAll;
      if (other_has_ended_) driver_.End("OTHER");
    }
    return After(driver_.Process(time_));
  }
  // `drops`: as where the run is over before the inputs have ended.
  void Close(bool drops, const absl::Status& graph_status) {
    if (drops) driver_.inner().DropWaiting();
    After(driver_.Close(graph_status));
  }
  bool has_failed() const { return has_failed_; }

  // The calls, and what was sent and what waits after each of them.
  std::string TakeNotes() { return std::exchange(notes_, {}); }

 private:
  static std::string TextOf(const Shape& shape) {
    for (size_t part = 0; part < shape.offsets.size(); ++part) {
      SetOffset(part, shape.offsets[part]);
    }
    std::string text;
    for (size_t i = 0; i < shape.parts.size(); ++i) {
      absl::StrAppend(&text, "fused_node { calculator: \"Part",
                      std::string(1, static_cast<char>('A' + i)),
                      "\" input_side_packet: [ \"PROCESS:p", i, "\", \"CLOSE:c",
                      i, "\" ] ", shape.parts[i], "}\n");
    }
    return text;
  }
  FusedNodeDriver::SidePackets Functions() {
    FusedNodeDriver::SidePackets functions;
    for (int i = 0; i < 3; ++i) {
      functions[absl::StrCat("p", i)] =
          Function([this, i](CalculatorContext* cc) { return Process(i, cc); });
      functions[absl::StrCat("c", i)] =
          Function([this, i](CalculatorContext* cc) {
            Note(i, *cc);
            if (sends_in_close_) Send(Timestamp(1000), cc);
            return absl::OkStatus();
          });
    }
    return functions;
  }

  static std::int64_t Number(Timestamp timestamp) {
    return timestamp.IsRangeValue() ? timestamp.Value()
                                    : timestamp.Value() / 1000;
  }
  void Note(int part, CalculatorContext& cc) {
    absl::StrAppend(&notes_, "\n  ", part, " at ", Number(cc.InputTimestamp()));
    for (const InputStream& input : cc.Inputs()) {
      absl::StrAppend(&notes_, " ", Number(input.Value().Timestamp()),
                      input.IsEmpty() ? "-" : "=",
                      input.IsEmpty() ? 0 : input.Get<int>(),
                      input.IsDone() ? "!" : "");
    }
    for (const OutputStream& output : cc.Outputs()) {
      absl::StrAppend(&notes_, " <", Number(output.NextTimestampBound()));
    }
  }
  // After a call of the node.
  bool After(const absl::Status& status) {
    has_failed_ = !status.ok() && !tool::IsStatusStop(status);
    absl::StrAppend(&notes_, "\n");
    if (!status.ok()) absl::StrAppend(&notes_, status.ToString(), "; ");
    const std::string sent = driver_.Sent();
    // Of a call that failed nothing goes out.
    if (has_failed_) return false;
    absl::StrAppend(&notes_, sent, "; ");
    for (size_t i = 0; i < shape_.unread.size(); ++i) {
      absl::StrAppend(&notes_, shape_.unread[i], "<",
                      Number(progress_[i].bound), "=",
                      progress_[i].packets_added.load(), "; ");
    }
    if (driver_.inner().PacketsWaiting() > 0) {
      absl::StrAppend(&notes_, driver_.inner().WhereTheyWait());
    }
    return status.ok();
  }

  absl::Status Process(int part, CalculatorContext* cc) {
    Note(part, *cc);
    // The time of what it usually sends.
    const Timestamp now = shape_.offsets.empty()
                              ? cc->InputTimestamp()
                              : cc->InputTimestamp() + shape_.offsets[part];
    switch (event_->part == part ? event_->act : Act::kSend) {
      case Act::kSend:
        Send(now, cc);
        break;
      case Act::kPassOn:
        for (OutputStream& output : cc->Outputs()) {
          const Packet& packet = cc->Inputs().begin()->Value();
          if (!packet.IsEmpty()) output.AddPacket(packet.At(now));
        }
        break;
      case Act::kSendTwo:
        Send(now, cc);
        Send(now + 1, cc);
        break;
      case Act::kNothing:
        break;
      case Act::kBound:
        Bound(now + 3, cc);
        break;
      case Act::kSendAndBound:
        Send(now, cc);
        Bound(now + 3, cc);
        break;
      case Act::kSendLater:
        Send(now + 2, cc);
        break;
      case Act::kSendEarlier:
        Send(now - 1, cc);
        break;
      case Act::kSendLast:
        Send(Timestamp::PostStream(), cc);
        break;
      case Act::kClose:
        Send(now, cc);
        for (OutputStream& output : cc->Outputs()) output.Close();
        break;
      case Act::kStop:
        Send(now, cc);
        return tool::StatusStop();
      case Act::kFail:
        Send(now, cc);
        return absl::DataLossError("broken");
      case Act::kMisuse:
        cc->Outputs().Get("NONE", 0);
        break;
    }
    return absl::OkStatus();
  }
  void Send(Timestamp timestamp, CalculatorContext* cc) {
    for (OutputStream& output : cc->Outputs()) {
      if (output.IsClosed()) continue;
      output.AddPacket(MakePacket<int>(++sent_).At(timestamp));
    }
  }
  static void Bound(Timestamp bound, CalculatorContext* cc) {
    for (OutputStream& output : cc->Outputs()) {
      output.SetNextTimestampBound(bound);
    }
  }

  const Shape& shape_;
  const bool with_queues_;
  FusedNodeDriver driver_;
  const bool has_other_;
  std::array<StreamProgress, 3> progress_;
  std::string notes_;
  const Event* event_ = &kPlainEvent;
  int sent_ = 0;
  int time_ = 0;
  bool sends_in_close_ = false;
  bool has_failed_ = false;
  bool has_ended_ = false;
  bool other_has_ended_ = false;
};

class FusedCasesTest : public FusedNodeTest {
 protected:
  // Tries all sequences of at most `length` events, after `packets_before`.
  // Returns how many there are of those that have this length, or end the run.
  int TryAll(const Shape& shape, const std::vector<Event>& events,
             int packets_before, int length) {
    NodeOfCases direct(shape, /*with_queues=*/false);
    NodeOfCases queued(shape, /*with_queues=*/true);
    std::vector<size_t> sequence(length, 0);
    int tried = 0;
    for (int last = 0; last >= 0 && !HasFailure();) {
      const bool sends_in_close = tried % 2 == 0;
      for (NodeOfCases* const node : {&direct, &queued}) {
        node->Begin(sends_in_close);
        for (int i = 0; i < packets_before; ++i) node->Do(kPlainEvent);
      }
      bool goes_on = true;
      last = 0;
      while (last < length && direct.CanDo(events[sequence[last]])) {
        const Event& event = events[sequence[last++]];
        goes_on = direct.Do(event);
        EXPECT_EQ(queued.Do(event), goes_on);
        if (!goes_on) break;
      }
      const bool is_case = last == length || !goes_on;
      for (NodeOfCases* const node : {&direct, &queued}) {
        node->Close(/*drops=*/tried % 4 == 1, node->has_failed()
                                                  ? absl::AbortedError("over")
                                                  : absl::OkStatus());
      }
      EXPECT_EQ(direct.TakeNotes(), queued.TakeNotes())
          << shape.name << ": " << Story(events, sequence, last);
      if (is_case) ++tried;
      // The next sequence. What cannot happen, or ends the run, is the end of
      // a sequence.
      last = is_case ? last - 1 : last;
      std::fill(sequence.begin() + last + 1, sequence.end(), 0);
      while (last >= 0 && ++sequence[last] == events.size()) {
        sequence[last--] = 0;
      }
    }
    return tried;
  }

 private:
  static std::string Story(const std::vector<Event>& events,
                           const std::vector<size_t>& sequence, int length) {
    std::vector<absl::string_view> names;
    for (int i = 0; i < length; ++i) names.push_back(events[sequence[i]].name);
    return absl::StrJoin(names, ", ");
  }
};

std::vector<std::string> Chain() {
  return {"input_stream: 'in' output_stream: 'a'",
          "input_stream: 'a' output_stream: 'b'"};
}
std::vector<std::string> Join(const std::string& inputs) {
  return {"input_stream: 'in' output_stream: 'a'",
          inputs + " output_stream: 'b'"};
}
std::vector<std::string> Diamond(const std::string& inputs) {
  return {"input_stream: 'in' output_stream: 'a'",
          "input_stream: 'a' output_stream: 'b'",
          inputs + " output_stream: 'c'"};
}

std::vector<Shape> Chains() {
  return {{"chain", Chain(), {}, {"A"}},
          {"chain with an offset", Chain(), {0, 0}, {"A"}}};
}

std::vector<Shape> Joins() {
  return {
      {"join with an input",
       Join("input_stream: 'a' input_stream: 'other'"),
       {},
       {"A"}},
      {"diamond",
       Diamond("input_stream: 'a' input_stream: 'b'"),
       {0, 0, 0},
       {"A", "B"}},
      {"diamond with an input",
       Diamond("input_stream: 'b' input_stream: 'in' input_stream: 'a'"),
       {},
       {"A", "B"}},
  };
}

std::vector<Shape> OtherShapes() {
  return {
      {"chain that is read", Chain(), {0, 0}, {}},
      {"chain that nobody reads", Chain(), {0, 0}, {"A", "B"}},
      {"large offsets", Chain(), {3, 3}, {"A"}},
      {"large offset first", Chain(), {3, 0}, {"A"}},
      {"large offset last", Chain(), {0, 3}, {"A"}},
      {"no end",
       {"input_stream: 'in' output_stream: 'a'", "input_stream: 'a'"},
       {},
       {"A"}},
      {"two outputs",
       {"input_stream: 'in' output_stream: 'more' output_stream: 'a'",
        "input_stream: 'a' output_stream: 'b'"},
       {},
       {"A", "MORE"}},
      {"two inputs",
       {"input_stream: 'in' input_stream: 'other' output_stream: 'a'",
        "input_stream: 'a' output_stream: 'b'"},
       {0, 0},
       {"A"}},
      {"two readers", Diamond("input_stream: 'a'"), {}, {"A"}},
      {"two readers with an offset", Diamond("input_stream: 'a'"), {0, 0, 0}},
      {"the same stream twice", Join("input_stream: 'a' input_stream: 'a'")},
  };
}

// What happens most.
std::vector<Event> UsualEvents() {
  return {
      {"packet"},
      {"gap", In::kGap},
      {"bound", In::kBound},
      {"no packet", In::kNothing},
      {"two packets", In::kPackets, 0, Act::kSendTwo},
      {"no answer", In::kPackets, 0, Act::kNothing},
      {"stop", In::kPackets, 0, Act::kStop},
      {"error", In::kPackets, 0, Act::kFail},
      {"end", In::kEnd},
  };
}

std::vector<Event> AllEvents() {
  std::vector<Event> events = {
      {"packet"},
      {"gap", In::kGap},
      {"bound", In::kBound},
      {"no packet", In::kNothing},
      {"only other", In::kOther},
      {"other is late", In::kLate},
      {"last packet", In::kLast},
      {"end", In::kEnd},
      {"end of all", In::kEndAll},
      {"earlier after a gap", In::kGap, 0, Act::kSendEarlier},
  };
  for (const int part : {0, 1}) {
    for (const auto& [name, act] :
         std::vector<std::pair<absl::string_view, Act>>{
             {"passed on", Act::kPassOn},
             {"two packets", Act::kSendTwo},
             {"no answer", Act::kNothing},
             {"bound", Act::kBound},
             {"packet and bound", Act::kSendAndBound},
             {"later", Act::kSendLater},
             {"at the end of time", Act::kSendLast},
             {"close", Act::kClose},
             {"stop", Act::kStop},
             {"error", Act::kFail},
             {"misuse", Act::kMisuse}}) {
      events.push_back({name, In::kPackets, part, act});
    }
  }
  return events;
}

// After two packets, all outputs have begun.
constexpr int kPacketsUntilUsual = 2;

TEST_F(FusedCasesTest, OfTheFirstPackets) {
  for (const Shape& shape : Chains()) {
    EXPECT_GT(TryAll(shape, UsualEvents(), 0, 4), 1'500) << shape.name;
  }
  for (const Shape& shape : Joins()) {
    EXPECT_GT(TryAll(shape, UsualEvents(), 0, 3), 200) << shape.name;
  }
}

TEST_F(FusedCasesTest, OfLaterPackets) {
  for (const auto& shapes : {Chains(), Joins(), OtherShapes()}) {
    for (const Shape& shape : shapes) {
      EXPECT_GT(TryAll(shape, AllEvents(), kPacketsUntilUsual, 2), 500)
          << shape.name;
    }
  }
}

}  // namespace
}  // namespace syncline
