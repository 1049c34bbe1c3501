/** The service behind the page: the client module that web applications use, and a few calls only for this page. */
import { createClient, PlatenError, type Client, type ScanParameters } from '../client.js';
import { failureOf, jsonOf } from '../client/service.js';

/** Parameters that the configuration has under names. */
export type Profiles = Readonly<Record<string, ScanParameters>>;

/** What the interface does not say about scanners and the installation, and its profiles. */
export interface Installed {
  readonly scanners: readonly { readonly name: string; readonly takesInsertions: boolean }[];
  /** Extensions of document formats: pdf, … */
  readonly documents: readonly string[];
  /** Whether finished pages outlive the service. */
  readonly keepsPages: boolean;
  readonly profiles: Profiles;
}

export interface Service extends Client {
  installed(): Promise<Installed>;
  /** Inserts an image into a scanner's tray. @throws PlatenError with a message for the user */
  insert(scanner: string, image: Blob): Promise<string>;
  /** A PDF to print. @throws PlatenError */
  separatorSheet(size: 'A4' | 'Letter'): Promise<Blob>;
}

const HEADER = { 'x-platen-page': '1' };

export function createService(): Service {
  const client = createClient({ baseUrl: location.origin });
  return {
    ...client,
    async installed() {
      const [facts, profiles] = await Promise.all([answerOf('/app/scanners'), client.profiles()]);
      return { ...facts, profiles } as Installed;
    },
    async insert(scanner, image) {
      const headers = { ...HEADER, 'content-type': image.type.startsWith('image/') ? image.type : 'image/unknown' };
      const { message } = (await answerOf(`/app/tray/${encodeURIComponent(scanner)}`, {
        method: 'POST',
        headers,
        body: image,
      })) as { message: string };
      return message;
    },
    async separatorSheet(size) {
      const response = await responseTo(`/api/separator?patch=T&text=PATCHT&size=${size}`);
      return response.blob();
    },
  };
}

const answerOf = async (path: string, request: RequestInit = {}): Promise<Readonly<Record<string, unknown>>> =>
  jsonOf(await responseTo(path, request));

/** @throws PlatenError, also for an answer that is not a success */
async function responseTo(path: string, request: RequestInit = {}): Promise<Response> {
  const response = await fetch(path, { cache: 'no-store', headers: HEADER, ...request }).catch((error: unknown) => {
    throw new PlatenError('no-answer', 'The service does not answer.', { cause: error });
  });
  if (!response.ok) throw failureOf(response, await jsonOf(response));
  return response;
}
