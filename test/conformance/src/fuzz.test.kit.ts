/** Random tests that can be repeated: from which seed, how often, and with damaged copies of valid inputs. */
import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';

/** Chance has no place in `npm test`: each run of it tries the same inputs. */
const SEED = 20_261_124;

/**
 * How a property is tried: from the same seed each time. PLATEN_FUZZ_SEED is another one; `npm run fuzz` draws it. A failure
 * prints its seed and path: PLATEN_FUZZ_SEED and PLATEN_FUZZ_PATH repeat it.
 * PLATEN_FUZZ_RUNS replaces the number of runs, for a long search.
 */
export function fuzzed(numRuns: number): Pick<fc.Parameters, 'numRuns' | 'seed' | 'path' | 'includeErrorInReport'> {
  const { PLATEN_FUZZ_RUNS: runs, PLATEN_FUZZ_SEED: seed, PLATEN_FUZZ_PATH: path } = process.env;
  return {
    numRuns: runs === undefined ? numRuns : wholeNumber('PLATEN_FUZZ_RUNS', runs),
    seed: seed === undefined ? SEED : wholeNumber('PLATEN_FUZZ_SEED', seed),
    ...(path === undefined ? {} : { path }),
    includeErrorInReport: true,
  };
}

/** A run that found something once: the `seed` and the first number of the `path` that it printed. */
export type Found = readonly [seed: number, path: number];

/** How each of these runs is repeated; none while another seed is chosen. */
export const repeated = (found: readonly Found[]): Pick<fc.Parameters, 'numRuns' | 'seed' | 'path'>[] =>
  process.env['PLATEN_FUZZ_SEED'] === undefined
    ? found.map(([seed, path]) => ({ numRuns: 1, seed, path: String(path), includeErrorInReport: true }))
    : [];

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(number)) throw new Error(`${name} is "${text}", not a whole number.`);
  return number;
}

/** One change of bytes; places are taken modulo the length. */
type Edit = (bytes: Buffer) => Buffer;

/** Values at which lengths, counts and signs break. */
const edges = [
  0, 1, 2, 4, 0x7f, 0x80, 0xff, 0x100, 0x7fff, 0x8000, 0xffff, 0x10000, 0x7fffffff, 0x80000000, 0xffffffff,
];

/** Half of all places are near the start: headers are there. */
const place = fc.oneof(fc.nat(63), fc.nat(0xffffff));
const at = (bytes: Buffer, where: number): number => (bytes.length === 0 ? 0 : where % bytes.length);

function editsWith(others: readonly Uint8Array[], words: readonly string[]): fc.Arbitrary<Edit> {
  const flip = fc.tuple(place, fc.nat(7)).map(([where, bit]): Edit => bytes => {
    if (bytes.length > 0) bytes[at(bytes, where)]! ^= 1 << bit;
    return bytes;
  });
  const set = fc
    .tuple(place, fc.constantFrom(...edges), fc.constantFrom(1, 2, 4), fc.boolean())
    .map(([where, value, size, little]): Edit => bytes => {
      const start = at(bytes, where);
      if (start + size > bytes.length) return bytes;
      const fits = value % 2 ** (8 * size);
      if (little) bytes.writeUIntLE(fits, start, size);
      else bytes.writeUIntBE(fits, start, size);
      return bytes;
    });
  const end = place.map(
    (where): Edit =>
      bytes =>
        bytes.subarray(0, at(bytes, where)),
  );
  const cut = fc.tuple(place, fc.nat(64)).map(
    ([where, length]): Edit =>
      bytes =>
        spliced(bytes, at(bytes, where), length, Buffer.alloc(0)),
  );
  const repeat = fc
    .tuple(place, fc.integer({ min: 1, max: 256 }), fc.integer({ min: 1, max: 40 }))
    .map(([where, length, times]): Edit => bytes => {
      const start = at(bytes, where);
      const piece = bytes.subarray(start, start + length);
      return spliced(bytes, start, 0, Buffer.concat(Array.from({ length: times }, () => piece)));
    });
  const insert = fc.tuple(place, fc.uint8Array({ maxLength: 16 }), fc.boolean()).map(
    ([where, piece, over]): Edit =>
      bytes =>
        spliced(bytes, at(bytes, where), over ? piece.length : 0, piece),
  );
  const word = fc
    .tuple(place, fc.constantFrom(...words, ''), fc.boolean())
    .map(([where, text, over]): Edit => bytes => {
      const piece = Buffer.from(text);
      return spliced(bytes, at(bytes, where), over ? piece.length : 0, piece);
    });
  const cross = fc.tuple(place, fc.constantFrom(...others), place).map(([where, other, from]): Edit => bytes => {
    const source = Buffer.from(other);
    return Buffer.concat([bytes.subarray(0, at(bytes, where)), source.subarray(at(source, from))]);
  });
  return fc.oneof(flip, set, set, end, cut, repeat, insert, word, cross);
}

function spliced(bytes: Buffer, from: number, length: number, piece: Uint8Array): Buffer {
  return Buffer.concat([bytes.subarray(0, from), piece, bytes.subarray(from + length)]);
}

/**
 * Copies of valid inputs, each with a few bytes changed, cut, repeated, or taken from another one.
 * @param words texts that mean something to the reader, to be written anywhere
 */
export function damaged(corpus: readonly Uint8Array[], words: readonly string[] = []): fc.Arbitrary<Buffer> {
  return fc
    .tuple(fc.constantFrom(...corpus), fc.array(editsWith(corpus, words), { maxLength: 6 }))
    .map(([valid, edits]) => edits.reduce<Buffer>((bytes, change) => change(bytes), Buffer.from(valid)));
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Values that readers of JSON take for others. */
const strange: readonly Json[] = [
  ...[null, true, false, 0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, -0],
  ...['', ' ', '0', '\0', '../..', '\ud800', 'x'.repeat(5000), 'constructor', '2026-01-01T00:00:00Z'],
  ...[[], {}, [[]], [null], { a: 1 }, JSON.parse('{"__proto__":{"x":1}}') as Json, { toString: 1 }, { length: -1 }],
];

/** Copies of valid JSON values, each with a few values or keys replaced, removed or added. */
export function damagedJson(corpus: readonly Json[]): fc.Arbitrary<Json> {
  const value = fc.oneof(fc.constantFrom(...strange), fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>);
  const change = fc.record({
    which: fc.nat(0xffff),
    how: fc.constantFrom('replace', 'replace', 'remove', 'add', 'rename'),
    name: fc.oneof(fc.constantFrom('__proto__', 'constructor', '', 'x'), fc.string({ maxLength: 8 })),
    value,
  });
  return fc.tuple(fc.constantFrom(...corpus), fc.array(change, { maxLength: 4 })).map(([valid, changes]) => {
    const root = { value: structuredClone(valid) as Json };
    for (const each of changes) edit(root, each);
    return root.value;
  });
}

interface Change {
  readonly which: number;
  readonly how: string;
  readonly name: string;
  readonly value: Json;
}

function edit(root: object, { which, how, name, value }: Change): void {
  const spots = spotsIn(root);
  const [holder, key] = spots[which % spots.length] as Spot;
  const old = holder[key] as Json;
  const put = (its: string, what: Json): void =>
    void Object.defineProperty(holder, its, {
      value: structuredClone(what),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  if (how === 'replace' || holder === root) put(key, value);
  else if (Array.isArray(holder))
    holder.splice(Number(key), how === 'remove' ? 1 : 0, ...(how === 'remove' ? [] : [structuredClone(value)]));
  else {
    if (how !== 'add') delete holder[key];
    if (how !== 'remove') put(name, how === 'rename' ? old : value);
  }
}

type Spot = readonly [holder: Record<string, unknown>, key: string];

/** Every value within it, as its holder and key. */
function spotsIn(holder: object): Spot[] {
  return Object.entries(holder).flatMap(([key, value]) => [
    [holder as Record<string, unknown>, key] as const,
    ...(typeof value === 'object' && value !== null ? spotsIn(value as object) : []),
  ]);
}

/**
 * Runs `platen-fuzz` of @platen/driver-kit in a driver's package, for the same inputs each time.
 * @returns whether it found nothing, and what it printed
 */
export function fuzzedHelper(folder: URL, runs: number, compiler?: 'gcc' | 'clang'): Promise<[boolean, string]> {
  const kit = dirname(createRequire(folder).resolve('@platen/driver-kit/package.json'));
  const args = [join(kit, 'bin', 'fuzz.mjs'), '--runs', String(runs), '--seed', String(SEED)];
  const own = { ...process.env, NODE_OPTIONS: '' }; // otherwise tap's preload runs in it
  return new Promise(done => {
    const how = { cwd: fileURLToPath(folder), env: own };
    execFile(process.execPath, [...args, ...(compiler ? ['--compiler', compiler] : [])], how, (error, out, errors) =>
      done([error === null, out + errors]),
    );
  });
}
