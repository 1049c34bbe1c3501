/** The device as a DNS-SD service: its type, and the keys of its TXT record. */
import type { Build } from './options.js';

export interface ServiceFacts {
  /** Without the type and the domain. */
  readonly name: string;
  readonly type: '_uscan._tcp' | '_uscans._tcp';
  readonly port: number;
  readonly txt: Readonly<Record<string, string>>;
}

const words = { RGB24: 'color', Grayscale8: 'grayscale', BlackAndWhite1: 'binary' } as const;

export function serviceFacts(build: Build, port: number): ServiceFacts {
  const { uuid, model, root, formats, colorModes, flatbed, feeder, tls } = build;
  return {
    name: `${model} ${uuid.slice(0, 4)}`,
    type: tls ? '_uscans._tcp' : '_uscan._tcp',
    port,
    txt: {
      txtvers: '1',
      vers: '2.63',
      rs: root,
      ty: model,
      note: 'Lab',
      pdl: formats.join(','),
      uuid,
      cs: colorModes.map(each => words[each]).join(','),
      is: [...(flatbed ? ['platen'] : []), ...(feeder === 'none' ? [] : ['adf'])].join(','),
      duplex: feeder === 'duplex' ? 'T' : 'F',
    },
  };
}
