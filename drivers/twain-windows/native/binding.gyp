{
  "variables": {
    "wire": "<!(node -p \"require('node:path').join(require('node:path').dirname(require.resolve('@platen/driver-wire/package.json')),'native')\")",
    "conditions": [["target_arch=='ia32'", {"bits": "x86"}, {"bits": "x64"}]]
  },
  "targets": [
    {
      "target_name": "platen-twain-helper-<(bits)",
      "type": "none"
    }
  ]
}
