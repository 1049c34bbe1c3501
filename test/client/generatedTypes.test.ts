/** Types that openapi-typescript makes of the served document: `success` tells an answer's shapes apart. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import openapiTypes, { astToString } from 'openapi-typescript';
import t, { type Test } from 'tap';
import { clone } from '../packages/clone.js';
import { start } from '../spec/specTest.js';
import { virtualTopology } from '../topology/virtualTopology.js';

const fixture = await start(t, virtualTopology);
const { text } = await fixture.request('GET', '/openapi.json');
const api = astToString(await openapiTypes(text));

const options = ['--noEmit', '--strict', '--ignoreConfig', '--module', 'nodenext', '--types', '', '--pretty', 'false'];

const opening = `import type { components, operations } from './api.js';
type Scanned = operations['scan']['responses'][200]['content']['application/json'];
type Failed = operations['scan']['responses'][500]['content']['application/json'];
type Direct = components['schemas']['DirectAnswer'];
type Status = components['schemas']['ServiceStatus'];
`;

/** The compiler's errors, by the program that has them; the programs import the types. */
function errorsOf(t: Test, ...programs: readonly string[]): string[][] {
  const files = Object.fromEntries(programs.map((program, at) => [`program${at}.ts`, opening + program]));
  const folder = t.testdir({ ...files, 'api.ts': api, 'package.json': '{"type":"module"}' });
  const compiler = join(clone, 'node_modules', 'typescript', 'bin', 'tsc');
  const { stdout, stderr } = spawnSync(process.execPath, [compiler, ...options, ...Object.keys(files)], {
    cwd: folder,
    encoding: 'utf8',
  });
  const lines = `${stdout}${stderr}`.split('\n').filter(line => line !== '' && !line.startsWith(' '));
  const found = programs.map((_, at) => lines.filter(line => line.startsWith(`program${at}.ts(`)));
  t.same(
    lines.filter(line => !found.flat().includes(line)),
    [],
    'no other error',
  );
  return found;
}

t.test('generated types: narrowed by success, an answer has the fields of its shape', async t => {
  const program = `export function pagesOf(answer: Scanned | Failed): number | string {
  if (answer.success) return answer.images.length;
  const reason: string = answer.error;
  if (!('status' in answer)) return reason;
  const jam: boolean = answer.status === 'PaperJam';
  return jam ? answer.images.length : reason;
}
export const field = ({ results }: Direct) => (results.success ? results.code satisfies 'success' : results.jsonKey);
export const sure = (status: Status): true => status.success;
`;
  t.same(errorsOf(t, program), [[]]);
});

t.test('generated types: a field of another shape, or an unknown word, does not compile', async t => {
  const wrong = {
    'export const f = (answer: Scanned | Failed) => answer.success && answer.error;': /TS2339: .*'error'/,
    'export const f = (answer: Scanned | Failed) => answer.images;': /TS2339: .*'images'/,
    "export const f = (answer: Scanned) => !answer.success && answer.status === 'Success';": /TS2367/,
    "export const f = (answer: Scanned) => !answer.success && answer.status === 'paper-jam';": /TS2367/,
    'export const f = ({ results }: Direct) => results.jsonKey;': /TS2339: .*'jsonKey'/,
  };
  const found = errorsOf(t, ...Object.keys(wrong));
  for (const [at, [program, error]] of Object.entries(wrong).entries()) {
    t.equal(found[at]?.length, 1, program);
    t.match(found[at]?.[0], error, program);
  }
});
