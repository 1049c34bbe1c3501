/** The transfers of the fake source: TWAIN's states 4 to 7, its pending pages, and the event that it has not reported yet. */
import { CC } from '../protocol/conditions.js';
import { MSG, RC } from '../protocol/constants.js';
import { MORE, sizes } from '../protocol/structures.js';
import type { FakeCapabilities } from './capabilities.test.kit.js';
import { dibOf, stripsOf, type FakeStrip } from './pages.test.kit.js';
import { createPaper, type FakeImage } from './paper.test.kit.js';
import { readState, writeState, type SourceState } from './stateFile.test.kit.js';

export interface SourceAnswer {
  readonly rc: number;
  readonly cc: number;
  readonly data?: Uint8Array;
}

export interface FakeTransfers {
  /** TWAIN's state; 4 while the source is not enabled. */
  readonly state: number;
  /** From state 4. @returns TWCC_SUCCESS, or the reason for no page */
  begin(): number;
  /** Back to state 4. */
  end(): void;
  /** The event not yet reported. */
  event(): string | undefined;
  /** DAT_PENDINGXFERS. */
  pending(msg: number): SourceAnswer;
  /** Undefined: it hangs. */
  native(): SourceAnswer | undefined;
  strips(most: number, onStrip: (strip: FakeStrip) => void): SourceAnswer | undefined;
}

export interface FakeTransfersParts {
  /** The state file. */
  readonly file: string;
  capabilities(): FakeCapabilities;
  crash(): void;
}

export const done = { rc: RC.SUCCESS, cc: 0 };
export const failed = (cc: number): SourceAnswer => ({ rc: RC.FAILURE, cc });
export const sequence = failed(CC.SEQERROR);
/** Faults during a page's transfer. */
const faults: Readonly<Record<string, number>> = {
  jam: CC.PAPERJAM,
  doublefeed: CC.PAPERDOUBLEFEED,
  coveropen: 24,
  offline: CC.CHECKDEVICEONLINE,
  nomedia: CC.NOMEDIA,
  bummer: 1,
  lowmemory: 2,
  operationerror: 5,
};

/**
 * State keys: `endless=1` never ends a page, `barren=1` delivers strips without a row endlessly; `uncounted=1` ignores
 * XFERCOUNT; `event=N` reports a device event instead of a page; the end of the next transfer fails with the condition
 * `endcc=N`; `began=1` counts a failed transfer as begun.
 */
export function createTransfers({ file, capabilities, crash }: FakeTransfersParts): FakeTransfers {
  let at = 4;
  let event: string | undefined;
  let left: readonly FakeStrip[] | undefined;
  const paper = createPaper(file);
  const state = () => readState(file);

  function offer(): void {
    const image = paper.current;
    if (!image) return;
    left = undefined;
    at = 5;
    event = undefined;
    if (image.fault === 'neverready') return;
    if (image.fault === 'closerequest') event = 'closerequest';
    else if (state()['event']) event = 'deviceevent';
    else {
      at = 6;
      event = 'xferready';
    }
  }

  return {
    get state() {
      return at;
    },
    begin() {
      const its = capabilities();
      const count = state()['uncounted'] ? -1 : Number(its.value('XFERCOUNT'));
      const senses = its.value('AUTOMATICSENSEMEDIUM') === true && Number(state()['sheets']) === 0;
      const cc = paper.begin(
        its.value('FEEDERENABLED') === true && !senses,
        its.value('DUPLEXENABLED') === true,
        its.value('AUTOSCAN') === true,
        count,
      );
      if (cc !== 0) return cc;
      at = 5;
      offer();
      return cc;
    },
    end() {
      at = 4;
      paper.drop();
    },
    event() {
      const told = event;
      event = undefined;
      return told;
    },
    pending(msg) {
      if (msg === MSG.STOPFEEDER) {
        if (capabilities().value('AUTOSCAN') !== true || state()['unstopped']) return sequence;
        paper.stop();
        return pendingPages(MORE);
      }
      if (at < 6) return sequence;
      if (msg === MSG.RESET) {
        if (at !== 6) return sequence;
        paper.drop();
        at = 5;
        return pendingPages(0);
      }
      const { endcc } = state();
      if (endcc) {
        writeState(file, { endcc: undefined });
        paper.drop();
        at = 5;
        return failed(Number(endcc));
      }
      const more = paper.next(capabilities().value('AUTOFEED') !== false);
      left = undefined;
      at = more ? 6 : 5;
      return pendingPages(more ? MORE : 0);
    },
    native() {
      const image = paper.current;
      if (at !== 6 || !image) return sequence;
      const cc = faultOf(image, state(), crash);
      if (cc !== -1 && state()['began']) at = 7;
      if (cc !== -1) return cc === undefined ? undefined : failed(cc);
      at = 7;
      const data = dibOf(image, state(), capabilities());
      return { rc: RC.XFERDONE, cc: 0, data: image.fault === 'torn' ? data.subarray(0, data.length >> 1) : data };
    },
    strips(most, onStrip) {
      const image = paper.current;
      if (at < 6 || !image) return sequence;
      left ??= stripsOf(image, state(), capabilities());
      for (let sent = 0; sent < most; sent++) {
        // Half of a page that will be torn is delivered.
        const cc = at === 7 ? faultOf(image, state(), crash) : -1;
        if (cc !== -1) return cc === undefined ? undefined : failed(cc);
        const [strip, ...rest] = left;
        if (!strip) return sequence;
        at = 7;
        if (state()['barren']) {
          onStrip({ header: { ...strip.header, rows: 0, bytesWritten: 0 }, data: new Uint8Array() });
          continue;
        }
        if (!state()['endless']) left = rest;
        onStrip(strip);
        if (rest.length === 0 && image.fault === '' && !state()['endless']) return { rc: RC.XFERDONE, cc: 0 };
      }
      return done;
    },
  };
}

/** @returns a condition; -1 for none; undefined if the transfer hangs */
function faultOf({ fault }: FakeImage, state: SourceState, crash: () => void): number | undefined {
  if (state['unplugged']) return CC.CHECKDEVICEONLINE;
  if (fault === 'crash') crash();
  if (fault === 'crash' || fault === 'hang') return undefined;
  return fault === '' || fault === 'torn' ? -1 : (faults[fault] ?? 5);
}

/** TW_PENDINGXFERS. */
function pendingPages(count: number): SourceAnswer {
  const data = new Uint8Array(sizes.pendingXfers);
  new DataView(data.buffer).setUint16(0, count, true);
  return { ...done, data };
}
