/** Calls of this service that only its own page makes. */
import { PlatenError } from '@platen/client';
import { failureOf, jsonOf } from '@platen/client/service';

/** What the interface does not say about scanners and the installation. */
export interface Installed {
  readonly scanners: readonly { readonly name: string; readonly takesInsertions: boolean }[];
  /** Whether finished pages outlive the service. */
  readonly keepsPages: boolean;
}

const HEADER = { 'x-platen-page': '1' };

export const installed = async (): Promise<Installed> => (await answerOf('/app/scanners')) as unknown as Installed;

/** Inserts an image into a scanner's tray. @throws PlatenError with a message for the user */
export async function insert(scanner: string, image: Blob): Promise<void> {
  const headers = { ...HEADER, 'content-type': image.type.startsWith('image/') ? image.type : 'image/unknown' };
  await answerOf(`/app/tray/${encodeURIComponent(scanner)}`, { method: 'POST', headers, body: image });
}

/** @throws PlatenError, also for an answer that is not a success */
async function answerOf(path: string, request: RequestInit = {}): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(path, { cache: 'no-store', headers: HEADER, ...request }).catch((error: unknown) => {
    throw new PlatenError('no-answer', 'The service does not answer.', { cause: error });
  });
  if (!response.ok) throw failureOf(response, await jsonOf(response));
  return jsonOf(response);
}
