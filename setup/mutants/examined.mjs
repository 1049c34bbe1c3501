/**
 * Survivors that were looked at, by the line that they are in, and why no caller of the contract can see them. They stay
 * survivors and are counted as such; a second figure leaves them out.
 */
const examined = [
  [/fakeDriver\.ts$/, /seen\b|fedListeners|onFed|listener\(\)/, 'counters that tests read; the contract has none'],
  [/fakeDriver\.ts$/, /link|[pP]eer|not-connected/, 'the link of a program that may be away; the rig has none'],
  [/fakeDriver\.ts$/, /gate|release|hold|discover|waited|pace|cancel|open: /, 'tests hold pages and listings with it'],
  [/fakeDriver\.ts$/, /sheets|check\(\)|end\(\)|resolve\(\)|return;/, 'tests wait with it (whenFed)'],
  [/fakeDriver\.ts$/, /'button'|setPaper|detect/, 'tests press the button and set the sensor with it'],
  [/fakeDriver\.ts$/, /^ {2}(id|name|manufacturer|model):|'fake'/, 'any name is as good'],
  [/fakeScan\.ts$/, /scanner\.gate|onFed/, 'tests hold and count pages with it'],
  [/fakeScan\.ts$/, /deaf/, 'a fault that tests ask for'],
  [/fakeScan\.ts$/, /'continuous'/, 'a device may feed less ahead than it is allowed to'],
  [/fakeSession\.ts$/, /resolutions|pageSizes|colorModes/, 'any list of capabilities is as good'],
  [/fakeSession\.ts$/, /deaf|turnsBacks|events\.|options\.capabilities/, 'for tests of other parts'],
  [/fakeSheet\.ts$/, /./, 'the picture is the device; the suite looks at its marks and lightness only'],
  [/virtual\/src\/capabilities\.ts$/, /\d|'[A-Z]/, 'any list of capabilities is as good'],
  [/virtual\/src\/faults\.ts$/, /./, 'sentences for people'],
];

/** Why no caller can see this mutant; undefined where nobody has looked, or where a case is missing. */
export function reasonOf({ path, text }) {
  return examined.find(([file, line]) => file.test(path) && line.test(text))?.[2];
}
