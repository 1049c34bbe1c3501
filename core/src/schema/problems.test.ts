import { Ajv } from 'ajv';
import t from 'tap';
import { problemSentence, schemaProblems, type ProblemOptions, type SchemaProblem } from './problems.js';

const origin = [{ type: 'object', properties: { host: { type: 'string' } } }, { type: 'number' }];
const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    $schema: { type: 'string' },
    name: { type: 'string', title: 'the name of a desk', description: 'a desk' },
    listen: {
      type: 'object',
      additionalProperties: false,
      properties: { port: { type: 'integer', minimum: 0, maximum: 65535 } },
    },
    level: { enum: ['low', 'high'] },
    seconds: { type: 'number', exclusiveMinimum: 0, maximum: 60 },
    count: { type: 'integer', minimum: 1 },
    most: { type: 'integer', maximum: 9 },
    on: { type: 'boolean' },
    few: { type: 'array', minItems: 1, maxItems: 3 },
    trays: {
      type: 'array',
      minItems: 1,
      items: { type: 'object', properties: { name: { type: 'string', minLength: 1 } } },
    },
    levels: { type: 'array', uniqueItems: true, items: { enum: ['low', 'high'] } },
    origins: { title: '"*" or a list', anyOf: [{ const: '*' }, { type: 'array', items: { anyOf: origin } }] },
    code: { type: 'string', pattern: '^[a-z]+$' },
    empty: { type: 'object', additionalProperties: false },
  },
};
const check = new Ajv({ allErrors: true, verbose: true, strict: false }).compile(schema);

function problemsOf(value: unknown, options?: ProblemOptions): SchemaProblem[] {
  if (check(value)) throw new Error('it is taken');
  return schemaProblems(check.errors ?? [], options);
}

t.test('problemsOf: each mistake, its path, code, allowed values and found value', async t => {
  const cases: [object, Partial<SchemaProblem>][] = [
    [{ listen: { prot: 1 } }, { path: 'listen.prot', code: 'unknown-key', allowed: ['port'], suggestion: 'port' }],
    [{ wibble: 1 }, { path: 'wibble', code: 'unknown-key' }],
    [{ level: 'loud' }, { path: 'level', code: 'invalid-value', allowed: ['low', 'high'], found: 'loud' }],
    [{ on: 'no' }, { path: 'on', code: 'invalid-value', allowed: [true, false], found: 'no' }],
    [{ trays: [{}, { name: 7 }] }, { path: 'trays[1].name', code: 'invalid-value', found: 7 }],
    [{ levels: ['low', 'mid'] }, { path: 'levels[1]', code: 'invalid-value', allowed: ['low', 'high'] }],
    [{ origins: 7 }, { path: 'origins', code: 'invalid-value', found: 7 }],
    [{ origins: [1, 'x'] }, { path: 'origins[1]', code: 'invalid-value', found: 'x' }],
    [{ origins: [{ host: 7 }] }, { path: 'origins[0].host', code: 'invalid-value', found: 7 }],
    [{ few: [] }, { path: 'few', accepts: 'a list of 1 to 3 items' }],
    [
      { few: [1, 2, 3, 4] },
      { path: 'few', accepts: 'a list of 1 to 3 items', rule: 'must NOT have more than 3 items' },
    ],
  ];
  for (const [value, expected] of cases)
    t.match(problemsOf({ name: 'a', ...value }), [expected], JSON.stringify(value));
  t.match(problemsOf({}), [{ path: 'name', code: 'missing-key' }]);
  t.match(problemsOf([]), [{ path: '', code: 'invalid-value', found: [] }]);
  t.match(problemsOf({}, { root: 'options' }), [{ path: 'options.name' }]);
  t.match(problemsOf(5, { root: 'options' }), [{ path: 'options' }]);
  t.equal(problemsOf({ name: 7, level: 7 }).length, 2, 'each mistake is one');
});

t.test('problemSentence: each kind of problem, one sentence with the key and what it takes', async t => {
  const cases: [object, string][] = [
    [{ listen: { prot: 1 } }, 'Unknown key "listen.prot". Did you mean "port"? Allowed: port.'],
    [{ empty: { a: 1 } }, 'Unknown key "empty.a". Allowed: none.'],
    [{ listen: { port: '53052' } }, 'listen.port takes an integer from 0 to 65535, not "53052".'],
    [{ seconds: 0 }, 'seconds takes a number greater than 0, up to 60, not 0.'],
    [{ count: 1.5 }, 'count takes an integer of at least 1, not 1.5.'],
    [{ most: 10 }, 'most takes an integer up to 9, not 10.'],
    [{ level: 'loud' }, 'level takes one of low, high, not "loud".'],
    [{ on: null }, 'on takes true or false, not null.'],
    [{ trays: [] }, 'trays takes a list that is not empty, not an empty list.'],
    [{ trays: [{ name: '' }] }, 'trays[0].name takes a string that is not empty, not "".'],
    [{ levels: {} }, 'levels takes a list, each item one of low, high, not an object.'],
    [{ levels: ['low', 'low'] }, 'levels must NOT have duplicate items (items ## 0 and 1 are identical).'],
    [{ listen: ['a'] }, 'listen takes a JSON object, not a list.'],
    [{ origins: 'x' }, 'origins takes "*", or a list, each item a JSON object, or a number, not "x".'],
    [{ code: 'A' }, 'code takes a string that matches ^[a-z]+$, not "A".'],
    [{ code: 'A'.repeat(100) }, `code takes a string that matches ^[a-z]+$, not a string of 100 characters.`],
  ];
  for (const [value, sentence] of cases)
    t.same(
      problemsOf({ name: 'a', ...value }).map(each => problemSentence(each)),
      [sentence],
    );
  t.same(
    problemsOf({}).map(each => problemSentence(each)),
    ['Missing key "name". It takes a string.'],
  );
  t.same(
    problemsOf(null).map(each => problemSentence(each, 'the file')),
    ['the file takes a JSON object, not null.'],
  );
});

t.test('problemSentence: a schema that describes its strings, its own description', async t => {
  const said = (value: object, words: 'title' | 'description') =>
    problemsOf(value, { words }).map(each => problemSentence(each));
  t.same(said({}, 'title'), ['Missing key "name". It takes the name of a desk.']);
  t.same(said({}, 'description'), ['Missing key "name". It takes a desk.']);
  t.same(said({ name: 'a', origins: 7 }, 'title'), ['origins takes "*" or a list, not 7.']);
});
