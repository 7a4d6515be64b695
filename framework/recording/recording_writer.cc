#include "framework/recording/recording_writer.h"

#include <sys/stat.h>
#include <unistd.h>

#include <set>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/strip.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "framework/base/misuse.h"
#include "framework/base/status_macros.h"
#include "framework/base/version.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/descriptor.pb.h"
#include "google/protobuf/text_format.h"

namespace syncline {
namespace {

// Pages that hold several packets of a kilobyte, and images in few pieces. The
// journal holds the few old pages that a commit changes, so each byte is
// written once; the cache has to hold what comes between two commits. Nothing
// waits for the disk: a killed program loses no page that it handed over.
// Nobody else may read meanwhile: a commit would have to wait until they are
// done.
constexpr char kSettings[] = R"(
PRAGMA page_size = 16384;
PRAGMA journal_mode = TRUNCATE;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA synchronous = OFF;
PRAGMA cache_size = -131072;
)";

constexpr char kTables[] = R"(
CREATE TABLE info (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE stream (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
  is_input INTEGER NOT NULL, type TEXT NOT NULL);
CREATE TABLE packet (
  seq INTEGER PRIMARY KEY, stream INTEGER NOT NULL,
  timestamp INTEGER NOT NULL, arrival_ns INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE bound (
  seq INTEGER PRIMARY KEY, stream INTEGER NOT NULL,
  bound INTEGER NOT NULL, arrival_ns INTEGER NOT NULL);
CREATE TABLE packet_time (
  seq INTEGER PRIMARY KEY, acquisition_ns INTEGER NOT NULL,
  publication_ns INTEGER NOT NULL);
CREATE TABLE gap (
  seq INTEGER PRIMARY KEY, stream INTEGER NOT NULL, packets INTEGER NOT NULL);
CREATE TABLE side_packet (
  name TEXT PRIMARY KEY, type TEXT NOT NULL, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE input_header (
  name TEXT PRIMARY KEY, type TEXT NOT NULL, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE message (
  name TEXT PRIMARY KEY, descriptors BLOB NOT NULL) WITHOUT ROWID;
)";

std::string ViewOf(int id, absl::string_view name) {
  return absl::StrCat(
      "CREATE VIEW \"stream_", absl::StrReplaceAll(name, {{"\"", "\"\""}}),
      "\" AS SELECT seq, CASE timestamp", " WHEN ",
      Timestamp::PreStream().Value(), " THEN 'PreStream'", " WHEN ",
      Timestamp::Min().Value(), " THEN 'Min'", " WHEN ",
      Timestamp::Max().Value(), " THEN 'Max'", " WHEN ",
      Timestamp::PostStream().Value(), " THEN 'PostStream'",
      " ELSE timestamp END AS timestamp,",
      " CASE WHEN abs(timestamp / 2) < 4000000000000000000",
      " THEN printf('%.6f', timestamp / 1e6) END AS seconds,",
      " printf('%.3f', arrival_ns / 1e6) AS arrival_ms,",
      " length(data) AS bytes, data FROM packet WHERE stream = ", id, ";");
}

// A file and what it imports, each once and after its imports.
void AddFile(const google::protobuf::FileDescriptor& file,
             std::set<const google::protobuf::FileDescriptor*>* seen,
             google::protobuf::FileDescriptorSet* files) {
  if (!seen->insert(&file).second) return;
  for (int i = 0; i < file.dependency_count(); ++i) {
    AddFile(*file.dependency(i), seen, files);
  }
  file.CopyTo(files->add_file());
}

// The message that a type is, or that a vector of that type holds.
const google::protobuf::Descriptor* MessageOf(absl::string_view type) {
  if (absl::ConsumePrefix(&type, "::std::vector<")) {
    absl::ConsumeSuffix(&type, ">");
  }
  return google::protobuf::DescriptorPool::generated_pool()
      ->FindMessageTypeByName(
          absl::StrReplaceAll(absl::StripPrefix(type, "::"), {{"::", "."}}));
}

}  // namespace

absl::StatusOr<std::unique_ptr<RecordingWriter>> RecordingWriter::Create(
    const std::string& path, const RecordingHeader& header) {
  struct stat about = {};
  const bool was_there = stat(path.c_str(), &about) == 0;
  SYNCLINE_ASSIGN_OR_RETURN(
      std::unique_ptr<SqliteDatabase> database,
      SqliteDatabase::Open(path, SqliteDatabase::kCreate));
  std::unique_ptr<RecordingWriter> writer(
      new RecordingWriter(std::move(database), was_there));
  absl::Status status = writer->NoteFile();
  if (status.ok()) status = writer->WriteHeader(header);
  if (status.ok()) return writer;
  writer->Discard();
  return status;
}

RecordingWriter::~RecordingWriter() {
  // Whoever needs to know whether that works calls Finish.
  CatchExceptions([&] { return Release(); }).IgnoreError();
}

absl::Status RecordingWriter::NoteFile() {
  struct stat about = {};
  // CheckFile finds it missing.
  if (stat(database_->path().c_str(), &about) == 0) {
    device_ = about.st_dev;
    file_ = about.st_ino;
  }
  return CheckFile();
}

absl::Status RecordingWriter::CheckFile() const {
  struct stat about = {};
  if (stat(database_->path().c_str(), &about) == 0 && about.st_dev == device_ &&
      about.st_ino == file_) {
    return absl::OkStatus();
  }
  return absl::NotFoundError(absl::StrCat(
      "\"", absl::Utf8SafeCEscape(database_->path()),
      "\" is not the file any more that was being written: somebody moved or "
      "removed it. What was moved has all that was written so far; leave a "
      "recording where it is until it is finished"));
}

void RecordingWriter::Discard() {
  Release().IgnoreError();
  const std::string& path = database_->path();
  if (!CheckFile().ok()) return;  // it is somebody else's
  if (was_there_) {
    [[maybe_unused]] const int result = truncate(path.c_str(), 0);
  } else {
    unlink(path.c_str());
  }
  // If the disk was full, SQLite may have left its journal.
  unlink(absl::StrCat(path, "-journal").c_str());
}

absl::Status RecordingWriter::WriteHeader(const RecordingHeader& header) {
  SYNCLINE_RETURN_IF_ERROR(database_->Execute(kSettings));
  SYNCLINE_RETURN_IF_ERROR(Begin());
  SYNCLINE_RETURN_IF_ERROR(database_->Execute(absl::StrCat(
      "PRAGMA application_id = ", kRecordingApplicationId,
      "; PRAGMA user_version = ", kRecordingVersion, ";", kTables)));
  std::string graph;
  google::protobuf::TextFormat::PrintToString(header.graph, &graph);
  // The text is for people, the bytes have what this program does not know.
  SYNCLINE_RETURN_IF_ERROR(WriteInfo("graph", graph));
  SYNCLINE_RETURN_IF_ERROR(
      WriteInfo("graph_binary", header.graph.SerializeAsString(), true));
  SYNCLINE_RETURN_IF_ERROR(
      WriteInfo("made_by", absl::StrCat("Syncline ", SYNCLINE_VERSION_STRING)));
  SYNCLINE_RETURN_IF_ERROR(WriteInfo(
      "made_at",
      absl::FormatTime(absl::RFC3339_sec, absl::Now(), absl::UTCTimeZone())));
  // These come before the messages of this program, which may be others of the
  // same names.
  for (const auto& [message, descriptors] : header.messages) {
    SYNCLINE_RETURN_IF_ERROR(WriteDescriptors(message, descriptors));
  }
  SYNCLINE_RETURN_IF_ERROR(WriteStreams(header));
  SYNCLINE_RETURN_IF_ERROR(
      WriteSidePackets("side_packet", header.side_packets));
  SYNCLINE_RETURN_IF_ERROR(
      WriteSidePackets("input_header", header.stream_headers));
  SYNCLINE_RETURN_IF_ERROR(Commit());
  return PrepareAppends();
}

absl::Status RecordingWriter::WriteStreams(const RecordingHeader& header) {
  SYNCLINE_ASSIGN_OR_RETURN(
      SqliteStatement insert,
      database_->Prepare("INSERT INTO stream VALUES (?1, ?2, ?3, ?4)"));
  for (std::size_t i = 0; i < header.streams.size(); ++i) {
    const RecordedStream& stream = header.streams[i];
    SYNCLINE_RETURN_IF_ERROR(insert.Run(static_cast<std::int64_t>(i),
                                        stream.name, stream.is_input ? 1 : 0,
                                        stream.type));
    SYNCLINE_RETURN_IF_ERROR(
        database_->Execute(ViewOf(static_cast<int>(i), stream.name)));
    SYNCLINE_RETURN_IF_ERROR(WriteMessage(stream.type));
  }
  return absl::OkStatus();
}

absl::Status RecordingWriter::WriteSidePackets(
    absl::string_view table,
    const std::vector<RecordedSidePacket>& side_packets) {
  SYNCLINE_ASSIGN_OR_RETURN(
      SqliteStatement insert,
      database_->Prepare(
          absl::StrCat("INSERT INTO ", table, " VALUES (?1, ?2, ?3)")));
  for (const RecordedSidePacket& side_packet : side_packets) {
    SYNCLINE_RETURN_IF_ERROR(insert.Run(side_packet.name, side_packet.type,
                                        SqliteBlob{side_packet.data}));
    SYNCLINE_RETURN_IF_ERROR(WriteMessage(side_packet.type));
  }
  return absl::OkStatus();
}

// So that programs that were not built with a message can still read it.
absl::Status RecordingWriter::WriteMessage(absl::string_view type) {
  const google::protobuf::Descriptor* const message = MessageOf(type);
  if (message == nullptr) return absl::OkStatus();
  google::protobuf::FileDescriptorSet files;
  std::set<const google::protobuf::FileDescriptor*> seen;
  AddFile(*message->file(), &seen, &files);
  return WriteDescriptors(message->full_name(), files.SerializeAsString());
}

absl::Status RecordingWriter::WriteDescriptors(absl::string_view message,
                                               absl::string_view descriptors) {
  return database_->Run("INSERT OR IGNORE INTO message VALUES (?1, ?2)",
                        message, SqliteBlob{descriptors});
}

absl::Status RecordingWriter::WriteInfo(absl::string_view key,
                                        absl::string_view value,
                                        bool is_binary) {
  constexpr char kInsert[] = "INSERT OR REPLACE INTO info VALUES (?1, ?2)";
  return is_binary ? database_->Run(kInsert, key, SqliteBlob{value})
                   : database_->Run(kInsert, key, value);
}

absl::Status RecordingWriter::PrepareAppends() {
  SYNCLINE_ASSIGN_OR_RETURN(
      packet_,
      database_->Prepare("INSERT INTO packet VALUES (?1, ?2, ?3, ?4, ?5)"));
  SYNCLINE_ASSIGN_OR_RETURN(
      bound_, database_->Prepare("INSERT INTO bound VALUES (?1, ?2, ?3, ?4)"));
  SYNCLINE_ASSIGN_OR_RETURN(
      packet_time_,
      database_->Prepare("INSERT INTO packet_time VALUES (?1, ?2, ?3)"));
  SYNCLINE_ASSIGN_OR_RETURN(
      gap_, database_->Prepare("INSERT INTO gap VALUES (?1, ?2, ?3)"));
  return absl::OkStatus();
}

absl::Status RecordingWriter::AppendPacket(std::int64_t seq, int stream,
                                           Timestamp timestamp,
                                           std::int64_t arrival_ns,
                                           absl::string_view data,
                                           const PacketTimes& times) {
  SYNCLINE_RETURN_IF_ERROR(Begin());
  SYNCLINE_RETURN_IF_ERROR(packet_.Run(seq, stream, timestamp.Value(),
                                       arrival_ns, SqliteBlob{data}));
  if (times.acquisition_ns == PacketTimes::kNone &&
      times.publication_ns == PacketTimes::kNone) {
    return absl::OkStatus();
  }
  return packet_time_.Run(seq, times.acquisition_ns, times.publication_ns);
}

absl::Status RecordingWriter::AppendBound(std::int64_t seq, int stream,
                                          Timestamp bound,
                                          std::int64_t arrival_ns) {
  SYNCLINE_RETURN_IF_ERROR(Begin());
  return bound_.Run(seq, stream, bound.Value(), arrival_ns);
}

absl::Status RecordingWriter::AppendGap(std::int64_t seq, int stream,
                                        std::int64_t packets) {
  SYNCLINE_RETURN_IF_ERROR(Begin());
  return gap_.Run(seq, stream, packets);
}

absl::Status RecordingWriter::SetStreamType(int stream,
                                            const std::string& type) {
  SYNCLINE_RETURN_IF_ERROR(Begin());
  SYNCLINE_RETURN_IF_ERROR(database_->Run(
      "UPDATE stream SET type = ?2 WHERE id = ?1", stream, type));
  return WriteMessage(type);
}

absl::Status RecordingWriter::Begin() {
  if (is_in_transaction_) return absl::OkStatus();
  SYNCLINE_RETURN_IF_ERROR(database_->Execute("BEGIN IMMEDIATE"));
  is_in_transaction_ = true;
  return absl::OkStatus();
}

absl::Status RecordingWriter::Commit() {
  if (!is_in_transaction_) return absl::OkStatus();
  SYNCLINE_RETURN_IF_ERROR(database_->Execute("COMMIT"));
  is_in_transaction_ = false;
  return CheckFile();
}

absl::Status RecordingWriter::Finish(const std::string& how) {
  SYNCLINE_RETURN_IF_ERROR(Begin());
  SYNCLINE_RETURN_IF_ERROR(WriteInfo("ended", how));
  SYNCLINE_RETURN_IF_ERROR(Commit());
  SYNCLINE_RETURN_IF_ERROR(Release());
  return CheckReadable();
}

absl::Status RecordingWriter::CheckReadable() const {
  // The first page of each table is in the file since its beginning.
  const auto look = [this]() -> absl::Status {
    SYNCLINE_ASSIGN_OR_RETURN(
        const std::unique_ptr<SqliteDatabase> written,
        SqliteDatabase::Open(database_->path(), SqliteDatabase::kReadOnly));
    for (const char* const table :
         {"info", "stream", "packet", "bound", "packet_time", "gap",
          "side_packet", "input_header", "message"}) {
      SYNCLINE_RETURN_IF_ERROR(
          written
              ->QueryInt64(
                  absl::StrCat("SELECT EXISTS(SELECT * FROM ", table, ")"))
              .status());
    }
    return absl::OkStatus();
  };
  const absl::Status status = look();
  if (status.ok()) return status;
  return absl::DataLossError(absl::StrCat(
      status.message(),
      ": another program emptied the file or wrote over it while it was being "
      "written. Leave a recording alone until it is finished"));
}

absl::Status RecordingWriter::Release() {
  if (std::exchange(is_in_transaction_, false)) {
    database_->Execute("ROLLBACK").IgnoreError();
  }
  // The lock goes with the next look into the file.
  return database_->Execute(
      "PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = DELETE;"
      "SELECT count(*) FROM sqlite_schema;");
}

}  // namespace syncline
