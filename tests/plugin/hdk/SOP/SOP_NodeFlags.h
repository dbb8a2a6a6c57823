#pragma once

class SOP_NodeFlags {
 public:
  void setManagesDataIDs(bool on) { myManages = on; }
  bool getManagesDataIDs() const { return myManages; }
  void setNeedGuide1(bool on) { myGuide = on; }
  bool getNeedGuide1() const { return myGuide; }

 private:
  bool myManages = false, myGuide = false;
};
