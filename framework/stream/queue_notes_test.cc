// Notes stay with their packets, whoever takes these from the queue, and none
// is kept for long after its packet left.

#include "framework/stream/queue_notes.h"

#include "framework/packet/packet.h"
#include "framework/packet/timestamp.h"
#include "framework/stream/drop_cause.h"
#include "framework/stream/input_queue.h"
#include "gtest/gtest.h"

namespace syncline {
namespace {

void Add(int time, InputQueue* queue) {
  queue->Add(MakePacket<int>(time).At(Timestamp(time)));
}

TEST(QueueNotesTest, TheNoteOfTheFrontIsThatOfTheLongestWaitingPacket) {
  InputQueue queue;
  QueueNotes<int> notes;
  Add(1, &queue);
  Add(2, &queue);
  notes.NoteAdded(queue, 100);
  Add(3, &queue);
  notes.NoteAdded(queue, 200);
  EXPECT_EQ(notes.OfFront(queue), 100);
  queue.TakeFront();
  EXPECT_EQ(notes.OfFront(queue), 100);
  queue.TakeFront();
  EXPECT_EQ(notes.OfFront(queue), 200);
}

TEST(QueueNotesTest, PacketsThatAreDroppedTakeTheirNotesAlong) {
  InputQueue queue;
  QueueNotes<int> notes;
  for (int time = 1; time <= 3; ++time) {
    // A full queue: what is oldest goes as the next one comes.
    if (queue.size() == 2) queue.DropFront(DropCause::kQueueFull);
    Add(time, &queue);
    notes.NoteAdded(queue, 10 * time);
  }
  EXPECT_EQ(notes.OfFront(queue), 20);
  queue.TakeAt(Timestamp(3));
  EXPECT_EQ(notes.OfLastGone(queue), 30);
}

TEST(QueueNotesTest, TheLastThatLeftIsKnownUntilTheNextComes) {
  InputQueue queue;
  QueueNotes<int> notes;
  Add(1, &queue);
  notes.NoteAdded(queue, 10);
  queue.TakeFront();
  EXPECT_EQ(notes.OfLastGone(queue), 10);
  Add(2, &queue);
  notes.NoteAdded(queue, 20);
  EXPECT_EQ(notes.OfFront(queue), 20);
}

TEST(QueueNotesTest, APacketThatCameAndWentBetweenTwoLooksIsCounted) {
  InputQueue queue;
  QueueNotes<int> notes;
  Add(1, &queue);
  queue.TakeFront();
  Add(2, &queue);
  notes.NoteAdded(queue, 10);
  EXPECT_EQ(notes.OfFront(queue), 10);
  queue.TakeFront();
  EXPECT_EQ(notes.OfLastGone(queue), 10);
}

}  // namespace
}  // namespace syncline
