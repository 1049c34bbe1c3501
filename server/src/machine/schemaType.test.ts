/** The builders, compared with typebox's own. */
import t from 'tap';
import { Type as Typebox, type TSchema } from 'typebox';
import { Default } from 'typebox/value';
import { Type } from './schemaType.js';

/** The same schema by either set of builders. */
const schemas = (T: typeof Type): Readonly<Record<string, TSchema>> => ({
  text: T.String({ minLength: 1, description: 'a' }),
  numbers: T.Array(T.Union([T.Number(), T.Integer({ minimum: 0 })]), { maxItems: 2 }),
  literals: T.Union([T.Literal('*'), T.Literal(true), T.Literal(1)], { title: 'L' }),
  enumeration: T.Enum(['a', 'b'], { default: 'a' }),
  nothing: T.Null(),
  anything: T.Unknown({ description: 'a' }),
  record: T.Record(T.String(), T.Boolean(), { title: 'R' }),
  unsafe: T.Unsafe<string>({ type: 'string', format: 'x' }),
  unsafeUnion: T.Unsafe<string>(T.Union([T.String(), T.Null()])),
  optional: T.Object({ a: T.Optional(T.String({ default: 'x' })), b: T.Integer() }, { title: 'O' }),
  allOptional: T.Object({ a: T.Optional(T.Array(T.String())) }),
  empty: T.Object({}),
});

const [ours, theirs] = [schemas(Type), schemas(Typebox as unknown as typeof Type)];

for (const name of Object.keys(theirs)) {
  t.test(`Type: ${name}, as typebox makes it`, async t => {
    t.equal(JSON.stringify(ours[name]), JSON.stringify(theirs[name]));
  });
}

t.test('Type: a mark of an optional property is kept where the schema is used again', async t => {
  const { a } = Type.Object({ a: Type.Optional(Type.String()) }).properties;
  t.notOk('required' in Type.Object({ a }));
});

t.test("Type: typebox's functions know the schemas", async t => {
  const schema = Type.Object({ a: Type.Optional(Type.Enum(['x', 'y'], { default: 'y' })) });
  t.same(Default(schema, {}), { a: 'y' });
});
