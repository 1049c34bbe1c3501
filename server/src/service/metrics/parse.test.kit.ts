/** A strict reader of Prometheus' text format: rejects what `promtool check metrics` would. */

export interface Read {
  readonly names: readonly string[];
  /** @param series as in the text: `platen_pages_total{kind="on-demand"}`; undefined if it is not there */
  value(series: string): number | undefined;
}

const sample = /^([a-z_:][a-z0-9_:]*)(\{(?:[a-z_][a-z0-9_]*="(?:[^"\\\n]|\\["\\n])*"(?:,(?!\})|(?=\})))*\})? (\S+)$/;

/** @throws Error naming the line */
export function parsed(text: string): Read {
  if (!text.endsWith('\n')) throw new Error('no line feed at the end');
  const types = new Map<string, string>();
  const values = new Map<string, number>();
  let [helped, family] = ['', ''];
  for (const line of text.slice(0, -1).split('\n')) {
    const fail = (why: string): never => {
      throw new Error(`${why}: ${line}`);
    };
    const [, help] = /^# HELP ([a-z_]+) \S.*$/.exec(line) ?? [];
    const [, typed, type] = /^# TYPE ([a-z_]+) (counter|gauge|histogram)$/.exec(line) ?? [];
    if (help !== undefined) helped = help;
    else if (typed !== undefined && type !== undefined) {
      if (typed !== helped || types.has(typed)) fail('a type without its help, or twice');
      if ((type === 'counter') !== typed.endsWith('_total')) fail('only counters end with _total');
      types.set(typed, type);
      family = typed;
    } else {
      const [, name = fail('not a sample'), labels = '', digits = ''] = sample.exec(line) ?? [];
      const isPart = types.get(family) === 'histogram' && /^_(?:bucket|sum|count)$/.test(name.slice(family.length));
      if (
        !name.startsWith(family) ||
        (name !== family && !isPart) ||
        (name === family && types.get(name) === 'histogram')
      )
        fail(`not of ${family}`);
      const value = digits === '+Inf' ? Infinity : Number(digits);
      if (digits === '' || Number.isNaN(value)) fail('no number');
      if (values.has(name + labels)) fail('twice');
      if (types.get(family) !== 'gauge' && value < 0) fail('negative');
      values.set(name + labels, value);
    }
  }
  for (const [name, type] of types) {
    const own = [...values.keys()].filter(series => series.startsWith(name));
    if (own.length === 0) throw new Error(`${name} has no sample`);
    if (type === 'histogram') assertHistogram(name, values);
  }
  return { names: [...types.keys()], value: series => values.get(series) };
}

/** Each bucket has at least what the one before it has; the last one has all. */
function assertHistogram(name: string, values: ReadonlyMap<string, number>): void {
  const last = new Map<string, { most: number; count: number }>();
  for (const [series, count] of values) {
    const [, labels, most] = new RegExp(`^${name}_bucket\\{(.*,)?le="([^"]+)"\\}$`).exec(series) ?? [];
    if (most === undefined) continue;
    const bound = most === '+Inf' ? Infinity : Number(most);
    const key = labels ?? '';
    const before = last.get(key) ?? { most: -Infinity, count: 0 };
    if (bound <= before.most || count < before.count) throw new Error(`${series} is out of order`);
    last.set(key, { most: bound, count });
  }
  for (const [labels, { most, count }] of last) {
    const whole = `${name}_count${labels === '' ? '' : `{${labels.replace(/,$/, '')}}`}`;
    if (most !== Infinity || values.get(whole) !== count) throw new Error(`${whole} is not what its buckets count`);
  }
}
