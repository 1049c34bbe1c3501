/** Names of answers that are saved as files. */
import t from 'tap';
import { attachmentOf } from './attachment.js';

t.test('attachmentOf: a name in any script, twice: in ASCII, and as it is', async t => {
  const cases = [
    ['Invoice 17.pdf', 'Invoice 17.pdf', 'Invoice%2017.pdf'],
    ['Straße “1”.pdf', 'Stra_e _1_.pdf', 'Stra%C3%9Fe%20%E2%80%9C1%E2%80%9D.pdf'],
    ["100% (it's).pdf", "100_ (it's).pdf", '100%25%20%28it%27s%29.pdf'],
  ] as const;
  for (const [file, plain, extended] of cases)
    t.equal(attachmentOf(file), `attachment; filename="${plain}"; filename*=UTF-8''${extended}`);
});

t.test('attachmentOf: characters that become ASCII, no path and nothing hidden', async t => {
  for (const [file, plain] of [
    ['．．／x.pdf', '_._x.pdf'],
    ['℀＼：＊？＂＜＞｜％.pdf', 'a_c_________.pdf'],
    ['\u0301.pdf', '_pdf'],
  ] as const)
    t.equal(attachmentOf(file).split('; filename*')[0], `attachment; filename="${plain}"`);
});
