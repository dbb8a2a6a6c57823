# As find_package() asks for it.
set(PACKAGE_VERSION 21.0.440)
set(PACKAGE_VERSION_COMPATIBLE TRUE)
