/** A service with one feeder, and callers of its scans. */
import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fakeDriver, type FakeDriverOptions } from '@platen/conformance';
import type { Test } from 'tap';
import type { Scan, ScanList } from '../../../shapes/schemas.js';
import { testService, type ServiceOptions } from '../../../service.test.kit.js';

export const A = 'https://a.example';
export const B = 'https://b.example';

type Headers = Readonly<Record<string, string>>;

export async function service(t: Test, more: FakeDriverOptions = {}, options: ServiceOptions = {}) {
  const driver = fakeDriver({ devices: [{ name: 'A', flatbed: false }], ...more });
  const made = await testService(t, driver, options);
  const { app } = made;
  const call = (method: 'GET' | 'HEAD' | 'POST' | 'DELETE', url: string, headers: Headers = {}, payload?: object) =>
    app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  const start = (headers: Headers = {}, payload: object = {}) =>
    call('POST', '/api/scans', headers, { scannerName: 'A', ...payload });
  const read = async (id: string, headers: Headers = {}) =>
    (await call('GET', `/api/scans/${id}`, headers)).json<Scan>();
  return {
    ...made,
    driver,
    call,
    start,
    read,
    /** Starts a scan that is accepted. */
    async started(headers: Headers = {}, payload: object = {}): Promise<string> {
      const { id } = (await start(headers, payload)).json<Scan>();
      return id;
    },
    /** The scan when it does not run any more. */
    async ended(id: string, headers: Headers = {}): Promise<Scan> {
      await call('GET', `/api/scans/${id}/events`, headers);
      return read(id, headers);
    },
    async list(headers: Headers = {}) {
      return (await call('GET', '/api/scans', headers)).json<ScanList>();
    },
    /** Listens, for clients with connections of their own. @returns a request to a path */
    async serve() {
      await app.listen({ host: '127.0.0.1', port: 0 });
      const { port } = app.server.address() as AddressInfo;
      return async (path: string, headers: Headers = {}): Promise<IncomingMessage> => {
        const request = get({
          host: '127.0.0.1',
          port,
          path,
          agent: false,
          headers: { host: 'localhost', ...headers },
        });
        t.teardown(() => request.destroy());
        const [response] = (await once(request, 'response')) as [IncomingMessage];
        return response;
      };
    },
  };
}

/** The code of a rejected request. */
export const codeOf = (response: { headers: Readonly<Record<string, unknown>> }): { code: string; field?: string } =>
  JSON.parse(String(response.headers['platen-error'])) as { code: string; field?: string };
