/** The order of paper, and what is none. */
import t from 'tap';
import { traySheets } from './traySheets.js';

const fronts = (...names: string[]) => traySheets(names).map(sheet => sheet.front);

t.test('traySheets: names sorted by their numbers', async t => {
  t.same(fronts('page10.png', 'page2.png', 'page1.png'), ['page1.png', 'page2.png', 'page10.png']);
});

t.test('traySheets: front and back are one sheet, whatever their formats', async t => {
  t.same(traySheets(['b.png', 'a.back.jpg', 'a.front.PNG', 'c.Back.png']), [
    { front: 'a.front.PNG', back: 'a.back.jpg' },
    { front: 'b.png', back: undefined },
    { front: undefined, back: 'c.Back.png' },
  ]);
});

t.test('traySheets: a second front of the same name, another sheet', async t => {
  t.same(traySheets(['a.front.jpg', 'a.front.png', 'a.back.png']).length, 2);
});

t.test('traySheets: a name that only looks like a side, a separate sheet', async t => {
  t.same(fronts('front.png', 'my front.png', 'x.frontal.png'), ['front.png', 'my front.png', 'x.frontal.png']);
});

t.test('traySheets: hidden, system and unfinished files are ignored', async t => {
  t.same(
    fronts('.DS_Store', '.x.png', 'Thumbs.db', 'desktop.ini', 'a.png.part', 'b.crdownload', 'c.tmp', 'd.png~'),
    [],
  );
});
