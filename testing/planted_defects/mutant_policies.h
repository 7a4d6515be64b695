// Input policies with a defect each: what an engine with a mistake would do.
//
// A node that names one of these input stream handlers runs as with the default
// one, except for the mistake:
//
//   planted.SoundInputStreamHandler            none: shows that what is caught
//                                              is the mistake
//   planted.DoubleDeliveryInputStreamHandler   processes the second input set
//                                              twice
//   planted.LostPacketInputStreamHandler       the first packet of the second
//                                              input set is not there
//   planted.MissingBoundInputStreamHandler     does not wait for the bound of
//                                              the last stream
//   planted.ForgottenBoundInputStreamHandler   does not notice that the bound
//                                              of the last stream rose, so that
//                                              what waits for it may wait for
//                                              ever
//   planted.MixedUpTieInputStreamHandler       of two packets at one time, the
//                                              one that came last is given to
//                                              the later port
//
// They come with RegisterInputPolicyKind, as a user's would: the engine has no
// switch for mistakes.
//
// Thread rule: as InputPolicy.
// Tested by mutant_policies_test.

#ifndef SYNCLINE_TESTING_PLANTED_DEFECTS_MUTANT_POLICIES_H_
#define SYNCLINE_TESTING_PLANTED_DEFECTS_MUTANT_POLICIES_H_

namespace syncline {

inline constexpr char kSoundPolicy[] = "planted.SoundInputStreamHandler";
inline constexpr char kDoubleDeliveryPolicy[] =
    "planted.DoubleDeliveryInputStreamHandler";
inline constexpr char kLostPacketPolicy[] =
    "planted.LostPacketInputStreamHandler";
inline constexpr char kMissingBoundPolicy[] =
    "planted.MissingBoundInputStreamHandler";
inline constexpr char kForgottenBoundPolicy[] =
    "planted.ForgottenBoundInputStreamHandler";
inline constexpr char kMixedUpTiePolicy[] =
    "planted.MixedUpTieInputStreamHandler";

}  // namespace syncline

#endif  // SYNCLINE_TESTING_PLANTED_DEFECTS_MUTANT_POLICIES_H_
