/** Each published package is complete and stands alone. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import t from 'tap';
import { loadParts } from '../tools/releaseParts.js';
import { clone } from './clone.js';
import { checkPackage, staged, type Manifest } from './staged.js';

const { version } = JSON.parse(readFileSync(join(clone, 'lerna.json'), 'utf8')) as { version: string };
const { repository } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')) as { repository: string };
const web = repository.replace(/^git\+|\.git$/g, '');

/** By the package's name, what is wrong with it; packages with nothing are left out. */
const wrong = (find: (each: (typeof staged)[number]) => readonly string[]): object =>
  Object.fromEntries(staged.map(each => [each.manifest.name, find(each)] as const).filter(([, found]) => found.length));

t.test('packs: each package of the tree that is not private, what it needs before it, the server last', async t => {
  const names = staged.map(each => each.manifest.name);
  t.ok(names.length >= 23, `${names.length} packages`);
  t.equal(names.at(-1), '@platen/server');
  t.equal(new Set(names).size, names.length);
  const early = staged.flatMap(({ manifest: { name, dependencies, optionalDependencies, peerDependencies } }, index) =>
    Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
      .filter(needed => names.indexOf(needed) > index)
      .map(needed => `${name} before ${needed}`),
  );
  t.same(early, []);
});

t.test('packs: what a person and a registry want to know, there', async t => {
  const fields = ['description', 'keywords', 'license', 'author', 'homepage', 'bugs', 'publishConfig'];
  const found = wrong(({ manifest, files, read }) => [
    ...fields.filter(field => !(field in manifest)),
    ...(manifest.version === version ? [] : [`version ${manifest.version}`]),
    ...(manifest.repository.url === repository ? [] : ['repository.url']),
    ...(existsSync(join(clone, manifest.repository.directory)) ? [] : ['repository.directory']),
    ...['README.md', 'LICENSE'].filter(file => !files.includes(file)),
    ...(read('LICENSE') === readFileSync(join(clone, 'LICENSE'), 'utf8') ? [] : ['another LICENSE']),
  ]);
  t.same(found, {});
});

t.test('packs: nothing that only the tree needs', async t => {
  const found = wrong(({ manifest, files, read }) => [
    ...['scripts', 'devDependencies', 'private'].filter(field => field in manifest),
    // Templates have the tests of new packages.
    ...files.filter(
      file => !file.startsWith('templates/') && /\.map$|\.test\.|\/testing\/|\.tsbuildinfo$|\.orig$/.test(file),
    ),
    ...files.filter(file => file.endsWith('.js') && read(file).includes('\n//# sourceMappingURL=')),
  ]);
  t.same(found, {});
});

t.test('packs: what browsers load, bundled, as this clone has it', async t => {
  const bundles = { '@platen/client': 'build/', '@platen/server': 'web/build/' };
  for (const [name, folder] of Object.entries(bundles)) {
    const found = staged.find(each => each.manifest.name === name);
    if (!found) throw new Error(`${name} is not staged.`);
    const { files, read, manifest } = found;
    const own = join(clone, manifest.repository.directory, folder);
    const built = readdirSync(own, { recursive: true, withFileTypes: true })
      .filter(each => each.isFile())
      .map(each => relative(own, join(each.parentPath, each.name)).replaceAll('\\', '/'));
    t.ok(built.length > 0, `${name} has ${built.length} bundles`);
    t.same(
      new Set(files.filter(file => file.startsWith(folder)).map(file => file.slice(folder.length))),
      new Set(built),
    );
    for (const file of built) t.equal(read(folder + file), readFileSync(join(own, file), 'utf8'), file);
    t.notOk(
      files.some(file => file.startsWith('web/dist/')),
      'not what they are made of',
    );
  }
});

t.test('packs: links of the documents, to a packed file or to a file of the repository at the tag', async t => {
  const address = new RegExp(`^${web}/(?:blob|tree|raw)/v${version}/([^#]*)`);
  const inTree = (target: string): boolean => {
    const [, path] = address.exec(target) ?? [];
    return path !== undefined && existsSync(join(clone, path));
  };
  let checked = 0;
  const found = wrong(({ files, read }) =>
    files
      .filter(file => file.endsWith('.md'))
      .flatMap(file =>
        linksOf(read(file))
          .filter(target => !/^[a-z]+:|^#/.test(target) || target.startsWith(`${web}/`))
          .filter(target => {
            checked++;
            return target.startsWith(web)
              ? !inTree(target)
              : !files.includes(posix.join(posix.dirname(file), target.split('#')[0] ?? ''));
          })
          .map(target => `${file}: ${target}`),
      ),
  );
  t.same(found, {});
  t.ok(checked > 10, `${checked} links`);
});

t.test('packs: our packages by the exact version, as a peer by a range', async t => {
  const ours = (record: Readonly<Record<string, string>> = {}): readonly (readonly [string, string])[] =>
    Object.entries(record).filter(([name]) => name.startsWith('@platen/'));
  const [major, minor] = version.split('.');
  const found = wrong(({ manifest: { dependencies, optionalDependencies, peerDependencies } }) => [
    ...[...ours(dependencies), ...ours(optionalDependencies)].filter(([, range]) => range !== version).flat(),
    ...ours(peerDependencies)
      .filter(([, range]) => range !== `^${major}.${minor}.0`)
      .flat(),
  ]);
  t.same(found, {});
});

t.test('packs: the server asks for exact versions, of what its packages bring, too', async t => {
  const { dependencies = {} } = staged.at(-1)?.manifest ?? {};
  t.same(
    Object.entries(dependencies).filter(([, range]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range)),
    [],
  );
  t.match(dependencies, { sharp: String, 'zxing-wasm': String, 'detect-libc': String });
});

t.test('packs: each library is asked for, or bundled with its licence', async t => {
  const found = wrong(
    ({
      manifest: {
        dependencies = {},
        repository: { directory },
      },
      files,
      read,
    }) => {
      const tree = JSON.parse(readFileSync(join(clone, directory, 'package.json'), 'utf8')) as Manifest;
      const notices = files.includes('THIRD-PARTY-NOTICES.txt') ? read('THIRD-PARTY-NOTICES.txt') : '';
      return Object.entries(tree.dependencies ?? {})
        .filter(([name]) => !(name in dependencies))
        .filter(([name, version]) => !notices.includes(`\n${name} ${version} (`))
        .map(([name]) => name);
    },
  );
  t.same(found, {});
  t.match(staged.at(-1)?.read('THIRD-PARTY-NOTICES.txt'), /^fastify \S+ \(MIT\)\n\nMIT License/m);
});

t.test('packs: prebuilt programs, with the sha256 that their package names', async t => {
  const byName = new Map(staged.map(each => [each.manifest.name, each]));
  const named = staged.flatMap(({ manifest: { optionalDependencies = {}, platen } }) =>
    Object.entries(platen?.prebuilt ?? {}).map(([platform, prebuilt]) => ({
      platform,
      ...prebuilt,
      optional: prebuilt.package in optionalDependencies,
    })),
  );
  for (const { platform, package: name, sha256, optional } of named) {
    const { folder = '', files = [], manifest } = byName.get(name) ?? {};
    t.ok(optional, `${name} is an optional dependency`);
    t.ok(manifest?.os?.includes(platform.split('-')[0] ?? ''), `${name} is for ${platform}`);
    for (const [program, hash] of Object.entries(sha256)) {
      t.ok(files.includes(`bin/${program}`), `${name} has ${program}`);
      const file = join(folder, 'bin', program);
      t.equal(createHash('sha256').update(readFileSync(file)).digest('hex'), hash, program);
      if (process.platform !== 'win32') t.equal(statSync(file).mode & 0o111, 0o111, `${program} can be executed`);
    }
  }
  const packages = staged.map(each => each.manifest).filter(({ os }) => os !== undefined);
  t.same(new Set(named.map(each => each.package)), new Set(packages.map(each => each.name)));
});

/** What is used of it. */
interface Publint {
  publint(options: {
    pack: { tarball: ArrayBuffer };
    strict: boolean;
  }): Promise<{ messages: readonly { readonly code: string; readonly path: readonly string[] }[] }>;
}

t.test('packs: publint has nothing to say', async t => {
  const { loadTool } = await loadParts();
  const { publint } = (await loadTool('publint')) as Publint;
  const found: Record<string, readonly string[]> = {};
  for (const { manifest, tarball, files } of staged) {
    const { messages: all } = await publint({ pack: { tarball: tarball.slice().buffer }, strict: true });
    // Templates have the tests and settings of new packages.
    const hasTemplates = files.some(file => file.startsWith('templates/'));
    const messages = all.filter(({ code }) => code !== 'USE_FILES' || !hasTemplates);
    if (messages.length > 0) found[manifest.name] = messages.map(({ code, path }) => `${code} ${path.join('.')}`);
  }
  t.same(found, {});
});

t.test('packs: types that fit their code, for everyone who can import it', async t => {
  // ES modules only, named by `exports`: what older resolutions see of them is nothing.
  const apart = new Set(['node10', 'node16-cjs']);
  const found: Record<string, readonly string[]> = {};
  const isImported = ({ exports = {} }: Manifest): boolean =>
    Object.keys(exports).some(each => each !== './package.json');
  for (const { manifest, content } of staged.filter(each => isImported(each.manifest))) {
    const { types, problems: all = [] } = await checkPackage(content);
    if (!types) {
      found[manifest.name] = ['no types'];
      continue;
    }
    const problems = all
      .filter(({ resolutionKind = '' }) => !apart.has(resolutionKind))
      .map(({ kind, entrypoint = '' }) => `${kind} ${entrypoint}`.trim());
    if (problems.length > 0) found[manifest.name] = problems;
  }
  t.same(found, {});
});

/** The targets of links and images, without those in code. */
function linksOf(text: string): string[] {
  const plain = text.replaceAll(/^ *```[\s\S]*?^ *```/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...plain.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target ?? '');
}
