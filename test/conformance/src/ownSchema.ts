/** What core asks of a schema with which requests are checked. */
import assert from 'node:assert/strict';

const NAME = /^[A-Za-z][\w-]{0,49}$/;

export function assertName(name: unknown, what: string): void {
  assert.ok(typeof name === 'string' && NAME.test(name), `${what} is letters, digits, - and _, from a letter`);
}

/** @param schema absent: nothing is accepted */
export function assertSchema(schema: unknown, what: string): void {
  if (schema === undefined) return;
  assert.ok(typeof schema === 'object' && schema !== null && !Array.isArray(schema), `${what} is a JSON Schema`);
  const { type = 'object' } = schema as { readonly type?: unknown };
  assert.equal(type, 'object', `${what} describes an object`);
  assert.doesNotMatch(JSON.stringify(schema), /"\$(?:ref|dynamicRef|id)":"/, `${what} has no $ref and no $id`);
}
