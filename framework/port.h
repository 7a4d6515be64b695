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

#ifndef SYNCLINE_HAS_RTTI
#define SYNCLINE_HAS_RTTI 1
#endif

#endif  // SYNCLINE_FRAMEWORK_PORT_H_
