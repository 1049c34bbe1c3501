import t from 'tap';
import { PlatenError } from '../../client/errors.js';
import { finding } from '../../client/diagnosis/findings.js';
import { createNotices, type Notice, type Notices } from './notices.js';
import { fakeContext, kept } from '../pages/sheets.test.kit.js';

const titles = ({ all }: Notices): string => all.map(({ title }) => title).join(', ');
const action = { text: 'Do it', run: () => undefined };

t.test('notices: a new one replaces the others; one beside them leaves alerts that offer something', async t => {
  const notices = createNotices(fakeContext());
  notices.show('note', { title: 'one' });
  notices.show('alert', { title: 'two', action });
  t.equal(titles(notices), 'two');
  notices.show('note', { title: 'three', beside: true, action });
  notices.show('note', { title: 'four', beside: true });
  t.equal(titles(notices), 'two, four');
  notices.clearOutdated();
  t.equal(titles(notices), 'two');
  notices.show('alert', { title: 'five' });
  t.equal(titles(notices), 'five');
  notices.clearOutdated();
  t.equal(titles(notices), '', 'an alert that offers nothing is outdated');
  notices.show('alert', { title: 'how it ended', stays: true });
  notices.clearOutdated();
  t.equal(titles(notices), 'how it ended', 'whatever the scanners are now');
  notices.show('alert', { title: 'six', action });
  notices.clear();
  t.equal(titles(notices), '');
});

t.test('notices: whoever shows one can close it; once', async t => {
  const notices = createNotices(fakeContext());
  const gone: string[] = [];
  const close = notices.show('note', { title: 'one', onGone: () => gone.push('one') });
  notices.show('note', { title: 'two', onGone: () => gone.push('two') });
  t.same(gone, ['one'], 'replaced');
  close();
  t.same(gone, ['one']);
  t.equal(titles(notices), 'two');
});

t.test('notices: pressed, it runs and is not given up; closed, it is. The focus goes to the pages', async t => {
  const context = fakeContext();
  const notices = createNotices(context);
  const done: string[] = [];
  const notice: Notice = {
    title: 'removed',
    action: { text: 'Undo', run: () => done.push('undone') },
    onGone: () => done.push('gone'),
  };
  notices.show('note', notice);
  notices.act(notices.all[0]!);
  t.same(done.splice(0), ['undone']);
  t.same(context.focused.splice(0), ['pages']);
  notices.show('note', notice);
  notices.close(notices.all[0]!);
  t.same(done, ['gone']);
  t.same(context.focused, ['pages']);
  t.equal(titles(notices), '');
});

t.test('notices: what its action shows stays', async t => {
  const notices = createNotices(fakeContext());
  notices.show('alert', {
    title: 'full',
    action: { text: 'Make room', run: () => notices.show('note', { title: 'room' }) },
  });
  notices.act(notices.all[0]!);
  t.equal(titles(notices), 'room');
});

t.test('failures: the title and the remedy of the code, the service’s sentence as a detail', async t => {
  const notices = createNotices(fakeContext());
  await notices.fail(new PlatenError('busy', 'Feeder A scans for another page.'));
  t.match(notices.all, [
    { kind: 'alert', title: /busy/, detail: 'Feeder A scans for another page.', remedy: /try again/ },
  ]);
  t.equal(notices.all[0]?.text, '');
  await notices.fail(new PlatenError('busy', 'The scanner is busy.'));
  t.equal(notices.all[0]?.detail, undefined, 'it says the same as the title');
  await notices.fail(new PlatenError('cancelled', 'The scan was cancelled.'));
  t.match(notices.all, [{ kind: 'note', title: /cancelled/ }]);
  await notices.fail(new TypeError('x is undefined'));
  t.match(notices.all, [{ kind: 'alert', title: /on this page/, detail: 'x is undefined' }]);
});

t.test('failures: the pages before it are kept, and the person reads so', async t => {
  const notices = createNotices(fakeContext());
  const page = { ...kept('one', 1).page, blob: new Blob(['x']), pageNumber: 1, fileSizeBytes: 1 };
  await notices.fail(new PlatenError('paper-jam', 'Paper is jammed.', { pages: [page] }));
  t.match(notices.all[0]?.text, /^The page /);
  await notices.fail(new PlatenError('paper-jam', 'Paper is jammed.', { pages: [page, page] }));
  t.match(notices.all[0]?.text, /^The pages /);
});

t.test('failures: a service that does not answer is examined; nothing else is', async t => {
  const notices = createNotices(fakeContext());
  let looks = 0;
  const look = async () => {
    looks++;
    return [finding('refused-port', { address: 'https://localhost:1' }), finding('silent')];
  };
  await notices.fail(new PlatenError('device-offline', 'Switched off.'), { diagnose: look });
  t.equal(looks, 0);
  await notices.fail(new PlatenError('no-answer', 'The service does not answer.'), { diagnose: look });
  t.match(notices.all, [{ text: /at https:\/\/localhost:1:/, detail: undefined, remedy: /Start the service/ }]);
  t.equal(looks, 1);
  for (const found of [async () => [], async () => Promise.reject(new Error('nothing'))]) {
    await notices.fail(new PlatenError('no-answer', 'Nothing at all.'), { diagnose: found });
    t.match(notices.all, [
      { title: /does not answer/, text: '', detail: 'Nothing at all.', remedy: /Start the service/ },
    ]);
  }
});

t.test('failures: the address is a link; a service that may not be installed, the application’s page', async t => {
  const notices = createNotices(fakeContext());
  const address = 'https://localhost:1';
  const linksFor = async (name: 'unreachable' | 'untrusted', install?: string): Promise<string[]> => {
    const diagnose = async () => [finding(name, { address })];
    await notices.fail(new PlatenError('no-answer', 'Nothing.'), { diagnose, install });
    return JSON.stringify(notices.all[0]?.remedy).match(/https:[^"]*/g) ?? [];
  };
  t.same(new Set(await linksFor('unreachable')), new Set([`${address}/`]));
  t.same(
    new Set(await linksFor('unreachable', 'https://a.example/get')),
    new Set([`${address}/`, 'https://a.example/get']),
  );
  t.same(await linksFor('untrusted', 'https://a.example/get'), [], 'it is installed');
});

t.test('failures: a scanner that is away is looked for from the message', async t => {
  const notices = createNotices(fakeContext());
  let looks = 0;
  await notices.fail(new PlatenError('device-not-found', 'Gone.'), { look: () => looks++ });
  notices.act(notices.all[0]!);
  t.equal(looks, 1);
});
