// Singleton<T>: one T for the process, made at the first Get and never
// destroyed.
//
// Thread rule: any thread; calls of T are up to T.
// Tested by singleton_test.

#ifndef SYNCLINE_FRAMEWORK_PORT_SINGLETON_H_
#define SYNCLINE_FRAMEWORK_PORT_SINGLETON_H_

namespace syncline {

template <typename T>
class Singleton {
 public:
  static T* get() {
    static T* const instance = new T();
    return instance;
  }

  Singleton() = delete;
};

}  // namespace syncline

#endif  // SYNCLINE_FRAMEWORK_PORT_SINGLETON_H_
