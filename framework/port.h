// What kind of build this is, in the macros that ported code asks for.
//
// Syncline builds for Linux with RTTI and full Protobuf, and has neither OpenGL
// nor Metal: so `#if !SYNCLINE_DISABLE_GPU` leaves out what needs them. Macros
// for other systems (SYNCLINE_ANDROID, ...) are never defined. CUDA is another
// matter: see gpu/.
//
// Tested by port_test.

#ifndef SYNCLINE_FRAMEWORK_PORT_H_
#define SYNCLINE_FRAMEWORK_PORT_H_

#ifndef SYNCLINE_DISABLE_GPU
#define SYNCLINE_DISABLE_GPU 1
#endif

#ifndef SYNCLINE_DISABLE_GL_COMPUTE
#define SYNCLINE_DISABLE_GL_COMPUTE 1
#endif
#ifndef SYNCLINE_METAL_ENABLED
#define SYNCLINE_METAL_ENABLED 0
#endif

// Ported code compares these versions. There is no OpenGL ES here, so its
// version is below all others.
#define SYNCLINE_OPENGL_ES_VERSION 0
#define SYNCLINE_OPENGL_ES_30 300
#define SYNCLINE_OPENGL_ES_31 310

#ifndef SYNCLINE_HAS_RTTI
#define SYNCLINE_HAS_RTTI 1
#endif

#endif  // SYNCLINE_FRAMEWORK_PORT_H_
