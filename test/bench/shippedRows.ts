/**
 * The shipped installation: times of a list, a status and a scan, compared with the same scanner's driver alone and
 * with `scanimage`.
 */
import { existsSync } from 'node:fs';
import { inOwnNetwork } from '../topology/ownNetwork.js';
import { spell, spreadOf, table } from './numbers.js';
import type { ShippedTimes, Side } from './shippedTimes.js';

const LIST_WANTED_MS = 300;
const STATUS_WANTED_MS = 20;
const ADDED_WANTED_MS = 50;
const ROUNDS = 9;
const sides = [
  'list',
  'status',
  'shipped 75',
  'alone 75',
  'scanimage 75',
  'shipped 300',
  'alone 300',
  'scanimage 300',
] as const satisfies readonly Side[];

/** Takes these sides in a network of their own. @param say gets each round's figures */
export function shippedTimes<S extends Side>(
  wanted: readonly S[],
  rounds: number,
  say?: (text: string) => void,
): Promise<ShippedTimes<S>> {
  const module = new URL('./shippedTimes.js', import.meta.url);
  return inOwnNetwork(module, [String(rounds), ...wanted], say && { say });
}

export async function shippedRows(
  _folder: string,
  _files: readonly string[],
  say: (line: string) => void,
): Promise<string> {
  if (!existsSync('/usr/bin/scanimage') || !existsSync('/usr/bin/unshare'))
    return 'The rows of the shipped configuration need scanimage and unshare (Debian: sane-utils, util-linux).';
  say('the shipped configuration, in a network of its own: about three minutes');
  const times = await shippedTimes(sides, ROUNDS);
  const of = (side: (typeof sides)[number]): ReturnType<typeof spreadOf> => spreadOf(times[side]);
  const verdict = (value: number, wanted: number): string => `≤ ${wanted}: ${value <= wanted ? 'met' : 'missed'}`;
  const calls = table(
    ['`server/config/platen.json`, ms', 'shipped', 'wanted'],
    [
      ['`GET /scanners`', spell(of('list'), 1), verdict(of('list').median, LIST_WANTED_MS)],
      ['`GET /status`', spell(of('status'), 1), verdict(of('status').median, STATUS_WANTED_MS)],
    ],
  );
  const scans = table(
    [
      "10 A4 pages of SANE's test backend, JPEG, ms",
      'shipped',
      'driver-sane alone',
      'added',
      '`scanimage`',
      'ratio to it',
      'wanted, added',
    ],
    ([75, 300] as const).map(dpi => {
      const [shipped, alone, theirs] = [of(`shipped ${dpi}`), of(`alone ${dpi}`), of(`scanimage ${dpi}`)];
      // The two are measured one after the other in each round.
      const added = spreadOf(
        times[`shipped ${dpi}`].map((ms, round) => ms - (times[`alone ${dpi}`][round] ?? NaN)),
      ).median;
      return [
        `${dpi} dpi`,
        spell(shipped),
        spell(alone),
        added.toFixed(0),
        spell(theirs),
        (shipped.median / theirs.median).toFixed(2),
        verdict(added, ADDED_WANTED_MS),
      ];
    }),
  );
  return `${calls}\n\n${scans}`;
}
