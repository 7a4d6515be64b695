// The ports of a graph that is being built: where streams and side packets
// begin (sources) and where they are read (destinations).
//
//   Stream<int> numbers = node.Out("NUMBER").Cast<int>();
//   numbers.SetName("numbers");
//   numbers >> other.In("VALUE") >> third.In("VALUE");   // any number of them
//
// An output of a node and an input of the graph are sources; an input of a node
// and an output of the graph are destinations. The types here are handles: at
// most two pointers, free to copy, and valid as long as their Graph. T is the
// type of the packets, or AnyType if it is not known. Connecting types that do
// not fit does not compile; nor does connecting a stream to a side packet.
//
// A port with several entries under one tag is a MultiPort: it is the handle of
// entry 0, and [i] gives the others. The first use of an entry creates it.
//
// A port remembers the mistakes of its connections (an input with two sources,
// a source of another graph, an index that is out of range). The graph reports
// them when its config is asked for.
//
// Thread rule: a graph that is being built, with all its handles, is used by
// one thread at a time.
// Tested by builder_test and builder_errors_test.

#ifndef SYNCLINE_FRAMEWORK_API2_BUILDER_PORTS_H_
#define SYNCLINE_FRAMEWORK_API2_BUILDER_PORTS_H_

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "framework/api2/payload_types.h"
#include "framework/calculator/port_name.h"
#include "framework/config/calculator.pb.h"
#include "framework/packet/timestamp.h"

namespace syncline {
namespace api2 {

namespace builder {

class Graph;

// --- the objects behind handles

namespace builder_internal {

// Identifies a graph to its ports. It is only compared, never dereferenced.
using GraphId = const void*;

struct SourceEnd {
  explicit SourceEnd(GraphId graph) : graph(graph) {}
  const GraphId graph;
  std::string name;  // empty until the source gets a name
};

struct DestinationEnd {
  explicit DestinationEnd(GraphId graph) : graph(graph) {}

  void Connect(SourceEnd* new_source) {
    if (new_source->graph != graph) {
      has_foreign_source = true;
    } else if (source != nullptr && source != new_source) {
      has_two_sources = true;
    } else {
      source = new_source;
    }
  }

  // Whether the config needs an InputStreamInfo for this input.
  bool HasInfo() const {
    return is_back_edge || idle_with != nullptr || max_queue_size != 0 ||
           queue_policy != InputStreamInfo::BLOCK || merges ||
           has_message_times;
  }

  const GraphId graph;
  SourceEnd* source = nullptr;
  bool is_back_edge = false;
  int max_queue_size = 0;
  InputStreamInfo::QueuePolicy queue_policy = InputStreamInfo::BLOCK;
  bool merges = false;
  bool has_message_times = false;
  // Another input of the same node, which tells when this one is idle; or null.
  const DestinationEnd* idle_with = nullptr;
  std::int64_t idle_gap = 0;
  bool has_two_sources = false;
  bool has_foreign_source = false;
};

// The entries under one tag.
template <typename EndT>
struct EndList {
  explicit EndList(GraphId graph) : graph(graph) {}

  // Entry `index`, created with all entries before it. Entry 0 if the index is
  // out of range.
  EndT* At(int index) {
    if (index < 0 || index > kMaxCollectionItemId) {
      bad_index = index;
      index = 0;
    }
    while (static_cast<int>(ends.size()) <= index) ends.emplace_back(graph);
    return &ends[index];
  }

  const GraphId graph;
  std::deque<EndT> ends;  // a deque, so that addresses stay the same
  absl::optional<int> bad_index;
};

// The tags of one kind of port, in the order in which they are written.
template <typename EndT>
struct EndLists {
  explicit EndLists(GraphId graph) : graph(graph) {}

  EndList<EndT>* Tag(absl::string_view tag) {
    return &by_tag.try_emplace(std::string(tag), graph).first->second;
  }

  const GraphId graph;
  std::map<std::string, EndList<EndT>> by_tag;
};

// The ports of a node, or of the graph. The inputs of the graph are sources.
struct Ports {
  explicit Ports(GraphId graph)
      : in(graph), side_in(graph), out(graph), side_out(graph) {}
  EndLists<DestinationEnd> in;
  EndLists<DestinationEnd> side_in;
  EndLists<SourceEnd> out;
  EndLists<SourceEnd> side_out;
};

template <typename T>
struct IsAny : std::is_same<T, AnyType> {};

// Whether a packet of T can be a packet of U.
template <typename T, typename U>
struct Fits : std::bool_constant<std::is_same_v<T, U> || IsAny<T>::value ||
                                 IsAny<U>::value> {};
template <typename T, typename... U>
struct Fits<T, OneOf<U...>> : std::disjunction<Fits<T, U>...> {};
template <typename... T, typename U>
struct Fits<OneOf<T...>, U> : std::disjunction<Fits<T, U>...> {};
template <typename... T, typename... U>
struct Fits<OneOf<T...>, OneOf<U...>>
    : std::disjunction<Fits<T, OneOf<U...>>...> {};

// A cast may only drop a type, or state one that was not known.
template <typename T, typename U>
inline constexpr bool kCanCast =
    std::is_same_v<T, U> || IsAny<T>::value || IsAny<U>::value;

}  // namespace builder_internal

// --- destinations

template <bool kIsSide, typename T>
class DestinationImpl {
 public:
  using Value = T;
  using End = builder_internal::DestinationEnd;
  template <typename U>
  using Of = DestinationImpl<kIsSide, U>;

  explicit DestinationImpl(End* end) : end_(end) {}

  // The input closes a cycle: the node that feeds it comes later in the graph.
  DestinationImpl AsBackEdge() const {
    static_assert(!kIsSide, "only streams can go back");
    end_->is_back_edge = true;
    return *this;
  }

  // The node no longer waits for this input once `other`, another input of the
  // same node, is ahead by more than `gap`, which is positive.
  template <typename U>
  DestinationImpl IdleAfter(const DestinationImpl<kIsSide, U>& other,
                            TimestampDiff gap) const {
    static_assert(!kIsSide, "only streams can be idle");
    end_->idle_with = other.end_;
    end_->idle_gap = gap.Value();
    return *this;
  }

  // How many packets may wait in this input, and what happens to one more.
  DestinationImpl SetQueue(int max_size, InputStreamInfo::QueuePolicy policy =
                                             InputStreamInfo::BLOCK) const {
    static_assert(!kIsSide, "only streams have queues");
    end_->max_queue_size = max_size;
    end_->queue_policy = policy;
    return *this;
  }
  // Only for index 0: all streams of the tag flow into one input of the
  // calculator, in order of arrival.
  DestinationImpl Merge() const {
    static_assert(!kIsSide, "only streams can be merged");
    end_->merges = true;
    return *this;
  }
  // The calculator may ask when packets of this input were acquired and
  // published.
  DestinationImpl WithMessageTimes() const {
    static_assert(!kIsSide, "only streams have message times");
    end_->has_message_times = true;
    return *this;
  }

  template <typename U>
  Of<U> Cast() const {
    static_assert(builder_internal::kCanCast<T, U>,
                  "a port is cast from or to AnyType");
    return Of<U>(end_);
  }

 private:
  template <bool, typename>
  friend class SourceImpl;
  template <bool, typename>
  friend class DestinationImpl;

  End* end_;
};

template <typename T = AnyType>
using Destination = DestinationImpl<false, T>;
template <typename T = AnyType>
using SideDestination = DestinationImpl<true, T>;

// An input that takes either a stream or a side packet. The first connection or
// question decides which of the two it is.
template <typename T = AnyType>
class FallbackDestination {
 public:
  FallbackDestination(builder_internal::Ports* ports, absl::string_view tag)
      : ports_(ports), tag_(tag) {}
  operator Destination<T>() const {
    return Destination<T>(ports_->in.Tag(tag_)->At(0));
  }
  operator SideDestination<T>() const {
    return SideDestination<T>(ports_->side_in.Tag(tag_)->At(0));
  }

 private:
  builder_internal::Ports* ports_;
  std::string tag_;
};

// --- sources

template <bool kIsSide, typename T>
class SourceImpl {
 public:
  using Value = T;
  using End = builder_internal::SourceEnd;
  template <typename U>
  using Of = SourceImpl<kIsSide, U>;

  explicit SourceImpl(End* end) : end_(end) {}
  // Converts to a source whose type is not known.
  template <typename U, std::enable_if_t<builder_internal::IsAny<T>::value &&
                                             !builder_internal::IsAny<U>::value,
                                         int> = 0>
  SourceImpl(const SourceImpl<kIsSide, U>& other) : end_(other.end_) {}

  // Connects this source to the destination. A source may have any number of
  // destinations; a destination has one source.
  template <typename U>
  SourceImpl ConnectTo(const DestinationImpl<kIsSide, U>& destination) const {
    static_assert(builder_internal::Fits<T, U>::value,
                  "the input takes packets of another type");
    destination.end_->Connect(end_);
    return *this;
  }
  template <typename U>
  SourceImpl ConnectTo(const FallbackDestination<U>& destination) const {
    return ConnectTo(DestinationImpl<kIsSide, U>(destination));
  }
  template <typename DestinationT>
  SourceImpl operator>>(const DestinationT& destination) const {
    return ConnectTo(destination);
  }

  // Sets the name in the config. A source without one gets a name from the
  // graph.
  SourceImpl SetName(absl::string_view name) const {
    end_->name = std::string(name);
    return *this;
  }
  // The name; empty if there is none yet. GetConfig gives every source a name.
  const std::string& Name() const { return end_->name; }

  template <typename U>
  Of<U> Cast() const {
    static_assert(builder_internal::kCanCast<T, U>,
                  "a stream is cast from or to AnyType");
    return Of<U>(end_);
  }

  // Whether both are the same output, or the same input of the graph.
  template <typename U>
  bool operator==(const SourceImpl<kIsSide, U>& other) const {
    return end_ == other.end_;
  }
  template <typename U>
  bool operator!=(const SourceImpl<kIsSide, U>& other) const {
    return end_ != other.end_;
  }

 private:
  friend class Graph;
  template <bool, typename>
  friend class SourceImpl;

  End* end_;
};

template <typename T = AnyType>
using Source = SourceImpl<false, T>;
template <typename T = AnyType>
using SideSource = SourceImpl<true, T>;
template <typename T = AnyType>
using Stream = SourceImpl<false, T>;
template <typename T = AnyType>
using SidePacket = SourceImpl<true, T>;

// --- several under one tag

template <typename Single>
class MultiPort : public Single {
 public:
  using List = builder_internal::EndList<typename Single::End>;

  explicit MultiPort(List* list) : Single(list->At(0)), list_(list) {}
  // Converts to ports whose type is not known.
  template <
      typename Other,
      std::enable_if_t<
          !std::is_same_v<Other, Single> &&
              std::is_same_v<typename Other::template Of<AnyType>, Single>,
          int> = 0>
  MultiPort(const MultiPort<Other>& other) : MultiPort(other.list_) {}

  Single operator[](int index) const { return Single(list_->At(index)); }

  template <typename U>
  MultiPort<typename Single::template Of<U>> Cast() const {
    static_assert(builder_internal::kCanCast<typename Single::Value, U>,
                  "a port is cast from or to AnyType");
    return MultiPort<typename Single::template Of<U>>(list_);
  }

 private:
  template <typename>
  friend class MultiPort;

  List* list_;
};

template <typename T = AnyType>
using MultiSource = MultiPort<Source<T>>;
template <typename T = AnyType>
using MultiSideSource = MultiPort<SideSource<T>>;
template <typename T = AnyType>
using MultiDestination = MultiPort<Destination<T>>;
template <typename T = AnyType>
using MultiSideDestination = MultiPort<SideDestination<T>>;

// --- ports of typed calculators

namespace builder_internal {

template <typename Single, typename PortT, typename EndT>
auto PortIn(EndLists<EndT>& lists, const PortT& port) {
  if constexpr (PortT::kMultiple) {
    return MultiPort<Single>(lists.Tag(port.Tag()));
  } else {
    return Single(lists.Tag(port.Tag())->At(0));
  }
}

// The four kinds of port constants. An input that may be either counts as the
// input of a stream.
template <typename PortT>
concept StreamInput = requires {
  typename PortT::SidePort;
}
|| (PortT::kIsInput && !PortT::kIsSide);
template <typename PortT>
concept StreamOutput = !PortT::kIsInput && !PortT::kIsSide;
template <typename PortT>
concept SideInputPort = PortT::kIsInput && PortT::kIsSide;
template <typename PortT>
concept SideOutputPort = !PortT::kIsInput && PortT::kIsSide;

// The destination or source of a node that a port constant stands for.
template <typename PortT>
auto PortOfNode(Ports& ports, const PortT& port) {
  using T = typename PortT::PayloadT;
  if constexpr (requires { typename PortT::SidePort; }) {
    return FallbackDestination<T>(&ports, port.Tag());
  } else if constexpr (PortT::kIsInput && PortT::kIsSide) {
    return PortIn<SideDestination<T>>(ports.side_in, port);
  } else if constexpr (PortT::kIsInput) {
    return PortIn<Destination<T>>(ports.in, port);
  } else if constexpr (PortT::kIsSide) {
    return PortIn<SideSource<T>>(ports.side_out, port);
  } else {
    return PortIn<Source<T>>(ports.out, port);
  }
}

// The same for the graph, whose inputs are sources.
template <typename PortT>
auto PortOfGraph(Ports& ports, const PortT& port) {
  using T = typename PortT::PayloadT;
  if constexpr (PortT::kIsInput && PortT::kIsSide) {
    return PortIn<SideSource<T>>(ports.side_out, port);
  } else if constexpr (PortT::kIsInput) {
    return PortIn<Source<T>>(ports.out, port);
  } else if constexpr (PortT::kIsSide) {
    return PortIn<SideDestination<T>>(ports.side_in, port);
  } else {
    return PortIn<Destination<T>>(ports.in, port);
  }
}

}  // namespace builder_internal

}  // namespace builder
}  // namespace api2
}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_API2_BUILDER_PORTS_H_
