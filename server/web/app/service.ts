/** Calls of this service that only the page at /app/ makes. */
import { answerOf } from '../shared/calls.js';

/** What the interface does not say about scanners and the installation. */
export interface Installed {
  readonly scanners: readonly { readonly name: string; readonly takesInsertions: boolean }[];
  /** Whether finished pages outlive the service. */
  readonly keepsPages: boolean;
}

export const installed = async (): Promise<Installed> => (await answerOf('/app/scanners')) as unknown as Installed;

/** Inserts an image into a scanner's tray. @throws PlatenError with a message for the user */
export async function insert(scanner: string, image: Blob): Promise<void> {
  const headers = { 'content-type': image.type.startsWith('image/') ? image.type : 'image/unknown' };
  await answerOf(`/app/tray/${encodeURIComponent(scanner)}`, { method: 'POST', headers, body: image });
}
