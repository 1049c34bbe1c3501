/** Where code may be: every folder and link on the path counts. Cases with other accounts run only as root. */
import { chmod, chown, lchown, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { assertConfigSafe, vetCode } from './codeAccess.js';

const isRoot = process.getuid?.() === 0;
const posix = { skip: process.platform === 'win32' && 'no modes here' };
const asRoot = { skip: !isRoot && 'only root can make another account’s files' };
const NOBODY = 65534;

const vet = async (file: string): Promise<string | undefined> => (await vetCode({ warn: () => undefined })([file]))[0];

/** A file two folders deep, under the test's folder. */
async function file(t: Test): Promise<{ root: string; own: string; code: string }> {
  const root = await mkdtemp(join(tmpdir(), 'platen-code-'));
  t.teardown(() => rm(root, { recursive: true, force: true }));
  const own = join(root, 'own');
  await mkdir(own, { mode: 0o755 });
  await chmod(root, 0o755);
  await writeFile(join(own, 'code.js'), '', { mode: 0o644 });
  return { root, own, code: join(own, 'code.js') };
}

t.test(
  "code access: a file in the account's own folders is accepted, also below /tmp; so is a missing one",
  posix,
  async t => {
    const { own, code } = await file(t);
    t.equal(await vet(code), undefined);
    t.equal(await vet(join(own, 'missing.js')), undefined);
    t.equal(await vet(join(own, 'missing', 'code.js')), undefined);
  },
);

t.test('code access: a file or folder that others can write, named with the fix', posix, async t => {
  const { root, own, code } = await file(t);
  for (const [path, mode] of [
    [code, 0o666],
    [code, 0o602],
    [own, 0o777],
    [own, 0o1777],
    [root, 0o777],
  ] as const) {
    await chmod(path, mode);
    t.match(
      await vet(code),
      new RegExp(`^${path} is writable by other accounts.*chmod go-w "${path}"$`),
      `${path} ${mode.toString(8)}`,
    );
    await chmod(path, 0o755);
  }
  if (!isRoot) return;
  await chown(own, 0, 12345);
  await chmod(own, 0o775);
  t.match(await vet(code), /group 12345.*chmod go-w/);
  await chown(own, 0, process.getegid!());
  t.equal(await vet(code), undefined, 'the group of the process is not others');
});

t.test(
  "code access: below a sticky folder, accepts the account's own folder and rejects others' files beside it",
  asRoot,
  async t => {
    const { root, code } = await file(t);
    await chmod(root, 0o1777);
    t.equal(await vet(code), undefined);
    await mkdir(join(root, 'node_modules'));
    t.equal(await vet(code), undefined, 'packages beside it of ours');
    await chown(join(root, 'node_modules'), NOBODY, NOBODY);
    t.match(
      await vet(code),
      /node_modules belongs to another account/,
      'which Node would look into for what the code imports',
    );
    t.match(await vet(join(root, 'node_modules', 'x.js')), /node_modules|is writable/);
  },
);

t.test("code access: another account's file, folder or link", asRoot, async t => {
  const { root, own, code } = await file(t);
  for (const path of [code, own, root]) {
    await chown(path, NOBODY, NOBODY);
    t.match(await vet(code), new RegExp(`^${path} belongs to another account \\(number ${NOBODY}\\).*chown`), path);
    await chown(path, 0, 0);
  }
  const link = join(root, 'link');
  await symlink(own, link);
  t.equal(await vet(join(link, 'code.js')), undefined, 'a link of ours to what is ours');
  await lchown(link, NOBODY, NOBODY);
  t.match(await vet(join(link, 'code.js')), /link belongs to another account/);
  await lchown(link, 0, 0);
  await chown(own, NOBODY, NOBODY);
  t.match(await vet(join(link, 'code.js')), /own belongs to another account/, 'and where the link leads');
});

t.test('code access: rejects an unsafe configuration, and follows a link loop only so far', posix, async t => {
  const { own, code } = await file(t);
  await t.resolves(assertConfigSafe(code));
  await chmod(own, 0o1777);
  await t.rejects(assertConfigSafe(code), {
    name: 'ConfigError',
    code: 'configuration',
    message: /The configuration .*code\.js was rejected: .*own is writable/,
  });
  await chmod(own, 0o755);
  await symlink('round', join(own, 'round'));
  t.equal(await vet(join(own, 'round')), undefined);
});
