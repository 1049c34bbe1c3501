/**
 * The keys of both configurations: the schemas that files are checked against, and the types of the result.
 *
 * `config/schema.json` and `host.schema.json` are generated from this file, for editors that complete a configuration.
 * After a change here: `npm run build && node server/dist/machine/config/schemaFiles.js`.
 */
import { transferModes } from '@platen/core';
import type { TSchema } from 'typebox';
import { Type } from '../schemaType.js';

export const logLevels = ['silent', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof logLevels)[number];

const platforms = ['win32', 'darwin', 'linux', 'freebsd', 'openbsd', 'sunos', 'aix', 'android'] as const;

/** A key that a file may omit. Its schema has a default, so the result always has it. */
const filled = <Schema extends TSchema>(schema: Schema): Schema => Type.Optional(schema) as unknown as Schema;

/** A group of keys, each with a default. */
const group = <Keys extends Readonly<Record<string, TSchema>>>(description: string, keys: Keys) =>
  filled(Type.Object(keys, { additionalProperties: false, default: {}, description }));

const seconds = (standard: number, description: string) =>
  filled(Type.Number({ exclusiveMinimum: 0, maximum: 86_400, default: standard, description }));

const integer = (minimum: number, maximum: number, standard: number, description: string) =>
  filled(Type.Integer({ minimum, maximum, default: standard, description }));

const flag = (standard: boolean, description: string) => filled(Type.Boolean({ default: standard, description }));

const $schema = Type.Optional(Type.String({ description: 'For editors: the location of this schema.' }));

const base = (folder: string) =>
  Type.Optional(
    Type.String({
      title: '"shipped" or the path of a configuration',
      minLength: 1,
      description:
        'What this file adds to: "shipped" for the installation\'s own configuration, or a path, relative to this file. ' +
        `Objects are merged key by key, plugins by name; the files of ${folder} beside it come last.`,
    }),
  );

const PluginEntry = Type.Object(
  {
    use: Type.String({
      title: 'the name of a package, such as "@platen/format-png"',
      minLength: 1,
      description:
        "A path, or a package's name: @platen/ packages come from the server's installation, " +
        "others from node_modules in the configuration's folder, then the plugins folder, then the installation.",
    }),
    on: Type.Optional(
      Type.Array(Type.Enum([...platforms]), {
        minItems: 1,
        description: "Operating systems to load it on, by Node's names. Absent: all.",
      }),
    ),
    enabled: flag(true, "false: the package's code is not loaded."),
    required: flag(
      false,
      'true: the service does not start without it. Otherwise a broken plugin is logged and skipped.',
    ),
    isolate: flag(
      false,
      'true: its drivers run in their own process, which is restarted when it crashes or hangs. ' +
        'Only for plugins that provide nothing but drivers.',
    ),
    licence: Type.Optional(
      Type.String({
        title: 'a licence: a signed token, or the path of a file that holds one',
        minLength: 1,
        description: 'For a premium plugin, from its vendor. A relative path starts at the data folder.',
      }),
    ),
    options: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>({
        type: 'object',
        description: "The plugin's options; checked against its own schema.",
      }),
    ),
  },
  { additionalProperties: false },
);

const plugins = (description: string) => filled(Type.Array(PluginEntry, { default: [], description }));

const level = filled(
  Type.Enum([...logLevels], { default: 'info', description: 'The least severe messages to write.' }),
);

const log = group('The log, on standard error and in the folder logs of the data folder.', {
  level,
  file: flag(true, 'false: the log is on standard error only.'),
  fileBytes: integer(65_536, 1_073_741_824, 2_097_152, 'A log file is not continued beyond this size.'),
  files: integer(1, 100, 5, 'How many log files there are: the one that is written, and those before it.'),
});

const hostLog = group('The log, on standard error.', { level });

const Origins = Type.Array(
  Type.String({
    title: 'an origin such as "https://app.example": scheme, host and port, without a slash at the end',
    pattern: '^[A-Za-z][A-Za-z0-9+.-]*://[^/?#@\\s*]+$',
  }),
);

const security = group('Which web pages may use the service.', {
  origins: filled(
    Type.Union([Type.Literal('open'), Type.Literal('ask'), Origins], {
      title: '"open", "ask" or a list of origins such as "https://app.example"',
      default: 'open',
      description:
        'Which web pages may scan: any ("open"), those of the listed origins, or those that the person or an administrator allowed ("ask").',
    }),
  ),
  localPrograms: filled(
    Type.Enum(['any', 'token'], {
      default: 'any',
      description:
        'Which programs of this computer may call: any, or those that send the token in the data folder. With "token", allowed pages must prove themselves, too.',
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
          'Host names that the service answers to: the Host header without its port. ' +
          'Others are rejected, which stops DNS rebinding.',
      },
    ),
  ),
});

export const ConfigSchema = Type.Object(
  {
    $schema,
    extends: base('conf.d'),
    listen: group('Where the service listens: always on the loopback interface only.', {
      port: integer(0, 65_535, 53_052, 'The port; 0 takes a free one. --port and PLATEN_PORT override it.'),
    }),
    plugins: plugins(
      'Packages to load. Processors run in this order; if two drivers use the same scanner name, the first one keeps it.',
    ),
    scan: group('Time limits of a scan.', {
      inactivitySeconds: seconds(300, 'A scan whose device delivers nothing for this long is abandoned.'),
      graceSeconds: seconds(
        10,
        'How long a cancelled scan may take to finish the current sheet before it is abandoned.',
      ),
      deadlineGraceSeconds: seconds(2, "The same for a scan that is past its request's deadline."),
    }),
    source: group('The open scanner.', {
      idleMinutes: filled(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: 10_080,
          default: 30,
          description: 'An open scanner that is unused for this long is closed.',
        }),
      ),
    }),
    autoscan: group('Scanning each document as it is inserted.', {
      idleSeconds: seconds(300, 'Auto-scan ends when no client has read its events for this long.'),
      maxFailures: integer(
        1,
        100,
        3,
        'How many failed or empty scans in a row end auto-scan, unless the driver sets its own number.',
      ),
      outboxPages: integer(1, 10_000, 20, 'How many undelivered pages stop the feeding.'),
      resendBytes: integer(
        0,
        17_179_869_184,
        67_108_864,
        'Bytes of delivered pages kept on disk for a client that lost its connection; at least the last eight pages are kept.',
      ),
      keptHours: filled(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: 500,
          default: 24,
          description:
            'How long pages that were undelivered when auto-scan ended wait on disk for the client that enabled it.',
        }),
      ),
    }),
    scans: group('Scans that clients fetch page by page.', {
      keep: flag(
        true,
        'true: pages stay on disk until their client has them, also when the service ends. ' +
          'false: they wait in memory and in the spool, and end with the service.',
      ),
      keepHours: filled(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: 500,
          default: 24,
          description: 'How long a scan that has ended waits for its client.',
        }),
      ),
      keepBytes: integer(
        1_048_576,
        1_099_511_627_776,
        4_294_967_296,
        'Bytes of all waiting scans; with more, scans that were fetched go, and no new one starts while none may go. ' +
          'Half of it: most bytes of all running scans that wait on disk to be read.',
      ),
    }),
    profiles: filled(
      Type.Record(Type.String(), Type.Unsafe<object>({ type: 'object', description: 'Parameters of a scan.' }), {
        default: {},
        description: "Scan parameters under names, for requests with `profile`. A request's own values go before.",
      }),
    ),
    clients: group('Clients that do not read their answers.', {
      stallSeconds: seconds(30, 'A client that reads nothing of its answer or stream for this long is disconnected.'),
      maxStreams: integer(
        1,
        10_000,
        100,
        'Event streams that may be open at once, half of them of features at most; a further one is rejected with 429.',
      ),
      maxDocuments: integer(
        1,
        10_000,
        16,
        'Documents that may be sent at once, each with a page in memory; a further one is rejected with 429.',
      ),
      maxUnread: integer(
        1,
        10_000,
        8,
        'How many scans may wait for clients that do not read their answers; a further scan is rejected as busy.',
      ),
    }),
    memory: group('Memory limits for scanned pages.', {
      rawBytes: integer(
        1_048_576,
        17_179_869_184,
        268_435_456,
        'Bytes of pages of all scans that are scanned and not yet encoded; a single page may be larger.',
      ),
      encodedBytes: integer(
        0,
        17_179_869_184,
        67_108_864,
        'Bytes of finished pages kept in memory; further pages wait on disk.',
      ),
      maxPixels: integer(
        10_000,
        4_294_967_296,
        150_000_000,
        'A page with more pixels is rejected before it is scanned (A3 at 600 dpi has 70 million).',
      ),
    }),
    security,
    events: group('What plugins that follow scans are told.', {
      origins: flag(false, 'true: also which web pages asked for a scan.'),
    }),
    metrics: group('Figures for monitoring, at /metrics.', {
      enabled: flag(false, 'true: programs of this computer can read them.'),
      origins: flag(false, 'true: scans are also counted by the origin of their web page.'),
    }),
    log,
  },
  {
    title: 'Platen configuration',
    description: 'What a Platen service loads and how it behaves. Unknown keys are rejected.',
    additionalProperties: false,
  },
);

export const HostConfigSchema = Type.Object(
  {
    $schema,
    extends: base('host.d'),
    channel: filled(
      Type.String({
        title: 'a name of lower-case letters, digits and dashes, such as "platen"',
        pattern: '^[a-z][a-z0-9-]{0,31}$',
        default: 'platen',
        description:
          "The channel's name, the same as in the options of @platen/driver-desktop in the service's configuration.",
      }),
    ),
    transferMode: filled(
      Type.Enum([...transferModes], {
        default: 'Native',
        description: 'How TWAIN sources transfer their pixels, unless a request says otherwise.',
      }),
    ),
    plugins: plugins(
      'Packages of drivers to load. Other contributions of a package (formats, barcodes, text) belong in the service and are ignored.',
    ),
    log: hostLog,
  },
  {
    title: 'Platen desktop application configuration',
    description:
      "The drivers that Platen's desktop application serves to the service, and its channel. Unknown keys are rejected.",
    additionalProperties: false,
  },
);

type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value;

/** A configuration with every default filled in. */
export type Config = Frozen<Type.Static<typeof ConfigSchema>>;
/** The desktop application's configuration with every default filled in. */
export type HostConfig = Frozen<Type.Static<typeof HostConfigSchema>>;
export type Security = Config['security'];
