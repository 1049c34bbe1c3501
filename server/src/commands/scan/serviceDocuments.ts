/** One scan in the running service, whose documents are streamed from it while its pages stay there. */
import { InvalidValue } from '@platen/core';
import { httpCodeOf } from '../../service/http/errors.js';
import type { BackendRequest, KeptRun, SeePage, SeparateDocument } from './backend.js';
import { documentPath, type DocumentAsk } from './documentAsk.js';
import type { ServiceCalls } from './serviceCalls.js';
import { startServiceRun, type ServicePage } from './serviceRun.js';

export interface ServiceDocumentsParts {
  readonly calls: ServiceCalls;
  readonly see: SeePage;
  /** Says how to get a document that is not written. @param path with its query */
  fetching(path: string): string;
}

export function startServiceDocuments(
  request: BackendRequest,
  { calls, see, fetching }: ServiceDocumentsParts,
): KeptRun {
  let scan = '';
  const its = startServiceRun(request, { calls, take: async page => see(...factsOf(page)) });
  return {
    notes: its.notes,
    end: its.end,
    started: its.started.then(id => ((scan = id ?? ''), id !== undefined)),
    over: its.over.then(({ failure }) => failure),
    document: ask => calls.stream(documentPath(scan, ask)),
    async documents() {
      const path = `/api/scans/${scan}/documents`;
      return (await calls.json<{ documents: readonly SeparateDocument[] }>(path)).documents;
    },
    release: () => calls.json<unknown>(`/api/scans/${scan}`, { method: 'DELETE' }).then(ignore, ignore),
    leftOver: ask => fetching(documentPath(scan, ask)),
  };
}

const ignore = (): void => undefined;

function factsOf({
  number,
  resolution,
  bytes,
  url: _url,
  sha256: _sha256,
  ...facts
}: ServicePage): Parameters<SeePage> {
  return [{ ...facts, pageNumber: number, dpi: resolution, processing: [] }, bytes];
}

/** No scan has this id: the service answers what it thinks of the document before it looks for the scan. */
const NO_SCAN = '00000000-0000-4000-8000-000000000000';

/** @returns why the service cannot write such a document. @throws `NoReply`, and other refusals */
export async function serviceRefuses(calls: ServiceCalls, ask: DocumentAsk): Promise<InvalidValue | undefined> {
  try {
    await calls.json(documentPath(NO_SCAN, ask));
  } catch (error) {
    if (error instanceof InvalidValue) return error;
    if (httpCodeOf(error) !== 'scan-not-found') throw error;
  }
  return undefined;
}

/** The OpenAPI document as it is served lists the loaded formats. */
export async function serviceImageEndings(calls: Pick<ServiceCalls, 'json'>): Promise<readonly string[]> {
  const { components } = await calls.json<Described>('/openapi.json');
  return components.schemas.DirectScanParameters.properties.outputFormat.enum;
}

interface Described {
  readonly components: {
    readonly schemas: {
      readonly DirectScanParameters: {
        readonly properties: { readonly outputFormat: { readonly enum: readonly string[] } };
      };
    };
  };
}
