/** Each kind of package that `npm create @platen/driver` makes: its test, score, linter and tarball; also as one that is sold. */
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { lacking } from '@platen/conformance';
import { openDesk, type Desk } from './registry.js';

interface Kind {
  readonly kind: string;
  /** What it should reach. */
  readonly score: number;
  /** A program that it needs. */
  readonly needs?: string;
}

const kinds: readonly Kind[] = [
  { kind: 'typescript', score: 100 },
  { kind: 'native', score: 100, needs: 'cc' },
  { kind: 'format', score: 100 },
  { kind: 'recogniser', score: 100 },
  { kind: 'processor', score: 100 },
  { kind: 'document', score: 100 },
];

await t.test('npm create @platen/driver', { timeout: 900_000 }, async t => {
  const desk = await openDesk(t);
  for (const { kind, score, needs } of kinds) {
    await t.test(kind, { skip: needs === undefined ? false : lacking(needs) }, async t => {
      await tryOut(t, desk, `acme-${kind}`, ['--kind', kind, '--yes'], score);
      await tryOut(t, desk, `acme-sold-${kind}`, ['--kind', kind, '--licence', '--yes'], score, `acme-${kind}`);
    });
  }
});

/** @param like the free package, whose node_modules it takes, and whose suites have run: only its entry differs */
async function tryOut(t: Test, desk: Desk, name: string, flags: string[], score: number, like?: string) {
  const shell = desk.shell(desk.folder);
  const made = join(desk.folder, name);
  const type = async (command: string) => {
    const { code, out } = await shell.run(command);
    t.equal(code, 0, code === 0 ? `${name}: ${command}` : out);
    return out;
  };
  await type(`npm create @platen/driver @acme/${name} -- ${flags.join(' ')}`);
  await type(`cd ${name}`);
  if (like === undefined) {
    await type('npm install');
    await type('npm test');
    await type('npm run conformance -- --json score.json');
    const report = JSON.parse(await readFile(join(made, 'score.json'), 'utf8')) as { score: number };
    t.ok(report.score >= score, `${name}: its score is ${report.score}`);
  } else {
    await symlink(join(desk.folder, like, 'node_modules'), join(made, 'node_modules'), 'junction');
    await type('npm run build');
  }
  await type('npm run lint');
  const packed = await type('npm run pack');
  const own = /vendor\.key|development\.licence|simulator|simulation|conformance\.js|\.test\./;
  t.notMatch(packed, own, 'what is only for its author');
}
