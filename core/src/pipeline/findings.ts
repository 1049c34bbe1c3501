/** Runs the recognisers of other kinds that a request asks for; if one fails, its finding is missing. */
import { plainWordsOf } from '../contract/errors.js';
import type { RawPage } from '../contract/page.js';
import { patchCodes, type PatchCode } from '../contract/recogniser.js';
import type { AskedFinder } from '../registry/asked.js';
import type { Work } from './work.js';

/** What recognisers of other kinds found, by kind, as JSON can hold it; null: nothing. */
export type Findings = Readonly<Record<string, unknown>>;

/** Characters of a finding as JSON: it is stored beside the page, and sent with it. */
const LONGEST = 1024 * 1024;

/**
 * @param readPatch the patch code of the page, which other steps need too
 * @returns undefined if none is asked for
 */
export async function findOn(
  page: RawPage,
  pageNumber: number,
  work: Work,
  readPatch: () => Promise<PatchCode | undefined>,
): Promise<Findings | undefined> {
  const { plan, note } = work;
  if (plan.finders.length === 0) return undefined;
  const found = plan.finders.map(async finder => {
    const { kind } = finder.recogniser;
    try {
      return [kind, asJson(await (kind === 'patch' ? readPatch() : readWith(finder, page, work)))] as const;
    } catch (error) {
      const text = `Page ${pageNumber} has no finding of ${kind}: it failed (${plainWordsOf(error)}).`;
      note({ code: 'recogniser-failed', text });
      return undefined;
    }
  });
  return Object.fromEntries((await Promise.all(found)).filter(each => each !== undefined));
}

async function readWith({ recogniser, wishes }: AskedFinder, page: RawPage, { call }: Work): Promise<unknown> {
  // A copy: the next page has the same wishes.
  return recogniser.read(page, structuredClone(wishes) as never, call);
}

/** @throws TypeError for a result that JSON cannot hold */
function asJson(result: unknown): unknown {
  const text = JSON.stringify(result ?? null) as string | undefined;
  if (text === undefined) throw new TypeError('it found what JSON cannot hold');
  if (text.length > LONGEST) throw new RangeError(`it found ${text.length} characters, more than ${LONGEST}`);
  // A copy: the recogniser may change its own later.
  return JSON.parse(text) as unknown;
}

/** @param read of a recogniser of patch codes. @throws TypeError for anything else */
export function foundPatch(read: unknown): PatchCode | undefined {
  if (read === undefined || read === null) return undefined;
  if ((patchCodes as readonly unknown[]).includes(read)) return read as PatchCode;
  throw new TypeError('the recogniser found a patch code that there is not');
}
