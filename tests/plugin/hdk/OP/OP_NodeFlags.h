#pragma once

class OP_NodeFlags {
 public:
  void setTimeDep(bool on) { myTimeDep = on; }
  bool getTimeDep() const { return myTimeDep; }

 private:
  bool myTimeDep = false;
};
