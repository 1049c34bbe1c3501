/** The body of a scan job: ScanSettings, with its elements in the order that devices are known to accept. */
import type { Region } from './capabilities.js';
import type { SettingValues } from './supportedSettings.js';
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
  /** Further elements by name. */
  readonly values: SettingValues;
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
  values,
}: ScanSettings): string {
  const element = (name: string, value: string | number | boolean) => `<${name}>${escaped(String(value))}</${name}>`;
  const area = [
    element('pwg:ContentRegionUnits', 'escl:ThreeHundredthsOfInches'),
    element('pwg:XOffset', region.x),
    element('pwg:YOffset', region.y),
    element('pwg:Width', region.width),
    element('pwg:Height', region.height),
  ];
  const { Intent, ContentType, CompressionFactor = compression, ...others } = values;
  const optional = (name: string, value: string | number | undefined) =>
    value === undefined ? [] : [element(name, value)];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<scan:ScanSettings ${namespaces}>`,
    element('pwg:Version', version),
    ...optional('scan:Intent', Intent),
    `<pwg:ScanRegions><pwg:ScanRegion>${area.join('')}</pwg:ScanRegion></pwg:ScanRegions>`,
    ...optional('pwg:ContentType', ContentType),
    element('pwg:InputSource', source),
    element('scan:ColorMode', mode),
    element('pwg:DocumentFormat', format),
    ...(hasFormatExt ? [element('scan:DocumentFormatExt', format)] : []),
    element('scan:XResolution', dpi),
    element('scan:YResolution', dpi),
    ...optional('scan:CompressionFactor', CompressionFactor),
    ...(duplex === undefined ? [] : [element('scan:Duplex', duplex)]),
    ...Object.entries(others).map(([name, value]) => element(`scan:${name}`, value)),
    '</scan:ScanSettings>',
    '',
  ].join('\n');
}
