#pragma once

/// Names only: who makes or uses one includes the header of its class.
template <class T>
class UT_Vector3T;
template <class T>
class UT_Matrix4T;
template <class T>
class UT_ValArray;

typedef UT_Vector3T<float> UT_Vector3;
typedef UT_Vector3T<double> UT_Vector3D;
typedef UT_Matrix4T<double> UT_DMatrix4;
typedef UT_ValArray<float> UT_FloatArray;
typedef UT_ValArray<UT_Vector3> UT_Vector3Array;
