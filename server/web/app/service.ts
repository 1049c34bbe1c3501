/** The service behind the page: the client module that web applications use, and a few calls only for this page. */
import { createClient, PlatenError, type Client } from '../client.js';
import { failureOf, jsonOf } from '../client/service.js';

/** What the interface does not say about scanners and installed plugins. */
export interface Installed {
  readonly scanners: readonly { readonly name: string; readonly takesInsertions: boolean }[];
  /** Names of image formats: Png, … */
  readonly formats: readonly string[];
  readonly barcodes: boolean;
  readonly text: boolean;
  /** Whether finished pages outlive the service. */
  readonly keepsPages: boolean;
}

export interface Service extends Client {
  installed(): Promise<Installed>;
  /** Inserts an image into a scanner's tray. @throws PlatenError with a message for the user */
  insert(scanner: string, image: Blob): Promise<string>;
}

const HEADER = { 'x-platen-page': '1' };

export function createService(): Service {
  return {
    ...createClient({ baseUrl: location.origin }),
    installed: async () => (await answerOf('/app/scanners')) as Installed,
    async insert(scanner, image) {
      const headers = { ...HEADER, 'content-type': image.type.startsWith('image/') ? image.type : 'image/unknown' };
      const { message } = (await answerOf(`/app/tray/${encodeURIComponent(scanner)}`, {
        method: 'POST',
        headers,
        body: image,
      })) as { message: string };
      return message;
    },
  };
}

async function answerOf(path: string, request: RequestInit = {}): Promise<unknown> {
  const response = await fetch(path, { cache: 'no-store', headers: HEADER, ...request }).catch((error: unknown) => {
    throw new PlatenError('no-answer', 'The service does not answer.', { cause: error });
  });
  const answer = await jsonOf(response);
  if (!response.ok) throw failureOf(response, answer);
  return answer;
}
