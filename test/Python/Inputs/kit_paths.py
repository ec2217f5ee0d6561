"""The places where the GPU kit searches for programs and packages."""
import sys

from gpukit import kit

print("ptxas:", kit.find_program("ptxas"))
print("search path:", kit.search_path("/a", ":b:/b:"))
print("site-packages:", any("packages" in place for place in kit.site_packages(sys.executable)))
