# `cmake --install build/release` puts the program, the headers and a CMake package in place, so that elements
# can be built outside this tree:
#
#   find_package(headroom REQUIRED)
#   headroom_add_package(odd odd_drop.cc)     # odd.so, for require(package odd)

include(CMakePackageConfigHelpers)

install(TARGETS headroom_options EXPORT headroomTargets)
install(EXPORT headroomTargets NAMESPACE headroom::
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/headroom)
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/headroomConfig.cmake.in
  ${CMAKE_BINARY_DIR}/headroomConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/headroom
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
# A package must be built against exactly the headers of the program: see lib/graph/abi.hh.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/headroomConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/headroomConfig.cmake
              ${CMAKE_BINARY_DIR}/headroomConfigVersion.cmake
              ${CMAKE_SOURCE_DIR}/cmake/Dpdk.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/headroom)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/configs/ DESTINATION ${CMAKE_INSTALL_DATADIR}/headroom/configs)
