/** The assembled dialog, without a service. */
import t from 'tap';
import { createScanDialog } from './scanDialog.js';
import { optionsOf } from './options.js';
import { fakeContext, kept } from './pages/sheets.test.kit.js';

/** @param actions the element's attribute */
function dialog(actions: string) {
  return createScanDialog({
    context: fakeContext(),
    own: fakeContext().memory,
    options: () => optionsOf(name => (name === 'actions' ? actions : null), undefined),
    onFiles: () => undefined,
    onError: () => undefined,
  });
}

t.test('scan dialog: saved, a document is set aside by the next one, but not where it may be in a form', async t => {
  for (const [actions, isSeen] of [
    ['save', true],
    ['done save', false],
  ] as const) {
    const { shownDocument, keepSaved } = dialog(actions);
    const { stack } = shownDocument;
    stack.add([kept('a', 1)], 'first');
    const saved = { sheets: stack.all, layout: stack.layout, name: 'one.pdf', bytes: 7 };
    t.equal(keepSaved(saved), isSeen, actions);
  }
});
