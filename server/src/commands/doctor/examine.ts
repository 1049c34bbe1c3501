/** The doctor's checks in dependency order: the first failure is the one to fix. */
import { messageOf } from '@platen/core';
import { certificate, trust } from './certificate.js';
import type { Facts } from './facts.js';
import { failed, type Finding, type Outcome } from './finding.js';
import { configuration, dataFolder } from './installation.js';
import { origins } from './origins.js';
import { gaps, helpers, licences, plugins } from './plugins.js';
import { pluginHealth } from './pluginHealth.js';
import { policies } from './policies.js';
import { health, port, root, running, scanners } from './service.js';
import { testScan } from './testScan.js';

interface Look {
  readonly id: string;
  readonly title: string;
  look(facts: Facts): Promise<Outcome>;
}

/** From `process` to `scan`, this is the interface's operator sequence. */
export const looks: readonly Look[] = [
  { id: 'configuration', title: 'Configuration', look: configuration },
  { id: 'dataFolder', title: 'Data folder', look: dataFolder },
  { id: 'origins', title: 'Web pages', look: origins },
  { id: 'certificate', title: 'Certificate', look: certificate },
  { id: 'trust', title: 'Trust', look: trust },
  { id: 'policies', title: 'Browser policies', look: policies },
  { id: 'plugins', title: 'Plugins', look: plugins },
  { id: 'gaps', title: 'Left out', look: gaps },
  { id: 'licences', title: 'Licences', look: licences },
  { id: 'helpers', title: "Drivers' helpers", look: helpers },
  { id: 'process', title: 'Service', look: running },
  { id: 'port', title: 'Port', look: port },
  { id: 'root', title: 'GET /', look: root },
  { id: 'health', title: 'GET /health', look: health },
  { id: 'scanners', title: 'Scanners', look: scanners },
  { id: 'scan', title: 'Test scan', look: testScan },
  { id: 'pluginHealth', title: "Plugins' health", look: pluginHealth },
];

/** Yields each finding as it is made. A check that throws is a failed finding too. */
export async function* examine(facts: Facts): AsyncGenerator<Finding, void, undefined> {
  for (const { id, title, look } of looks) {
    const outcome = await look(facts).catch((error: unknown) =>
      failed(
        `This check could not run: ${messageOf(error)}.`,
        'Run the doctor again. If it fails again, report a bug in Platen.',
      ),
    );
    yield { id, title, ...outcome };
  }
}
