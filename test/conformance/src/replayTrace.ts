/** Traces of `platen trace` as tests: what a driver did with a scanner once, it does again. */
import { readdir, readFile } from 'node:fs/promises';
import { traceSession, type Driver, type ScanOrder, type StepLine } from '@platen/core';

export interface TraceHead {
  readonly trace: 1;
  readonly driver: string;
  /** The plugin's options: numbers and switches; other texts were removed. */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Has one of these; `at` is in milliseconds. */
export interface TraceLine extends StepLine {
  readonly at: number;
  readonly to?: unknown;
  readonly from?: unknown;
}

export interface Trace {
  /** Of its file. */
  readonly name: string;
  readonly head: TraceHead;
  readonly lines: readonly TraceLine[];
}

export interface Replayed {
  /** The steps of the trace, and what came of each. */
  readonly before: readonly StepLine[];
  readonly now: readonly StepLine[];
}

/** Every `.jsonl` of a folder, by name. @throws Error for a file that is no trace */
export async function readTraces(folder: URL): Promise<readonly Trace[]> {
  const names = (await readdir(folder)).filter(each => each.endsWith('.jsonl')).sort();
  return Promise.all(names.map(async name => readTrace(name, await readFile(new URL(name, folder), 'utf8'))));
}

export function readTrace(name: string, text: string): Trace {
  const [head, ...lines] = text
    .split('\n')
    .filter(each => each !== '')
    .map(each => JSON.parse(each) as unknown);
  if ((head as TraceHead | undefined)?.trace !== 1) throw new Error(`${name} is no trace of "platen trace".`);
  return { name, head: head as TraceHead, lines: lines as TraceLine[] };
}

/** The id that the trace's device has; absent: no scanner was opened. */
export function deviceOf({ lines }: Trace): string {
  return String(lines.find(({ step }) => step === 'open')?.['device'] ?? '');
}

/**
 * Repeats the steps on a driver that answers from the trace.
 * @param deviceId of the same device here
 */
export async function replayTrace(trace: Trace, driver: Driver, deviceId = deviceOf(trace)): Promise<Replayed> {
  const isStep = (line: object): boolean => 'step' in line || 'did' in line || 'page' in line;
  const before = trace.lines.filter(isStep).map(({ at: _at, ...line }): StepLine => line);
  const order = before.find(({ step }) => step === 'scan')?.['order'] as ScanOrder | undefined;
  const now: StepLine[] = [];
  await traceSession({
    driver,
    deviceId,
    order: () => order,
    write(line) {
      const own = line['device'] === undefined ? line : { ...line, device: deviceOf(trace) };
      now.push(JSON.parse(JSON.stringify(own)) as StepLine);
    },
    stop: new AbortController().signal,
    stepMs: 30_000,
    pageMs: 30_000,
  });
  return { before, now };
}
