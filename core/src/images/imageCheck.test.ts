/** Images looked through on a thread: answers come in order, and the page keeps its bytes. */
import t from 'tap';
import { testJpeg } from '../testing/testJpeg.js';
import { checkImage } from './imageCheck.js';

t.test('each is answered as its own, whole and torn ones in turn, and keeps its bytes', async t => {
  const { file } = testJpeg();
  const torn = file.subarray(0, file.length >> 1);
  const claim = { mimeType: 'image/jpeg', width: 100, height: 60, pixels: 'rgb24' } as const;
  const asked = [file, torn, file, torn, file].map(data => checkImage({ ...claim, data }));
  t.same((await Promise.all(asked)).map(({ fault }) => fault === undefined), [true, false, true, false, true]);
  t.ok(file.length > 0 && torn.length > 0, 'nothing was given away');
  t.same(await checkImage({ ...claim, data: file }), {}, 'also after it has rested');
});
