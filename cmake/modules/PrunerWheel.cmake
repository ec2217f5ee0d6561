# The content of the Python wheel with tools (setup.py): programs, libraries and
# weights in relocatable positions, without development files.

# pruner_install_wheel()
# The target `pruner-wheel` builds the content, and `cmake --install <build>
# --component wheel` installs it. Other installations do not include it.
function(pruner_install_wheel)
  set(programs pruner-opt pruner-translate pruner-worker pruner-machine pruner)
  set(libraries PrunerC PrunerNetworkRuntime PrunerNetworkSizes)
  foreach(plugin PrunerXgboost PrunerTorch)
    if(TARGET ${plugin})
      list(APPEND libraries ${plugin})
    endif()
  endforeach()
  add_custom_target(pruner-wheel DEPENDS ${programs} ${libraries})
  install(TARGETS ${programs} ${libraries}
          RUNTIME DESTINATION bin COMPONENT wheel EXCLUDE_FROM_ALL
          LIBRARY DESTINATION lib COMPONENT wheel EXCLUDE_FROM_ALL NAMELINK_SKIP
          ARCHIVE DESTINATION lib COMPONENT wheel EXCLUDE_FROM_ALL)
  install(DIRECTORY "${CMAKE_SOURCE_DIR}/lib/CostModel/Xgboost/Pretrained/"
          DESTINATION share/pruner/models COMPONENT wheel EXCLUDE_FROM_ALL)
endfunction()
