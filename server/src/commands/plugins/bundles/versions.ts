/** Whether a version is in a range, for what the installation has: the ranges of package.json, without prereleases. */

type Version = readonly [number, number, number];

/** @returns undefined for what is not `1.2.3`; a prerelease counts as its version */
function parsed(text: string): Version | undefined {
  const [, ...parts] = /^v?(\d+)\.(\d+)\.(\d+)(?:[-+].*)?$/.exec(text.trim()) ?? [];
  return parts.length === 3 ? [Number(parts[0]), Number(parts[1]), Number(parts[2])] : undefined;
}

const compared = (a: Version, b: Version): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2];

/** Negative if `a` is older. A text that is not a version is the oldest. */
export function compareVersions(a: string, b: string): number {
  return compared(parsed(a) ?? [-1, 0, 0], parsed(b) ?? [-1, 0, 0]);
}

/** @returns undefined if the range has a form that is not known here, such as a tag */
export function fits(version: string, range: string): boolean | undefined {
  const own = parsed(version);
  if (!own) return undefined;
  const alternatives = range.split('||').map(each => allOf(own, each.trim()));
  if (alternatives.includes(true)) return true;
  return alternatives.includes(undefined) ? undefined : false;
}

function allOf(own: Version, text: string): boolean | undefined {
  const hyphen = /^(\S+)\s+-\s+(\S+)$/.exec(text);
  const terms = hyphen ? [`>=${hyphen[1]}`, `<=${hyphen[2]}`] : text.replaceAll(/([<>=^~])\s+/g, '$1').split(/\s+/);
  const all = terms.map(term => one(own, term));
  if (all.includes(undefined)) return undefined;
  return !all.includes(false);
}

const term = /^(\^|~|>=|<=|>|<|=)?v?(\d+|[x*])(?:\.(\d+|[x*])(?:\.(\d+|[x*])(?:[-+].*)?)?)?$/i;

function one(own: Version, text: string): boolean | undefined {
  if (text === '' || /^[x*]$/i.test(text)) return true;
  const [match, sign = '', ...given] = term.exec(text) ?? [];
  if (match === undefined) return undefined;
  const numbers: number[] = [];
  for (const part of given) {
    if (part === undefined || !/^\d+$/.test(part)) break;
    numbers.push(Number(part));
  }
  if (numbers.length === 0) return sign !== '<' && sign !== '>';
  const least: Version = [numbers[0]!, numbers[1] ?? 0, numbers[2] ?? 0];
  // The first version behind those that begin so: behind 1.2 is 1.3.0.
  const behind = next(least, numbers.length - 1);
  const isFrom = compared(own, least) >= 0;
  switch (sign) {
    case '>=':
      return isFrom;
    case '>':
      return compared(own, behind) >= 0;
    case '<':
      return !isFrom;
    case '<=':
      return compared(own, behind) < 0;
    case '~':
      return isFrom && compared(own, next(least, Math.min(numbers.length - 1, 1))) < 0;
    case '^': {
      const first = numbers.findIndex(each => each > 0);
      return isFrom && compared(own, next(least, first === -1 ? numbers.length - 1 : first)) < 0;
    }
    default:
      return isFrom && compared(own, behind) < 0;
  }
}

function next([major, minor, patch]: Version, place: number): Version {
  if (place === 0) return [major + 1, 0, 0];
  return place === 1 ? [major, minor + 1, 0] : [major, minor, patch + 1];
}
