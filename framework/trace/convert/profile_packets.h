// ProfilePackets: the packets of a run as parts of a GraphProfile's events:
// what calls take and send, how long queues are, and from when the data in
// packets is.
//
// Thread rule: for one thread at a time.
// Tested by graph_profile_builder_test.

#ifndef SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_PACKETS_H_
#define SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_PACKETS_H_

#include <cstdint>
#include <vector>

#include "framework/config/trace_file.pb.h"
#include "framework/trace/convert/graph_profile_options.h"
#include "framework/trace/convert/node_profiles.h"
#include "framework/trace/convert/profile_calls.h"
#include "framework/trace/convert/profile_records.h"
#include "framework/trace/convert/sent_packets.h"
#include "framework/trace/trace_event.h"

namespace syncline {

// In place of a node.
inline constexpr std::int32_t kProfileOfApplication = -1;

// Streams are numbered from 1 in a profile; 0 is none.
inline std::int32_t StreamNumberInProfile(std::uint32_t stream) {
  return static_cast<std::int32_t>(stream) + 1;
}

class ProfilePackets {
 public:
  // All outlive this.
  ProfilePackets(const TraceFileHeader& header,
                 const GraphProfileOptions& options, ProfileRecords* records,
                 ProfileCalls* calls, NodeProfiles* profiles);

  void AddTaken(const TraceEvent& event, std::int64_t us,
                ProfileThread* thread);
  void AddDropped(const TraceEvent& event);
  void AddSent(const TraceEvent& event, std::int64_t us, ProfileThread* thread);

 private:
  struct Input {
    std::int32_t node = 0;
    std::int32_t port = 0;
  };

  static std::vector<int> CountReaders(const TraceFileHeader& header);
  // Of a packet that the call takes at a port that its node has.
  void CountTaken(const SentPacket& sent, std::int32_t port, ProfileCall* call);
  // The event that has what the sender of the thread sends next.
  ProfileRecordPtr RecordOfSender(ProfileThread* thread);
  void AddQueued(const TraceEvent& event, std::int64_t us,
                 const ProfileThread& thread);

  const TraceFileHeader& header_;
  const GraphProfileOptions& options_;
  ProfileRecords& records_;
  ProfileCalls& calls_;
  NodeProfiles& profiles_;
  SentPackets packets_;
  std::vector<std::vector<Input>> readers_;        // by stream
  std::vector<std::vector<std::int64_t>> queues_;  // lengths, by node, port
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_TRACE_CONVERT_PROFILE_PACKETS_H_
