/**
 * The keys of both configurations: what files are checked against, and the types of what was read.
 *
 * `config/schema.json` and `host.schema.json` are made of this text, for editors that complete a configuration.
 * After a change here: `npm run build && node server/dist/config/schemaFiles.js`.
 */
import { transferModes } from '@platen/core';
import { Type, type TSchema } from 'typebox';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];

const platforms = ['win32', 'darwin', 'linux', 'freebsd', 'openbsd', 'sunos', 'aix', 'android'] as const;

/** A key that a file may leave out. Its schema has a default, so that what was read always has it. */
const filled = <Schema extends TSchema>(schema: Schema): Schema => Type.Optional(schema) as unknown as Schema;

/** A group of keys, each with a default. */
const group = <Keys extends Readonly<Record<string, TSchema>>>(description: string, keys: Keys) =>
  filled(Type.Object(keys, { additionalProperties: false, default: {}, description }));

const seconds = (standard: number, description: string) =>
  filled(Type.Number({ exclusiveMinimum: 0, maximum: 86_400, default: standard, description }));

const integer = (minimum: number, maximum: number, standard: number, description: string) =>
  filled(Type.Integer({ minimum, maximum, default: standard, description }));

const flag = (standard: boolean, description: string) => filled(Type.Boolean({ default: standard, description }));

const $schema = Type.Optional(Type.String({ description: 'For editors: where this schema is.' }));

const PluginEntry = Type.Object(
  {
    use: Type.String({
      title: 'the name of a package, such as "@platen/format-png"',
      minLength: 1,
      description:
        "A path, or a package's name: @platen/ packages come from the server's installation, " +
        "others from node_modules in the configuration's folder and then from the installation.",
    }),
    on: Type.Optional(
      Type.Array(Type.Enum([...platforms]), {
        minItems: 1,
        description: 'Operating systems to load it on, as Node names them; all when absent.',
      }),
    ),
    enabled: flag(true, "false leaves the package's code unloaded."),
    required: flag(
      false,
      'true: the service does not start without it. Otherwise a broken plugin is logged and left out.',
    ),
    isolate: flag(
      false,
      'true: its drivers run in a process of their own, which is started again when it crashes or hangs. ' +
        'For plugins that bring drivers and nothing else.',
    ),
    licence: Type.Optional(
      Type.String({
        title: 'a licence: a signed token, or the path of a file that holds one',
        minLength: 1,
        description: 'For a premium plugin, from its vendor. A relative path begins at the data folder.',
      }),
    ),
    options: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>({
        type: 'object',
        description: 'What the plugin takes; checked against its own schema.',
      }),
    ),
  },
  { additionalProperties: false },
);

const plugins = (description: string) => filled(Type.Array(PluginEntry, { default: [], description }));

const log = group('The log, on standard error.', {
  level: filled(Type.Enum([...logLevels], { default: 'info', description: 'The least important messages to write.' })),
});

const security = group('Which web pages may use the service.', {
  allowedOrigins: filled(
    Type.Union([Type.Literal('*'), Type.Array(Type.String({ pattern: '^[A-Za-z][A-Za-z0-9+.-]*://[^/?#@\\s*]+$' }))], {
      title: '"*" or a list of origins such as "https://app.example"',
      default: '*',
      description: 'Origins of web pages that may call; "*" lets any page scan.',
    }),
  ),
  allowedHosts: filled(
    Type.Array(
      Type.String({
        title: 'a host name or address without a port, IPv6 in brackets',
        pattern: '^(\\[[0-9A-Fa-f:.]+\\]|[^\\s:/?#@\\[\\]]+)$',
      }),
      {
        minItems: 1,
        default: ['localhost', '127.0.0.1', '[::1]'],
        description:
          'Names by which the service may be called: the Host header without its port. ' +
          'Others are refused, which stops DNS rebinding.',
      },
    ),
  ),
});

export const ConfigSchema = Type.Object(
  {
    $schema,
    listen: group('Where the service listens; always on loopback only.', {
      port: integer(0, 65_535, 53_052, 'The port; 0 takes a free one. --port and PLATEN_PORT come before it.'),
    }),
    plugins: plugins(
      'Packages to load. Their order is the order of processors, and precedence where two drivers name a scanner alike.',
    ),
    scan: group('Time limits of a scan.', {
      inactivitySeconds: seconds(300, 'A device that delivers nothing for so long is given up.'),
      graceSeconds: seconds(
        10,
        'How long a cancelled scan may take to finish the sheet in hand before it is abandoned.',
      ),
      deadlineGraceSeconds: seconds(2, 'The same for a scan that is past the deadline of its own request.'),
    }),
    source: group('The open scanner.', {
      idleMinutes: filled(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: 10_080,
          default: 30,
          description: 'A scanner that is open and unused for so long is closed.',
        }),
      ),
    }),
    autoscan: group('Scanning each document as it is inserted.', {
      idleSeconds: seconds(300, 'Auto-scan ends when no client read its events for so long.'),
      maxFailures: integer(
        1,
        100,
        3,
        'So many failed or empty scans in a row end auto-scan, where the driver does not say otherwise.',
      ),
      outboxPages: integer(1, 10_000, 20, 'So many pages that no client has taken yet stop the feeding.'),
      resendBytes: integer(
        0,
        17_179_869_184,
        67_108_864,
        'Bytes of delivered pages kept on disk for a client that lost its connection; the last eight pages in any case.',
      ),
      keptHours: filled(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: 500,
          default: 24,
          description:
            'Pages that no client had taken when auto-scan ended wait so long on disk for the one that enabled it.',
        }),
      ),
    }),
    clients: group('Clients that do not read what they asked for.', {
      stallSeconds: seconds(30, 'A client that takes no byte of its answer or stream for so long is disconnected.'),
      maxStreams: integer(1, 10_000, 100, 'Event streams that may be open at once; a further one is refused with 429.'),
      maxUnread: integer(
        1,
        10_000,
        8,
        'While so many scans wait for clients that do not read their answers, a further one is refused as busy.',
      ),
    }),
    memory: group('What scanned pages may take.', {
      rawBytes: integer(
        1_048_576,
        17_179_869_184,
        268_435_456,
        'Bytes of pages scanned and not yet encoded; a single page may be larger.',
      ),
      encodedBytes: integer(
        0,
        17_179_869_184,
        67_108_864,
        'Bytes of finished pages kept in memory; what is past it waits on disk.',
      ),
      maxPixels: integer(
        10_000,
        4_294_967_296,
        150_000_000,
        'A page with more pixels is refused before it is scanned (A3 in 600 dpi has 70 million).',
      ),
    }),
    security,
    log,
  },
  {
    title: 'Platen configuration',
    description: 'What a Platen service loads and how it behaves. Unknown keys are refused.',
    additionalProperties: false,
  },
);

export const HostConfigSchema = Type.Object(
  {
    $schema,
    channel: filled(
      Type.String({
        title: 'a name of lower-case letters, digits and dashes, such as "platen"',
        pattern: '^[a-z][a-z0-9-]{0,31}$',
        default: 'platen',
        description:
          "The channel's name, as the service's configuration has it in the options of @platen/driver-desktop.",
      }),
    ),
    transferMode: filled(
      Type.Enum([...transferModes], {
        default: 'Native',
        description: 'How TWAIN sources hand over their pixels where a request does not say.',
      }),
    ),
    plugins: plugins(
      "Packages of drivers to load. What else a package brings is not used: formats, barcodes and texts are the service's.",
    ),
    log,
  },
  {
    title: 'Platen desktop application configuration',
    description:
      "The drivers that Platen's desktop application has for the service, and how they are reached. Unknown keys are refused.",
    additionalProperties: false,
  },
);

type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value;

/** A whole configuration: every default is filled in. */
export type Config = Frozen<Type.Static<typeof ConfigSchema>>;
/** A whole configuration of the desktop application: every default is filled in. */
export type HostConfig = Frozen<Type.Static<typeof HostConfigSchema>>;
export type Security = Config['security'];
