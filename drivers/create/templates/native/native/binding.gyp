{
  # How the helper is built, for node-gyp. Both programs are helper.c: one over your SDK, one over a simulated SDK.
  "target_defaults": {
    "cflags": ["-Wall", "-Wextra", "-Werror"],
    "cflags_c": ["-std=gnu11"],
    "cflags_cc": ["-std=gnu++17", "-Wno-missing-field-initializers"],
    "xcode_settings": { "MACOSX_DEPLOYMENT_TARGET": "12.0", "CLANG_CXX_LANGUAGE_STANDARD": "gnu++17" },
    "msvs_settings": { "VCCLCompilerTool": { "AdditionalOptions": ["/utf-8"] } },
    "conditions": [["OS=='linux'", { "ldflags": ["-Wl,-z,now"] }]]
  },
  "targets": [
    {
      # What is packed. Yours: your SDK in place of the simulated one:
      #   "sources": ["helper.c"], "include_dirs": ["/opt/acme/include"], "libraries": ["-L/opt/acme/lib", "-lacme"]
      "target_name": "acme-f100-helper",
      "type": "executable",
      "sources": ["helper.c", "simulation/acme_sdk.c"],
      "include_dirs": ["simulation"]
    },
    {
      # What the suite and "npm run dev" run.
      "target_name": "acme-f100-simulated",
      "type": "executable",
      "sources": ["helper.c", "simulation/acme_sdk.c"],
      "include_dirs": ["simulation"]
    }
  ]
}
