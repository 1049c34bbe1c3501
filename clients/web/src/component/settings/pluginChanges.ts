/** Follows what the plugins of the service offer, and reads the chosen scanner's capabilities again when it changes. */
import type { PlatenErrorCode } from '../../client/errors.js';
import { followFeatures } from '../../client/features.js';
import type { Capabilities, FeatureList, OffReason } from '../../client/shapes.js';
import type { Calls } from '../calls.js';
import type { Known } from './parameters.js';

export interface PluginChangesParts {
  readonly client: Pick<Calls, 'baseUrl' | 'featureEvents'>;
  /** What is shown; undefined while a scanner is being chosen. */
  known(): Known | undefined;
  /** Reads it again. It does not ask the person. */
  read(known: Known): Promise<Known>;
  /** The same scanner with other plugins. */
  show(known: Known): void;
  /** What `whyOff` says may have changed. */
  changed(): void;
}

export interface PluginChanges {
  /** From now on, until the end, or until the page may not scan any more. */
  follow(): void;
  /** What is known was read: perhaps with the plugins of a moment ago. */
  compare(): void;
  /** Why no recogniser of this kind is there; undefined: it is not known. */
  whyOff(kind: string): OffReason | undefined;
  end(): void;
}

/** A connection, with who listens. */
interface Stream {
  readonly listeners: Set<(list: FeatureList) => void>;
  readonly hangUp: AbortController;
  last: FeatureList | undefined;
}

/** Before each further attempt, in milliseconds: the scanner may be away for a moment. */
const PAUSES_MS = [1000, 2000, 4000, 8000, 15_000, 30_000];

/** By address, for all elements of the page: a browser opens six connections to a service. */
const streams = new Map<string, Stream>();

function streamOf({ baseUrl, featureEvents }: PluginChangesParts['client']): Stream {
  const open = streams.get(baseUrl);
  if (open) return open;
  const stream: Stream = { listeners: new Set(), hangUp: new AbortController(), last: undefined };
  streams.set(baseUrl, stream);
  void (async () => {
    try {
      for await (const list of followFeatures(featureEvents, { signal: stream.hangUp.signal })) {
        stream.last = list;
        for (const tell of stream.listeners) tell(list);
      }
    } catch {
      // The page may not scan any more, or the service is too old. Whoever looks for scanners follows again.
    }
    if (streams.get(baseUrl) === stream) streams.delete(baseUrl);
  })();
  return stream;
}

/** Whether these capabilities were read with the plugins of this list. */
function agrees(list: FeatureList, { details }: Capabilities): boolean {
  if (!details) return true;
  const { recognisers, processors, formats, documents } = details;
  const then = [
    [...new Set(recognisers.map(({ kind }) => kind))],
    processors.map(({ name }) => name),
    formats.map(({ name }) => name),
    documents.map(({ format }) => format),
  ];
  return JSON.stringify(then) === JSON.stringify([list.recognisers, list.processors, list.formats, list.documents]);
}

export function createPluginChanges({ client, known, read, show, changed }: PluginChangesParts): PluginChanges {
  let list: FeatureList | undefined;
  let own: Stream | undefined;
  let isOver = false;
  /** Of the last reading: an earlier one does not count any more. */
  let reading = 0;

  async function readAgain(before: Known): Promise<void> {
    const its = ++reading;
    const isWanted = (): boolean => !isOver && its === reading && known() === before;
    for (const ms of PAUSES_MS) {
      try {
        const next = await read(before);
        if (isWanted()) show(next);
        return;
      } catch (error) {
        // The service asks the person with each call that nobody allowed.
        const { code } = error as { readonly code?: PlatenErrorCode };
        if (code?.startsWith('consent-')) return;
      }
      await new Promise(resolve => setTimeout(resolve, ms));
      if (!isWanted()) return;
    }
  }

  const compare = (): void => {
    const now = known();
    if (now && list && !agrees(list, now.can)) void readAgain(now);
  };
  const take = (next: FeatureList): void => {
    const isFirst = list === undefined;
    list = next;
    changed();
    const now = known();
    // Languages and options may have changed, too.
    if (isFirst) compare();
    else if (now) void readAgain(now);
  };

  return {
    compare,
    follow() {
      if (isOver) return;
      const stream = streamOf(client);
      if (stream === own) return;
      own = stream;
      stream.listeners.add(take);
      if (stream.last) take(stream.last);
    },
    whyOff: kind => list?.off.find(each => each.kind === 'recogniser' && each.id === kind)?.why,
    end() {
      isOver = true;
      own?.listeners.delete(take);
      if (own?.listeners.size !== 0) return;
      own.hangUp.abort();
      // One that comes now needs another.
      if (streams.get(client.baseUrl) === own) streams.delete(client.baseUrl);
    },
  };
}
