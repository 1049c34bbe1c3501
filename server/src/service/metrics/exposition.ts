/**
 * Prometheus' text format, version 0.0.4:
 * https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */

export interface Sample {
  /** After the family's name: `_bucket`, `_sum` and `_count` of a histogram. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  /** With its unit: `platen_scans_total`, `platen_spool_bytes`. */
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

export const contentType = 'text/plain; version=0.0.4; charset=utf-8';

/** A family without samples is left out. */
export function exposition(families: readonly Family[]): string {
  const lines = families.flatMap(({ name, help, type, samples }) =>
    samples.length === 0
      ? []
      : [
          `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`,
          `# TYPE ${name} ${type}`,
          ...samples.map(
            ({ suffix = '', labels = {}, value }) => `${name}${suffix}${inBraces(labels)} ${inDigits(value)}`,
          ),
        ],
  );
  return `${lines.join('\n')}\n`;
}

function inBraces(labels: Readonly<Record<string, string>>): string {
  const all = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
  return all.length === 0 ? '' : `{${all.join(',')}}`;
}

const escaped = (value: string): string =>
  value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');

export function inDigits(value: number): string {
  if (value === Infinity) return '+Inf';
  return value === -Infinity ? '-Inf' : String(value);
}
