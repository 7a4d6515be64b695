// How many bytes a packet that waits in a queue takes besides its value: its
// own 16, and what its payload takes from the heap, heap's rounding included.

#include <malloc.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "framework/packet/packet.h"
#include "gtest/gtest.h"

namespace {

// Bytes and blocks that are taken from the heap by operator new.
std::size_t bytes_in_use = 0;
std::size_t blocks_in_use = 0;

// A block of glibc's heap has one word in front of what can be used.
constexpr std::size_t kBlockHeader = sizeof(std::size_t);

void* CountedAllocate(std::size_t size) {
  void* const block = std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();
  bytes_in_use += malloc_usable_size(block) + kBlockHeader;
  ++blocks_in_use;
  return block;
}

void CountedFree(void* block) {
  if (block == nullptr) return;
  bytes_in_use -= malloc_usable_size(block) + kBlockHeader;
  --blocks_in_use;
  std::free(block);
}

}  // namespace

void* operator new(std::size_t size) { return CountedAllocate(size); }
void operator delete(void* block) noexcept { CountedFree(block); }
void operator delete(void* block, std::size_t) noexcept { CountedFree(block); }

namespace syncline {
namespace {

constexpr int kCount = 1000;

struct Cost {
  double bytes;   // for each packet, without those of the value itself
  double blocks;  // of the heap, for each packet
};

// Makes packets by `make`, as a queue would hold them.
template <typename Make>
Cost CostOf(std::size_t value_bytes, Make make) {
  std::vector<Packet> queue;
  queue.reserve(kCount);
  const std::size_t bytes_before = bytes_in_use;
  const std::size_t blocks_before = blocks_in_use;
  for (int i = 0; i < kCount; ++i) queue.push_back(make(i));
  const double heap_bytes = static_cast<double>(bytes_in_use - bytes_before);
  return {
      sizeof(Packet) + heap_bytes / kCount - static_cast<double>(value_bytes),
      static_cast<double>(blocks_in_use - blocks_before) / kCount};
}

TEST(PacketMemoryTest, APacketIsTwoWords) { EXPECT_EQ(sizeof(Packet), 16u); }

TEST(PacketMemoryTest, AnInt64TakesOneBlockAnd40BytesBesidesItself) {
  const Cost cost = CostOf(sizeof(std::int64_t), [](int i) {
    return MakePacket<std::int64_t>(i).At(Timestamp(i));
  });
  // A block that was used before may be a few bytes larger than need be.
  EXPECT_LT(cost.bytes, 41);
  EXPECT_EQ(cost.blocks, 1);
}

TEST(PacketMemoryTest, CopiesOfAPacketTakeNothingFromTheHeap) {
  const Packet packet = MakePacket<std::int64_t>(1);
  const Cost cost = CostOf(0, [&](int i) { return packet.At(Timestamp(i)); });
  EXPECT_EQ(cost.bytes, sizeof(Packet));
  EXPECT_EQ(cost.blocks, 0);
}

TEST(PacketMemoryTest, SmallValuesTakeOneBlockAndAtMost64Bytes) {
  const Cost text = CostOf(sizeof(std::string), [](int i) {
    return MakePacket<std::string>(1, 'a');
  });
  EXPECT_LE(text.bytes, 64);
  EXPECT_EQ(text.blocks, 1);
  const Cost vector = CostOf(sizeof(std::vector<int>), [](int i) {
    return MakePacket<std::vector<int>>();
  });
  EXPECT_LE(vector.bytes, 64);
  EXPECT_EQ(vector.blocks, 1);
}

TEST(PacketMemoryTest, LargeAndAdoptedValuesStayBelow64BytesToo) {
  using Large = std::array<char, 1000>;
  const Cost large =
      CostOf(sizeof(Large), [](int i) { return MakePacket<Large>(); });
  EXPECT_LE(large.bytes, 64);
  EXPECT_EQ(large.blocks, 2);
  // 32 bytes are what the heap gives for the object of its own accord.
  const Cost adopted =
      CostOf(32, [](int i) { return Adopt(new std::int64_t(i)); });
  EXPECT_LE(adopted.bytes, 64);
}

TEST(PacketMemoryTest, EverythingIsGivenBack) {
  const std::size_t before = blocks_in_use;
  {
    std::vector<Packet> queue;
    for (int i = 0; i < kCount; ++i) {
      queue.push_back(MakePacket<std::string>(100, 'a'));
      queue.push_back(MakePacket<std::string[2]>("a", "b"));
      queue.push_back(Adopt(new std::string("c")));
    }
    EXPECT_GT(blocks_in_use, before);
  }
  EXPECT_EQ(blocks_in_use, before);
}

}  // namespace
}  // namespace syncline
