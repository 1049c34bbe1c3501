/** What goes out: messages before bands, bands in turn, and never more than the stream takes. */
import { Duplex } from 'node:stream';
import { readFrames } from '@platen/driver-kit';
import t from 'tap';
import { settle } from './rpc.test.kit.js';
import { createSender } from './sender.js';

/** A stream whose every write waits until the test takes it. */
function slowStream() {
  const taken: Uint8Array[] = [];
  let take = (): boolean => false;
  const stream = new Duplex({
    highWaterMark: 1,
    read: () => undefined,
    write(chunk: Uint8Array, _encoding, done) {
      take = () => {
        take = () => false;
        taken.push(chunk);
        done();
        return true;
      };
    },
  });
  return {
    stream,
    /** Takes everything that is offered, until nothing more arrives. */
    async drain(): Promise<void> {
      for (let quiet = 0; quiet < 3;) {
        quiet = take() ? 0 : quiet + 1;
        await settle(3);
      }
    },
    async headers(): Promise<string[]> {
      const said: string[] = [];
      for await (const { header, data } of readFrames(
        (async function* () {
          yield* taken;
        })(),
      )) {
        said.push(
          `${Object.entries(header)
            .map(([name, value]) => `${name} ${String(value)}`)
            .join(' ')}${data.length > 0 ? `: ${data.length}` : ''}`,
        );
      }
      return said;
    },
  };
}

t.test('sender: bands of two transfers take turns, a message waits for one band at most', async t => {
  const { stream, drain, headers } = slowStream();
  const sender = createSender(stream, 10);
  const done: string[] = [];
  void sender.transfer(1, { item: 1 }, new Uint8Array(25)).then(() => done.push('1'));
  void sender.transfer(2, undefined, new Uint8Array(11)).then(() => done.push('2'));
  await settle(3);
  void sender.send({ answer: 3 }).then(() => done.push('3'));
  t.same(done, []);
  await drain();
  t.same(await headers(), ['item 1', 'answer 3', 'band 1: 10', 'band 2: 10', 'band 1: 10', 'band 2: 1', 'band 1: 5']);
  t.same(done, ['3', '2', '1']);
});

t.test('sender: a stream that takes nothing gets one band, and no more', async t => {
  const { stream } = slowStream();
  const sender = createSender(stream, 1000);
  const waiting = sender.transfer(1, undefined, new Uint8Array(1_000_000));
  await settle();
  t.ok(stream.writableLength < 1100, `${stream.writableLength} bytes stand in it`);
  sender.close();
  await waiting;
  await sender.send({ answer: 1 });
  await sender.transfer(2, { item: 2 }, new Uint8Array(5));
  t.ok(stream.writableLength < 1100, 'nothing goes out after the end');
});

t.test('sender: a transfer that is cut ends between two bands, one that was cut before never begins', async t => {
  const { stream, drain, headers } = slowStream();
  const sender = createSender(stream, 10);
  const cut = new AbortController();
  const waiting = sender.transfer(1, undefined, new Uint8Array(100), cut.signal);
  await settle(3);
  cut.abort();
  await waiting;
  await sender.transfer(2, { item: 2 }, new Uint8Array(100), cut.signal);
  void sender.send({ fail: 1 });
  await drain();
  t.same(await headers(), ['band 1: 10', 'fail 1']);
});

t.test('sender: a message too long for a frame is rejected, and nothing of it is written', async t => {
  const { stream } = slowStream();
  await t.rejects(createSender(stream).send({ answer: 'x'.repeat(100_000) }), { message: /over the limit/ });
  t.equal(stream.writableLength, 0);
});
