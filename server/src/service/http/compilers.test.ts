import fastify from 'fastify';
import t from 'tap';
import { lazyCompilers } from './compilers.js';

const nonsense = { type: 'no such type' };

t.test('compilers: a schema is compiled by the first request that needs it', async t => {
  const app = fastify({ schemaController: { compilersFactory: lazyCompilers() } });
  app.post('/asks', { schema: { body: nonsense } }, async () => 'ok');
  app.get('/answers', { schema: { response: { 200: nonsense } } }, async () => ({}));
  await app.ready();
  t.equal((await app.inject({ method: 'POST', url: '/asks', body: {} })).statusCode, 500);
  t.equal((await app.inject('/answers')).statusCode, 500);
  await app.close();
});

t.test('compilers: requests are checked, answers have the fields of their schema only', async t => {
  const app = fastify({ schemaController: { compilersFactory: lazyCompilers() } });
  const body = { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } };
  const response = { 200: { type: 'object', properties: { b: { type: 'string' } } } };
  app.post('/', { schema: { body, response } }, async () => ({ b: 'yes', secret: 'no' }));
  const post = async (sent: object) => {
    const { statusCode, body: text } = await app.inject({ method: 'POST', url: '/', body: sent });
    return [statusCode, text];
  };
  for (let turn = 0; turn < 2; turn++) {
    t.same(await post({ a: 1 }), [200, '{"b":"yes"}']);
    t.equal((await post({ a: 'x' }))[0], 400);
    t.equal((await post({}))[0], 400, 'nothing is coerced or filled in');
  }
  await app.close();
});

t.test('compilers: a handler checks a part of its body by itself, and reads the errors', async t => {
  const app = fastify({ schemaController: { compilersFactory: lazyCompilers() } });
  app.post('/', async request => {
    const validate = request.compileValidationSchema({ type: 'object', properties: { a: { type: 'integer' } } });
    return { valid: validate(request.body), paths: (validate.errors ?? []).map(each => each.instancePath) };
  });
  const post = async (sent: object) => (await app.inject({ method: 'POST', url: '/', body: sent })).json<unknown>();
  t.same(await post({ a: 'x' }), { valid: false, paths: ['/a'] });
  t.same(await post({ a: 1 }), { valid: true, paths: [] });
  await app.close();
});
