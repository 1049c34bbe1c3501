/** A person at `platen scan --manual-duplex`, who loads stacks and presses Enter when the command asks. */
import { until } from '../spec/calls.js';
import type { Exit } from '../topology/platen.js';
import type { Ink } from '../topology/sheets.js';
import { sheets } from '../topology/sheets.js';
import type { Installation } from './installation.js';

/** What the person does at each question, one after the other: loads, and presses Enter. */
export type Answers = readonly (() => Promise<unknown>)[];

/** Loads sheets with these inks, in the order in which the feeder takes them. */
export const stack =
  ({ load }: Pick<Installation, 'load'>, scanner: string, ...inks: readonly Ink[]) =>
  (): Promise<void> =>
    load(scanner, sheets(...inks));

/** Questions so far. */
const asked = (log: string): number => log.match(/press Enter/gi)?.length ?? 0;

/** Scans with `--manual-duplex`. What was loaded before is the fronts. */
export async function scanByHand(its: Installation, answers: Answers, ...args: readonly string[]): Promise<Exit> {
  const running = its.scanTyped('--dpi', '75', '--color', 'color', ...args);
  for (const [at, answer] of answers.entries()) {
    const isOver = await Promise.race([
      running.ended.then(() => true),
      until(async () => asked(running.log()) > at).then(() => false),
    ]);
    if (isOver) break;
    await answer();
    running.type('\n');
  }
  return running.ended;
}
