/** What a device's ScannerStatus says. */
import { readXml } from './xml.js';

export interface EsclJob {
  /** The path of the job, without a slash at its end. */
  readonly path: string;
  readonly state: string;
  readonly reasons: readonly string[];
  /** Pages that are scanned and wait to be fetched; undefined where the device does not count them. */
  readonly waiting?: number;
}

export interface ScannerStatus {
  /** Idle, Processing, Testing, Stopped, Down. */
  readonly state: string;
  /** `ScannerAdfLoaded`; empty where the device has no feeder or does not say. */
  readonly adf: string;
  readonly jobs: readonly EsclJob[];
}

/** @throws Error a sentence that says what is wrong with the document */
export function readScannerStatus(bytes: Uint8Array): ScannerStatus {
  const root = readXml(bytes, 'ScannerStatus');
  const jobs = root.all('Jobs').flatMap(each => each.all('JobInfo'));
  return {
    state: root.one('State')?.text ?? '',
    adf: root.one('AdfState')?.text ?? '',
    jobs: jobs.map(each => {
      const waiting = each.one('ImagesToTransfer')?.text ?? '';
      return {
        path: pathOf(each.one('JobUri')?.text ?? '') ?? '',
        state: each.one('JobState')?.text ?? '',
        reasons: each.all('JobStateReasons').flatMap(group => group.all('JobStateReason')).map(reason => reason.text),
        ...(/^\d{1,4}$/.test(waiting) && { waiting: Number(waiting) }),
      };
    }),
  };
}

/**
 * The path of an address that a device wrote, absolute or not, without a slash at its end. All the rest of it is left out: a device's words never
 * send a request to another host. Undefined for what is no path.
 */
export function pathOf(address: string): string | undefined {
  return locationOf(address, '/')?.replace(/\?.*$/, '');
}

/**
 * The same with the query.
 * @param base the path of what was asked: an address may be relative to it
 */
export function locationOf(address: string, base: string): string | undefined {
  if (address === '' || address.length > 2048) return undefined;
  // Xerox writes IPv6 addresses that have no end.
  const [, broken] = /^https?:\/\/\[[^\]/]*(\/.*)$/.exec(address) ?? [];
  try {
    const { protocol, pathname, search } = new URL(broken ?? address, `http://device.invalid${base}`);
    if (protocol !== 'http:' && protocol !== 'https:') return undefined;
    const path = pathname.replace(/\/+$/, '');
    return path === '' ? undefined : `${path}${search}`;
  } catch {
    return undefined;
  }
}

export function queryOf(location: string): string {
  const at = location.indexOf('?');
  return at < 0 ? '' : location.slice(at);
}
