// CameraIntrinsics: how a pinhole camera maps space to pixels.
//
// Thread rule: a value.
// Tested by lifetime_tracker_test.
#ifndef SYNCLINE_FRAMEWORK_CAMERA_INTRINSICS_H_
#define SYNCLINE_FRAMEWORK_CAMERA_INTRINSICS_H_

namespace syncline {

class CameraIntrinsics {
 public:
  // Focal lengths and principal point in pixels; image size in pixels, or -1
  // where it is not known.
  CameraIntrinsics(float fx, float fy, float cx, float cy, float width,
                   float height)
      : fx_(fx), fy_(fy), cx_(cx), cy_(cy), width_(width), height_(height) {}
  CameraIntrinsics(float fx, float fy, float cx, float cy)
      : CameraIntrinsics(fx, fy, cx, cy, -1, -1) {}

  float fx() const { return fx_; }
  float fy() const { return fy_; }
  float cx() const { return cx_; }
  float cy() const { return cy_; }
  float width() const { return width_; }
  float height() const { return height_; }

 private:
  const float fx_;
  const float fy_;
  const float cx_;
  const float cy_;
  const float width_;
  const float height_;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_CAMERA_INTRINSICS_H_
