/** Damaged licences: none is accepted unless its vendor signed it, and each refusal is a sentence about it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { damaged, damagedJson, fuzzed, type Json } from '@platen/conformance/fuzz';
import * as fc from 'fast-check';
import t from 'tap';
import { createEntitle } from './licence.js';
import { createVendor, seconds } from './licence.test.kit.js';

const RUNS = 130;
const dir = await mkdtemp(join(tmpdir(), 'platen-licence-'));
t.teardown(() => rm(dir, { recursive: true, force: true }));
const acme = createVendor();
const now = Date.parse('2026-06-30T12:00:00Z');
const clock = { now: () => now, monotonic: () => 0, after: () => () => undefined };
const entitle = createEntitle(dir, clock, async () => 'a'.repeat(32));
const ask = (licence: string) => entitle({ plugin: '@acme/reader', publicKeys: [acme.publicKey], licence });
const good = await acme.licence();

function assertRefusal(error: unknown): undefined {
  const { message } = error as Error;
  if (!/^(its licence|the licence|its trial)/.test(message)) throw error;
  return undefined;
}

t.test('licence: a damaged token, refused; white space around a good one does no harm', async () => {
  await fc.assert(
    fc.asyncProperty(damaged([Buffer.from(good)], ['.', '=', 'eyJ', '..']), async bytes => {
      await writeFile(join(dir, 'licence'), bytes);
      const entitled = await ask('licence').catch(assertRefusal);
      const [head, body, signature = ''] = bytes.toString().trim().split('.');
      // The last character of a signature has two bits that mean nothing.
      const same = `${head}.${body}.${signature.slice(0, -1)}` === good.slice(0, -1);
      if (entitled && !same) throw new Error(`${bytes.toString()} is accepted`);
    }),
    fuzzed(RUNS),
  );
});

t.test('licence: signed claims of any type, accepted with a customer and an expiry, or refused', async () => {
  const claims: Json = {
    aud: '@acme/reader',
    sub: 'Acme',
    exp: seconds('2100-01-01'),
    nbf: 0,
    seats: 3,
    trial: true,
    machine: 'b',
  };
  await fc.assert(
    fc.asyncProperty(damagedJson([claims, { machine: ['a'.repeat(32)] }]), async value => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
      const entitled = await ask(await acme.licence(value as Record<string, unknown>)).catch(assertRefusal);
      if (!entitled) return;
      const { customer, expires } = entitled;
      if (typeof customer !== 'string' || customer === '' || Number.isNaN(expires.getTime()))
        throw new Error(`accepted for ${customer} until ${String(expires)}`);
    }),
    fuzzed(RUNS),
  );
});
