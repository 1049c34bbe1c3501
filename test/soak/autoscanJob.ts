/** An auto-scan from its beginning to its end, with a reader that leaves and comes back. */
import { fileOf, type Image } from '../spec/calls.js';
import { sheets } from '../topology/sheets.js';
import { imageFacts, ink, type Desk } from './desk.js';

/** @param count documents, inserted one by one */
export async function autoscanOf({ caller, house, random }: Desk, count: number, parameters: object): Promise<void> {
  const { feeder } = house;
  await caller.call('POST', '/api/twain/autoscan/enable', [200], {
    body: { scannerName: feeder.name, parameters },
  });
  let stream = await caller.events([200], {});
  let last: string | undefined;
  for (let number = 1; number <= count; number++) {
    const leaves = random.chance(0.3);
    if (leaves) stream.hangUp();
    await feeder.insert(sheets(ink(random)));
    if (leaves) stream = await caller.events([200], last === undefined ? {} : { lastEventId: last });
    const before = leaves ? 0 : stream.events.length;
    const event = (await stream.come(before + 1)).at(before);
    const image = event?.data as Image;
    caller.expect(image.pageNumber === number, () => `auto-scan: page ${image.pageNumber}, not ${number}`);
    await caller.page(fileOf(image), imageFacts(image));
    last = event?.id;
  }
  await caller.call('POST', '/api/twain/autoscan/disable', [200]);
  await stream.ended;
  const body = { kind: 'twainlocalscanner', method: 'closeSource' };
  await caller.call('POST', '/api/twain', [200], { body });
}
