/** Which tests a change concerns: those that import a changed file, in any number of steps, or name it. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix } from 'node:path';
import { commandOf } from './specRuns.js';

/**
 * What differs from the branch that this one follows (`git branch --set-upstream-to`), or from the last commit where it
 * follows none; files that git does not know yet are among them.
 *
 * @returns paths, relative to the clone
 */
export function changedFiles(root: string): { readonly since: string; readonly files: readonly string[] } {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  let since = 'HEAD';
  try {
    since = git('merge-base', 'HEAD', '@{upstream}');
  } catch {
    // No upstream: only what is not committed has changed.
  }
  const lines = (text: string) => text.split('\n').filter(Boolean);
  const files = [
    ...lines(git('diff', '--name-only', '--relative', since)),
    ...lines(git('ls-files', '--others', '--exclude-standard')),
  ];
  return { since, files: [...new Set(files)].sort() };
}

/** `core/src/a.ts` is compiled to `core/dist/a.js`, `test/a.ts` to `test/dist/a.js`, and so are the service's pages. */
export const compiledOf = (source: string): string =>
  source
    .replace(/^(test|server\/web)\/(?!conformance\/)/, '$1/dist/')
    .replace(/\/src\//, '/dist/')
    .replace(/\.ts$/, '.js');

/**
 * @param workspaces folders of packages, relative to the clone
 * @param tests compiled tests, and names that `commandOf` knows
 * @param changed paths, relative to the clone
 */
export function concerned(
  root: string,
  workspaces: readonly string[],
  tests: readonly string[],
  changed: readonly string[],
): string[] {
  const modules = new Set(changed.filter(file => file.endsWith('.ts')).map(compiledOf));
  // Fixtures, guides, manifests: whoever names the file reads it.
  const others = changed.filter(file => !file.endsWith('.ts'));
  const names = [...new Set(others.map(file => basename(file)))];
  const read = new Set<string>();
  const importsOf = importsIn(root, workspaces);
  const known = new Map<string, { readonly imports: readonly string[]; readonly hit: boolean }>();
  const look = (file: string) => {
    let found = known.get(file);
    if (!found) {
      const text = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
      const named = names.filter(name => text.includes(name));
      for (const name of named) read.add(name);
      found = { imports: importsOf(file, text), hit: modules.has(file) || named.length > 0 };
      known.set(file, found);
    }
    return found;
  };
  const reaches = (test: string) => {
    const seen = new Set<string>();
    const waiting = commandOf(test).slice(0, 1);
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      const { imports, hit } = look(file);
      if (hit) return true;
      waiting.push(...imports);
    }
    return false;
  };
  const reached = new Set(tests.filter(reaches));
  // What nobody names, as a helper's source in C, may concern its whole package. Tests of the documents list them.
  const near = workspaces.filter(folder =>
    others.some(file => file.startsWith(`${folder}/`) && !read.has(basename(file))),
  );
  if (others.some(file => file.endsWith('.md'))) near.push('test/dist/docs');
  return tests.filter(test => reached.has(test) || near.some(folder => test.startsWith(`${folder}/`)));
}

/** A test that starts the service by its program runs all of it; its configuration names the plugins. */
const program = 'bin/platen.cjs';
const service = ['dist/main.js', 'web/dist/app/main.js', 'web/dist/origins/main.js', 'web/dist/reference/page.js'];

function importsIn(root: string, workspaces: readonly string[]): (file: string, text: string) => string[] {
  const packages = new Map(
    workspaces
      .filter(folder => existsSync(join(root, folder, 'package.json')))
      .map(folder => {
        const { name, exports = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
          name: string;
          exports?: Readonly<Record<string, string | { readonly default?: string }>>;
        };
        return [name, { folder, exports }];
      }),
  );
  /** @param named `@platen/core/plugin`; whoever looks for a package.json may use all that the package has */
  const entries = (named: string): string[] => {
    const [, name = '', door = ''] = /^(@[^/]+\/[^/]+)(\/.*)?$/.exec(named) ?? [];
    const { folder = '', exports = {} } = packages.get(name) ?? {};
    const targets = door === '/package.json' ? Object.values(exports) : [exports[`.${door}`]];
    return (
      targets
        .map(target => (typeof target === 'string' ? target : target?.default))
        .filter(path => path !== undefined)
        // What is bundled has no imports any more; the compiled file of the same name has.
        .map(path => posix.join(folder, path.replace('./build/', './dist/')))
    );
  };
  return (file, text) => {
    const strings = [...text.matchAll(/(['"`])(\.{1,2}\/[^'"`\s]+\.js|@[\w-]+\/[\w./-]+)\1/g)];
    const named = strings.flatMap(([, , name = '']) =>
      name.startsWith('.') ? [posix.join(dirname(file), name)] : entries(name),
    );
    return text.includes(program) ? [...named, ...service.map(each => `server/${each}`)] : named;
  };
}
