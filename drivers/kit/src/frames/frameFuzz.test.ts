/** Frames: random and mutated bytes end in frames or in one of the four named errors, within the limits' memory. */
import t from 'tap';
import { encodeFrame, frameCutter } from './frames.js';

const limits = { headerBytes: 1000, dataBytes: 5000 };
const LEAD = 8;

/** What `readFrames` documents: a length over its limit, not JSON, not an object, an end in the middle. */
const named: readonly (readonly [type: ErrorConstructor, message: RegExp])[] = [
  [RangeError as ErrorConstructor, /over the limit of/],
  [SyntaxError as ErrorConstructor, /header is not JSON$/],
  [TypeError as ErrorConstructor, /not a JSON object$/],
  [Error, /ended in the middle of a frame$/],
];

/** mulberry32: the same numbers for the same seed. @returns an integer from 0 to below `below` */
function dice(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return below => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

type Dice = ReturnType<typeof dice>;
const pick = <T>(roll: Dice, all: readonly T[]): T => all[roll(all.length)]!;
const randomBytes = (roll: Dice, length: number): Buffer => Buffer.alloc(length).map(() => roll(256)) as Buffer;

function streamOf(roll: Dice): Buffer {
  const headers: object[] = [
    {},
    { id: roll(9), more: true },
    { hello: { protocol: 1 } },
    { text: 'Büro 漢 '.repeat(roll(60)) },
    [],
  ];
  const frames = Array.from({ length: 1 + roll(4) }, () =>
    encodeFrame(pick(roll, headers), randomBytes(roll, pick(roll, [0, 1, 300, 300, limits.dataBytes]))),
  );
  return Buffer.concat(frames.flat());
}

/** Flips, cuts, doubles, and sets lengths: u32 at any place. */
function mutated(roll: Dice, bytes: Buffer): Buffer {
  let made = Buffer.from(bytes);
  for (let times = roll(4); times > 0 && made.length > 4; times--) {
    const at = roll(made.length - 4);
    const kind = roll(5);
    if (kind === 0) made[at] = made[at]! ^ (1 << roll(8));
    else if (kind === 1) made = made.subarray(0, at);
    else if (kind === 2) made = Buffer.concat([made.subarray(0, at), made]);
    else if (kind === 3) made.writeUInt32LE(pick(roll, [0, 1, 1000, 1001, 5000, 5001, 0x7fff_ffff, 0xffff_ffff]), at);
    else made = Buffer.concat([made.subarray(0, at), randomBytes(roll, roll(20)), made.subarray(at)]);
  }
  return made;
}

/** @returns the most bytes that were asked for at once, and what was thrown */
function cutUp(roll: Dice, bytes: Buffer): { most: number; taken: number; error: unknown } {
  let most = 0;
  let taken = 0;
  const place = (_header: object, length: number): undefined => void (most = Math.max(most, length));
  const cutter = frameCutter({ limits, place });
  try {
    for (let at = 0; at < bytes.length;) {
      const size = 1 + roll(pick(roll, [1, 10, 10_000]));
      for (const { header, data } of cutter.cut(bytes.subarray(at, at + size)))
        taken += LEAD + data.length + (typeof header === 'object' ? 2 : Infinity);
      at += size;
    }
    cutter.end();
    return { most, taken, error: undefined };
  } catch (error) {
    return { most, taken, error };
  }
}

const seed = Number(process.env['PLATEN_FUZZ_SEED'] ?? 20_261_124);

void t.test(`frames: 3000 random and mutated streams, seed ${seed} (PLATEN_FUZZ_SEED)`, async t => {
  const ends = new Map<unknown, number>();
  for (let run = 0; run < 3_000; run++) {
    const roll = dice(seed + run);
    const bytes = roll(4) === 0 ? randomBytes(roll, roll(200)) : mutated(roll, streamOf(roll));
    const { most, taken, error } = cutUp(roll, bytes);
    const name = `seed ${seed + run}: ${bytes.subarray(0, 200).toString('hex')}`;
    const found = named.find(([type, message]) => error instanceof type && message.test(error.message));
    if (error !== undefined && !found) return t.fail(`${name}: ${String(error)}`);
    if (most > limits.dataBytes) return t.fail(`${name}: ${most} bytes were asked for`);
    if (taken > bytes.length) return t.fail(`${name}: more came out than went in`);
    ends.set(found?.[1], (ends.get(found?.[1]) ?? 0) + 1);
  }
  t.comment([...ends].map(([end, times]) => `${String(end)}: ${times}`).join(', '));
  t.equal(ends.size, 5, 'each error, and none, was met');
});
