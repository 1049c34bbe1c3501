{
  "targets": [
    {
      "target_name": "platen-sane-helper",
      "conditions": [
        ["OS=='linux'", {
          "type": "executable",
          "sources": ["main.c", "library.c", "device.c", "options.c", "values.c", "scan.c", "bands.c", "merge.c", "cancel.c"],
          "include_dirs": ["<!(node -p \"require('node:path').join(require('node:path').dirname(require.resolve('@platen/driver-kit/package.json')),'native')\")"],
          "cflags": ["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-pthread"],
          "ldflags": ["-pthread", "-Wl,-z,now", "-Wl,--export-dynamic-symbol=pthread_setcanceltype"],
          "libraries": ["-ldl"]
        }, {
          "type": "none"
        }]
      ]
    }
  ]
}
