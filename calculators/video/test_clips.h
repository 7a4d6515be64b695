// Clips for tests: small videos whose frames can be told apart.
//
//   const std::string path = WriteClip({.frames = 8});
//   ... read it; FrameNumber(frame) says which one it is
//
// A frame is gray; frame number n has the brightness 8 n + 4. A white square
// moves to the right by a pixel in each frame. This can still be recognised
// after a lossy codec.
//
// Thread rule: free functions; tests that run at the same time write to
// different folders.
// Tested by video_calculators_test.

#ifndef SYNCLINE_CALCULATORS_VIDEO_TEST_CLIPS_H_
#define SYNCLINE_CALCULATORS_VIDEO_TEST_CLIPS_H_

#include <string>

#include "framework/formats/image_frame.h"
#include "framework/packet.h"
#include "framework/timestamp.h"

namespace syncline {

struct ClipOptions {
  std::string name = "clip.avi";  // in TempPath
  int frames = 8;                 // at most 31
  int width = 64;
  int height = 48;
  double frame_rate = 10;
  std::string codec;  // empty: the container's usual one
};

// A path in a folder that belongs to this test.
std::string TempPath(const std::string& name);

// Writes a clip and returns its path. Ends the test program if that fails.
std::string WriteClip(const ClipOptions& options);

// The frame of that number, as RGB or in another format of bytes.
Packet ClipFrame(int number, Timestamp time, const ClipOptions& options = {},
                 ImageFormat::Format format = ImageFormat::SRGB);

// Cuts the avi at `path` off in the middle of its frames.
void CutOff(const std::string& path);

// The number of a frame of a clip; -1 if it is no frame of a clip.
int FrameNumber(const ImageFrame& frame);

// The file, byte for byte; empty if there is none.
std::string FileBytes(const std::string& path);
void WriteFile(const std::string& path, const std::string& bytes);

}  // namespace syncline

#endif  // SYNCLINE_CALCULATORS_VIDEO_TEST_CLIPS_H_
