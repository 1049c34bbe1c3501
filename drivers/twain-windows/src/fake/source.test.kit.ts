/** A TWAIN source in TypeScript, for machines without Wine: like native/simulation, with many more quirks. */
import { appendFileSync } from 'node:fs';
import { CC } from '../protocol/conditions.js';
import { DAT, MSG, RC } from '../protocol/constants.js';
import { createCapabilities, type FakeCapabilities } from './capabilities.test.kit.js';
import { createPaper, type FakeImage } from './paper.test.kit.js';
import { dibOf, imageInfoOf, stripsOf, type FakeStrip } from './pages.test.kit.js';
import { MORE, readImageLayout, sizes, writeImageLayout } from '../protocol/structures.js';
import { readState, writeState } from './stateFile.test.kit.js';

export interface SourceAnswer {
  readonly rc: number;
  readonly cc: number;
  readonly data?: Uint8Array;
}

export interface FakeSource {
  readonly capabilities: FakeCapabilities;
  open(): SourceAnswer;
  close(): SourceAnswer;
  enable(): SourceAnswer;
  disable(): SourceAnswer;
  /** The event not yet reported. */
  event(): string | undefined;
  triplet(dat: number, msg: number, bytes: Uint8Array): SourceAnswer;
  /** Undefined: it hangs. */
  native(): SourceAnswer | undefined;
  strips(most: number, onStrip: (strip: FakeStrip) => void): SourceAnswer | undefined;
}

const done = { rc: RC.SUCCESS, cc: 0 };
const failed = (cc: number): SourceAnswer => ({ rc: RC.FAILURE, cc });
const sequence = failed(CC.SEQERROR);
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
 * Additional state keys: `window=1` shows a window; `event=N` reports a device event instead of a page; `undisabled=1`
 * refuses to be disabled, `unclosed=1` to be closed; `refills=N` has N sheets in its feeder whenever it is enabled;
 * `endless=1` never ends a page, `barren=1` delivers strips without a row endlessly; `uncounted=1` ignores XFERCOUNT;
 * the end of the next transfer fails with the condition `endcc=N`; `began=1` counts a failed transfer as
 * begun; `unplugged=1` has lost its scanner; `stale=N` is a device event of an earlier scan.
 */
export function createSource(file: string, crash: () => void): FakeSource {
  let at = 3;
  let event: string | undefined;
  let left: readonly FakeStrip[] | undefined;
  const paper = createPaper(file);
  let capabilities = createCapabilities(file);
  const state = () => readState(file);
  const note = (line: string): void => {
    const { log } = state();
    if (log) appendFileSync(log, `${line}\n`);
  };

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

  /** Undefined: it hangs; -1: it has no fault. */
  function faultOf({ fault }: FakeImage): number | undefined {
    if (state()['unplugged']) return CC.CHECKDEVICEONLINE;
    if (fault === 'crash') crash();
    if (fault === 'crash' || fault === 'hang') return undefined;
    return fault === '' || fault === 'torn' ? -1 : (faults[fault] ?? 5);
  }

  function pending(msg: number): SourceAnswer {
    const answer = (count: number): SourceAnswer => {
      const data = new Uint8Array(sizes.pendingXfers);
      new DataView(data.buffer).setUint16(0, count, true);
      return { ...done, data };
    };
    if (msg === MSG.STOPFEEDER) {
      if (capabilities.value('AUTOSCAN') !== true || state()['unstopped']) return sequence;
      paper.stop();
      return answer(MORE);
    }
    if (at < 6) return sequence;
    if (msg === MSG.RESET) {
      if (at !== 6) return sequence;
      paper.drop();
      at = 5;
      return answer(0);
    }
    const { endcc } = state();
    if (endcc) {
      writeState(file, { endcc: undefined });
      paper.drop();
      at = 5;
      return failed(Number(endcc));
    }
    const more = paper.next(capabilities.value('AUTOFEED') !== false);
    left = undefined;
    at = more ? 6 : 5;
    return answer(more ? MORE : 0);
  }

  return {
    get capabilities() {
      return capabilities;
    },
    open() {
      if (at !== 3) return failed(4);
      if (state()['fault'] === 'openfail' || state()['unplugged']) return failed(5);
      note('open');
      at = 4;
      capabilities = createCapabilities(file);
      return done;
    },
    close() {
      if (at !== 4) return sequence;
      if (state()['unclosed']) return failed(5);
      note('close');
      at = 3;
      return done;
    },
    enable() {
      if (at !== 4) return sequence;
      if (state()['unplugged']) return failed(CC.CHECKDEVICEONLINE);
      note('enable');
      const count = state()['uncounted'] ? -1 : Number(capabilities.value('XFERCOUNT'));
      const senses = capabilities.value('AUTOMATICSENSEMEDIUM') === true && Number(state()['sheets']) === 0;
      const cc = paper.begin(
        capabilities.value('FEEDERENABLED') === true && !senses,
        capabilities.value('DUPLEXENABLED') === true,
        capabilities.value('AUTOSCAN') === true,
        count,
      );
      if (cc !== 0) return failed(cc);
      at = 5;
      offer();
      return state()['window'] ? { rc: RC.CHECKSTATUS, cc: 0 } : done;
    },
    disable() {
      if (at !== 5) return sequence;
      if (state()['undisabled']) return failed(1);
      note('disable');
      at = 4;
      paper.drop();
      return done;
    },
    event() {
      const told = event;
      event = undefined;
      return told;
    },
    triplet(dat, msg, bytes) {
      if (dat === DAT.PENDINGXFERS) return pending(msg);
      if (dat === DAT.IMAGELAYOUT) {
        if (msg === MSG.RESET) capabilities.resetSize();
        if (msg === MSG.SET) capabilities.frame = readImageLayout(bytes).frame;
        const { frame } = capabilities;
        return { ...done, data: frame ? writeImageLayout({ frame, document: 1, page: 1, frameNumber: 1 }) : bytes };
      }
      if (dat === DAT.IMAGEINFO)
        return at < 6
          ? sequence
          : state()['uninformed']
            ? failed(1)
            : { ...done, data: imageInfoOf(state(), capabilities) };
      const { stale, event: happened } = state();
      if (dat === DAT.DEVICEEVENT && !stale && !happened) return sequence;
      if (dat === DAT.DEVICEEVENT && stale) writeState(file, { stale: undefined });
      const data = new Uint8Array(dat === DAT.SETUPMEMXFER ? sizes.setupMemXfer : sizes.deviceEvent);
      new DataView(data.buffer).setUint32(0, dat === DAT.SETUPMEMXFER ? 1024 : Number(stale ?? happened), true);
      if (dat === DAT.SETUPMEMXFER) new DataView(data.buffer).setUint32(8, 65_536, true);
      return dat === DAT.SETUPMEMXFER || dat === DAT.DEVICEEVENT ? { ...done, data } : failed(9);
    },
    native() {
      const image = paper.current;
      if (at !== 6 || !image) return sequence;
      const cc = faultOf(image);
      if (cc !== -1 && state()['began']) at = 7;
      if (cc !== -1) return cc === undefined ? undefined : failed(cc);
      at = 7;
      const data = dibOf(image, state(), capabilities);
      return { rc: RC.XFERDONE, cc: 0, data: image.fault === 'torn' ? data.subarray(0, data.length >> 1) : data };
    },
    strips(most, onStrip) {
      const image = paper.current;
      if (at < 6 || !image) return sequence;
      left ??= stripsOf(image, state(), capabilities);
      for (let sent = 0; sent < most; sent++) {
        // Half of a page that will be torn is delivered.
        const cc = at === 7 ? faultOf(image) : -1;
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
