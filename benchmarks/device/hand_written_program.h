// HandWrittenProgram: the program of hand_written.h over the calls of an Api,
// which are those of the CUDA runtime, or do the same on a driver. The Api
// notes the first error; no call but Synchronize does anything after it.
//
// TRANSFER: a slot is what one packet needs. Slots are used in turn, and each
// stream waits, on the device, for what the slot was used for before:
//
//   up       copy -> uploaded
//   compute          uploaded -> kernel -> computed
//   down                                   computed -> copy -> downloaded
//   the next packet of the slot: up waits for computed, compute for downloaded
//
// CHAIN: a kernel on another stream than the one before waits for an event
// after that. Where the chain ends on another stream than it begins on, its
// buffers are used in turn, and the first kernel waits for the end of the chain
// that had the buffer before.
//
// Read by nvcc, too: no Abseil.
//
// Thread rule: one thread.
// Tested by device_benchmark_test.

#ifndef SYNCLINE_BENCHMARKS_DEVICE_HAND_WRITTEN_PROGRAM_H_
#define SYNCLINE_BENCHMARKS_DEVICE_HAND_WRITTEN_PROGRAM_H_

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/device/hand_written.h"
#include "benchmarks/device/workloads.h"

namespace syncline {

template <typename Api>
class HandWrittenProgram : public HandWritten {
 public:
  explicit HandWrittenProgram(Api api) : api_(std::move(api)) {}

  std::string Transfer(const TransferWorkload& work,
                       DeviceRun* result) override {
    api_.Begin();
    TransferParts parts = MakeTransferParts(work);
    for (int packet = 0; packet < work.warm_up; ++packet) {
      SubmitTransfer(work, packet, &parts);
    }
    api_.Synchronize(parts.down);
    const Clock::time_point start = Clock::now();
    for (int packet = 0; packet < work.packets; ++packet) {
      SubmitTransfer(work, work.warm_up + packet, &parts);
    }
    api_.Synchronize(parts.down);
    result->seconds = SecondsSince(start);
    const auto last = static_cast<std::size_t>(
        (work.warm_up + work.packets - 1) % work.in_flight);
    if (api_.error().empty()) {
      const std::uint32_t* const out = api_.Numbers(parts.slots[last].host_out);
      result->first = out[0];
      result->last = out[work.numbers - 1];
    }
    Drop(&parts);
    return api_.error();
  }

  std::string Chain(const ChainWorkload& work, DeviceRun* result) override {
    api_.Begin();
    ChainParts parts = MakeChainParts(work);
    for (int packet = 0; packet < work.warm_up; ++packet) {
      SubmitChain(work, packet, &parts);
    }
    SynchronizeAll(&parts);
    const Clock::time_point start = Clock::now();
    for (int packet = 0; packet < work.packets; ++packet) {
      SubmitChain(work, work.warm_up + packet, &parts);
    }
    SynchronizeAll(&parts);
    result->seconds = SecondsSince(start);
    const auto last = static_cast<std::size_t>(
        (work.warm_up + work.packets - 1) % work.buffers);
    const std::size_t bytes = BytesOf(work.numbers);
    Memory host = api_.AllocateHost(bytes);
    api_.Copy(parts.streams[0], host, parts.slots[last].numbers, bytes);
    api_.Synchronize(parts.streams[0]);
    if (api_.error().empty()) {
      result->first = api_.Numbers(host)[0];
      result->last = api_.Numbers(host)[work.numbers - 1];
    }
    api_.Free(host);
    Drop(&parts);
    return api_.error();
  }

 private:
  using Clock = std::chrono::steady_clock;
  using Stream = typename Api::Stream;
  using Event = typename Api::Event;
  using Memory = typename Api::Memory;

  struct TransferSlot {
    Memory host_in{};
    Memory host_out{};
    Memory device_in{};
    Memory device_out{};
    Event uploaded{};
    Event computed{};
    Event downloaded{};
  };
  struct TransferParts {
    Stream up{};
    Stream compute{};
    Stream down{};
    std::vector<TransferSlot> slots;
  };
  struct ChainSlot {
    Memory numbers{};
    Event ended{};
  };
  struct ChainParts {
    Stream streams[2] = {};
    // Before each kernel that changes the stream.
    std::vector<Event> changes;
    std::vector<ChainSlot> slots;
  };

  static double SecondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  }
  static std::size_t BytesOf(std::int64_t numbers) {
    return static_cast<std::size_t>(numbers) * sizeof(std::uint32_t);
  }

  // --- transfer

  TransferParts MakeTransferParts(const TransferWorkload& work) {
    TransferParts parts;
    parts.up = api_.MakeStream();
    parts.compute = api_.MakeStream();
    parts.down = api_.MakeStream();
    const std::size_t bytes = BytesOf(work.numbers);
    for (int i = 0; i < work.in_flight; ++i) {
      TransferSlot slot;
      slot.host_in = api_.AllocateHost(bytes);
      slot.host_out = api_.AllocateHost(bytes);
      slot.device_in = api_.AllocateDevice(bytes);
      slot.device_out = api_.AllocateDevice(bytes);
      slot.uploaded = api_.MakeEvent();
      slot.computed = api_.MakeEvent();
      slot.downloaded = api_.MakeEvent();
      if (api_.error().empty()) {
        std::uint32_t* const in = api_.Numbers(slot.host_in);
        for (std::int64_t n = 0; n < work.numbers; ++n) {
          in[n] = TransferInput(work, i, n);
        }
      }
      parts.slots.push_back(slot);
    }
    return parts;
  }

  static std::array<Stream, 3> StreamsOf(const TransferParts& parts) {
    return {parts.up, parts.compute, parts.down};
  }

  // A wait for an event that was never recorded is none.
  void SubmitTransfer(const TransferWorkload& work, int packet,
                      TransferParts* parts) {
    TransferSlot& slot =
        parts->slots[static_cast<std::size_t>(packet % work.in_flight)];
    const std::size_t bytes = BytesOf(work.numbers);
    api_.Wait(parts->up, slot.computed);
    api_.Copy(parts->up, slot.device_in, slot.host_in, bytes);
    api_.Record(slot.uploaded, parts->up);
    api_.Wait(parts->compute, slot.uploaded);
    api_.Wait(parts->compute, slot.downloaded);
    api_.LaunchMap(parts->compute, slot.device_in, slot.device_out,
                   work.numbers, work.rounds);
    api_.Record(slot.computed, parts->compute);
    api_.Wait(parts->down, slot.computed);
    api_.Copy(parts->down, slot.host_out, slot.device_out, bytes);
    api_.Record(slot.downloaded, parts->down);
  }

  // After an error, too, work may be under way that uses the memory.
  void Drop(TransferParts* parts) {
    for (const Stream& stream : StreamsOf(*parts)) api_.Synchronize(stream);
    for (TransferSlot& slot : parts->slots) {
      const Memory memory[] = {slot.host_in, slot.host_out, slot.device_in,
                               slot.device_out};
      for (const Memory& one : memory) api_.Free(one);
      const Event events[] = {slot.uploaded, slot.computed, slot.downloaded};
      for (const Event& event : events) api_.Drop(event);
    }
    for (const Stream& stream : StreamsOf(*parts)) api_.DropStream(stream);
  }

  // --- chain

  ChainParts MakeChainParts(const ChainWorkload& work) {
    ChainParts parts;
    for (auto& stream : parts.streams) stream = api_.MakeStream();
    for (std::size_t k = 0; k < work.stream_of_kernel.size(); ++k) {
      parts.changes.push_back(api_.MakeEvent());
    }
    for (int i = 0; i < work.buffers; ++i) {
      parts.slots.push_back(
          {api_.AllocateDevice(BytesOf(work.numbers)), api_.MakeEvent()});
    }
    return parts;
  }

  void SubmitChain(const ChainWorkload& work, int packet, ChainParts* parts) {
    ChainSlot& slot =
        parts->slots[static_cast<std::size_t>(packet % work.buffers)];
    const std::vector<int>& streams = work.stream_of_kernel;
    const bool ends_elsewhere = streams.front() != streams.back();
    if (ends_elsewhere) api_.Wait(parts->streams[streams.front()], slot.ended);
    for (std::size_t k = 0; k < streams.size(); ++k) {
      const Stream stream = parts->streams[streams[k]];
      if (k == 0) {
        api_.LaunchBegin(stream, slot.numbers, work.numbers, packet,
                         work.rounds);
        continue;
      }
      if (streams[k] != streams[k - 1]) {
        api_.Record(parts->changes[k], parts->streams[streams[k - 1]]);
        api_.Wait(stream, parts->changes[k]);
      }
      api_.LaunchGoOn(stream, slot.numbers, work.numbers, work.rounds);
    }
    if (ends_elsewhere) api_.Record(slot.ended, parts->streams[streams.back()]);
  }

  void SynchronizeAll(ChainParts* parts) {
    for (const auto& stream : parts->streams) api_.Synchronize(stream);
  }

  void Drop(ChainParts* parts) {
    SynchronizeAll(parts);
    for (ChainSlot& slot : parts->slots) {
      api_.Free(slot.numbers);
      api_.Drop(slot.ended);
    }
    for (const auto& event : parts->changes) api_.Drop(event);
    for (const auto& stream : parts->streams) api_.DropStream(stream);
  }

  Api api_;
};

}  // namespace syncline

#endif  // SYNCLINE_BENCHMARKS_DEVICE_HAND_WRITTEN_PROGRAM_H_
