#include "gpu/access_check.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "framework/base/mutex.h"
#include "gpu/access_history.h"
#include "gpu/work_owner.h"

namespace syncline::gpu {
namespace {

const char* Verb(bool writes) { return writes ? "writes" : "reads"; }

// `node "blur" at 40 reads buffer "frame" (12 bytes) by "blur" on stream ...`
std::string AccessText(const StreamAccess& by, const Access& access) {
  return absl::StrCat(WorkOwnerScope::Current().ToText(), " ",
                      Verb(access.writes), " ", access.buffer->ToText(),
                      " by \"", by.work, "\" on ", by.stream->ToText());
}

// `node "upload" at 40, which writes it by "copy" on stream "a" of ...`
std::string NoteText(const AccessNote& note) {
  return absl::StrCat(note.owner.ToText(), ", which ", Verb(note.writes),
                      " it by \"", note.work, "\" on ", note.stream->ToText());
}

std::string ReleasedText(const BufferState& buffer) {
  return absl::StrCat(", whose memory went back when ",
                      buffer.released_by.ToText(),
                      " released it. Release it after the last use, or leave "
                      "that to the last handle.");
}

absl::Status UnorderedError(const StreamAccess& by, const Access& access,
                            const AccessNote& before) {
  return absl::FailedPreconditionError(absl::StrCat(
      AccessText(by, access), ", and nothing orders this after ",
      NoteText(before), ". Make stream \"", by.stream->name(),
      "\" wait: call WaitFor(", access.writes ? "Writes" : "Reads", "(",
      access.buffer->name, ")) of it, or WaitFor() a later point of stream \"",
      before.stream->name(),
      "\", or take the stream from the packet (ReceiveStream) before this "
      "work."));
}

absl::Status CheckNoHostView(const StreamAccess& by, const Access& access) {
  const BufferState& buffer = *access.buffer;
  const bool is_seen = buffer.host_readers > 0 && access.writes;
  if (access.host_waits || (buffer.host_writers == 0 && !is_seen))
    return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat(
      AccessText(by, access), " while the host has a view of it to ",
      buffer.host_writers > 0 ? "write" : "read",
      ". Close the view before this work is submitted."));
}

// `text` says whose access it is.
absl::Status CheckVersion(const std::string& text, const Access& access) {
  const BufferVersions& versions = access.buffer->versions;
  if (!versions.IsChangedFor(WorkOwnerScope::Current(), access.sent_version)) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      text, ", and it is not what was sent: ", versions.writer().ToText(),
      " has changed it in place, by \"", versions.work(),
      "\". Let that node write to a new buffer, or make it the only reader of "
      "the packet."));
}

absl::Status CheckHostOrder(const std::string& text, const Access& access,
                            DeviceGroup* group)
    ABSL_EXCLUSIVE_LOCKS_REQUIRED(group->mutex) {
  const BufferState& buffer = *access.buffer;
  const bool writes = access.writes;
  if (buffer.is_released) {
    return absl::FailedPreconditionError(
        absl::StrCat(text, ReleasedText(buffer)));
  }
  if (!buffer.device->check_access()) return absl::OkStatus();
  if (buffer.host_writers > 0 || (writes && buffer.host_readers > 0)) {
    return absl::FailedPreconditionError(absl::StrCat(
        text,
        " while there is another view of it on the host: close that "
        "view first."));
  }
  const AccessNote* const before =
      buffer.history.FirstUnordered(writes, [&](WorkPosition position) {
        group->mutex.AssertHeld();
        return group->order.HostKnows(position);
      });
  if (before == nullptr) return CheckVersion(text, access);
  return absl::FailedPreconditionError(absl::StrCat(
      text, ", and the host has not waited for ", NoteText(*before),
      ". Call HostWait() of the buffer, or of a point of stream \"",
      before->stream->name(), "\", before."));
}

}  // namespace

absl::Status CheckReach(const StreamAccess& by, const Access& access,
                        WorkReach reach) {
  if (access.buffer == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat(WorkOwnerScope::Current().ToText(),
                     " declares a buffer without memory "
                     "for \"",
                     by.work, "\" on ", by.stream->ToText()));
  }
  const Device& device = *access.buffer->device;
  if (&access.buffer->device->group() != &by.stream->device().group()) {
    return absl::InvalidArgumentError(absl::StrCat(
        AccessText(by, access), ", and the buffer is of ", device.name(),
        " of another kind of device or of another run. Copy it over the "
        "host."));
  }
  if (reach == WorkReach::kOneDevice &&
      access.buffer->memory.storage_type == MemoryStorageType::kDevice &&
      &device != &by.stream->device()) {
    return absl::InvalidArgumentError(absl::StrCat(
        AccessText(by, access), ", and the buffer is memory of ", device.name(),
        ". Use a stream of that device, or copy the buffer first."));
  }
  return absl::OkStatus();
}

absl::Status CheckOrder(const StreamAccess& by, const Access& access,
                        DeviceGroup* group) {
  if (access.buffer->is_released) {
    return absl::FailedPreconditionError(
        absl::StrCat(AccessText(by, access), ReleasedText(*access.buffer)));
  }
  if (!by.stream->device().check_access()) return absl::OkStatus();
  absl::Status status = CheckNoHostView(by, access);
  if (!status.ok()) return status;
  const AccessNote* const before = access.buffer->history.FirstUnordered(
      access.writes, [&](WorkPosition position) {
        group->mutex.AssertHeld();
        return group->order.IsKnown(by.stream->id(), position);
      });
  if (before != nullptr) return UnorderedError(by, access, *before);
  if (!access.buffer->versions.IsChangedFor(WorkOwnerScope::Current(),
                                            access.sent_version)) {
    return absl::OkStatus();
  }
  return CheckVersion(AccessText(by, access), access);
}

absl::Status BeginHostAccess(const Access& access) {
  BufferState* const buffer = access.buffer.get();
  const bool writes = access.writes;
  if (buffer == nullptr) {
    return absl::InvalidArgumentError(
        "The host asks for a view of a buffer without memory");
  }
  const std::string text =
      absl::StrCat(WorkOwnerScope::Current().ToText(), " ", Verb(writes), " ",
                   buffer->ToText(), " on the host");
  if (buffer->memory.storage_type == MemoryStorageType::kDevice) {
    return absl::FailedPreconditionError(absl::StrCat(
        text, ", and it is memory of ", buffer->device->name(),
        ", which the host cannot see. Copy it to pinned or managed memory, or "
        "use CopyToHost()."));
  }
  DeviceGroup& group = buffer->device->group();
  MutexLock lock(&group.mutex);
  absl::Status status = CheckHostOrder(text, access, &group);
  if (!status.ok()) return status;
  ++(writes ? buffer->host_writers : buffer->host_readers);
  if (writes) {
    buffer->versions.NoteWrite(WorkOwnerScope::Current(), "a view on the host");
  }
  return status;
}

}  // namespace syncline::gpu
