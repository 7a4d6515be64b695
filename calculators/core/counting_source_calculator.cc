// CountingSourceCalculator: a source that counts.
//
//   node {
//     calculator: "CountingSourceCalculator"
//     input_side_packet: "MAX_COUNT:count"
//     output_stream: "numbers"            # int; the timestamp is the number
//   }
//
//   side packets, all int but the last; MAX_COUNT or ERROR_COUNT is required
//     MAX_COUNT       stops after so many packets
//     ERROR_COUNT     fails after so many packets
//     BATCH_SIZE      packets of one call; 1
//     INITIAL_VALUE   the first number; 0
//     INCREMENT       from number to number, at least 1; 1
//     ERROR_ON_OPEN   bool: fails in Open
//
// For tests and examples of graphs that end, that fail, or that have to wait.
//
// Thread rule: one call at a time.
#include <algorithm>
#include <cstdint>
#include <limits>

#include "framework/calculator_framework.h"

namespace syncline {
namespace {

constexpr const char* kInts[] = {"MAX_COUNT", "ERROR_COUNT", "BATCH_SIZE",
                                 "INITIAL_VALUE", "INCREMENT"};

int IntOr(int value, absl::string_view tag, const CalculatorContext& cc) {
  return cc.InputSidePackets().HasTag(tag)
             ? cc.InputSidePackets().Tag(tag).Get<int>()
             : value;
}

}  // namespace

class CountingSourceCalculator : public CalculatorBase {
 public:
  static absl::Status GetContract(CalculatorContract* cc) {
    PacketTypeSet& side_packets = cc->InputSidePackets();
    for (const char* tag : kInts) side_packets.Tag(tag).Set<int>().Optional();
    side_packets.Tag("ERROR_ON_OPEN").Set<bool>().Optional();
    if (!side_packets.HasTag("MAX_COUNT") &&
        !side_packets.HasTag("ERROR_COUNT")) {
      return absl::InvalidArgumentError(
          "CountingSourceCalculator needs the side packet MAX_COUNT or "
          "ERROR_COUNT, or it would never end");
    }
    cc->Outputs().Index(0).Set<int>();
    return absl::OkStatus();
  }

  absl::Status Open(CalculatorContext* cc) override {
    if (cc->InputSidePackets().HasTag("ERROR_ON_OPEN") &&
        cc->InputSidePackets().Tag("ERROR_ON_OPEN").Get<bool>()) {
      return absl::InternalError("ERROR_ON_OPEN is true");
    }
    constexpr int kNever = std::numeric_limits<int>::max();
    max_count_ = IntOr(kNever, "MAX_COUNT", *cc);
    error_count_ = IntOr(kNever, "ERROR_COUNT", *cc);
    batch_size_ = IntOr(1, "BATCH_SIZE", *cc);
    next_ = IntOr(0, "INITIAL_VALUE", *cc);
    increment_ = IntOr(1, "INCREMENT", *cc);
    RET_CHECK_GE(max_count_, 0) << "MAX_COUNT counts packets";
    RET_CHECK_GE(error_count_, 0) << "ERROR_COUNT counts packets";
    RET_CHECK_GE(batch_size_, 1) << "BATCH_SIZE is at least 1";
    RET_CHECK_GE(increment_, 1)
        << "INCREMENT is at least 1, since the number is the timestamp";
    return absl::OkStatus();
  }

  absl::Status Process(CalculatorContext* cc) override {
    if (sent_ >= error_count_)
      return absl::InternalError("ERROR_COUNT reached");
    if (sent_ >= max_count_) return tool::StatusStop();
    const int end = std::min(max_count_, error_count_);
    for (int i = 0; i < batch_size_ && sent_ < end; ++i) {
      if (next_ > std::numeric_limits<int>::max()) return tool::StatusStop();
      cc->Outputs().Index(0).AddPacket(
          MakePacket<int>(static_cast<int>(next_)).At(Timestamp(next_)));
      next_ += increment_;
      ++sent_;
    }
    return absl::OkStatus();
  }

 private:
  int max_count_ = 0;
  int error_count_ = 0;
  int batch_size_ = 1;
  int increment_ = 1;
  int sent_ = 0;
  std::int64_t next_ = 0;
};
REGISTER_CALCULATOR(CountingSourceCalculator);

}  // namespace syncline
