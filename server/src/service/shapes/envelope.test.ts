/** The fields that every answer of `POST /api/twain` repeats, and how it reports failures. */
import t from 'tap';
import { driverCodes, InvalidValue, ScanError, serviceCodes } from '@platen/core';
import { HttpError } from '../http/errors.js';
import { commandOf, failureData, resultsOf } from './envelope.js';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

t.test('envelope: a command without an id gets a new one', async t => {
  const ids = [
    commandOf({ method: 'scan' }),
    commandOf({}),
    commandOf(undefined),
    commandOf(null),
    commandOf([]),
    commandOf('x'),
    commandOf(5),
  ].map(each => each.commandId);
  for (const id of ids) t.match(id, uuid);
  t.equal(new Set(ids).size, ids.length);
});

t.test('envelope: repeats an id, unless a header could not carry it', async t => {
  for (const id of ['a', '7', 'a~b/c=!{}', 'x'.repeat(200)]) t.equal(commandOf({ commandId: id }).commandId, id);
  for (const id of ['', 'a b', 'a\r\nb', 'ü', '\u0000', 'x'.repeat(201), 7, null, {}, ['a']])
    t.match(commandOf({ commandId: id }).commandId, uuid, JSON.stringify(id));
});

t.test("envelope: kind is constant, method is the request's if it is a string", async t => {
  t.match(commandOf({ kind: 'other', method: 'getSources' }), { kind: 'twainlocalscanner', method: 'getSources' });
  for (const method of [undefined, 5, null, {}, ['scan']]) t.equal(commandOf({ method }).method, '');
  t.equal(commandOf({ method: 'x'.repeat(70_000) }).method.length, 100);
});

t.test("envelope: every core code has one of the interface's", async t => {
  t.same(resultsOf(undefined), { success: true, code: 'success' });
  const codes = Object.fromEntries(
    [...driverCodes, ...serviceCodes].map(code => [code, resultsOf(new ScanError(code, 'A sentence.')).code]),
  );
  t.same(codes, {
    'invalid-value': 'invalidValue',
    'device-not-found': 'invalidValue',
    'no-source-open': 'invalidState',
    busy: 'busy',
    cancelled: 'aborted',
    'no-paper': 'noMedia',
    'paper-jam': 'paperJam',
    'double-feed': 'doubleFeed',
    'cover-open': 'coverOpen',
    timeout: 'timeout',
    'not-connected': 'critical',
    'device-offline': 'critical',
    unsupported: 'critical',
    'driver-failed': 'critical',
    'autoscan-off': 'critical',
    'storage-failed': 'critical',
    'storage-full': 'critical',
    'no-pages': 'critical',
    'service-ended': 'critical',
    internal: 'critical',
  });
  for (const thrown of [new Error('x'), 'x', null, { code: '__proto__' }, { code: 'ENOENT' }])
    t.same(resultsOf(thrown), { success: false, code: 'critical' });
});

t.test('envelope: results and data name the invalid field, or the position of the JSON error', async t => {
  const value = new InvalidValue('jpegQuality', 'an integer from 1 to 100');
  t.same(resultsOf(value), { success: false, code: 'invalidValue', jsonKey: 'jpegQuality' });
  t.same(failureData(value, value.message), {
    message: 'jpegQuality takes an integer from 1 to 100',
    jsonKey: 'jpegQuality',
  });
  t.same(resultsOf(new ScanError('device-not-found', 'No.')), {
    success: false,
    code: 'invalidValue',
    jsonKey: 'sourceName',
  });
  const json = Object.assign(new HttpError('invalid-json', 'No JSON.'), { characterOffset: 17 });
  t.same(resultsOf(json), { success: false, code: 'invalidJson', characterOffset: 17 });
  t.same(failureData(json, json.message), { message: 'No JSON.', characterOffset: 17 });
  t.same(failureData(new Error('secret'), 'The log says why.'), { message: 'The log says why.' });
});
