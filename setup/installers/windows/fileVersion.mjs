/**
 * The version of a Windows program, which Windows Installer compares with the installed one's. A package that leaves it
 * out loses the file in an update: the installed one, which has a version, counts as the better.
 *
 * https://learn.microsoft.com/windows/win32/debug/pe-format
 * https://learn.microsoft.com/windows/win32/menurc/vs-versioninfo
 */

const RT_VERSION = 16;
const RESOURCES = 2; // their number among the data directories
const PE32_PLUS = 0x20b;
const isDirectory = 0x80000000;
const signature = 0xfeef04bd;

/**
 * @param {Buffer} file
 * @returns {{ version: string, language: string } | undefined} such as 22.23.3.0 and 1033; undefined if it has none
 */
export function fileVersion(file) {
  try {
    return versionIn(file);
  } catch (error) {
    if (error instanceof RangeError) return undefined; // cut short, or no program
    throw error;
  }
}

function versionIn(file) {
  const pe = file.toString('latin1', 0, 2) === 'MZ' ? file.readUInt32LE(0x3c) : undefined;
  if (pe === undefined || file.toString('latin1', pe, pe + 4) !== 'PE\0\0') return undefined;
  const optional = pe + 24;
  const directories = optional + (file.readUInt16LE(optional) === PE32_PLUS ? 112 : 96);
  const first = optional + file.readUInt16LE(pe + 20);
  const sections = Array.from({ length: file.readUInt16LE(pe + 6) }, (_, index) => first + 40 * index);
  const placeOf = address => {
    const section = sections.find(at => {
      const begin = file.readUInt32LE(at + 12);
      return address >= begin && address < begin + file.readUInt32LE(at + 16);
    });
    return section === undefined
      ? undefined
      : address - file.readUInt32LE(section + 12) + file.readUInt32LE(section + 20);
  };
  const base = placeOf(file.readUInt32LE(directories + 8 * RESOURCES));
  if (base === undefined) return undefined;
  // Three levels: the type, the name, the language.
  const entriesAt = at =>
    Array.from({ length: file.readUInt16LE(at + 12) + file.readUInt16LE(at + 14) }, (_, index) => ({
      id: file.readUInt32LE(at + 16 + 8 * index),
      to: file.readUInt32LE(at + 20 + 8 * index),
    }));
  const below = to => base + (to & ~isDirectory);
  const type = entriesAt(base).find(({ id }) => id === RT_VERSION);
  if (!type) return undefined;
  const [language] = entriesAt(below(entriesAt(below(type.to))[0]?.to ?? 0));
  const data = language && below(language.to);
  const start = data && placeOf(file.readUInt32LE(data));
  return start === undefined ? undefined : read(file.subarray(start, start + file.readUInt32LE(data + 4)));
}

function read(resource) {
  const fixed = [...Array(resource.length >> 2).keys()].find(at => resource.readUInt32LE(4 * at) === signature);
  if (fixed === undefined) return undefined;
  const [high, low] = [resource.readUInt32LE(4 * fixed + 8), resource.readUInt32LE(4 * fixed + 12)];
  const name = Buffer.from('Translation\0', 'utf16le');
  const found = resource.indexOf(name);
  // After the name, at the next 4 bytes: the language, then the code page.
  const language = found < 0 ? 0 : resource.readUInt16LE((found + name.length + 3) & ~3);
  return { version: [high >>> 16, high & 0xffff, low >>> 16, low & 0xffff].join('.'), language: String(language) };
}
