/** The body of a scan job: ScanSettings, with its elements in the order that devices are known to accept. */
import type { Region } from './capabilities.js';
import type { EsclMode } from './scannerCapabilities.js';
import { escaped } from './xml.js';

export interface ScanSettings {
  readonly version: string;
  readonly source: 'Platen' | 'Feeder';
  /** Absent for the flatbed. */
  readonly duplex?: boolean;
  readonly mode: EsclMode;
  readonly format: string;
  readonly hasFormatExt: boolean;
  readonly dpi: number;
  /** The CompressionFactor of a JPEG; absent: the device's default. */
  readonly compression?: number;
  readonly region: Region;
}

const namespaces = [
  'xmlns:pwg="http://www.pwg.org/schemas/2010/12/sm"',
  'xmlns:scan="http://schemas.hp.com/imaging/escl/2011/05/03"',
].join(' ');

export function writeScanSettings({
  version,
  source,
  duplex,
  mode,
  format,
  hasFormatExt,
  dpi,
  compression,
  region,
}: ScanSettings): string {
  const element = (name: string, value: string | number | boolean) => `<${name}>${escaped(String(value))}</${name}>`;
  const area = [
    element('pwg:ContentRegionUnits', 'escl:ThreeHundredthsOfInches'),
    element('pwg:XOffset', region.x),
    element('pwg:YOffset', region.y),
    element('pwg:Width', region.width),
    element('pwg:Height', region.height),
  ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<scan:ScanSettings ${namespaces}>`,
    element('pwg:Version', version),
    `<pwg:ScanRegions><pwg:ScanRegion>${area.join('')}</pwg:ScanRegion></pwg:ScanRegions>`,
    element('pwg:InputSource', source),
    element('scan:ColorMode', mode),
    element('pwg:DocumentFormat', format),
    ...(hasFormatExt ? [element('scan:DocumentFormatExt', format)] : []),
    element('scan:XResolution', dpi),
    element('scan:YResolution', dpi),
    ...(compression === undefined ? [] : [element('scan:CompressionFactor', compression)]),
    ...(duplex === undefined ? [] : [element('scan:Duplex', duplex)]),
    '</scan:ScanSettings>',
    '',
  ].join('\n');
}
