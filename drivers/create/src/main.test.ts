/** The program: its questions, its flags, what it refuses, and the files that it writes. */
import { exec, spawnSync } from 'node:child_process';
import { createPublicKey, verify } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { kindNames } from './kinds.js';
import { main, type Terminal } from './main.js';

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The questions, in order. */
  readonly asked: readonly string[];
}

/** @param answers of a person; absent: there is no terminal */
async function run(folder: string, args: readonly string[], answers?: readonly string[]): Promise<Run> {
  let [out, err] = ['', ''];
  const asked: string[] = [];
  const terminal: Terminal = {
    isInteractive: answers !== undefined,
    folder,
    async ask(question) {
      const answer = answers?.[asked.push(question) - 1];
      if (answer === undefined) throw new Error(`nobody answers ${question}`);
      return answer;
    },
    print: text => void (out += text),
    complain: text => void (err += text),
  };
  return { code: await main(args, terminal), out, err, asked };
}

/** Its program, as a vendor's `npm run lint` starts it. */
const oxlint = fileURLToPath(new URL('../../../node_modules/oxlint/bin/oxlint', import.meta.url));

const read = (...path: string[]): string => readFileSync(join(...path), 'utf8');
const manifestIn = (folder: string) => JSON.parse(read(folder, 'package.json')) as Record<string, unknown>;
const { version } = JSON.parse(read(fileURLToPath(new URL('..', import.meta.url)), 'package.json')) as {
  version: string;
};

t.test('a name and --yes: a free TypeScript driver, and the next commands', async t => {
  const folder = t.testdir();
  const { code, out, err } = await run(folder, ['@bob/scanner-x2', '--yes']);
  t.equal(code, 0, err);
  const made = join(folder, 'scanner-x2');
  t.match(manifestIn(made), {
    name: '@bob/scanner-x2',
    license: 'MIT',
    peerDependencies: { '@platen/core': `^${version}` },
  });
  t.match(read(made, 'src', 'plugin.ts'), "name: '@bob/scanner-x2'");
  t.match(read(made, 'src', 'driver.ts'), "id: 'scanner-x2'");
  t.match(read(made, 'README.md'), /^# Scanner X2 for Platen\n/);
  for (const file of ['.gitignore', '.github/workflows/test.yml', '.oxlintrc.json', 'LICENSE'])
    t.ok(existsSync(join(made, file)), file);
  for (const file of ['.git', 'vendor.key', 'node_modules']) t.notOk(existsSync(join(made, file)), file);
  const all = readdirSync(made, { recursive: true, withFileTypes: true }).filter(each => each.isFile());
  for (const { parentPath, name } of all)
    t.notMatch(read(parentPath, name), /acme-f100|Acme F100|acme-id|0\.0\.0-platen|licence:|<!-- /, name);
  for (const command of ['cd scanner-x2', 'npm install', 'npm test', 'npm run dev']) t.match(out, command);
});

t.test('answers of a person; one that cannot be used is asked for again', async t => {
  const folder = t.testdir();
  const { code, asked, out } = await run(folder, [], ['Bad Name', 'bob', 'none', '', 'Bob 9', 'b9', 'perhaps', 'Yes']);
  t.equal(code, 0);
  t.equal(asked.length, 8);
  t.match(asked[4], 'Bob', 'the title follows from the name');
  t.match(out, /"none" is not a kind.*typescript/);
  t.match(read(folder, 'bob', 'src', 'driver.ts'), "id: 'b9'");
  t.match(read(folder, 'bob', 'README.md'), /^# Bob 9 /);
  t.ok(existsSync(join(folder, 'bob', 'vendor.key')));
});

t.test('flags answer questions', async t => {
  const folder = t.testdir();
  const flags = ['--kind', 'typescript', '--title', 'Bob 9', '--id', 'b9', '--no-licence', '--folder', 'here/it'];
  const { code, asked } = await run(folder, ['bob', ...flags], []);
  t.equal(code, 0);
  t.same(asked, []);
  t.equal(manifestIn(join(folder, 'here', 'it')).name, 'bob');
  t.equal((await run(t.testdir(), ['bob', ...flags])).code, 0, 'nor is a terminal needed');
});

t.test('--licence: a pair of keys that fit, the private one secret, and a licence signed with it', async t => {
  const made = join(t.testdir(), 'lic');
  const { code, err } = await run(join(made, '..'), ['@bob/lic', '--licence', '--yes']);
  t.equal(code, 0, err);
  t.match(read(made, 'src', 'plugin.ts'), 'premium: { publicKey },');
  t.match(read(made, '.gitignore'), /^vendor\.key\ndevelopment\.licence$/m);
  t.equal(manifestIn(made).license, 'SEE LICENSE IN LICENSE');
  // oxlint-disable-next-line no-restricted-properties -- Windows has no such modes
  if (process.platform !== 'win32') t.equal(statSync(join(made, 'vendor.key')).mode & 0o777, 0o600);
  const [pem] = /-----BEGIN PUBLIC KEY-----[^`]*/.exec(read(made, 'src', 'publicKey.ts')) ?? [];
  t.ok(createPublicKey(pem!).equals(createPublicKey(read(made, 'vendor.key'))));
  const [head = '', claims = '', signature = ''] = read(made, 'development.licence').trim().split('.');
  t.ok(verify(null, Buffer.from(`${head}.${claims}`), pem!, Buffer.from(signature, 'base64url')));
  t.match(JSON.parse(Buffer.from(claims, 'base64url').toString()), { aud: '@bob/lic' });
});

t.test('what is refused, with what is accepted', async t => {
  const folder = t.testdir({ full: { 'a.txt': '' }, file: '' });
  const refusals: [string[], RegExp][] = [
    [[], /name/],
    [['Bob', '--yes'], /"Bob".*lower-case/],
    [['@bob', '--yes'], /"@bob"/],
    [['con', '--yes'], /"con"/],
    [['fs', '--yes'], /"fs"/],
    [['../up', '--yes'], /"\.\.\/up"/],
    [['a', 'b', '--yes'], /a, b/],
    [['a', '--kind', 'php', '--yes'], /"php".*typescript, native, format, recogniser, processor, document/],
    [['a', '--title', "Bob's", '--yes'], /"Bob's"/],
    [['a', '--id', 'A B', '--yes'], /"A B"/],
    [['a', '--colour', '--yes'], /--colour/],
    [['full', '--yes'], /full is not empty.*a\.txt/],
    [['file', '--yes'], /file is a file/],
    [['a'], /--yes/],
  ];
  for (const [args, sentence] of refusals) {
    const { code, err } = await run(folder, args);
    t.equal(code, 2, args.join(' '));
    t.match(err, sentence);
    t.equal(err.trim().split('\n').length, 1, 'one line');
  }
  t.same(readdirSync(folder).sort(), ['file', 'full'], 'and nothing is written');
});

t.test('a folder with nothing but .git, used', async t => {
  const folder = t.testdir({ bob: { '.git': { HEAD: '' } } });
  t.equal((await run(folder, ['bob', '--yes'])).code, 0);
});

t.test('--help and --version', async t => {
  t.match(await run('.', ['--help']), { code: 0, out: /--licence/ });
  t.match(await run('.', ['--version']), { code: 0, out: `${version}\n` });
});

/** A closure without captures, a `fill` that is no array's, an answer of HTTP, a sort in place. */
const ordinary = `
export interface Bands {
  fill(value: object): void;
}
export function read(response: { on(name: string, then: (part: string) => void): void }, bands: Bands): string[] {
  const quoted = (text: string): string => JSON.stringify(text);
  const all: string[] = [];
  response.on('data', part => all.push(quoted(part)));
  bands.fill({ all });
  return all.sort();
}
`;

t.test('lint: ordinary code of a vendor passes, a mistake does not', async t => {
  const folder = t.testdir();
  await run(folder, ['bob', '--yes']);
  const lint = (source: string): { status: number | null; stdout: string } => {
    writeFileSync(join(folder, 'bob', 'src', 'bands.ts'), source);
    return spawnSync(process.execPath, [oxlint, 'src/bands.ts'], { cwd: join(folder, 'bob'), encoding: 'utf8' });
  };
  const { status, stdout } = lint(ordinary);
  t.equal(status, 0, stdout);
  t.equal(lint(`${ordinary}export const wrong = (size: number): boolean => size === NaN;`).status, 1);
});

t.test('kinds: each has a template that names the package, and no other folder is one', async t => {
  const folder = t.testdir();
  const templates = readdirSync(new URL('../templates/', import.meta.url)).filter(
    name => name !== 'licence' && name !== 'shared',
  );
  for (const kind of templates) {
    const { code, err } = await run(folder, [`a-${kind}`, '--kind', kind, '--yes']);
    t.equal(code, 0, err);
    t.match(manifestIn(join(folder, `a-${kind}`)), { name: `a-${kind}`, platen: { conformance: String } });
  }
  mkdirSync(join(folder, 'licence'));
  writeFileSync(join(folder, 'licence', 'x'), '');
  t.match(await run(folder, ['a-licence', '--kind', 'licence', '--yes']), { code: 2 });
});

t.test('npm run pack puts the dependencies into the tarball, of every kind', async t => {
  const folder = t.testdir();
  for (const kind of kindNames) {
    t.equal((await run(folder, [`a-${kind}`, '--kind', kind, '--yes'])).code, 0);
    const { bundleDependencies, scripts } = manifestIn(join(folder, `a-${kind}`));
    t.equal(bundleDependencies, true, kind);
    // The native one's tarball has the helpers' hashes, and its name the version: its README says how to bundle it.
    if (kind !== 'native') t.match(scripts, { pack: `platen plugins pack . --out a-${kind}.bundle.tgz` });
  }
  // What npm makes of it is the same for all of them.
  const made = join(folder, `a-${kindNames[0]}`);
  const part = join(made, 'node_modules', 'part');
  mkdirSync(part, { recursive: true });
  writeFileSync(join(part, 'package.json'), '{"name":"part","version":"1.0.0"}');
  writeFileSync(
    join(made, 'package.json'),
    JSON.stringify({ ...manifestIn(made), dependencies: { part: '1.0.0' }, files: ['dist'] }),
  );
  const { stdout } = await promisify(exec)('npm pack --ignore-scripts --dry-run --json', { cwd: made });
  t.match(JSON.parse(stdout), [{ bundled: ['part'] }]);
});
