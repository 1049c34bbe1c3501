/** A device's ScannerStatus, parsed. */
import { readXml } from './xml.js';

/** eSCL's JobInfo. */
export interface JobInfo {
  /** The path of the job, without a trailing slash. */
  readonly path: string;
  readonly state: string;
  readonly reasons: readonly string[];
  /** Pages that are scanned and wait to be requested; absent if the device does not count them. */
  readonly imagesToTransfer?: number;
}

export interface ScannerStatus {
  /** Idle, Processing, Testing, Stopped, Down. */
  readonly state: string;
  /** `ScannerAdfLoaded`; empty if the device has no feeder or does not report it. */
  readonly adf: string;
  readonly jobs: readonly JobInfo[];
}

/** @throws Error that says what is wrong with the document */
export function readScannerStatus(bytes: Uint8Array): ScannerStatus {
  const root = readXml(bytes, 'ScannerStatus');
  const jobs = root.all('Jobs').flatMap(each => each.all('JobInfo'));
  return {
    state: root.one('State')?.text ?? '',
    adf: root.one('AdfState')?.text ?? '',
    jobs: jobs.map(each => {
      const images = each.one('ImagesToTransfer')?.text ?? '';
      return {
        path: pathOf(each.one('JobUri')?.text ?? '') ?? '',
        state: each.one('JobState')?.text ?? '',
        reasons: each
          .all('JobStateReasons')
          .flatMap(group => group.all('JobStateReason'))
          .map(reason => reason.text),
        ...(/^\d{1,4}$/.test(images) && { imagesToTransfer: Number(images) }),
      };
    }),
  };
}

/**
 * The path of a URL that a device wrote, absolute or relative, without a trailing slash. Scheme and host are dropped: no
 * response makes Platen call another host. Undefined if there is no path.
 */
export function pathOf(address: string): string | undefined {
  return locationOf(address, '/')?.replace(/\?.*$/, '');
}

/**
 * The same with the query.
 * @param base the path of the request: the URL may be relative to it
 */
export function locationOf(address: string, base: string): string | undefined {
  if (address === '' || address.length > 2048) return undefined;
  // Xerox writes IPv6 addresses without the closing bracket.
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
