/** targetAddressSpace: sent only where the browser reads it and knows `loopback`. */
import t, { type Test } from 'tap';
import { fetchOnLoopback, takesLoopback } from './addressSpace.js';

/** A browser whose Request takes these values. */
function browser(t: Test, values: readonly string[]): void {
  const { Request: own } = globalThis;
  t.teardown(() => Object.assign(globalThis, { Request: own }));
  function Request(this: { url: string }, url: string, { targetAddressSpace }: { targetAddressSpace: string }): void {
    this.url = url;
    if (!values.includes(targetAddressSpace)) throw new TypeError('not a valid enum value');
  }
  Object.assign(globalThis, { Request });
}

t.test('targetAddressSpace: Node does not take it', async t => {
  t.equal(takesLoopback(), false);
  t.equal(fetchOnLoopback('https://localhost:53052'), undefined);
});

t.test('targetAddressSpace: a browser that knows it, for a service of this computer only', async t => {
  browser(t, ['loopback', 'local', 'public']);
  const { fetch: own } = globalThis;
  t.teardown(() => Object.assign(globalThis, { fetch: own }));
  const asked: unknown[] = [];
  Object.assign(globalThis, { fetch: async (...given: unknown[]) => void asked.push(given) });
  await fetchOnLoopback('https://localhost:53052')?.('https://localhost:53052/', { method: 'POST' });
  t.same(asked, [['https://localhost:53052/', { method: 'POST', targetAddressSpace: 'loopback' }]]);
  t.ok(fetchOnLoopback('https://127.0.0.1:53052'));
  t.equal(fetchOnLoopback('https://scan.example:53052'), undefined);
});

t.test('targetAddressSpace: a browser with other values, not sent', async t => {
  browser(t, ['local', 'private', 'public']);
  t.equal(takesLoopback(), false);
});
