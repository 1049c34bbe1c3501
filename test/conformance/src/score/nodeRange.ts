/** The lowest version that a range of `engines.node` lets in. */

type Version = readonly [major: number, minor: number, patch: number];

/** Of `>=20.19`, `^20.19 || >=22`, `20.x`; @returns undefined of a range that has no lower end, or cannot be read */
function lowest(range: string): Version | undefined {
  const alternatives = range
    .split('||')
    .map(each => /(?:^|\s)(?:>=|\^|~|=)?\s*v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(each.trim()));
  const versions = alternatives.map((match): Version | undefined => {
    if (!match) return undefined;
    const [, major, minor = '0', patch = '0'] = match;
    return [Number(major), Number(minor), Number(patch)];
  });
  if (versions.includes(undefined)) return undefined;
  return (versions as Version[]).sort(compare)[0];
}

/** Whether the range lets in nothing that is lower than the other range's lowest version. */
export function isWithin(range: string, supported: string): boolean {
  const [own, least] = [lowest(range), lowest(supported)];
  return own !== undefined && least !== undefined && compare(own, least) >= 0;
}

function compare(one: Version, other: Version): number {
  return one[0] - other[0] || one[1] - other[1] || one[2] - other[2];
}
