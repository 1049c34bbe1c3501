/** Image checks on a thread: answers come in order, and the page keeps its bytes. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { lacking, testJpeg } from '@platen/conformance';
import t from 'tap';
import { checkImage } from './imageCheck.js';

t.test('imageCheck: complete and truncated images in turn, each gets its own answer and keeps its bytes', async t => {
  const { file } = testJpeg();
  const torn = file.subarray(0, file.length >> 1);
  const claim = { mimeType: 'image/jpeg', width: 100, height: 60, pixels: 'rgb24' } as const;
  const asked = [file, torn, file, torn, file].map(data => checkImage({ ...claim, data }));
  t.same(
    (await Promise.all(asked)).map(({ fault }) => fault === undefined),
    [true, false, true, false, true],
  );
  t.ok(file.length > 0 && torn.length > 0, 'the data were not transferred');
  t.same(await checkImage({ ...claim, data: file }), {}, 'also after it has rested');
});

t.test(
  'imageCheck: no thread can be started, images are still checked',
  { skip: process.platform !== 'linux' ? 'prlimit is of Linux' : lacking('prlimit') },
  async t => {
    const script = `
    import { Worker } from 'node:worker_threads';
    import { openSync } from 'node:fs';
    const { checkImage } = await import(${JSON.stringify(new URL('./imageCheck.js', import.meta.url).href)});
    const { testJpeg } = await import(${JSON.stringify(import.meta.resolve('@platen/conformance'))});
    const { file } = testJpeg();
    const claim = { mimeType: 'image/jpeg', width: 100, height: 60, pixels: 'rgb24' };
    try { for (;;) openSync('/dev/null'); } catch {}
    const [whole, torn] = [await checkImage({ ...claim, data: file }), await checkImage({ ...claim, data: file.subarray(0, file.length >> 1) })];
    console.log(JSON.stringify([whole.fault === undefined, torn.fault === undefined]));
  `;
    const { stdout } = await promisify(execFile)(
      'prlimit',
      ['--nofile=256', process.execPath, '--input-type=module', '-e', script],
      { env: { PATH: process.env['PATH'] } },
    );
    t.same(JSON.parse(stdout), [true, false]);
  },
);
