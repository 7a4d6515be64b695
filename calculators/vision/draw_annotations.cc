#include "calculators/vision/draw_annotations.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "framework/port/status_macros.h"
#include "opencv2/imgproc.hpp"

namespace syncline {
namespace {

// Places further away than this, in pixels, are an error. For nearer places,
// OpenCV's numbers do not overflow.
constexpr double kFarthestPx = 1000000;
constexpr int kMaxThickness = 255;
constexpr int kMaxFontHeightPx = 2000;
constexpr double kDegrees = 180 / CV_PI;
// The length of an arrow's head, relative to the arrow.
constexpr double kArrowHead = 0.1;
// A line that changes its colour has at most so many pieces.
constexpr int kGradientPieces = 256;

cv::Scalar ScalarOf(const Color& color) {
  return {static_cast<double>(color.r()), static_cast<double>(color.g()),
          static_cast<double>(color.b()), 255};
}

absl::Status CheckPlaces(std::initializer_list<double> places) {
  for (const double place : places) {
    if (std::isfinite(place) && std::abs(place) <= kFarthestPx) continue;
    return absl::InvalidArgumentError(absl::StrCat(
        "it has a place or a size of ", place,
        " pixels, which is not finite or more than ", kFarthestPx));
  }
  return absl::OkStatus();
}

cv::Point Rounded(cv::Point2d point) {
  return {cvRound(point.x), cvRound(point.y)};
}

// Draws one annotation, in pixels of the image.
class Pen {
 public:
  Pen(const RenderAnnotation& annotation, bool flip_text, cv::Mat* image)
      : annotation_(annotation), flip_text_(flip_text), image_(*image) {}

  absl::Status Draw() {
    const double thickness = annotation_.thickness();
    if (!std::isfinite(thickness) || thickness < 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("it has a thickness of ", thickness));
    }
    thickness_ =
        std::max(1, cvRound(std::min<double>(thickness, kMaxThickness)));
    color_ = ScalarOf(annotation_.color());
    const RenderAnnotation& a = annotation_;
    switch (a.data_case()) {
      case RenderAnnotation::kRectangle:
        return DrawRectangle(a.rectangle());
      case RenderAnnotation::kFilledRectangle:
        Fill(a.filled_rectangle().fill_color(),
             a.filled_rectangle().has_fill_color());
        return DrawRectangle(a.filled_rectangle().rectangle());
      case RenderAnnotation::kOval:
        return DrawOval(a.oval().rectangle());
      case RenderAnnotation::kFilledOval:
        Fill(a.filled_oval().fill_color(), a.filled_oval().has_fill_color());
        return DrawOval(a.filled_oval().oval().rectangle());
      case RenderAnnotation::kPoint:
        return DrawPoint(a.point());
      case RenderAnnotation::kLine:
        return DrawLine(a.line());
      case RenderAnnotation::kArrow:
        return DrawArrow(a.arrow());
      case RenderAnnotation::kText:
        return DrawText(a.text());
      case RenderAnnotation::kRoundedRectangle:
        return DrawRounded(a.rounded_rectangle());
      case RenderAnnotation::kFilledRoundedRectangle:
        Fill(a.filled_rounded_rectangle().fill_color(),
             a.filled_rounded_rectangle().has_fill_color());
        return DrawRounded(a.filled_rounded_rectangle().rounded_rectangle());
      case RenderAnnotation::kGradientLine:
        return DrawGradientLine(a.gradient_line());
      case RenderAnnotation::kScribble:
        return DrawScribble(a.scribble());
      case RenderAnnotation::DATA_NOT_SET:
        return absl::InvalidArgumentError("it says nothing to draw");
    }
    return absl::OkStatus();
  }

 private:
  struct Area {
    cv::Point2d middle;
    double width = 0;
    double height = 0;
    double degrees = 0;
  };

  // Makes the following calls fill shapes, with the fill colour or that of the
  // lines.
  void Fill(const Color& color, bool has_color) {
    if (has_color) color_ = ScalarOf(color);
    thickness_ = cv::FILLED;
  }

  cv::Point2d Place(double x, double y, bool normalized) const {
    return normalized ? cv::Point2d(x * image_.cols, y * image_.rows)
                      : cv::Point2d(x, y);
  }

  absl::Status Read(const RenderAnnotation::Rectangle& rectangle,
                    Area* area) const {
    const bool normalized = rectangle.normalized();
    const cv::Point2d a = Place(rectangle.left(), rectangle.top(), normalized);
    const cv::Point2d b =
        Place(rectangle.right(), rectangle.bottom(), normalized);
    SYNCLINE_RETURN_IF_ERROR(CheckPlaces({a.x, a.y, b.x, b.y}));
    if (!std::isfinite(rectangle.rotation())) {
      return absl::InvalidArgumentError(
          absl::StrCat("it has a rotation of ", rectangle.rotation()));
    }
    *area = {(a + b) / 2, std::abs(b.x - a.x), std::abs(b.y - a.y),
             std::fmod(rectangle.rotation() * kDegrees, 360)};
    return absl::OkStatus();
  }

  // A closed line through corners, or the area inside.
  void DrawPolygon(const std::vector<cv::Point>& corners,
                   int line_type = cv::LINE_8) {
    if (thickness_ == cv::FILLED) {
      cv::fillPoly(image_, std::vector<std::vector<cv::Point>>{corners}, color_,
                   line_type);
    } else {
      cv::polylines(image_, corners, /*isClosed=*/true, color_, thickness_,
                    line_type);
    }
  }

  static std::vector<cv::Point2d> CornersOf(const Area& area) {
    const double angle = area.degrees / kDegrees;
    const cv::Point2d across(std::cos(angle) * area.width / 2,
                             std::sin(angle) * area.width / 2);
    const cv::Point2d down(-std::sin(angle) * area.height / 2,
                           std::cos(angle) * area.height / 2);
    return {area.middle - across - down, area.middle + across - down,
            area.middle + across + down, area.middle - across + down};
  }

  absl::Status DrawRectangle(const RenderAnnotation::Rectangle& rectangle) {
    Area area;
    SYNCLINE_RETURN_IF_ERROR(Read(rectangle, &area));
    std::vector<cv::Point> corners;
    for (const cv::Point2d& corner : CornersOf(area)) {
      corners.push_back(Rounded(corner));
    }
    DrawPolygon(corners);
    const double corner_thickness = rectangle.top_left_thickness();
    if (corner_thickness > 0) {
      const int radius =
          cvRound(std::min<double>(corner_thickness, kMaxThickness));
      cv::ellipse(image_, corners[0], {radius, radius}, 0, 0, 360,
                  ScalarOf(annotation_.color()), cv::FILLED);
    }
    return absl::OkStatus();
  }

  absl::Status DrawOval(const RenderAnnotation::Rectangle& rectangle) {
    Area area;
    SYNCLINE_RETURN_IF_ERROR(Read(rectangle, &area));
    cv::ellipse(image_, Rounded(area.middle),
                {cvRound(area.width / 2), cvRound(area.height / 2)},
                area.degrees, 0, 360, color_, thickness_);
    return absl::OkStatus();
  }

  // A rectangle whose corners are quarters of circles.
  absl::Status DrawRounded(const RenderAnnotation::RoundedRectangle& rounded) {
    Area area;
    SYNCLINE_RETURN_IF_ERROR(Read(rounded.rectangle(), &area));
    const int line_type = rounded.line_type();
    if (line_type != cv::LINE_4 && line_type != cv::LINE_8 &&
        line_type != cv::LINE_AA) {
      return absl::InvalidArgumentError(
          absl::StrCat("it has the line type ", line_type,
                       "; OpenCV's numbers are 4, 8 and 16"));
    }
    const double radius =
        std::min({static_cast<double>(std::max(0, rounded.corner_radius())),
                  area.width / 2, area.height / 2});
    Area inner = area;
    inner.width -= 2 * radius;
    inner.height -= 2 * radius;
    std::vector<cv::Point> outline;
    double begin = 180 + area.degrees;
    for (const cv::Point2d& middle : CornersOf(inner)) {
      for (int step = 0; step <= 90; step += 10) {
        const double angle = (begin + step) / kDegrees;
        outline.push_back(Rounded(
            middle + radius * cv::Point2d(std::cos(angle), std::sin(angle))));
      }
      begin += 90;
    }
    DrawPolygon(outline, line_type);
    return absl::OkStatus();
  }

  absl::Status DrawPoint(const RenderAnnotation::Point& point) {
    const cv::Point2d place = Place(point.x(), point.y(), point.normalized());
    SYNCLINE_RETURN_IF_ERROR(CheckPlaces({place.x, place.y}));
    cv::circle(image_, Rounded(place), thickness_, color_, cv::FILLED);
    return absl::OkStatus();
  }

  template <typename LineLike>
  absl::Status ReadEnds(const LineLike& line, cv::Point2d* start,
                        cv::Point2d* end) const {
    *start = Place(line.x_start(), line.y_start(), line.normalized());
    *end = Place(line.x_end(), line.y_end(), line.normalized());
    return CheckPlaces({start->x, start->y, end->x, end->y});
  }

  absl::Status DrawLine(const RenderAnnotation::Line& line) {
    cv::Point2d start, end;
    SYNCLINE_RETURN_IF_ERROR(ReadEnds(line, &start, &end));
    cv::line(image_, Rounded(start), Rounded(end), color_, thickness_);
    return absl::OkStatus();
  }

  absl::Status DrawArrow(const RenderAnnotation::Arrow& arrow) {
    cv::Point2d start, end;
    SYNCLINE_RETURN_IF_ERROR(ReadEnds(arrow, &start, &end));
    cv::arrowedLine(image_, Rounded(start), Rounded(end), color_, thickness_,
                    cv::LINE_8, 0, kArrowHead);
    return absl::OkStatus();
  }

  absl::Status DrawGradientLine(const RenderAnnotation::GradientLine& line) {
    cv::Point2d start, end;
    SYNCLINE_RETURN_IF_ERROR(ReadEnds(line, &start, &end));
    const cv::Scalar first = ScalarOf(line.color1());
    const cv::Scalar last = ScalarOf(line.color2());
    const cv::Point2d way = end - start;
    const int pieces = std::min(kGradientPieces,
                                std::max(1, cvRound(std::hypot(way.x, way.y))));
    for (int i = 0; i < pieces; ++i) {
      const double share = (i + 0.5) / pieces;
      cv::line(image_, Rounded(start + way * (1.0 * i / pieces)),
               Rounded(start + way * (1.0 * (i + 1) / pieces)),
               first * (1 - share) + last * share, thickness_);
    }
    return absl::OkStatus();
  }

  absl::Status DrawScribble(const RenderAnnotation::Scribble& scribble) {
    std::vector<cv::Point> points;
    for (const RenderAnnotation::Point& point : scribble.point()) {
      const cv::Point2d place = Place(point.x(), point.y(), point.normalized());
      SYNCLINE_RETURN_IF_ERROR(CheckPlaces({place.x, place.y}));
      points.push_back(Rounded(place));
    }
    if (points.size() > 1) {
      cv::polylines(image_, points, /*isClosed=*/false, color_, thickness_);
    }
    return absl::OkStatus();
  }

  absl::Status DrawText(const RenderAnnotation::Text& text) {
    cv::Point2d place = Place(text.left(), text.baseline(), text.normalized());
    const double height =
        text.font_height() * (text.normalized() ? image_.rows : 1);
    SYNCLINE_RETURN_IF_ERROR(CheckPlaces({place.x, place.y, height}));
    const int face = text.font_face();
    if ((face & ~cv::FONT_ITALIC) < cv::FONT_HERSHEY_SIMPLEX ||
        (face & ~cv::FONT_ITALIC) > cv::FONT_HERSHEY_SCRIPT_COMPLEX) {
      return absl::InvalidArgumentError(absl::StrCat(
          "it has the font ", face, "; OpenCV's are 0 to 7, and 16 to 23"));
    }
    const int height_px =
        std::min(kMaxFontHeightPx, std::max(1, cvRound(height)));
    const double scale =
        cv::getFontScaleFromHeight(face, height_px, thickness_);
    const cv::Size size =
        cv::getTextSize(text.display_text(), face, scale, thickness_, nullptr);
    if (text.center_horizontally()) place.x -= size.width / 2.0;
    if (text.center_vertically()) place.y += size.height / 2.0;
    const double outline = text.outline_thickness();
    if (outline > 0) {
      const int thickness =
          thickness_ + 2 * cvRound(std::min<double>(outline, kMaxThickness));
      cv::putText(image_, text.display_text(), Rounded(place), face, scale,
                  ScalarOf(text.outline_color()), thickness, cv::LINE_8,
                  flip_text_);
    }
    cv::putText(image_, text.display_text(), Rounded(place), face, scale,
                color_, thickness_, cv::LINE_8, flip_text_);
    return absl::OkStatus();
  }

  const RenderAnnotation& annotation_;
  const bool flip_text_;
  cv::Mat& image_;
  cv::Scalar color_;
  int thickness_ = 1;
};

}  // namespace

absl::Status DrawAnnotations(const RenderData& render_data,
                             bool flip_text_vertically, cv::Mat* image) {
  for (const RenderAnnotation& annotation : render_data.render_annotations()) {
    std::string reason;
    try {
      const absl::Status status =
          Pen(annotation, flip_text_vertically, image).Draw();
      if (status.ok()) continue;
      reason = std::string(status.message());
    } catch (const cv::Exception& error) {
      reason = error.err;
    }
    return absl::InvalidArgumentError(
        absl::StrCat("an annotation cannot be drawn, as ", reason, ": ",
                     annotation.ShortDebugString()));
  }
  return absl::OkStatus();
}

}  // namespace syncline
