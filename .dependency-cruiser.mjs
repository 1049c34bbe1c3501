/** Who may import whom: the one place of that law. `npm run lint` checks every import, those of types too. */
import { readFileSync } from 'node:fs';

/** Core's folders, lowest first: each sees its own row and the rows before it. The files of core/src see all. */
const coreLayers = [
  ['contract'],
  ['time', 'work', 'log', 'schema', 'images', 'pixels', 'checks'],
  ['devices', 'registry'],
  ['pipeline'],
  ['scanning'],
  ['outbox'],
  ['kept'],
  ['autoscan'],
  ['documents'],
];

/** The server's rooms, lowest first: each sees itself and the rooms before it, in tests too. `main.ts` sees all. */
const serverRooms = ['machine', 'service', 'commands'];

/** Tests, and what only they use. The conformance suites ship. */
const tests = ['[.]test[.]', '^test/(?!conformance/)'];
const ours = '^node_modules/@platen/';
/** The folders with a package.json of their own. */
const packages = '^(core|server|test/conformance|test|(?:plugins|drivers|clients)/[^/]+)/';
/** The doors of our packages, as they are resolved. */
const doors = {
  core: `${ours}core/dist/server[.]`,
  plugin: `${ours}core/dist/plugin[.]`,
  driver: `${ours}core/dist/driver[.]`,
  wire: `${ours}core/dist/wire[.]`,
  conformance: `${ours}conformance/`,
  kit: `${ours}driver-kit/`,
  remote: `${ours}driver-remote/`,
  client: `${ours}client/`,
};
/** What tests and tools anywhere may import: what the root's package.json names. */
const { dependencies, devDependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const rootNames = Object.keys({ ...dependencies, ...devDependencies }).map(name => `^node_modules/${name}/`);

const law = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** @returns the laws that name which of our packages a room of the house sees: tests in it also see the conformance suites */
const room = (name, comment, ...seen) => [
  law(`${name}-doors`, comment, { path: `^${name}/`, pathNot: tests }, { path: ours, pathNot: seen }),
  law(
    `${name}-doors-tests`,
    `${comment}; its tests also the conformance suites`,
    { path: `^${name}/.*[.]test[.]` },
    { path: ours, pathNot: [...seen, doors.conformance] },
  ),
];

/** @returns for each of core's folders, the law against importing what is above it */
const coreLaws = coreLayers.flatMap((layer, index) =>
  layer.map(folder => {
    const visible = coreLayers.slice(0, index + 1).flat();
    return law(
      `core-layers-${folder}`,
      'contract ← time … ← devices, registry ← pipeline ← scanning ← outbox ← kept ← autoscan ← documents ← core/src',
      { path: `^core/src/${folder}/`, pathNot: tests },
      { path: '^core/src/', pathNot: visible.map(each => `^core/src/${each}/`) },
    );
  }),
);

const serverLaws = serverRooms.map((name, index) =>
  law(
    `server-rooms-${name}`,
    'machine (this computer) ← service (what answers) ← commands (what a person types) ← main.ts',
    { path: `^server/src/${name}/` },
    { path: '^server/src/', pathNot: serverRooms.slice(0, index + 1).map(each => `^server/src/${each}/`) },
  ),
);

export default {
  forbidden: [
    law(
      'core-imports',
      'core imports node: and ajv only, and in tests also tap, fast-check and the conformance suites',
      { path: '^core/', pathNot: tests },
      { pathNot: ['^core/', '^node_modules/ajv/'], dependencyTypesNot: ['core'] },
    ),
    law(
      'core-imports-tests',
      'core imports node: and ajv only, and in tests also tap, fast-check and the conformance suites',
      { path: '^core/.*[.]test[.]' },
      { pathNot: ['^core/', '^node_modules/(ajv|tap|fast-check)/', doors.conformance], dependencyTypesNot: ['core'] },
    ),
    ...coreLaws,
    ...serverLaws,

    ...room('plugins', 'a plugin knows @platen/core/plugin only', doors.plugin),
    ...room(
      'drivers/(?!remote/)',
      'a driver knows @platen/core/plugin and /driver, the driver kit and the remote driver only',
      doors.plugin,
      doors.driver,
      doors.kit,
      doors.remote,
    ),
    ...room(
      'drivers/remote',
      'the remote driver also reads what another process says: @platen/core/wire',
      doors.plugin,
      doors.driver,
      doors.wire,
      doors.kit,
      doors.remote,
    ),
    // Plugins and drivers are named in its configuration.
    ...room(
      'server',
      'the server knows core by its front door, the driver kit, the remote driver and the client',
      doors.core,
      doors.kit,
      doors.remote,
      doors.client,
    ),
    ...room(
      'test/conformance/(?!src/score/)',
      'the conformance suites know the doors of vendors, and what checks an answer',
      doors.plugin,
      doors.driver,
      doors.wire,
    ),
    ...room(
      'test/conformance/src/score',
      'the program that scores a package also knows core by its front door: it loads plugins',
      doors.plugin,
      doors.driver,
      doors.wire,
      doors.core,
    ),
    law(
      'kit-below-remote',
      'the driver kit knows no other driver package',
      { path: '^drivers/kit/' },
      { path: doors.remote },
    ),
    law(
      'nobody-imports-the-server',
      'only the whole-house tests import the server',
      { pathNot: ['^test/(?!conformance/)'] },
      { path: `${ours}server/` },
    ),
    law(
      'clients-import-nothing',
      'a client runs in a browser, without dependencies; its component is bundled with lit-html',
      { path: '^clients/', pathNot: [...tests, '^clients/web/src/component/'] },
      { pathNot: ['^clients/'] },
    ),
    law(
      'component-imports',
      'the component is bundled with lit-html, and with nothing else',
      { path: '^clients/web/src/component/', pathNot: tests },
      { pathNot: ['^clients/', '^node_modules/lit-html/'] },
    ),
    law(
      'pages-import-the-client',
      "the service's own pages run in a browser, where it serves the client",
      { path: '^server/web/', pathNot: tests },
      { pathNot: ['^server/web/', doors.client] },
    ),
    law(
      'pages-import-the-client-tests',
      'the tests of the pages also see tap',
      { path: '^server/web/.*[.]test[.]' },
      { pathNot: ['^server/web/', '^node_modules/tap/', doors.client] },
    ),
    law(
      'package-by-name',
      'a package is imported by its name, never by a path that leads into another package',
      { path: packages },
      { pathNot: ['^$1/', '(^|/)node_modules/'], dependencyTypesNot: ['core'] },
    ),

    law(
      'fastify-in-the-server',
      'fastify and tsyringe appear in the server only',
      { pathNot: ['^(server|test)/'] },
      { path: '^node_modules/(@?fastify[-/]|tsyringe/|reflect-metadata/)' },
    ),
    law(
      'tsyringe-in-compose',
      'tsyringe stops at compose.ts and tokens.ts',
      { pathNot: ['^server/src/service/(compose|tokens)[.]ts$', ...tests] },
      { path: '^node_modules/tsyringe/' },
    ),

    law(
      'no-tests-in-products',
      'what ships does not import tests or what only tests use',
      { pathNot: tests },
      { path: '[.]test[.]' },
    ),
    law(
      'named-in-package-json',
      'what a package imports, its package.json names',
      { path: '/src/', pathNot: tests },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
    law(
      'shipped-with-dependencies',
      'what ships does not import what only development has; a testing door may',
      // The component is bundled: nobody who installs it installs what it imports.
      { path: '/src/', pathNot: [...tests, '/testing/', '^clients/web/src/component/'] },
      // The service takes only types of them, and publishes none.
      { dependencyTypes: ['npm-dev'], pathNot: '^node_modules/(typebox|@fastify/type-provider-typebox)/' },
    ),
    law(
      'named-in-package-json-tests',
      "what a test or tool imports, its package.json or the root's names",
      { path: tests },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], pathNot: rootNames },
    ),
    law(
      'resolvable',
      'an import leads somewhere; the doors of our packages do when they are built (npm run build)',
      {},
      { couldNotResolve: true },
    ),

    law(
      'circles',
      'files do not import each other in a circle, types neither',
      { pathNot: ['[.]test[.]'] },
      { circular: true },
    ),
    {
      ...law('folder-circles', 'folders do not import each other in a circle', {}, { circular: true }),
      scope: 'folder',
    },
  ],
  options: {
    // TypeScript 7 has no API that dependency-cruiser reads. swc finds the same imports, those of types among them.
    parser: 'swc',
    tsPreCompilationDeps: true,
    preserveSymlinks: true,
    doNotFollow: { path: 'node_modules' },
    exclude: {
      path: [
        '^([.](git|tap|nx)|coverage)/',
        '^(?!node_modules/).*/(dist|build|bundle|fixtures)/',
        '^clients/web/examples/',
        '^drivers/create/templates/',
      ],
    },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'require', 'node', 'default'],
      mainFields: ['main', 'types'],
    },
  },
};
