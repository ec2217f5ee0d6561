# Executables that contain LLVM and MLIR, for machines without them. They use the
# object files of the ordinary tools and differ only in linking.

# pruner_static_archives(<variable>)
# The archives of LLVM and MLIR with the code generators X86 and NVPTX; empty if
# the distribution has none. Uses file names instead of imported targets: in an
# LLVM built with LLVM_LINK_LLVM_DYLIB the targets of the archives depend on the
# shared libraries, and linking them would silently include both forms.
function(pruner_static_archives result)
  file(GLOB archives "${LLVM_LIBRARY_DIR}/libMLIR*.a" "${LLVM_LIBRARY_DIR}/libLLVM*.a")
  set(others ${LLVM_ALL_TARGETS})
  if(NOT others)
    set(others ${LLVM_TARGETS_TO_BUILD})
  endif()
  list(REMOVE_ITEM others X86 NVPTX)
  string(REPLACE ";" "|" others "${others}")
  list(FILTER archives EXCLUDE REGEX
       "/libLLVM(Exegesis|BOLT)?(Target)?(${others})(AsmParser|CodeGen|Desc|Disassembler|Info|Utils|TargetMCA|Analysis)?[.]a$")
  list(FILTER archives EXCLUDE REGEX "/libMLIR(CAPI.*|.*Test.*)[.]a$")
  set(${result} ${archives} PARENT_SCOPE)
endfunction()

# pruner_static_stubs(<file>)
# MLIR's GPU code calls LLVM's InitializeAllTargets, which refers to every target
# that LLVM was configured with. This file defines empty functions for the targets
# that are not linked.
function(pruner_static_stubs file)
  set(text "/* Generated: code generators that are not linked. */\n")
  foreach(list Targets AsmPrinters AsmParsers Disassemblers)
    set(kinds_Targets TargetInfo Target TargetMC)
    set(kinds_AsmPrinters AsmPrinter)
    set(kinds_AsmParsers AsmParser)
    set(kinds_Disassemblers Disassembler)
    set(lines)
    foreach(directory ${LLVM_INCLUDE_DIRS})
      if(EXISTS "${directory}/llvm/Config/${list}.def")
        file(STRINGS "${directory}/llvm/Config/${list}.def" lines
             REGEX "^LLVM_[A-Z_]+[(][A-Za-z0-9]+[)]")
      endif()
    endforeach()
    foreach(line ${lines})
      string(REGEX REPLACE ".*[(]([A-Za-z0-9]+)[)].*" "\\1" target "${line}")
      if(NOT target MATCHES "^(X86|NVPTX)$")
        foreach(kind ${kinds_${list}})
          string(APPEND text "void LLVMInitialize${target}${kind}(void) {}\n")
        endforeach()
      endif()
    endforeach()
  endforeach()
  string(APPEND text [[
/* LLVM's random file names call what glibc has since 2.36 only. */
#include <stdlib.h>
#include <sys/random.h>
unsigned arc4random(void) {
  unsigned value = 0;
  if (getrandom(&value, sizeof value, 0) != sizeof value)
    abort();
  return value;
}
]])
  file(GENERATE OUTPUT "${file}" CONTENT "${text}")
endfunction()

# pruner_component_closure(<variable> <components>...)
# The components and all components that they use, directly or indirectly.
function(pruner_component_closure result)
  set(open ${ARGN})
  set(closed)
  while(open)
    list(POP_FRONT open component)
    if(component MATCHES "^Pruner" AND TARGET ${component} AND NOT component IN_LIST closed)
      get_target_property(type ${component} TYPE)
      if(type STREQUAL "STATIC_LIBRARY")
        list(APPEND closed ${component})
        get_target_property(below ${component} LINK_LIBRARIES)
        if(below)
          list(APPEND open ${below})
        endif()
      endif()
    endif()
  endwhile()
  set(${result} ${closed} PARENT_SCOPE)
endfunction()

# pruner_static_inputs(<archives> <missing>)
# The archives of LLVM and of other libraries, and what this machine lacks for a
# static link; empty if nothing.
function(pruner_static_inputs archives_result missing_result)
  pruner_static_archives(archives)
  set(missing)
  find_program(PRUNER_OBJCOPY NAMES llvm-objcopy-${PRUNER_LLVM_MAJOR} llvm-objcopy objcopy
               HINTS "${LLVM_TOOLS_BINARY_DIR}")
  if(NOT PRUNER_OBJCOPY)
    list(APPEND missing objcopy)
  endif()
  if(NOT PRUNER_LLD)
    list(APPEND missing lld)
  endif()
  foreach(library sqlite3 z zstd)
    find_library(PRUNER_STATIC_${library} NAMES lib${library}.a)
    if(PRUNER_STATIC_${library})
      list(APPEND archives "${PRUNER_STATIC_${library}}")
    else()
      list(APPEND missing lib${library}.a)
    endif()
  endforeach()
  foreach(needed libMLIRIR.a libLLVMSupport.a libLLVMNVPTXCodeGen.a libLLVMX86CodeGen.a)
    if(NOT "${LLVM_LIBRARY_DIR}/${needed}" IN_LIST archives)
      list(APPEND missing ${needed})
    endif()
  endforeach()
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=") # Their runtimes require a shared C++ library.
    list(APPEND missing "a build without sanitizers")
  endif()
  set(${archives_result} ${archives} PARENT_SCOPE)
  set(${missing_result} ${missing} PARENT_SCOPE)
endfunction()

# pruner_static_link(<target> ARCHIVES <files>... TOOLS <targets>... [LIKE <target>])
# Adds several tools, which share one copy of LLVM, and the components that LIKE
# uses to a target. Copies of the object files rename each `main` and move static
# constructors to a section per tool, because two tools may have options of the
# same name. The sources do not change.
function(pruner_static_link name)
  cmake_parse_arguments(ARG "" "LIKE" "ARCHIVES;TOOLS" ${ARGN})
  set(scratch "${CMAKE_CURRENT_BINARY_DIR}/${name}Parts")
  file(MAKE_DIRECTORY "${scratch}")
  set(entries)
  set(objects)
  foreach(tool ${ARG_TOOLS})
    string(MAKE_C_IDENTIFIER "${tool}" id)
    set(object "${scratch}/${tool}.o")
    add_custom_command(OUTPUT "${object}"
      COMMAND "${PRUNER_OBJCOPY}" --redefine-sym main=${id}_main
              --rename-section .init_array=${id}_constructors
              "$<TARGET_OBJECTS:${tool}>" "${object}"
      DEPENDS "$<TARGET_OBJECTS:${tool}>" COMMENT "Renaming the entry point of ${tool}"
      VERBATIM)
    list(APPEND objects "${object}")
    string(APPEND entries "TOOL(${id}, \"${tool}\")\n")
  endforeach()
  file(GENERATE OUTPUT "${scratch}/tools.def" CONTENT "${entries}")
  pruner_static_stubs("${scratch}/stubs.c")
  set_source_files_properties(${objects} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_sources(${name} PRIVATE
    "${CMAKE_SOURCE_DIR}/cmake/static/Multicall.cpp" "${scratch}/stubs.c" ${objects})
  target_compile_definitions(${name} PRIVATE PRUNER_TOOL_LIST="${scratch}/tools.def")
  target_compile_options(${name} PRIVATE -fno-exceptions)
  set(used)
  foreach(target ${ARG_TOOLS} ${ARG_LIKE})
    get_target_property(below ${target} LINK_LIBRARIES)
    list(APPEND used ${below})
  endforeach()
  pruner_component_closure(components ${used})
  foreach(component ${components})
    target_link_libraries(${name} PRIVATE "$<TARGET_FILE:${component}>")
    add_dependencies(${name} ${component})
  endforeach()
  # Compiled kernels call the C library's math functions, so they are needed even
  # if this program does not call them.
  target_link_libraries(${name} PRIVATE
    -Wl,--start-group ${ARG_ARCHIVES} -Wl,--end-group
    -Wl,--no-as-needed -lm -Wl,--as-needed Threads::Threads ${CMAKE_DL_LIBS})
  target_link_options(${name} PRIVATE
    -static-libstdc++ -Wl,--gc-sections -Wl,--build-id=none -Wl,-s)
endfunction()

# pruner_static_tools(<name> <tools>...)
# One executable for several tools. The name of the file selects the tool.
function(pruner_static_tools name)
  pruner_static_inputs(archives missing)
  if(missing)
    message(STATUS "No GPU kit: this machine lacks ${missing}")
    return()
  endif()
  add_executable(${name} EXCLUDE_FROM_ALL)
  pruner_static_link(${name} ARCHIVES ${archives} TOOLS ${ARGN})
  target_link_options(${name} PRIVATE -no-pie -static-libgcc)
  set_target_properties(${name} PROPERTIES
    SKIP_BUILD_RPATH ON
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
endfunction()
