/** The doctor's looks, in the order in which one needs the other: the first thing that is wrong is the one to mend. */
import { messageOf } from '@platen/core';
import { certificate, trust } from './certificate.js';
import type { Facts } from './facts.js';
import { failed, type Finding, type Outcome } from './finding.js';
import { configuration, dataFolder } from './installation.js';
import { helpers, plugins } from './plugins.js';
import { health, port, root, running, scanners } from './service.js';
import { testScan } from './testScan.js';

interface Look {
  readonly id: string;
  readonly title: string;
  look(facts: Facts): Promise<Outcome>;
}

/** From `process` on, it is the operator's sequence of the interface. */
export const looks: readonly Look[] = [
  { id: 'configuration', title: 'Configuration', look: configuration },
  { id: 'dataFolder', title: 'Data folder', look: dataFolder },
  { id: 'certificate', title: 'Certificate', look: certificate },
  { id: 'trust', title: 'Trust', look: trust },
  { id: 'plugins', title: 'Plugins', look: plugins },
  { id: 'helpers', title: "Drivers' helpers", look: helpers },
  { id: 'process', title: 'Service', look: running },
  { id: 'port', title: 'Port', look: port },
  { id: 'root', title: 'GET /', look: root },
  { id: 'health', title: 'GET /health', look: health },
  { id: 'scanners', title: 'Scanners', look: scanners },
  { id: 'scan', title: 'Test scan', look: testScan },
];

/** One finding after the other, as they are made. What a look dies of is a finding as well. */
export async function* examine(facts: Facts): AsyncGenerator<Finding, void, undefined> {
  for (const { id, title, look } of looks) {
    const outcome = await look(facts).catch((error: unknown) =>
      failed(
        `This could not be looked at: ${messageOf(error)}.`,
        'Run this again; if it stays so, it is a mistake in Platen.',
      ),
    );
    yield { id, title, ...outcome };
  }
}
