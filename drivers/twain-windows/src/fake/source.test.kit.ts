/** A TWAIN source in TypeScript, for machines without Wine: like native/simulation, with many more quirks. */
import { appendFileSync } from 'node:fs';
import { CC } from '../protocol/conditions.js';
import { DAT, MSG, RC } from '../protocol/constants.js';
import { readImageLayout, sizes, writeImageLayout } from '../protocol/structures.js';
import { createCapabilities, type FakeCapabilities } from './capabilities.test.kit.js';
import { imageInfoOf } from './pages.test.kit.js';
import { readState, writeState } from './stateFile.test.kit.js';
import {
  createTransfers,
  done,
  failed,
  sequence,
  type FakeTransfers,
  type SourceAnswer,
} from './transfers.test.kit.js';

export interface FakeSource extends Pick<FakeTransfers, 'event' | 'native' | 'strips'> {
  readonly capabilities: FakeCapabilities;
  open(): SourceAnswer;
  close(): SourceAnswer;
  enable(): SourceAnswer;
  disable(): SourceAnswer;
  triplet(dat: number, msg: number, bytes: Uint8Array): SourceAnswer;
}

/**
 * Additional state keys: `window=1` shows a window; `undisabled=1` refuses to be disabled, `unclosed=1` to be closed;
 * `refills=N` has N sheets in its feeder whenever it is enabled; `unplugged=1` has lost its scanner; `stale=N` is a device
 * event of an earlier scan.
 */
export function createSource(file: string, crash: () => void): FakeSource {
  let isOpen = false;
  let capabilities = createCapabilities(file);
  const transfers = createTransfers({ file, capabilities: () => capabilities, crash });
  const isReady = () => isOpen && transfers.state === 4;
  const state = () => readState(file);
  const note = (line: string): void => {
    const { log } = state();
    if (log) appendFileSync(log, `${line}\n`);
  };

  return {
    get capabilities() {
      return capabilities;
    },
    open() {
      if (isOpen) return failed(4);
      if (state()['fault'] === 'openfail' || state()['unplugged']) return failed(5);
      note('open');
      isOpen = true;
      capabilities = createCapabilities(file);
      return done;
    },
    close() {
      if (!isReady()) return sequence;
      if (state()['unclosed']) return failed(5);
      note('close');
      isOpen = false;
      return done;
    },
    enable() {
      if (!isReady()) return sequence;
      if (state()['unplugged']) return failed(CC.CHECKDEVICEONLINE);
      note('enable');
      const cc = transfers.begin();
      if (cc !== 0) return failed(cc);
      return state()['window'] ? { rc: RC.CHECKSTATUS, cc: 0 } : done;
    },
    disable() {
      if (transfers.state !== 5) return sequence;
      if (state()['undisabled']) return failed(1);
      note('disable');
      transfers.end();
      return done;
    },
    event: transfers.event,
    triplet(dat, msg, bytes) {
      if (dat === DAT.PENDINGXFERS) return transfers.pending(msg);
      if (dat === DAT.IMAGELAYOUT) {
        if (msg === MSG.RESET) capabilities.resetSize();
        if (msg === MSG.SET) capabilities.frame = readImageLayout(bytes).frame;
        const { frame } = capabilities;
        return { ...done, data: frame ? writeImageLayout({ frame, document: 1, page: 1, frameNumber: 1 }) : bytes };
      }
      if (dat === DAT.IMAGEINFO)
        return transfers.state < 6
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
    native: transfers.native,
    strips: transfers.strips,
  };
}
