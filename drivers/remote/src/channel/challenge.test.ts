import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Duplex } from 'node:stream';
import { readExactly } from '@platen/driver-kit';
import t from 'tap';
import { challenge, CHANNEL_VERSION, type End } from './challenge.js';

const secret = randomBytes(32);
const LONG = 60_000;

/** Two ends of one stream; `cut` splits the first one's output into pieces of this many bytes. */
function pair(cut = Infinity): [Duplex, Duplex] {
  const ends: Duplex[] = [0, 1].map(
    at =>
      new Duplex({
        read: () => undefined,
        write(chunk: Buffer, _, done) {
          const size = at === 0 ? cut : Infinity;
          for (let from = 0; from < chunk.length; from += size)
            ends[1 - at]!.push(chunk.subarray(from, Math.min(chunk.length, from + size)));
          done();
        },
        final(done) {
          ends[1 - at]!.push(null);
          done();
        },
      }),
  );
  for (const end of ends) end.on('error', () => undefined);
  return [ends[0]!, ends[1]!];
}

const run = (stream: Duplex, end: End, ms = LONG, own: Uint8Array = secret): Promise<string> =>
  challenge(stream, { end, secret: own, ms, read: length => readExactly(stream, length) }).then(
    () => 'proved',
    (error: Error) => error.message,
  );

function read(stream: Duplex, length: number): Promise<Buffer> {
  return new Promise(resolve => {
    const look = (): void => {
      const chunk = stream.read(length) as Buffer | null;
      if (!chunk) return;
      stream.off('readable', look);
      resolve(chunk);
    };
    stream.on('readable', look);
    look();
  });
}

t.test('challenge: both ends prove themselves over any chunks, the bytes behind it stay in the stream', async t => {
  for (const cut of [1, 7, 39, Infinity]) {
    const [service, desktop] = pair(cut);
    const both = Promise.all([run(service, 'service'), run(desktop, 'desktop')]);
    t.same(await both, ['proved', 'proved'], `pieces of ${cut}`);
    service.write('first');
    desktop.write('second');
    t.same([String(await read(desktop, 5)), String(await read(service, 6))], ['first', 'second']);
  }
});

t.test('challenge: bytes that the service sends right behind its proof are not lost', async t => {
  const [service, desktop] = pair();
  const proving = run(service, 'service').then(() => service.write('more'));
  t.equal(await run(desktop, 'desktop'), 'proved');
  await proving;
  t.equal(String(await read(desktop, 4)), 'more');
});

t.test('challenge: the secret never crosses the stream, in any encoding', async t => {
  const [service, desktop] = pair();
  const said: Buffer[] = [];
  for (const each of [service, desktop]) {
    const write = each.write.bind(each) as (chunk: Buffer) => boolean;
    each.write = (chunk: Buffer) => (said.push(chunk), write(chunk));
  }
  await Promise.all([run(service, 'service'), run(desktop, 'desktop')]);
  const all = Buffer.concat(said);
  t.equal(all.length, 2 * 72, 'two greetings and two proofs');
  t.notOk(
    all.includes(secret) || all.includes(Buffer.from(secret).toString('hex')) || all.includes(secret.subarray(0, 8)),
  );
});

t.test('challenge: another secret is rejected at both ends, the desktop application sends no proof', async t => {
  const [service, desktop] = pair();
  const far = run(desktop, 'desktop').then(why => (desktop.end(), why));
  t.equal(
    await run(service, 'service', LONG, randomBytes(32)),
    'it closed the connection before it proved that it knows the secret',
  );
  t.equal(await far, 'it does not know the secret');
  t.equal(service.read(), null);
});

t.test('challenge: a listener with another secret is rejected', async t => {
  const [service, desktop] = pair();
  const near = run(service, 'service');
  await read(desktop, 40);
  desktop.write(Buffer.concat([Buffer.from('platen\0'), Buffer.of(CHANNEL_VERSION), randomBytes(32)]));
  await read(desktop, 32);
  desktop.write(createHmac('sha256', 'guess').digest());
  t.equal(await near, 'it does not know the secret');
});

t.test('challenge: an echo is rejected', async t => {
  for (const end of ['service', 'desktop'] as const) {
    const [own, echo] = pair();
    echo.on('data', (chunk: Buffer) => echo.write(chunk));
    // The listening end waits for a proof that the echo has not heard.
    const why = await run(own, end, end === 'service' ? LONG : 30);
    t.match(
      why,
      end === 'service' ? /^it does not know the secret$/ : /^it did not prove that it knows the secret within/,
    );
  }
});

t.test('challenge: two services connected to each other reject one another', async t => {
  const [one, other] = pair();
  t.same(await Promise.all([run(one, 'service'), run(other, 'service')]), [
    'it does not know the secret',
    'it does not know the secret',
  ]);
});

t.test('challenge: a replayed proof is rejected', async t => {
  const [service, desktop] = pair();
  const heard: Buffer[] = [];
  const write = service.write.bind(service) as (chunk: Buffer) => boolean;
  service.write = (chunk: Buffer) => (heard.push(chunk), write(chunk));
  await Promise.all([run(service, 'service'), run(desktop, 'desktop')]);
  const [thief, victim] = pair();
  for (const chunk of heard) thief.write(chunk);
  t.equal(await run(victim, 'desktop'), 'it does not know the secret');
});

t.test('challenge: garbage, another version, an early end and silence each have their own message', async t => {
  const say = async (words: Buffer | string | undefined, end: boolean, ms = LONG): Promise<string> => {
    const [own, other] = pair();
    const outcome = run(own, 'desktop', ms);
    if (words !== undefined) other.write(words);
    if (end) other.end();
    return outcome;
  };
  const greeting = (version: number): Buffer =>
    Buffer.concat([Buffer.from('platen\0'), Buffer.of(version), randomBytes(32)]);
  t.equal(
    await say(`GET / HTTP/1.1\r\nHost: localhost\r\n\r\n${'x'.repeat(20)}`, false),
    "it does not speak Platen's protocol",
  );
  t.equal(await say(randomBytes(100_000), false), "it does not speak Platen's protocol");
  t.equal(
    await say(greeting(7), false),
    `it speaks version 7 of the channel, this end version ${CHANNEL_VERSION}: install the same version of Platen at both ends`,
  );
  t.equal(await say(undefined, true), 'it closed the connection');
  t.equal(await say('plat', true), 'it closed the connection');
  t.equal(
    await say(greeting(CHANNEL_VERSION), true),
    'it closed the connection before it proved that it knows the secret',
  );
  t.equal(await say(undefined, false, 20), 'it said nothing within 0.02 s');
  t.equal(await say('p', false, 20), 'it said nothing within 0.02 s');
  t.equal(await say(greeting(CHANNEL_VERSION), false, 20), 'it did not prove that it knows the secret within 0.02 s');
});

t.test('challenge: a stream that fails rejects it', async t => {
  const [own] = pair();
  const outcome = run(own, 'service');
  own.destroy(new Error('broken'));
  t.equal(await outcome, 'it closed the connection');
  const [gone] = pair();
  gone.destroy();
  await once(gone, 'close');
  t.equal(await run(gone, 'desktop'), 'it closed the connection');
});

t.test('challenge: leaves no listener on the stream', async t => {
  const [service, desktop] = pair();
  await Promise.all([run(service, 'service'), run(desktop, 'desktop')]);
  for (const event of ['readable', 'end', 'close']) t.equal(service.listenerCount(event), 0, event);
});
