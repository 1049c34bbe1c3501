/** The calls of the service that a component makes. Those that few people need are loaded at their first use. */
import type { AutoScan } from '../client/autoscan.js';
import type { Client } from '../client/client.js';
import { fetchPagesDocument } from '../client/document.js';
import { capabilities, listScanners, profiles } from '../client/scanners.js';
import { serviceAt, type ClientOptions, type Service } from '../client/service.js';
import { listScans, startScan } from '../client/startScan.js';
import { loaded } from './later.js';

type AfterService<T> = T extends (service: Service, ...rest: infer Rest) => unknown ? Rest : never;

export interface Calls extends Pick<
  Client,
  'baseUrl' | 'listScanners' | 'capabilities' | 'profiles' | 'listScans' | 'document' | 'scan' | 'diagnose'
> {
  startScan(...parameters: AfterService<typeof startScan>): ReturnType<typeof startScan>;
  autoScan(...parameters: Parameters<Client['autoScan']>): Promise<AutoScan>;
}

export function createCalls(options: ClientOptions): Calls {
  const service = serviceAt(options);
  return {
    baseUrl: service.baseUrl,
    listScanners: given => listScanners(service, given),
    capabilities: (scanner, given) => capabilities(service, scanner, given),
    profiles: given => profiles(service, given),
    startScan: (scanner, parameters, given) => startScan(service, scanner, parameters, given),
    listScans: given => listScans(service, given),
    document: (pages, given) => fetchPagesDocument(service, pages, given),
    async scan(scanner, parameters, given) {
      const { scan } = await loaded(import('../client/scan.js'));
      return scan(service, scanner, parameters, given);
    },
    async autoScan(scanner, parameters, given) {
      const { autoScan } = await loaded(import('../client/autoscan.js'));
      return autoScan(service, scanner, parameters, given);
    },
    async diagnose(given) {
      const { diagnose } = await loaded(import('../client/diagnose.js'));
      return diagnose(service, given);
    },
  };
}
