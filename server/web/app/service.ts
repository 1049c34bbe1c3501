/** Calls of this service that only the page at /app/ makes. */
import { answerOf } from '../shared/calls.js';

/** What the interface does not say about scanners and the installation. */
export interface Installed {
  readonly scanners: readonly { readonly name: string; readonly takesInsertions: boolean }[];
  /** Whether finished pages outlive the service. */
  readonly keepsPages: boolean;
  /** Those that end soon, or have ended and still work. */
  readonly licences: readonly EndingLicence[];
}

export interface EndingLicence {
  readonly plugin: string;
  /** Its last day, `2026-05-12`. */
  readonly ends: string;
  /** It has ended: the last day of its days of grace. */
  readonly graceEnds?: string;
}

/** What is known of a scanner. */
export interface About {
  readonly manufacturer: string;
  readonly model: string;
  /** Of its driver. Absent: it tells none, or could not be asked yet. */
  readonly health?: { readonly state: 'ok' | 'warning' | 'failed'; readonly sentence?: string };
  readonly facts: readonly { readonly name: string; readonly value: string | number; readonly title?: string }[];
}

export const installed = async (): Promise<Installed> => (await answerOf('/app/scanners')) as unknown as Installed;

/** @throws PlatenError if it is not listed any more */
export const aboutScanner = async (scanner: string): Promise<About> =>
  (await answerOf(`/app/about?${new URLSearchParams({ scanner })}`)) as unknown as About;

/** Inserts an image into a scanner's tray. @throws PlatenError with a message for the user */
export async function insert(scanner: string, image: Blob): Promise<void> {
  const headers = { 'content-type': image.type.startsWith('image/') ? image.type : 'image/unknown' };
  await answerOf(`/app/tray/${encodeURIComponent(scanner)}`, { method: 'POST', headers, body: image });
}
