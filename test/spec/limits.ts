/** Limits: the port. The limits of fields and bodies are tested with the fields. */
import { refusedStart, spec } from './specTest.js';
import { NotStarted } from '../topology/platen.js';

export const limits = [
  spec('Limits: the port is 53052 by default', 'limits.port', async (t, _fixture, topology) => {
    try {
      const fixture = await topology.start({ port: 'configured' });
      const { code } = await fixture.stop();
      t.equal(fixture.port, 53052);
      t.equal(code, 0);
    } catch (error) {
      // If another program uses it, the service's error names the port.
      if (!(error instanceof NotStarted)) throw error;
      t.equal(error.exit.code, 5);
      t.match(error.exit.log, /53052/);
    }
  }),

  spec(
    'Limits: a port in use ends the start with a message that names it, and exit code 5',
    'limits.port',
    async (t, fixture, topology) => {
      const { code, log } = await refusedStart(topology, { port: fixture.port });
      t.equal(code, 5);
      t.match(log, new RegExp(`port ${fixture.port}`, 'i'));
      t.equal((await fixture.request('GET', '/')).status, 200, 'the service that uses it continues');
    },
  ),
];
