/** A helper program in Node over the fake source: `node helper.test.kit.js BITS STATEFILE`. */
import { createInterface } from 'node:readline';
import { createVerbs, type Request } from './verbs.test.kit.js';

const [, , bits = '64', file = ''] = process.argv;

/** A frame, written by hand: this program starts often, so it loads no package. */
function send(header: object, data: Uint8Array = new Uint8Array()): void {
  const json = Buffer.from(JSON.stringify(header));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(json.length, 0);
  lengths.writeUInt32LE(data.length, 4);
  process.stdout.write(Buffer.concat([lengths, json, data]));
}

const serve = createVerbs({ bits, file, send, crash: () => process.exit(3) });
send({ hello: { name: 'twain', protocol: 1, bits: Number(bits) } });
createInterface({ input: process.stdin })
  .on('line', line => serve(JSON.parse(line) as Request))
  .on('close', () => process.exit(0));
