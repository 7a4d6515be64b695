#include "framework/recording/recording_reader.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "framework/base/status_macros.h"
#include "framework/calculator/port_name.h"

namespace syncline {
namespace {

absl::Status Damaged(absl::string_view path, absl::string_view what) {
  return absl::DataLossError(absl::StrCat("\"", absl::Utf8SafeCHexEscape(path),
                                          "\" is damaged: ", what));
}

// Read-only, and repaired first where a killed program left half a commit.
absl::StatusOr<std::unique_ptr<SqliteDatabase>> OpenToRead(
    const std::string& path) {
  absl::StatusOr<std::unique_ptr<SqliteDatabase>> database =
      SqliteDatabase::Open(path, SqliteDatabase::kReadOnly);
  if (database.ok() || !absl::IsPermissionDenied(database.status())) {
    return database;
  }
  return SqliteDatabase::Open(path, SqliteDatabase::kReadWrite);
}

// Its version. An error: it is no recording, or none that can be read.
absl::StatusOr<std::int64_t> VersionOf(SqliteDatabase* database) {
  SYNCLINE_ASSIGN_OR_RETURN(const std::int64_t application,
                            database->QueryInt64("PRAGMA application_id"));
  if (application != kRecordingApplicationId) {
    SYNCLINE_ASSIGN_OR_RETURN(const std::int64_t pages,
                              database->QueryInt64("PRAGMA page_count"));
    if (pages == 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          "\"", absl::Utf8SafeCHexEscape(database->path()),
          "\" is no recording of Syncline but empty: the program that should "
          "have made one ended before it began"));
    }
    return absl::InvalidArgumentError(
        absl::StrCat("\"", absl::Utf8SafeCHexEscape(database->path()),
                     "\" is no recording of Syncline"));
  }
  SYNCLINE_ASSIGN_OR_RETURN(const std::int64_t version,
                            database->QueryInt64("PRAGMA user_version"));
  if (version < kOldestRecordingVersion || version > kRecordingVersion) {
    return absl::FailedPreconditionError(absl::StrCat(
        "\"", absl::Utf8SafeCHexEscape(database->path()),
        "\" is a recording of version ", version,
        "; this program reads versions ", kOldestRecordingVersion, " to ",
        kRecordingVersion, ": use the release of Syncline that made it"));
  }
  return version;
}

// The table with the headers of inputs. Version 1 has none.
absl::string_view HeaderTable(std::int64_t version) {
  return version == 2 ? "stream_header" : "input_header";
}

// The query for the events of a range. Its first column is a
// RecordedEvent::Kind, which says what the other columns are.
std::string Query(const RecordingRange& range, bool has_times) {
  std::string where;
  const auto require = [&where](const std::string& condition) {
    absl::StrAppend(&where, where.empty() ? " WHERE " : " AND ", condition);
  };
  if (range.stream.has_value()) {
    require(absl::StrCat("stream = ", *range.stream));
  }
  const std::string others = where;
  if (range.from != Timestamp::Unset()) {
    require(absl::StrCat("timestamp >= ", range.from.Value()));
  }
  if (range.to != Timestamp::Unset()) {
    require(absl::StrCat("timestamp <= ", range.to.Value()));
  }
  std::string query =
      absl::StrCat("SELECT 0, seq, stream, timestamp, arrival_ns, data, ",
                   has_times ? "acquisition_ns, publication_ns FROM packet "
                               "LEFT JOIN packet_time USING (seq)"
                             : "NULL, NULL FROM packet",
                   where);
  if (!range.packets_only && !range.no_bounds) {
    absl::StrAppend(
        &query,
        " UNION ALL SELECT 1, seq, stream, bound, arrival_ns, NULL, NULL, NULL "
        "FROM bound",
        others);
  }
  if (!range.packets_only) {
    absl::StrAppend(
        &query,
        " UNION ALL SELECT 2, seq, stream, packets, 0, NULL, NULL, NULL FROM "
        "gap",
        others);
  }
  absl::StrAppend(&query, " ORDER BY 2");
  if (range.last > 0) absl::StrAppend(&query, " DESC LIMIT ", range.last);
  if (range.first > 0) absl::StrAppend(&query, " LIMIT ", range.first);
  return query;
}

// Whether a packet or a bound may have this timestamp. A bound may also say
// that no packet comes any more.
bool IsPossible(Timestamp timestamp, bool is_packet) {
  return timestamp.IsAllowedInStream() ||
         (!is_packet && timestamp > Timestamp::PostStream());
}

}  // namespace

// --- RecordingEvents

absl::StatusOr<bool> RecordingEvents::Next(RecordedEvent* event) {
  // SQLite would begin again.
  if (is_at_end_) return false;
  SYNCLINE_ASSIGN_OR_RETURN(const bool more, query_.Step());
  is_at_end_ = !more;
  if (!more) return false;
  event->kind = static_cast<RecordedEvent::Kind>(query_.Int64(0));
  event->seq = query_.Int64(1);
  const std::int64_t stream = query_.Int64(2);
  const std::int64_t number = query_.Int64(3);
  event->arrival_ns = query_.Int64(4);
  const auto damaged = [this](const auto&... what) {
    return Damaged(
        path_,
        absl::StrCat(what..., "; `tools/recording cut` saves what is before"));
  };
  if (stream < 0 || stream >= static_cast<std::int64_t>(streams_->size())) {
    return damaged("event ", event->seq, " is of stream ", stream,
                   ", which does not exist");
  }
  if (event->arrival_ns < 0) {
    return damaged("event ", event->seq, " came before the recording began");
  }
  event->stream = static_cast<int>(stream);
  event->data.clear();
  event->times = PacketTimes();
  event->packets = 0;
  event->timestamp = Timestamp::Unset();
  if (event->kind == RecordedEvent::kGap) {
    if (number <= 0) {
      return damaged("gap ", event->seq, " is of ", number, " packets");
    }
    event->packets = number;
    return true;
  }
  const bool is_packet = event->kind == RecordedEvent::kPacket;
  event->timestamp = Timestamp::CreateNoErrorChecking(number);
  if (!IsPossible(event->timestamp, is_packet)) {
    return damaged("event ", event->seq, " has the impossible timestamp ",
                   number);
  }
  if (!is_packet) return true;
  // Its bytes would be those of any type.
  if ((*streams_)[event->stream].type.empty()) {
    return damaged("event ", event->seq, " is a packet of stream \"",
                   (*streams_)[event->stream].name, "\", which has no type");
  }
  event->data = query_.Text(5);
  if (query_.IsNull(6)) return true;
  event->times.acquisition_ns = query_.Int64(6);
  event->times.publication_ns = query_.Int64(7);
  return true;
}

// --- RecordingReader

absl::StatusOr<std::unique_ptr<RecordingReader>> RecordingReader::Open(
    const std::string& path) {
  SYNCLINE_ASSIGN_OR_RETURN(std::unique_ptr<SqliteDatabase> database,
                            OpenToRead(path));
  SYNCLINE_ASSIGN_OR_RETURN(const std::int64_t version,
                            VersionOf(database.get()));
  std::unique_ptr<RecordingReader> reader(
      new RecordingReader(std::move(database), version));
  SYNCLINE_RETURN_IF_ERROR(reader->CheckTables());
  SYNCLINE_RETURN_IF_ERROR(reader->ReadHeader());
  if (!reader->Events({}).ok()) {
    return Damaged(path, "its tables are not those of a recording");
  }
  return reader;
}

// Views and virtual tables have no pages of their own.
absl::Status RecordingReader::CheckTables() const {
  std::vector<absl::string_view> tables = {
      "info", "stream", "packet", "bound", "gap", "side_packet", "message"};
  if (version_ > 1) tables.push_back(HeaderTable(version_));
  if (HasTimes()) tables.push_back("packet_time");
  SYNCLINE_ASSIGN_OR_RETURN(
      const std::int64_t found,
      database_->QueryInt64(absl::StrCat(
          "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND "
          "rootpage > 0 AND name IN ('",
          absl::StrJoin(tables, "', '"), "')")));
  if (found == static_cast<std::int64_t>(tables.size())) {
    return absl::OkStatus();
  }
  return Damaged(path(), "its tables are not those of a recording");
}

absl::Status RecordingReader::ReadHeader() {
  SYNCLINE_ASSIGN_OR_RETURN(const absl::optional<std::string> graph,
                            ReadInfo("graph_binary"));
  if (!graph.has_value()) return Damaged(path(), "the graph is missing");
  if (!header_.graph.ParseFromString(*graph)) {
    return Damaged(path(), "the graph in it cannot be read");
  }
  SYNCLINE_ASSIGN_OR_RETURN(ended_, ReadInfo("ended"));
  SYNCLINE_ASSIGN_OR_RETURN(const auto made_by, ReadInfo("made_by"));
  SYNCLINE_ASSIGN_OR_RETURN(const auto made_at, ReadInfo("made_at"));
  made_by_ = made_by.value_or("");
  made_at_ = made_at.value_or("");
  SYNCLINE_RETURN_IF_ERROR(ReadStreams());
  SYNCLINE_RETURN_IF_ERROR(ReadMessages());
  SYNCLINE_RETURN_IF_ERROR(
      ReadSidePackets("side_packet", &header_.side_packets));
  return version_ == 1
             ? absl::OkStatus()
             : ReadSidePackets(HeaderTable(version_), &header_.stream_headers);
}

absl::Status RecordingReader::ReadMessages() {
  return database_->ForEachRow("SELECT name, descriptors FROM message",
                               [this](const SqliteStatement& row) {
                                 header_.messages[row.Text(0)] = row.Text(1);
                                 return absl::OkStatus();
                               });
}

absl::Status RecordingReader::ReadStreams() {
  const auto read = [this](const SqliteStatement& row) {
    if (row.Int64(0) != static_cast<std::int64_t>(header_.streams.size())) {
      return Damaged(path(), "a stream is missing");
    }
    const std::string name = row.Text(1);
    if (!tool::ValidateName(name).ok()) {
      return Damaged(path(), absl::StrCat("no stream has the name \"",
                                          absl::CHexEscape(name), "\""));
    }
    header_.streams.push_back({name, row.Int64(2) != 0, row.Text(3)});
    return absl::OkStatus();
  };
  return database_->ForEachRow(
      "SELECT id, name, is_input, type FROM stream ORDER BY id", read);
}

absl::Status RecordingReader::ReadSidePackets(
    absl::string_view table, std::vector<RecordedSidePacket>* side_packets) {
  return database_->ForEachRow(
      absl::StrCat("SELECT name, type, data FROM ", table),
      [side_packets](const SqliteStatement& row) {
        side_packets->push_back({row.Text(0), row.Text(1), row.Text(2)});
        return absl::OkStatus();
      });
}

absl::StatusOr<absl::optional<std::string>> RecordingReader::ReadInfo(
    absl::string_view key) const {
  SYNCLINE_ASSIGN_OR_RETURN(
      SqliteStatement query,
      database_->Prepare("SELECT value FROM info WHERE key = ?1"));
  query.Bind(key);
  SYNCLINE_ASSIGN_OR_RETURN(const bool found, query.Step());
  if (!found) return absl::optional<std::string>();
  return absl::optional<std::string>(query.Text(0));
}

absl::optional<int> RecordingReader::FindStream(absl::string_view name) const {
  const auto found =
      std::ranges::find(header_.streams, name, &RecordedStream::name);
  if (found == header_.streams.end()) return absl::nullopt;
  return static_cast<int>(found - header_.streams.begin());
}

absl::StatusOr<RecordingEvents> RecordingReader::Events(
    const RecordingRange& range) const {
  SYNCLINE_ASSIGN_OR_RETURN(SqliteStatement query,
                            database_->Prepare(Query(range, HasTimes())));
  return RecordingEvents(path(), &header_.streams, std::move(query));
}

absl::StatusOr<std::vector<RecordingReader::StreamSummary>>
RecordingReader::Summarize() const {
  std::vector<StreamSummary> summaries(header_.streams.size());
  // Calls `read` with each row of the query and the summary of its stream.
  const auto for_each_stream = [&](absl::string_view sql, auto read) {
    return database_->ForEachRow(sql, [&](const SqliteStatement& row) {
      const std::int64_t stream = row.Int64(0);
      if (stream < 0 || stream >= static_cast<int>(summaries.size())) {
        return Damaged(path(), "a stream is missing");
      }
      read(row, summaries[stream]);
      return absl::OkStatus();
    });
  };
  SYNCLINE_RETURN_IF_ERROR(for_each_stream(
      "SELECT stream, count(*), sum(length(data)), min(timestamp), "
      "max(timestamp) FROM packet GROUP BY stream",
      [](const SqliteStatement& row, StreamSummary& summary) {
        summary.packets = row.Int64(1);
        summary.bytes = row.Int64(2);
        summary.first = Timestamp::CreateNoErrorChecking(row.Int64(3));
        summary.last = Timestamp::CreateNoErrorChecking(row.Int64(4));
      }));
  SYNCLINE_RETURN_IF_ERROR(
      for_each_stream("SELECT stream, sum(packets) FROM gap GROUP BY stream",
                      [](const SqliteStatement& row, StreamSummary& summary) {
                        summary.missing = row.Int64(1);
                      }));
  return summaries;
}

}  // namespace syncline
