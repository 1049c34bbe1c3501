import t from 'tap';
import { JsonError, keyTwice, parseJson } from './json.js';

const fault = (text: string): JsonError => {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonError) return error;
    throw error;
  }
  throw new Error(`was taken: ${text}`);
};

t.test('parseJson: the offset of the first error', async t => {
  const cases: [string, number][] = [
    ['', 0],
    ['   ', 3],
    ['{', 1],
    ['{"a"', 4],
    ['{"a":', 5],
    ['{"a":}', 5],
    ['{"a":1,}', 7],
    ['{"a":1 "b":2}', 7],
    ['[1,2', 4],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['{a:1}', 1],
    ["{'a':1}", 1],
    ['{"a":tru}', 5],
    ['{"a":01}', 6],
    ['1 2', 2],
    ['"abc', 4],
    ['"a\\q"', 2],
    ['"a\nb"', 2],
    ['{"a":[1,{"b":nul}]}', 13],
    ['[1.]', 2],
    ['{"a":1]', 6],
    ['\ufeff{', 2],
  ];
  for (const [text, offset] of cases) t.equal(fault(text).characterOffset, offset, JSON.stringify(text));
});

t.test('parseJson: the error has line and column, and does not quote the text', async t => {
  const error = fault('{\n  "secret": 1,\n  oops\n}');
  t.match({ line: error.line, column: error.column }, { line: 3, column: 3 });
  t.notMatch(error.message, /secret|oops/);
  t.match(fault('{').message, /ends too early/);
});

t.test('parseJson: accepts what JSON.parse accepts', async t => {
  for (const text of ['0', '-1.5e+3', '"\\u00e9\\n"', '[]', '{}', ' [1, {"a": [null, true]}] ']) {
    t.same(parseJson(text), JSON.parse(text), text);
  }
  t.same(parseJson('\ufeff{"a":1}'), { a: 1 }, 'a byte order mark is ignored');
});

t.test('parseJson: drops keys that reach the prototype, also escaped ones', async t => {
  const value = parseJson('{"a":1,"__proto__":{"x":1},"b":{"constructor":{"prototype":{}},"c":2},"\\u005f_proto__":3}');
  t.same(value, { a: 1, b: { c: 2 } });
  t.notOk(Object.hasOwn(value as object, '__proto__'));
});

t.test('parseJson: deep nesting does not overflow the call stack', async t => {
  t.equal(fault('['.repeat(60_000)).characterOffset, 60_000);
  const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
  t.same(Object.keys(parseJson(`{"constructor":${deep},"a":1}`) as object), ['a']);
  let inner = parseJson(`${'{"a":'.repeat(10_000)}{"constructor":1,"b":2}${'}'.repeat(10_000)}`);
  for (let depth = 0; depth < 10_000; depth++) inner = (inner as { a: unknown }).a;
  t.same(inner, { b: 2 });
  t.equal(fault(`{"constructor":${deep}`).characterOffset, 60_015);
});

t.test('keyTwice: at any depth, however it is written, with both lines', async t => {
  const cases: [string, object | undefined][] = [
    ['{"a": 1, "b": 2}', undefined],
    ['{"a": {"a": [{"a": 1}, {"a": 2}]}, "b": {"a": 1}}', undefined],
    ['["a", "a", {}, {}]', undefined],
    ['{"a": "a", "b": "a"}', undefined],
    ['{"a": 1,\n"a": 2}', { key: 'a', line: 2, firstLine: 1 }],
    ['\ufeff{\n"x": [1, {"c": {},\n\n"\\u0063": 0}]}', { key: 'c', line: 4, firstLine: 2 }],
    ['{"a": {"b": 1}, "c": {"b": 1, "d": {}, "b": 2}}', { key: 'b', line: 1, firstLine: 1 }],
    ['{"__proto__": 1, "__proto__": 2}', { key: '__proto__', line: 1, firstLine: 1 }],
    [`${'['.repeat(100_000)}{"a":1,"a":2}${']'.repeat(100_000)}`, { key: 'a', line: 1, firstLine: 1 }],
  ];
  for (const [text, found] of cases) t.same(keyTwice(text), found, text.slice(0, 60));
});
