/**
 * A helper's verbs, over the fake source.
 *
 * State keys: `sources64=A,B` are the sources' names, and B has a state of its own where there is a file `STATEFILE-B`; `culprit=A` crashes, or with `breaks=hang` hangs, when it is
 * asked for its name, and `unskipped=1` loads it although it should be skipped.
 */
import { existsSync } from 'node:fs';
import { decodeContainer, encodeContainer } from '../protocol/containers.js';
import { createSource, type FakeSource } from './source.test.kit.js';
import { readState, stateFileOf } from './stateFile.test.kit.js';
import type { SourceAnswer } from './transfers.test.kit.js';

export interface Request {
  readonly id: number;
  readonly verb: string;
  readonly args: Readonly<Record<string, string | number>>;
}

export interface VerbParts {
  readonly bits: string;
  readonly file: string;
  send(header: object, data?: Uint8Array): void;
  /** Ends the program, without an answer. */
  crash(): void;
}

type Verb = (id: number, args: Request['args']) => void;

/** Smaller than the native helper's, so that rows are cut. */
const BAND = 10_007;

export function createVerbs({ bits, file, send, crash }: VerbParts): (request: Request) => void {
  const opened = new Map<string, FakeSource>();
  let source = sourceOf(file);
  let waiting: { readonly id: number; readonly timer: NodeJS.Timeout } | undefined;

  function endWait(event: string): void {
    if (!waiting) return;
    const { id, timer } = waiting;
    waiting = undefined;
    clearTimeout(timer);
    send({ id, ok: true, event });
  }

  function sourceOf(itsFile: string): FakeSource {
    const its = opened.get(itsFile) ?? createSource(itsFile, crash);
    opened.set(itsFile, its);
    return its;
  }

  const filesOf = () =>
    (readState(file)[`sources${bits}`] ?? (bits === '64' ? 'Fake Scanner' : '')).split(',').filter(name => name !== '');
  let skipped: readonly string[] = [];

  /** Each source has a file with its name. @returns whether the manager loaded them all */
  function load(id: number): boolean {
    const { culprit, breaks } = readState(file);
    for (const name of filesOf()) {
      if (skipped.includes(`C:\\${name}.ds`)) continue;
      send({ id, more: true, loads: `C:\\${name}.ds` });
      if (name !== culprit) continue;
      if (breaks !== 'hang') crash();
      return false;
    }
    return true;
  }

  const answer = (id: number, given: SourceAnswer | undefined): void => {
    if (given) send({ id, ok: true, rc: given.rc, cc: given.cc }, given.data);
  };

  const verbs: Readonly<Record<string, Verb>> = {
    openDsm(id, { skip = '' }) {
      const { fault, unskipped } = readState(file);
      skipped = unskipped ? [] : String(skip).split('|');
      if (fault === 'nodsm' || fault === `nodsm${bits}`)
        send({ id, error: { status: 'NODSM', message: 'neither TWAINDSM.dll nor twain_32.dll could be loaded' } });
      else if (load(id)) send({ id, ok: true, rc: 0, cc: 0, dsm: 'fake', dsm2: false });
    },
    closeDsm: id => send({ id, ok: true, rc: 0, cc: 0 }),
    sources(id) {
      const names = filesOf().filter(name => !skipped.includes(`C:\\${name}.ds`));
      for (const [i, product] of names.entries())
        send({ id, more: true, product, manufacturer: 'Fake', family: 'Fakes', version: bits, groups: 3, sourceId: i });
      send({ id, ok: true });
    },
    openSource(id, { product }) {
      const own = stateFileOf(file, String(product));
      source = sourceOf(existsSync(own) ? own : file);
      answer(id, source.open());
    },
    closeSource: id => answer(id, source.close()),
    cap(id, { msg, cap, conType, container }) {
      const given =
        typeof container === 'string' ? decodeContainer(Number(conType), Buffer.from(container, 'base64')) : undefined;
      const { rc, cc, container: found } = source.capabilities.answer(Number(msg), Number(cap), given);
      const encoded = found && encodeContainer(found);
      send({ id, ok: true, rc, cc, conType: encoded?.conType ?? 0 }, encoded?.bytes);
    },
    triplet: (id, { dat, msg, bytes }) =>
      answer(id, source.triplet(Number(dat), Number(msg), Buffer.from(String(bytes), 'base64'))),
    enable: id => answer(id, source.enable()),
    disable: id => answer(id, source.disable()),
    wait(id, { ms }) {
      const event = source.event();
      if (event) send({ id, ok: true, event });
      else waiting = { id, timer: setTimeout(() => endWait('none'), Number(ms)) };
    },
    interrupt(id) {
      endWait('interrupted');
      send({ id, ok: true });
    },
    native(id, { maxBytes }) {
      const given = source.native();
      if (given?.data && given.data.length > Number(maxBytes))
        return send({ id, error: { status: 'TOOBIG', message: `${given.data.length} bytes` } });
      for (let at = 0; given?.data && at < given.data.length; at += BAND) {
        send({ id, more: true, ...(at === 0 && { bytes: given.data.length }) }, given.data.subarray(at, at + BAND));
      }
      if (given) send({ id, ok: true, rc: given.rc, cc: given.cc });
    },
    strips(id, { maxStrips }) {
      const given = source.strips(Number(maxStrips), ({ header, data }) => {
        for (let at = 0; at < Math.max(1, data.length); at += BAND)
          send(
            { id, more: true, ...header, ...(at + BAND < data.length && { part: true }) },
            data.subarray(at, at + BAND),
          );
      });
      if (given) send({ id, ok: true, rc: given.rc, cc: given.cc });
    },
  };

  return ({ id, verb, args }) => {
    const run = verbs[verb];
    if (run) run(id, args);
    else send({ id, error: { status: 'INVAL', message: `no verb ${verb}` } });
  };
}
