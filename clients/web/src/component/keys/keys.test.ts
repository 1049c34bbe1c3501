import t from 'tap';
import { keyAction, type Focused, type PressedKey } from './keys.js';

/** @param keys such as `Control+Shift+Enter` */
function pressed(keys: string, more: Partial<PressedKey> = {}): PressedKey {
  const held = keys.split('+');
  const key = held.pop() ?? '';
  const has = (name: string): boolean => held.includes(name);
  return {
    ...{ key, code: '', isComposing: false },
    altKey: has('Alt'),
    ctrlKey: has('Control'),
    metaKey: has('Meta'),
    shiftKey: has('Shift'),
    ...more,
  };
}

const actions = (focused: Focused, ...keys: readonly string[]): unknown[] =>
  keys.map(each => keyAction(pressed(each), focused));

t.test('keys: Scan, Save, Done, undo, redo and the list, with Ctrl and with Cmd', async t => {
  for (const command of ['Control', 'Meta'])
    t.same(
      actions(
        'other',
        ...['Enter', 's', 'Shift+Enter', 'z', 'Shift+Z', 'y'].map(each => `${command}+${each}`),
        'Shift+?',
        '?',
      ),
      ['scan', 'save', 'done', 'undo', 'redo', 'redo', 'list', 'list'],
      command,
    );
});

t.test('keys: elsewhere in the page, none without Ctrl', async t => {
  t.equal(keyAction(pressed('?'), 'other', false), undefined);
  for (const each of ['Control+/', 'Meta+/', 'Control+Shift+/'])
    t.same([keyAction(pressed(each), 'other', false), keyAction(pressed(each), 'text')], ['list', 'list'], each);
});

t.test('keys: others are not taken', async t => {
  const others = [
    'Enter',
    's',
    'z',
    'Shift+Enter',
    'Alt+Control+Enter',
    'Alt+?',
    'Control+?',
    'Control+Shift+S',
    'Control+p',
  ];
  t.same(
    actions('other', ...others),
    others.map(() => undefined),
  );
  t.equal(keyAction(pressed('?', { isComposing: true }), 'other'), undefined);
});

t.test('keys: a field keeps the keys that it uses', async t => {
  const keys = ['Control+Enter', 'Control+s', 'Control+Shift+Enter', 'Control+z', 'Control+y', '?'];
  t.same(actions('text', ...keys), ['scan', 'save', 'done', undefined, undefined, undefined]);
  t.same(actions('choice', ...keys), ['scan', 'save', 'done', 'undo', 'redo', undefined]);
  t.same(actions('link', ...keys), [undefined, 'save', undefined, 'undo', 'redo', 'list'], 'a link opens a tab');
  t.same(
    actions('many-lines', ...keys),
    keys.map(() => undefined),
  );
});

t.test('keys: on a keyboard of another script, the letter in its place', async t => {
  t.equal(keyAction(pressed('Control+س', { code: 'KeyS' }), 'other'), 'save');
  t.equal(keyAction(pressed('Control+я', { code: 'KeyZ' }), 'other'), 'undo');
  t.equal(
    keyAction(pressed('Control+w', { code: 'KeyZ' }), 'other'),
    undefined,
    'AZERTY: the letter that is on the key',
  );
  for (const mark of ['؟', '？']) t.equal(keyAction(pressed(`Shift+${mark}`), 'other'), 'list', mark);
});
