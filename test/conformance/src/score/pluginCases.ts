/** Checks of the plugin that the package exports. */
import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import type { PackageCase, PackageFacts } from './packageFacts.js';

/** Whether the service asks for options that only a configuration can have. */
const needsOptions = ({ loaded }: PackageFacts): boolean => loaded.state === 'refused' && loaded.fault === 'options';

const needsPlugin = ({ plugin }: PackageFacts): string | undefined =>
  plugin ? undefined : 'the plugin cannot be imported; package-is-loaded says why';

export const pluginCases: readonly PackageCase[] = [
  {
    id: 'package-is-loaded',
    title: 'the service loads the plugin and uses all that it contributes',
    untried: facts =>
      facts.loaded.state === 'skipped'
        ? facts.loaded.sentence
        : needsOptions(facts)
          ? `the plugin needs options: export them as "options" of the module that platen.conformance names. ${facts.loaded.sentence}`
          : undefined,
    async run(_, { loaded, follows }) {
      assert.equal(loaded.state, 'loaded', loaded.sentence ?? `its state is ${loaded.state}`);
      const unused = (loaded.unused ?? []).map(({ sentence }) => sentence);
      assert.ok(unused.length === 0, unused.join(' '));
      assert.ok(
        loaded.provides.length > 0 || follows,
        'setup returned no driver, format, recogniser, processor or document format, and no follow',
      );
    },
  },
  {
    id: 'package-plugin-has-its-name',
    title: "the plugin's name is the package's: licences and sentences name it",
    hint: 'Give definePlugin the `name` of package.json.',
    untried: needsPlugin,
    async run(_, { plugin, name }) {
      assert.equal(
        plugin?.name,
        name,
        `the plugin's name is ${JSON.stringify(plugin?.name)}, the package's is "${name}"`,
      );
    },
  },
  {
    id: 'package-describes-its-options',
    title: 'every option has a description',
    hint: 'Give each property of optionsSchema a `description`: the command line and the documentation of a configuration show it.',
    skip: ({ plugin }) => (plugin?.optionsSchema ? undefined : 'the plugin has no options'),
    async run(_, { plugin }) {
      const bare = undescribed(plugin?.optionsSchema, '');
      assert.ok(
        bare.length === 0,
        `optionsSchema: ${bare.join(', ')} ${bare.length === 1 ? 'has' : 'have'} no description`,
      );
    },
  },
  {
    id: 'package-licence-key-is-readable',
    title: 'the public key for licences is an Ed25519 key in PEM',
    hint: 'Give `premium.publicKey` the text that begins with -----BEGIN PUBLIC KEY-----.',
    skip: ({ plugin }) => (plugin?.premium ? undefined : 'the plugin needs no licence'),
    async run(_, { plugin }) {
      const type = keyType(plugin?.premium?.publicKey);
      assert.equal(type, 'ed25519', `premium.publicKey is ${type ?? 'not a key'}, not an Ed25519 key`);
    },
  },
];

/** The properties of a schema, and of the objects and lists in it. */
function undescribed(schema: unknown, path: string): string[] {
  const { properties = {}, items } = (schema ?? {}) as { readonly properties?: object; readonly items?: unknown };
  const own = Object.entries(properties).flatMap(([name, property]: [string, unknown]) => [
    ...((property as { readonly description?: unknown } | null)?.description ? [] : [`${path}${name}`]),
    ...undescribed(property, `${path}${name}.`),
  ]);
  return items === undefined ? own : [...own, ...undescribed(items, path)];
}

function keyType(key: unknown): string | undefined {
  try {
    return createPublicKey(String(key)).asymmetricKeyType;
  } catch {
    return undefined;
  }
}
