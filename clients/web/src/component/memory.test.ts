import t, { type Test } from 'tap';
import { createMemory } from './memory.js';

/** As browsers have it. @param most characters of all values */
function storage(most = Infinity): Storage {
  const values = new Map<string, string>();
  return {
    get length() {
      return values.size;
    },
    key: at => [...values.keys()][at] ?? null,
    getItem: name => values.get(name) ?? null,
    setItem(name, value) {
      if (value.length > most) throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
      values.set(name, value);
    },
    removeItem: name => void values.delete(name),
    clear: () => values.clear(),
  };
}

function browserWith(t: Test, local: () => Storage, tab: Storage = storage()): void {
  const properties = { localStorage: { get: local }, sessionStorage: { get: () => tab } };
  for (const [name, property] of Object.entries(properties))
    Object.defineProperty(globalThis, name, { ...property, configurable: true });
  t.teardown(() => {
    for (const name of Object.keys(properties)) Reflect.deleteProperty(globalThis, name);
  });
}

t.test('memory: each component has its own names, in the browser or in the tab', async t => {
  const [local, tab] = [storage(), storage()];
  browserWith(t, () => local, tab);
  const [one, two] = [createMemory('platen.one.'), createMemory('platen.two.')];
  one.remember('choice', { dpi: 300 });
  one.remember('choice', 'of the tab', 'tab');
  t.same(one.recall('choice'), { dpi: 300 });
  t.equal(one.recall('choice', 'tab'), 'of the tab');
  t.equal(two.recall('choice'), undefined);
  t.equal(local.getItem('platen.one.choice'), '{"dpi":300}');
  one.remember('choice', undefined);
  t.equal(one.recall('choice'), undefined);
  t.equal(local.length, 0, 'undefined is forgotten');
  t.equal(one.recall('choice', 'tab'), 'of the tab');
});

t.test('memory: what another program stored there is as if nothing was', async t => {
  const local = storage();
  browserWith(t, () => local);
  local.setItem('platen.choice', '{');
  t.equal(createMemory('platen.').recall('choice'), undefined);
});

t.test('memory: a full storage, and a browser that forbids it: nothing is remembered, nothing fails', async t => {
  const full = storage(5);
  browserWith(t, () => full);
  const memory = createMemory('platen.');
  memory.remember('short', 1);
  memory.remember('long', 'a long sentence');
  t.equal(memory.recall('short'), 1);
  t.equal(memory.recall('long'), undefined);
  browserWith(t, () => {
    throw new DOMException('The operation is insecure.', 'SecurityError');
  });
  memory.remember('short', 2);
  t.equal(memory.recall('short'), undefined);
});
