/** A service that a command scans through: one that runs, or one in this process. */
import type { Client } from '@platen/client';
import type { Service } from '@platen/client/service';

export interface ReachedService {
  readonly client: Client;
  /** For what the client module has no call for, and for documents, whose bytes are written as they come. */
  readonly calls: Service;
  /** Waits for drivers that are slow to look for scanners, until this one is found. @throws like `GET /api/twain/scanners` */
  looked(name?: string): Promise<void>;
  /**
   * Says how to get pages that are not written, once this command is over.
   * @param what its beginning: `Page 3 is`
   * @param path of them in the service
   * @param isSaved into a file; default true
   */
  left(what: string, path: string, isSaved?: boolean): string;
  /** Ends a running scan, and frees the scanner if it is ours. */
  close(): Promise<void>;
}
