/** One scan in the running service, whose pages become files: fetches each when it is announced, and lets the scan go. */
import { codeOf, messageOf, ScanError, type FinishedPage } from '@platen/core';
import { NoReply } from '../../machine/ask.js';
import type { BackendRequest, BackendRun, WritePage } from './backend.js';
import type { ServiceCalls } from './serviceCalls.js';
import { startServiceRun, type ServicePage } from './serviceRun.js';

export interface ServiceScanParts {
  readonly calls: Omit<ServiceCalls, 'stream'>;
  readonly write: WritePage;
  /** Says how to get the pages of a scan that are not written. @param pages absent: it is not known which */
  leftOver(id: string, pages?: readonly number[]): string;
}

export function startServiceScan(request: BackendRequest, { calls, write, leftOver }: ServiceScanParts): BackendRun {
  /** The first page's that is not written. */
  let problem: ScanError | undefined;
  const unwritten: number[] = [];

  async function take(page: ServicePage): Promise<void> {
    const failure = await fetchPage(page).then(write, (error: unknown) => {
      if (error instanceof NoReply) throw error;
      return new ScanError(codeOf(error) ?? 'internal', messageOf(error), { cause: error });
    });
    if (!failure) return;
    // As in this process: nothing more is fed, and later pages may find room.
    problem ??= failure;
    unwritten.push(page.number);
    void its.cancel();
  }

  async function fetchPage({ number, resolution, bytes, sha256, url, ...facts }: ServicePage): Promise<FinishedPage> {
    const data = await calls.bytes(url, bytes);
    const digest = Buffer.from(await crypto.subtle.digest('SHA-256', data)).toString('hex');
    if (digest !== sha256)
      throw new ScanError('storage-failed', `Page ${number} did not arrive as the service stored it.`);
    return { ...facts, pageNumber: number, dpi: resolution, data, processing: [] };
  }

  const its = startServiceRun(request, { calls, take, leftOver });
  return {
    notes: its.notes,
    end: its.end,
    over: its.over.then(async ({ failure, id }) => {
      if (id === undefined) return failure;
      if (problem)
        return new ScanError(problem.code, `${problem.message} ${leftOver(id, unwritten)}`, { cause: problem });
      // If this fails, the scan goes when its time is up.
      await calls.json(`/api/scans/${id}`, { method: 'DELETE' }).catch(() => undefined);
      return failure;
    }),
  };
}
