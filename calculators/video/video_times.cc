#include "calculators/video/video_times.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "calculators/video/file_tables.h"

namespace syncline {
namespace {

// Tolerances: containers round times to a millisecond, and headers round frame
// rates.
constexpr double kToleranceUs = 600;
constexpr double kRateTolerance = 1e-6;
// The ticks to try if those of the frame rate do not fit.
constexpr int kTicksMs[] = {100, 50, 40, 20, 10, 5, 2, 1};

// Whether each time is near a tick. `ticks` then has the nearest ticks.
bool Fit(const std::vector<std::int64_t>& times_us, double period_us,
         std::vector<std::int64_t>* ticks) {
  ticks->clear();
  for (const std::int64_t time : times_us) {
    const double us = static_cast<double>(time - times_us.front());
    const std::int64_t tick = std::llround(us / period_us);
    const double off = us - static_cast<double>(tick) * period_us;
    if (std::abs(off) > kToleranceUs + us * kRateTolerance) return false;
    if (!ticks->empty() && tick <= ticks->back()) return false;
    ticks->push_back(tick);
  }
  return true;
}

}  // namespace

bool FrameTicks::IsEven() const {
  return rate == 0 &&
         (ticks.empty() ||
          ticks.back() + 1 == static_cast<std::int64_t>(ticks.size()));
}

FrameTicks TicksOf(const std::vector<std::int64_t>& times_us,
                   double frame_rate) {
  FrameTicks found;
  if (Fit(times_us, 1e6 / frame_rate, &found.ticks)) {
    return found;
  }
  found.rate = 1000;
  for (const int ms : kTicksMs) {
    found.scale = ms;
    if (Fit(times_us, ms * 1000.0, &found.ticks)) return found;
  }
  // The ticks for frames that are less than a tick apart.
  found.ticks.clear();
  for (const std::int64_t time : times_us) {
    const std::int64_t tick = (time - times_us.front() + 500) / 1000;
    found.ticks.push_back(
        found.ticks.empty() ? tick : std::max(tick, found.ticks.back() + 1));
  }
  return found;
}

absl::Status SetFrameTimes(const std::string& path,
                           const std::vector<std::int64_t>& times_us,
                           double frame_rate) {
  const FrameTicks ticks = TicksOf(times_us, frame_rate);
  if (ticks.IsEven()) return absl::OkStatus();
  const std::string container =
      absl::AsciiStrToLower(std::filesystem::path(path).extension().string());
  if (container == ".avi") return SetAviTicks(path, ticks);
  if (container == ".mp4" || container == ".mov") {
    return SetMp4Times(path, times_us, frame_rate);
  }
  return absl::UnimplementedError(absl::StrCat(
      "frames that are not a period apart keep their times in avi, mp4 and "
      "mov, not in \"",
      path, "\""));
}

}  // namespace syncline
