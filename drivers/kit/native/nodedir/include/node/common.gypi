# Replaces Node's own: a helper is a separate program, which needs no Node headers and so none to be downloaded.
{
  'target_defaults': {
    'default_configuration': 'Release',
    'configurations': {
      'Debug': {
        'cflags': ['-g', '-O0'],
        'msvs_settings': {'VCCLCompilerTool': {'RuntimeLibrary': 1}},
        'conditions': [['target_arch=="x64"', {'msvs_configuration_platform': 'x64'}]],
      },
      'Release': {
        'cflags': ['-O2'],
        'xcode_settings': {'GCC_OPTIMIZATION_LEVEL': '2'},
        'msvs_settings': {'VCCLCompilerTool': {'RuntimeLibrary': 0, 'Optimization': 2}},
        # A project is for 32 bits where it does not say, and MSBuild is asked for 64.
        'conditions': [['target_arch=="x64"', {'msvs_configuration_platform': 'x64'}]],
      },
    },
    # gyp builds for x86_64 on Macs of either kind where nothing is said.
    'conditions': [['target_arch=="arm64"', {'xcode_settings': {'ARCHS': ['arm64']}}, {'xcode_settings': {'ARCHS': ['x86_64']}}]],
    # A separate program does not need the hook that finds node.exe for an addon.
    'win_delay_load_hook': 'false',
    # platen_helper.h
    'include_dirs': ['<(node_root_dir)/..'],
    'target_conditions': [
      ['OS!="win"', {'cflags': ['-pthread'], 'ldflags': ['-pthread']}],
      ['OS=="win"', {'libraries!': ['-l"<(node_lib_file)"']}],
    ],
  },
}
