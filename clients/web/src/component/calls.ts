/** The calls of the service that a component makes. */
import type { Client } from '../client/client.js';
import { diagnose } from '../client/diagnosis/diagnose.js';
import { fetchPagesDocument } from '../client/scans/document.js';
import { scan } from '../client/scans/scan.js';
import { capabilities, featureEvents, listScanners, profiles } from '../client/scanners.js';
import type { Service } from '../client/transport/ask.js';
import { serviceAt, type ClientOptions } from '../client/service.js';
import { startAutoScan } from '../client/scans/startAutoScan.js';
import { listScans, startScan } from '../client/scans/startScan.js';

type AfterService<T> = T extends (service: Service, ...rest: infer Rest) => unknown ? Rest : never;

export interface Calls extends Pick<Client, 'baseUrl' | 'listScans' | 'document' | 'scan' | 'diagnose'> {
  /** For a part that is loaded late. */
  featureEvents(...parameters: AfterService<typeof featureEvents>): ReturnType<typeof featureEvents>;
  capabilities(...parameters: AfterService<typeof capabilities>): ReturnType<typeof capabilities>;
  profiles(...parameters: AfterService<typeof profiles>): ReturnType<typeof profiles>;
  listScanners(...parameters: AfterService<typeof listScanners>): ReturnType<typeof listScanners>;
  startScan(...parameters: AfterService<typeof startScan>): ReturnType<typeof startScan>;
  startAutoScan(...parameters: AfterService<typeof startAutoScan>): ReturnType<typeof startAutoScan>;
}

export function createCalls(options: ClientOptions): Calls {
  const service = serviceAt(options);
  return {
    featureEvents: given => featureEvents(service, given),
    baseUrl: service.baseUrl,
    listScanners: given => listScanners(service, given),
    capabilities: (scanner, given) => capabilities(service, scanner, given),
    profiles: given => profiles(service, given),
    startScan: (scanner, parameters, given) => startScan(service, scanner, parameters, given),
    startAutoScan: (scanner, parameters, given) => startAutoScan(service, scanner, parameters, given),
    listScans: given => listScans(service, given),
    document: (pages, given) => fetchPagesDocument(service, pages, given),
    scan: (scanner, parameters, given) => scan(service, scanner, parameters, given),
    diagnose: given => diagnose(service, given),
  };
}
