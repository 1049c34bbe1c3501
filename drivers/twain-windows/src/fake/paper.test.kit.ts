/** The paper of the fake source: the sheets in its feeder and in its path, and their faults. */
import { CC } from '../protocol/conditions.js';
import { readState, writeState } from './stateFile.test.kit.js';

export interface FakeImage {
  readonly sheet: number;
  readonly side: 0 | 1;
  readonly fault: string;
}

export interface FakePaper {
  readonly current: FakeImage | undefined;
  /** @returns TWCC_SUCCESS, or the reason for no image */
  begin(feeder: boolean, duplex: boolean, ahead: boolean, count: number): number;
  /** @param feeds whether another sheet is fed @returns whether more follows */
  next(feeds: boolean): boolean;
  stop(): void;
  drop(): void;
}

/** Faults of a sheet that does not leave the feeder. */
const refusals: Readonly<Record<string, number>> = {
  coveropen: 24,
  nomedia: CC.NOMEDIA,
  offline: CC.CHECKDEVICEONLINE,
  bummer: 1,
  lowmemory: 2,
  operationerror: 5,
};

export function createPaper(file: string): FakePaper {
  let path: FakeImage[] = [];
  let how = { feeder: false, duplex: false, ahead: false, left: 0, stopped: false };

  function faultOfNext(): string {
    const { fault = '', faultAfter = '0' } = readState(file);
    if (fault === '' || fault === 'openfail') return '';
    if (Number(faultAfter) > 0) {
      writeState(file, { faultAfter: Number(faultAfter) - 1 });
      return '';
    }
    if (!(fault in refusals)) writeState(file, { fault: undefined });
    return fault;
  }

  function feed(): boolean {
    const { sheets = '3', fed = '0' } = readState(file);
    if (how.stopped || Number(sheets) <= 0) return false;
    const fault = faultOfNext();
    if (!(fault in refusals)) writeState(file, { sheets: Number(sheets) - 1, fed: Number(fed) + 1 });
    path.push({ sheet: Number(fed) + 1, side: 0, fault });
    if (how.duplex && fault === '') path.push({ sheet: Number(fed) + 1, side: 1, fault: '' });
    return fault === '';
  }

  function advance(): void {
    // No sheet is fed after a stuck one.
    const stuck = path.some(({ fault }) => fault !== '');
    if (how.ahead) while (!stuck && path.length < (how.duplex ? 6 : 3) && feed());
    else if (path.length === 0) feed();
  }

  return {
    get current() {
      return path[0];
    },
    begin(feeder, duplex, ahead, count) {
      how = { feeder, duplex: feeder && duplex, ahead: feeder && ahead, left: count, stopped: false };
      path = [];
      const { refills } = readState(file);
      if (feeder && refills) writeState(file, { sheets: refills });
      if (feeder) advance();
      else path.push({ sheet: 0, side: 0, fault: faultOfNext() });
      const [first] = path;
      const cc = first ? (refusals[first.fault] ?? 0) : CC.NOMEDIA;
      if (cc !== 0) path = [];
      return cc;
    },
    next(feeds) {
      path.shift();
      if (how.left > 0 && --how.left === 0) path = [];
      else if (how.feeder && feeds) advance();
      return path.length > 0;
    },
    stop: () => void (how.stopped = true),
    drop: () => void (path = []),
  };
}
