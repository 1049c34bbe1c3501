/**
 * `npm run soak [-- --minutes N] [--seed N]`: mixed work for an hour, and one table of what the service held after the
 * first minute and at the end. A soak of an hour or more writes the table into docs/reliability.md.
 */
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { table } from '../bench/numbers.js';
import { partOf, runOn } from '../tools/documentPart.js';
import { judge } from './measures.js';
import { soakInOwnNetwork } from './ownSoak.js';
import type { SoakResult } from './soak.js';

const usage = `npm run soak [-- --minutes N] [--seed N]

Works N minutes with a service of its own, 60 if absent, and compares what it holds at the end with what it held after
the first minute. Exit code 1 if it holds more, or if an answer was not as it should be. Needs Linux, SANE and unshare.`;

const MINUTE_MS = 60_000;
/** Shorter ones do not write the document. */
const LONG_MINUTES = 60;

class UsageError extends Error {}

function wishes(): { minutes: number; seed: number; help: boolean } {
  const { values } = (() => {
    try {
      return parseArgs({
        options: { minutes: { type: 'string' }, seed: { type: 'string' }, help: { type: 'boolean' } },
      });
    } catch (error) {
      throw new UsageError((error as Error).message);
    }
  })();
  const { minutes: given = '60', seed: drawn = String(Math.floor(Math.random() * 2 ** 31)), help = false } = values;
  const [minutes, seed] = [given, drawn].map(Number) as [number, number];
  if (!(minutes > 1 && minutes <= 24 * 60))
    throw new UsageError(`--minutes "${given}" is not a number from 1 to 1440.`);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new UsageError(`--seed "${drawn}" is not a whole number.`);
  return { minutes, seed, help };
}

async function main(): Promise<number> {
  const { minutes, seed, help } = wishes();
  if (help) {
    console.log(usage);
    return 0;
  }
  console.error(`seed ${seed}`);
  const ms = minutes * MINUTE_MS;
  const result = await soakInOwnNetwork(
    // Rests between are for people: they show whether something grew all the time.
    { ms, firstMs: MINUTE_MS, everyMs: Math.max(MINUTE_MS, ms / 6), seed },
    text => process.stderr.write(text),
  );
  const { held, pages, bytes, wrong, answers } = result;
  const [verdicts, rows] = reported(result);
  const said = `${minutes} minutes of work, ${pages} pages (${(bytes / 1e9).toFixed(1)} GB), ${sum(answers)} answers, ${wrong.length} of them unexpected. Seed ${seed}. Last run: ${runOn()}.`;
  console.log(`${Object.entries(answers)
    .map(([what, count]) => `${String(count).padStart(7)} ${what}`)
    .join('\n')}

memory at each rest, MB: ${held.map(({ memory }) => (memory / 1e6).toFixed(0)).join(', ')}

${rows}

${said}`);
  for (const what of wrong) console.log(`wrong: ${what}`);
  if (minutes >= LONG_MINUTES)
    partOf(fileURLToPath(new URL('../../../docs/reliability.md', import.meta.url)), {
      begin: '<!-- soak: npm run soak writes it -->',
      end: '<!-- end of the soak -->',
    }).write(`${rows}\n\n${said}`);
  return wrong.length === 0 && verdicts ? 0 : 1;
}

/** @returns whether all is held, and the table */
function reported({ held }: SoakResult): [boolean, string] {
  const verdicts = judge(held[0]!, held.at(-1)!);
  const head = ['', 'after the first minute', 'at the end', 'change', 'wanted', ''];
  const rows = verdicts.map(({ measure, before, after, change, wanted, held: is }) => [
    measure,
    before,
    after,
    change,
    wanted,
    is ? 'held' : '**missed**',
  ]);
  return [verdicts.every(each => each.held), table(head, rows)];
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((all, each) => all + each, 0);

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error instanceof UsageError ? `${error.message}\n\n${usage}` : error);
  process.exitCode = 2;
}
