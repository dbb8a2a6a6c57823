// Stand-in for the part of Houdini's UT library that the plugin uses: the same names and signatures.
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <ostream>
#include <string>
#include <vector>

typedef double fpreal;
typedef double fpreal64;
typedef float fpreal32;
typedef std::int64_t exint;
typedef std::int64_t int64;

#define SYS_VISIBILITY_EXPORT __attribute__((visibility("default")))

class UT_StringHolder {
 public:
  UT_StringHolder(const char* text = "") : myText(text ? text : "") {}
  UT_StringHolder(const std::string& text) : myText(text) {}
  const char* c_str() const { return myText.c_str(); }
  std::string toStdString() const { return myText; }
  bool operator==(const UT_StringHolder& other) const { return myText == other.myText; }
  bool operator<(const UT_StringHolder& other) const { return myText < other.myText; }

 private:
  std::string myText;
};
typedef UT_StringHolder UT_StringRef;

class UT_String {
 public:
  void operator=(const std::string& text) { myText = text; }
  std::string toStdString() const { return myText; }

 private:
  std::string myText;
};

template <class T>
class UT_Matrix4T {
 public:
  UT_Matrix4T() { identity(); }
  void identity() {
    for (int i = 0; i < 16; ++i) m[i / 4][i % 4] = i % 5 == 0;
  }
  void setTranslates(T x, T y, T z) { m[3][0] = x, m[3][1] = y, m[3][2] = z; }
  T operator()(int row, int column) const { return m[row][column]; }
  /// Rotations and translations only.
  int invert() {
    UT_Matrix4T r;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) r.m[i][j] = m[j][i];
    for (int j = 0; j < 3; ++j) {
      r.m[3][j] = 0;
      for (int k = 0; k < 3; ++k) r.m[3][j] -= m[3][k] * r.m[k][j];
    }
    *this = r;
    return 0;
  }
  T m[4][4];
};
typedef UT_Matrix4T<double> UT_DMatrix4;

/// Row vectors: p * M.
template <class T>
class UT_Vector3T {
 public:
  UT_Vector3T() : v{0, 0, 0} {}
  UT_Vector3T(T x, T y, T z) : v{x, y, z} {}
  template <class S>
  explicit UT_Vector3T(const UT_Vector3T<S>& o) : v{T(o(0)), T(o(1)), T(o(2))} {}
  T operator()(int i) const { return v[i]; }
  T& operator()(int i) { return v[i]; }
  void assign(T x, T y, T z) { v[0] = x, v[1] = y, v[2] = z; }
  template <class S>
  UT_Vector3T& operator*=(const UT_Matrix4T<S>& m) {
    T r[3];
    for (int j = 0; j < 3; ++j) r[j] = T(v[0] * m(0, j) + v[1] * m(1, j) + v[2] * m(2, j) + m(3, j));
    assign(r[0], r[1], r[2]);
    return *this;
  }

 private:
  T v[3];
};
typedef UT_Vector3T<float> UT_Vector3;
typedef UT_Vector3T<double> UT_Vector3D;

template <class T>
class UT_Array {
 public:
  exint entries() const { return exint(myItems.size()); }
  void append(const T& item) { myItems.push_back(item); }
  const T& operator()(exint i) const { return myItems[std::size_t(i)]; }

 private:
  std::vector<T> myItems;
};

class UT_Options {
 public:
  bool hasOption(const UT_StringRef& name) const { return myOptions.count(name); }
  fpreal64 getOptionF(const UT_StringRef& name) const { return myOptions.at(name).numbers.at(0); }
  int64 getOptionI(const UT_StringRef& name) const { return int64(getOptionF(name)); }
  bool getOptionB(const UT_StringRef& name) const { return getOptionF(name) != 0; }
  const UT_StringHolder& getOptionS(const UT_StringRef& name) const { return myOptions.at(name).text; }
  UT_Vector3D getOptionV3(const UT_StringRef& name) const {
    const auto& n = myOptions.at(name).numbers;
    return UT_Vector3D(n.at(0), n.at(1), n.at(2));
  }
  void setOptionF(const UT_StringHolder& name, fpreal64 value) { myOptions[name].numbers = {value}; }
  void setOptionS(const UT_StringHolder& name, const UT_StringHolder& value) { myOptions[name].text = value; }
  void setOptionV3(const UT_StringHolder& name, const UT_Vector3D& v) {
    myOptions[name].numbers = {v(0), v(1), v(2)};
  }

 private:
  struct Value {
    std::vector<double> numbers;
    UT_StringHolder text;
  };
  std::map<UT_StringHolder, Value> myOptions;
};

class UT_IStream {
 public:
  explicit UT_IStream(std::istream& stream) : myStream(stream) {}
  exint bread(char* buffer, exint count) {
    myStream.read(buffer, count);
    return myStream.gcount();
  }

 private:
  std::istream& myStream;
};

enum UT_ErrorSeverity {
  UT_ERROR_NONE,
  UT_ERROR_MESSAGE,
  UT_ERROR_PROMPT,
  UT_ERROR_WARNING,
  UT_ERROR_ABORT,
  UT_ERROR_FATAL
};

/// Says yes from the given call on, when told so by a test.
class UT_AutoInterrupt {
 public:
  explicit UT_AutoInterrupt(const char* message) { (void)message; }
  bool wasInterrupted(int percent = -1) {
    if (percent >= 0) thePercents.push_back(percent);
    return theCallsLeft >= 0 && theCallsLeft-- == 0;
  }
  static inline int theCallsLeft = -1;
  static inline std::vector<int> thePercents;
};
