/** A minimal eSCL client for the tests of the device. */
import type { Device } from './device.js';
import type { ScanSettings } from './settings.js';

export type Wishes = Partial<Omit<ScanSettings, 'region' | 'format'>> & {
  readonly region?: Partial<ScanSettings['region']>;
  readonly format?: string;
};

export function settingsOf(wishes: Wishes = {}): string {
  const { source = 'Feeder', duplex = false, resolution = 75, colorMode = 'RGB24', format = 'image/jpeg' } = wishes;
  const { x = 0, y = 0, width = 2480, height = 3508 } = wishes.region ?? {};
  return `<?xml version="1.0"?><scan:ScanSettings xmlns:scan="http://schemas.hp.com/imaging/escl/2011/05/03" xmlns:pwg="http://www.pwg.org/schemas/2010/12/sm">
<pwg:Version>2.0</pwg:Version><pwg:ScanRegions><pwg:ScanRegion><pwg:ContentRegionUnits>escl:ThreeHundredthsOfInches</pwg:ContentRegionUnits>
<pwg:XOffset>${x}</pwg:XOffset><pwg:YOffset>${y}</pwg:YOffset><pwg:Width>${width}</pwg:Width><pwg:Height>${height}</pwg:Height></pwg:ScanRegion></pwg:ScanRegions>
<pwg:InputSource>${source}</pwg:InputSource><scan:Duplex>${duplex}</scan:Duplex><scan:ColorMode>${colorMode}</scan:ColorMode>
<scan:XResolution>${resolution}</scan:XResolution><scan:YResolution>${resolution}</scan:YResolution><pwg:DocumentFormat>${format}</pwg:DocumentFormat></scan:ScanSettings>`;
}

export function post(device: Device, wishes: Wishes = {}, init: RequestInit = {}): Promise<Response> {
  return fetch(`${device.url}/ScanJobs`, { method: 'POST', body: settingsOf(wishes), redirect: 'manual', ...init });
}

/** Creates a job. @returns its URL */
export async function begin(device: Device, wishes: Wishes = {}): Promise<string> {
  const response = await post(device, wishes);
  const location = response.headers.get('location');
  if (response.status !== 201 || location === null)
    throw new Error(`ScanJobs: ${response.status} ${await response.text()}`);
  return location;
}

export const next = (job: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${job}/NextDocument`, { redirect: 'manual', ...init });

export async function pageOf(job: string): Promise<Uint8Array> {
  const response = await next(job);
  if (response.status !== 200) throw new Error(`NextDocument: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

/** The texts of an element of ScannerStatus. */
export async function says(device: Device, element: string): Promise<string[]> {
  const text = await (await fetch(`${device.url}/ScannerStatus`)).text();
  return [...text.matchAll(new RegExp(`<(?:pwg|scan):${element}>([^<]*)<`, 'g'))].map(each => each[1] ?? '');
}
