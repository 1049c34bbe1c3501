import t from 'tap';
import { english } from '../words/english.test.kit.js';
import { keyGroups, type Offered } from './keyGroups.js';
import { en } from './words/en.js';

const anywhere = (offered: Offered): string[] =>
  (keyGroups(english, en, offered)[0]?.rows ?? []).map(({ keys, text }) => `${keys.join(', ')}: ${text}`);

t.test('list of keys: Save and Done only where they are', async t => {
  t.same(anywhere({ isMac: false, save: undefined, isDone: true }), [
    'Control Enter: Scan',
    'Control Shift Enter: Done',
    'Control Z: Undo',
    'Control Y, Control Shift Z: Redo',
    'Control /, ?: Keyboard shortcuts',
  ]);
  t.ok(anywhere({ isMac: false, save: 'pdf', isDone: false }).includes('Control S: Save as PDF'));
  t.ok(anywhere({ isMac: true, save: 'images', isDone: false }).includes('⌘ S: Save all images'));
});

t.test('list of keys: no key is twice in a group, and all have a text', async t => {
  for (const { title, rows } of keyGroups(english, en, { isMac: false, save: 'pdf', isDone: true })) {
    const keys = rows.flatMap(each => each.keys);
    t.same(keys, [...new Set(keys)], title);
    t.ok(
      rows.every(({ text }) => text !== ''),
      title,
    );
  }
});
