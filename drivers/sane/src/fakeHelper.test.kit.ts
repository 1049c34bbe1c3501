/**
 * A helper in Node with the verbs of a small flatbed, run as a program: `node fakeHelper.test.kit.js FOLDER`. What each process does
 * instead is set in FOLDER/1, FOLDER/2 and so on: `exit`, `libraries`, `garbage`, `garbage-on-read`, `busy`, `denied`.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { backends } from './backends.test.kit.js';

const folder = process.argv[2] ?? '.';
const what = behaviour();

/** The folders n.taken count the processes. */
function behaviour(): string {
  for (let n = 1; ; n++) {
    try {
      mkdirSync(join(folder, `${n}.taken`));
    } catch {
      continue;
    }
    try {
      return readFileSync(join(folder, String(n)), 'utf8').trim();
    } catch {
      return 'works';
    }
  }
}

/** A frame, written by hand: this program starts often, so it loads no package. */
function send(header: object, data: Uint8Array = new Uint8Array()): void {
  const json = Buffer.from(JSON.stringify(header));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(json.length, 0);
  lengths.writeUInt32LE(data.length, 4);
  process.stdout.write(Buffer.concat([lengths, json, data]));
}

const options = backends.genesys.map((each, index) => ({ ...each, index }));
const values = new Map<unknown, unknown>();
const page = { format: 'gray', lastFrame: true, bytesPerLine: 8, pixelsPerLine: 8, lines: 4, depth: 8 };

function answer(id: number, verb: string, args: Record<string, unknown>): void {
  const failing = verb === 'open' && { busy: 'DEVICE_BUSY', denied: 'ACCESS_DENIED' }[what];
  if (failing) return send({ id, error: { status: failing, message: 'simulated' } });
  if (verb === 'devices')
    return send(
      { id, ok: true },
      Buffer.from(JSON.stringify([{ name: 'fake:0', vendor: 'Fake', model: 'Flat', type: 'flatbed scanner' }])),
    );
  if (verb === 'options') return send({ id, ok: true }, Buffer.from(JSON.stringify(options)));
  if (verb === 'set') values.set(args['index'], args['value']);
  if (verb === 'get' || verb === 'set')
    return send({ id, ok: true, value: values.get(args['index']) ?? 0, reloadOptions: false });
  if (verb === 'parameters') return send({ id, ok: true, ...page });
  if (verb !== 'read') return send({ id, ok: true });
  if (what === 'garbage-on-read')
    return void process.stdout.write('this is no frame at all, and it is long enough to be taken for one');
  send({ id, more: true }, new Uint8Array(32).fill(7));
  send({ id, ok: true, bytes: 32, bytesPerLine: 8 });
}

if (what === 'exit') process.exit(3);
if (what === 'libraries') {
  process.stderr.write(
    'platen-sane-helper: error while loading shared libraries: libsane.so.1: cannot open shared object file\n',
  );
  process.exit(127);
}
if (what === 'garbage') process.stdout.write('Hello, I am a scanner driver from 1998, and this is my banner.\n');
else send({ hello: { name: 'sane', protocol: 1 } });

createInterface({ input: process.stdin })
  .on('line', line => {
    const { id, verb, args } = JSON.parse(line) as { id: number; verb: string; args: Record<string, unknown> };
    answer(id, verb, args);
  })
  .on('close', () => process.exit(0));
