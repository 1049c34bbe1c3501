/**
 * The templates by which Windows' group policies fix keys of the configuration: ADMX, and ADML with the English texts. They
 * are generated from the schema; run as a program, this module writes them.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serverFolder } from '../packageFolders.js';
import { POLICY_KEY } from './fixed.js';
import { ConfigSchema } from './schema.js';

interface Described {
  readonly type?: string;
  readonly description?: string;
  readonly title?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Described[];
  readonly items?: Described;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, Described>>;
}

/** One key as a policy. */
interface Policy {
  readonly name: string;
  readonly group: string;
  readonly key: string;
  readonly described: Described;
}

/** A DWORD has no more. */
const MOST_DWORD = 4_294_967_295;

const folder = join(serverFolder, 'config', 'policies');

const { properties } = ConfigSchema as unknown as Required<Pick<Described, 'properties'>>;
const groups = Object.entries(properties).filter(([, each]) => each.properties);

/** Those of a union that is a word or a list are two. */
const policies: readonly Policy[] = groups.flatMap(([group, { properties: keys = {} }]) =>
  Object.entries(keys).flatMap(([key, described]): Policy[] => {
    const { anyOf } = described;
    const name = `${group}_${key}`;
    if (!anyOf) return [{ name, group, key, described }];
    const words = anyOf.map(each => each.const).filter(each => each !== undefined);
    const list = anyOf.find(each => each.type === 'array');
    return [
      { name, group, key, described: { ...described, enum: words } },
      ...(list ? [{ name: `${name}_list`, group, key, described: { ...described, ...list } }] : []),
    ];
  }),
);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const isText = ({ type, maximum = 0 }: Described): boolean =>
  type === 'number' || (type === 'integer' && maximum > MOST_DWORD);

function elementOf({ name, group, key, described }: Policy): string[] {
  const { type, enum: words, minimum = 0, maximum = MOST_DWORD } = described;
  const value = `id="${name}" valueName="${key}" required="true"`;
  if (words)
    return [
      `<enum ${value}>`,
      ...words.map(
        word => `  <item displayName="$(string.${name}_${word})"><value><string>${word}</string></value></item>`,
      ),
      '</enum>',
    ];
  if (type === 'array') return [`<list id="${name}" key="${POLICY_KEY}\\${group}\\${key}" valuePrefix="" />`];
  if (isText(described)) return [`<text ${value} />`];
  return [`<decimal ${value} minValue="${minimum}" maxValue="${maximum}" />`];
}

const isSwitch = ({ described: { type, enum: words } }: Policy): boolean => type === 'boolean' && !words;

function policyOf(policy: Policy): string[] {
  const { name, group, key } = policy;
  const texts = `displayName="$(string.${name})" explainText="$(string.${name}_help)"`;
  const place = `key="${POLICY_KEY}\\${group}"`;
  const head = isSwitch(policy)
    ? `<policy name="${name}" class="Machine" ${texts} ${place} valueName="${key}">`
    : `<policy name="${name}" class="Machine" ${texts} ${place} presentation="$(presentation.${name})">`;
  const body = isSwitch(policy)
    ? ['<enabledValue><decimal value="1" /></enabledValue>', '<disabledValue><decimal value="0" /></disabledValue>']
    : ['<elements>', ...elementOf(policy).map(line => `  ${line}`), '</elements>'];
  return [
    head,
    `  <parentCategory ref="${group}" />`,
    '  <supportedOn ref="SUPPORTED_Platen" />',
    ...body.map(line => `  ${line}`),
    '</policy>',
  ];
}

const pluginsPolicy = [
  `<policy name="plugins" class="Machine" displayName="$(string.plugins)" explainText="$(string.plugins_help)" key="${POLICY_KEY}\\plugins" presentation="$(presentation.plugins)">`,
  '  <parentCategory ref="Platen" />',
  '  <supportedOn ref="SUPPORTED_Platen" />',
  '  <elements>',
  `    <list id="plugins" key="${POLICY_KEY}\\plugins" explicitValue="true" />`,
  '  </elements>',
  '</policy>',
];

const indented = (lines: readonly string[], by: string): string[] => lines.map(line => `${by}${line}`);

export const admx = [
  '<?xml version="1.0" encoding="utf-8"?>',
  '<policyDefinitions xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions" revision="1.0" schemaVersion="1.0">',
  '  <policyNamespaces>',
  '    <target prefix="platen" namespace="Platen.Policies" />',
  '  </policyNamespaces>',
  '  <resources minRequiredRevision="1.0" />',
  '  <supportedOn>',
  '    <definitions>',
  '      <definition name="SUPPORTED_Platen" displayName="$(string.SUPPORTED_Platen)" />',
  '    </definitions>',
  '  </supportedOn>',
  '  <categories>',
  '    <category name="Platen" displayName="$(string.Platen)" />',
  ...groups.flatMap(([group]) => [
    `    <category name="${group}" displayName="$(string.${group})">`,
    '      <parentCategory ref="Platen" />',
    '    </category>',
  ]),
  '  </categories>',
  '  <policies>',
  ...indented([...pluginsPolicy, ...policies.flatMap(policyOf)], '    '),
  '  </policies>',
  '</policyDefinitions>',
  '',
].join('\n');

const stringOf = (id: string, text: string): string => `<string id="${id}">${escaped(text)}</string>`;

function stringsOf({ name, key, group, described }: Policy): string[] {
  const { description = '', title, enum: words = [], default: standard } = described;
  const usual = standard === undefined ? '' : ` The default is ${JSON.stringify(standard)}.`;
  const what = title !== undefined && described.type === 'array' ? ` Takes ${title}.` : '';
  return [
    stringOf(name, name.endsWith('_list') ? `${group}.${key}, a list` : `${group}.${key}`),
    stringOf(`${name}_help`, `${description}${what}${usual} No file of the computer changes it then.`),
    ...words.map(word => stringOf(`${name}_${String(word)}`, String(word))),
  ];
}

function presentationOf({ name, key, described }: Policy): string[] {
  const { type, enum: words } = described;
  const label = escaped(key);
  const inner = words
    ? `<dropdownList refId="${name}" noSort="true">${label}</dropdownList>`
    : type === 'array'
      ? `<listBox refId="${name}">${label}</listBox>`
      : isText(described)
        ? `<textBox refId="${name}"><label>${label}</label></textBox>`
        : `<decimalTextBox refId="${name}">${label}</decimalTextBox>`;
  return [`<presentation id="${name}">`, `  ${inner}`, '</presentation>'];
}

export const adml = [
  '<?xml version="1.0" encoding="utf-8"?>',
  '<policyDefinitionResources xmlns="http://schemas.microsoft.com/GroupPolicy/2006/07/PolicyDefinitions" revision="1.0" schemaVersion="1.0">',
  '  <displayName>Platen</displayName>',
  '  <description>Keys of the configuration that a company fixes.</description>',
  '  <resources>',
  '    <stringTable>',
  ...indented(
    [
      stringOf('SUPPORTED_Platen', 'Platen 0.1 and later'),
      stringOf('Platen', 'Platen'),
      stringOf('plugins', 'Plugins that are on or off'),
      stringOf(
        'plugins_help',
        'The name of a plugin as the configuration has it, and 1 (on) or 0 (off). Other plugins are as the configuration says.',
      ),
      ...groups.map(([group, { description = '' }]) => stringOf(group, `${group}: ${description}`)),
      ...policies.flatMap(stringsOf),
    ],
    '      ',
  ),
  '    </stringTable>',
  '    <presentationTable>',
  ...indented(
    [
      '<presentation id="plugins">',
      '  <listBox refId="plugins">plugins</listBox>',
      '</presentation>',
      ...policies.filter(each => !isSwitch(each)).flatMap(presentationOf),
    ],
    '      ',
  ),
  '    </presentationTable>',
  '  </resources>',
  '</policyDefinitionResources>',
  '',
].join('\n');

export const policyFiles: readonly { readonly file: string; readonly text: string }[] = [
  { file: join(folder, 'platen.admx'), text: admx },
  { file: join(folder, 'en-US', 'platen.adml'), text: adml },
];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const { file, text } of policyFiles) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
