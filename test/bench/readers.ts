/** The process that reads auto-scan's events, over as many streams as it is told. */
import { writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';

export interface ReadersTask {
  readonly port: number;
  readonly scannerName: string;
  readonly readers: number;
  readonly pages: number;
  /** This file is made once every stream is open. */
  readonly go: string;
}

export interface ReadersTaking {
  /**
   * For each page, when the first and when the last reader had all of its event: nanoseconds of the monotonic clock, as
   * text.
   */
  readonly first: readonly string[];
  readonly last: readonly string[];
}

process.on('message', (task: ReadersTask) => {
  read(task).then(
    taking => process.send?.({ taking }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});

async function read({ port, scannerName, readers, pages, go }: ReadersTask): Promise<ReadersTaking> {
  const agent = new Agent({ rejectUnauthorized: false, maxSockets: readers + 1, keepAlive: true });
  const parameters = { imageFormat: 'Jpeg', resolution: 300, colorMode: 'Color', pageSize: 'A4' };
  await call(agent, port, 'POST', '/api/twain/autoscan/enable', JSON.stringify({ scannerName, parameters }));
  const times: bigint[][] = Array.from({ length: pages }, () => []);
  const streams = await Promise.all(
    Array.from({ length: readers }, () => open(agent, port, (page, at) => times[page]?.push(at))),
  );
  await writeFile(go, '');
  while (times.some(each => each.length < readers)) await new Promise(resolve => setTimeout(resolve, 20));
  await call(agent, port, 'POST', '/api/twain/autoscan/disable', '');
  await Promise.all(streams.map(stream => stream.ended));
  agent.destroy();
  const sorted = times.map(each => [...each].sort((a, b) => Number(a - b)));
  return { first: sorted.map(each => String(each[0])), last: sorted.map(each => String(each.at(-1))) };
}

function call(agent: Agent, port: number, method: string, path: string, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = body === '' ? {} : { 'content-type': 'application/json' };
    const sent = request(
      { agent, host: '127.0.0.1', port, method, path, headers: { host: `localhost:${port}`, ...headers } },
      response => {
        response
          .resume()
          .on('end', () =>
            response.statusCode === 200 ? resolve() : reject(new Error(`${path} answered ${response.statusCode}`)),
          );
      },
    );
    sent.on('error', reject).end(body);
  });
}

const IMAGE = Buffer.from('event: image');
const END = Buffer.from('\n\n');

/** Resolves once the stream's headers are there. Events are counted, not parsed: the client must cost little. */
function open(
  agent: Agent,
  port: number,
  onImage: (page: number, at: bigint) => void,
): Promise<{ ended: Promise<void> }> {
  return new Promise((resolve, reject) => {
    request(
      { agent, host: '127.0.0.1', port, path: '/api/twain/autoscan/events', headers: { host: `localhost:${port}` } },
      response => {
        if (response.statusCode !== 200) return reject(new Error(`the stream answered ${response.statusCode}`));
        let page = 0;
        let image = false;
        let tail = Buffer.alloc(0);
        response.on('data', (chunk: Buffer) => {
          const seen = Buffer.concat([tail, chunk]);
          let from = 0;
          for (let end = seen.indexOf(END); end >= 0; end = seen.indexOf(END, from)) {
            if (image || seen.subarray(from, end).includes(IMAGE)) onImage(page++, process.hrtime.bigint());
            image = false;
            from = end + END.length;
          }
          image ||= seen.subarray(from, from + 200).includes(IMAGE);
          // Enough to find what is cut between two chunks, and the head of an event that has just begun.
          tail = Buffer.from(image ? seen.subarray(Math.max(from, seen.length - 1)) : seen.subarray(from));
        });
        resolve({ ended: new Promise(done => response.on('close', done)) });
      },
    )
      .on('error', reject)
      .end();
  });
}
