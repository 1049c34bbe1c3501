{
  "variables": { "platen_simulation%": 0, "platen_sanitize%": 0 },
  "targets": [
    {
      "target_name": "platen-ica-helper",
      "type": "none",
      "conditions": [
        ["OS=='mac'", {
          "type": "executable",
          "sources": ["main.m", "browser.m", "session.m", "unit.m", "features.m", "scan.m"],
          "include_dirs": ["<!(node -p \"require('node:path').join(require('node:path').dirname(require.resolve('@platen/driver-kit/package.json')),'native')\")"],
          "libraries": ["-framework Foundation", "-framework ImageCaptureCore", "-framework CoreFoundation"],
          "xcode_settings": {
            "MACOSX_DEPLOYMENT_TARGET": "12.0",
            "CLANG_ENABLE_OBJC_ARC": "NO",
            "OTHER_CFLAGS": ["-std=gnu11", "-fno-objc-arc", "-Wall", "-Wextra"]
          }
        }],
        ["OS=='linux' and platen_simulation==1", {
          "type": "executable",
          "sources": [
            "main.m", "browser.m", "session.m", "unit.m", "features.m", "scan.m",
            "simulation/body.m", "simulation/ICDevice.m", "simulation/ICDeviceBrowser.m", "simulation/ICScannerDevice.m",
            "simulation/ICScannerFeature.m", "simulation/ICScannerFunctionalUnit.m", "simulation/SimulatedScan.m", "simulation/page.m"
          ],
          "variables": {
            "conditions": [["platen_sanitize==1", {
              "sanitize": ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer", "-O0"]
            }, { "sanitize": [] }]],
            "objc": [
              "<!@(gnustep-config --objc-flags)", "-O1", "-std=gnu11", "-Wextra", "-Wprotocol", "-Wno-expansion-to-defined", "-Wno-unused-parameter", "-Werror",
              "-I<!(node -p \"require('node:path').join(require('node:path').dirname(require.resolve('@platen/driver-kit/package.json')),'native')\")",
              "-Isimulation", "-I../../sane/native/simulation"
            ]
          },
          "rules": [{
            "rule_name": "objective_c",
            "extension": "m",
            "inputs": ["verbs.h", "simulation/body.h", "simulation/scan.h", "simulation/page.h"],
            "outputs": ["<(INTERMEDIATE_DIR)/<(RULE_INPUT_DIRNAME)-<(RULE_INPUT_ROOT).o"],
            "action": ["gcc", "<@(objc)", "<@(sanitize)", "-c", "<(RULE_INPUT_PATH)", "-o", "<@(_outputs)"],
            "process_outputs_as_sources": 1
          }],
          "libraries": ["<@(sanitize)", "<!@(gnustep-config --base-libs)"]
        }]
      ]
    }
  ]
}
