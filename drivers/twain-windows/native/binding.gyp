{
  "variables": {
    "wire": "<!(node -p \"require('node:path').join(require('node:path').dirname(require.resolve('@platen/driver-kit/package.json')),'native')\")",
    "conditions": [["target_arch=='ia32'", {"bits": "x86"}, {"bits": "x64"}]]
  },
  "target_defaults": {
    "include_dirs": ["<(wire)"],
    "cflags": ["-std=c++14", "-Wall", "-Wextra", "-Werror"],
    "cflags_cc!": ["-fno-exceptions"],
    "defines": ["NOMINMAX", "_CRT_SECURE_NO_WARNINGS", "_CRT_NONSTDC_NO_WARNINGS"],
    "msvs_settings": {
      "VCCLCompilerTool": {"ExceptionHandling": 1, "WarningLevel": 4, "AdditionalOptions": ["/std:c++14", "/utf-8"]},
      "VCLinkerTool": {"SubSystem": 1}
    }
  },
  "targets": [
    {
      "target_name": "platen-twain-helper-<(bits)",
      "conditions": [
        ["OS=='win' or OS=='mingw'", {
          "type": "executable",
          "sources": ["main.cpp", "capability.cpp", "dsm.cpp", "loads.cpp", "pump.cpp", "source.cpp", "transfer.cpp"]
        }, {"type": "none"}],
        ["OS=='win'", {"libraries": ["-lole32.lib", "-luser32.lib"]}],
        ["OS=='mingw'", {"product_extension": "exe", "ldflags": ["-static", "-s"], "libraries": ["-lole32", "-luser32"]}]
      ]
    },
    {
      # The tests' own data source and manager: they are built where the tests run.
      "target_name": "platen-twain-source-<(bits)",
      "conditions": [
        ["OS=='mingw'", {
          "type": "loadable_module",
          "product_prefix": "",
          "sources": ["simulation/entry.cpp", "simulation/capabilities.cpp", "simulation/paper.cpp", "simulation/picture.cpp", "simulation/state.cpp", "simulation/transfers.cpp"],
          "ldflags": ["-static", "-s", "-Wl,--enable-stdcall-fixup", "<(module_root_dir)/simulation/source.def"],
          "libraries": ["-luser32"]
        }, {"type": "none"}]
      ]
    },
    {
      "target_name": "platen-twain-manager-<(bits)",
      "conditions": [
        ["OS=='mingw'", {
          "type": "loadable_module",
          "product_prefix": "",
          "sources": ["simulation/manager.cpp"],
          "ldflags": ["-static", "-s", "-Wl,--enable-stdcall-fixup", "<(module_root_dir)/simulation/manager.def"],
          "libraries": ["-luser32"]
        }, {"type": "none"}]
      ]
    },
    {
      "target_name": "bcryptprimitives",
      "conditions": [
        ["OS=='mingw' and bits=='x64'", {
          "type": "loadable_module", "product_prefix": "", "sources": ["simulation/prng.cpp"], "ldflags": ["-static", "-s"], "libraries": ["-ladvapi32"]
        }, {"type": "none"}]
      ]
    }
  ]
}
