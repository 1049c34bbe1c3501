/** Explains a failed native build in one sentence that says what to install. */

const compiler =
  'a C/C++ compiler and make (Debian, Ubuntu: apt-get install build-essential; Fedora: dnf install gcc-c++ make)';

/**
 * Messages of node-gyp, make and compilers, in the order of the build; the groups capture a header or a library.
 * @type {readonly [RegExp, (found: string, needs: Record<string, string>) => string][]}
 */
const causes = [
  [
    /Could not find any Python|find Python.*not (?:found|supported)/i,
    () => 'python3, 3.6 or later, is missing (Debian, Ubuntu: apt-get install python3).',
  ],
  [
    /Could not find any Visual Studio/i,
    () => 'the "Desktop development with C++" workload of Visual Studio or its Build Tools is missing.',
  ],
  [
    /No Xcode or CLT|xcrun: error|xcode-select: (?:error|note)/i,
    () => 'the command line tools of Xcode are missing (xcode-select --install).',
  ],
  [/GetCompilerPredefines[\s\S]*FileNotFoundError/, () => `the compiler is missing: install ${compiler}.`], // $CC names no program
  [/not found: g?make/, () => `the compiler is missing: install ${compiler}.`],
  [
    /(?:^|[\s/])(?:cc|gcc|g\+\+|c\+\+|clang|clang\+\+)(?:: \d+)?: (?:command not found|not found|No such file or directory)/m,
    () => `the compiler is missing: install ${compiler}.`,
  ],
  [
    /fatal error:? '?([^\s':]+\.h)'?(?:: No such file| file not found)/,
    (header, needs) => `the header ${header} is missing${repair(needs[header])}.`,
  ],
  [
    /(?:cannot find -l|library not found for -l|unable to find library -l)([^\s:]+)/,
    (library, needs) => `the library ${library} is missing${repair(needs[library])}.`,
  ],
];

const repair = what => (what ? ` (install ${what})` : '. Install its development package');

/**
 * @param {string} output of node-gyp
 * @param {Record<string, string>} [needs] packages to install, by header and library: `{ "sane/sane.h": "libsane-dev" }`
 */
export function whyNot(output, needs = {}) {
  for (const [pattern, sentence] of causes) {
    const found = pattern.exec(output);
    if (found) return sentence(found[1], needs);
  }
  const line = output.split('\n').find(each => /\berror\b/i.test(each) && !/^gyp (?:ERR|info|verb)/.test(each));
  return `${line ? `${line.trim()}; ` : ''}native/build/output.txt has the full output.`;
}
