/** A feeder's paper sensor: what it reports, and whether scans showed that it can be believed. */
import type { Log, Status } from '@platen/core/plugin';
import { paperAt } from '../protocol/adfStates.js';
import type { Quirks } from '../protocol/quirkTable.js';
import type { ScannerStatus } from '../protocol/scannerStatus.js';

/** What scans showed about a device's paper sensor. It outlives the session. */
export interface SensorHistory {
  /**
   * It reported this, and a scan showed the opposite: AirSane, which has no sensor, always reports paper. It is ignored
   * until it reports something else.
   */
  wrong?: 'loaded' | 'empty' | undefined;
  /** Scans in a row that got pages out of a feeder that it called empty. One proves nothing: sensors are slow. */
  missed?: number;
}

export interface PaperSensorParts {
  /** The device's name. */
  readonly name: string;
  readonly hasFeeder: boolean;
  readonly quirks: Quirks;
  readonly log: Log;
}

export interface PaperSensor {
  /** Whether its reports are ignored until it reports something else. */
  readonly isIgnored: boolean;
  /** What it reports now; `unknown` while it is ignored, and for a device without a feeder. */
  paperOf(status: ScannerStatus): Status['paper'];
  /** The feeder delivered a page, after the sensor had reported this. */
  seePage(before: Status['paper']): void;
  /** The feeder had no paper, after the sensor had reported this. */
  seeEmpty(before: Status['paper']): void;
}

export function createPaperSensor(
  history: SensorHistory,
  { name, hasFeeder, quirks, log }: PaperSensorParts,
): PaperSensor {
  /** It reported paper in an empty feeder, or none in one that had some. */
  function isWrong(about: 'loaded' | 'empty'): void {
    if (history.wrong === about) return;
    history.wrong = about;
    const what = about === 'loaded' ? 'paper in its feeder, which was empty' : 'an empty feeder, which had paper';
    log.info(
      `"${name}" reported ${what}. Its sensor is ignored until it reports something else; auto-scan tries the feeder from time to time.`,
    );
  }

  return {
    get isIgnored() {
      return history.wrong !== undefined;
    },
    paperOf({ adf }) {
      const reported = hasFeeder ? paperAt(adf, quirks) : 'unknown';
      if (reported !== history.wrong) history.wrong = undefined;
      return history.wrong === undefined ? reported : 'unknown';
    },
    seePage(before) {
      history.missed = before === 'empty' ? (history.missed ?? 0) + 1 : 0;
      if (history.missed > 1) isWrong('empty');
    },
    seeEmpty(before) {
      if (before === 'loaded') isWrong('loaded');
    },
  };
}
