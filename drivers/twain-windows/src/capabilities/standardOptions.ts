/**
 * Capabilities of the TWAIN specification 2.4 that change how a sheet is fed, lit or improved, and that no scan
 * parameter covers. Not here: what Platen negotiates itself, facts that cannot be set, several values at once, and
 * what changes the form of the data or the order of the pages.
 */
import type { OptionControl } from '@platen/core/driver';
import type { DriverOption, ReservedOption } from '@platen/core/plugin';
import { capabilityCodes, type CapabilityName } from '../protocol/constants.js';

interface Standard extends Pick<DriverOption, 'unit' | 'controls'> {
  readonly code: number;
}

const is = (code: number, more: Omit<Standard, 'code'> = {}): Standard => ({ code, ...more });

export const standardOptions: Readonly<Record<string, Standard>> = {
  CAP_ENDORSER: is(0x1016),
  CAP_PRINTER: is(0x1026),
  CAP_PRINTERENABLED: is(0x1027),
  CAP_PRINTERINDEX: is(0x1028),
  CAP_PRINTERMODE: is(0x1029),
  CAP_PRINTERSTRING: is(0x102a),
  CAP_PRINTERSUFFIX: is(0x102b),
  CAP_FEEDERALIGNMENT: is(0x102d),
  CAP_FEEDERPREP: is(0x1039),
  CAP_DOUBLEFEEDDETECTION: is(0x103f),
  CAP_DOUBLEFEEDDETECTIONLENGTH: is(0x1040),
  CAP_DOUBLEFEEDDETECTIONSENSITIVITY: is(0x1041),
  CAP_DOUBLEFEEDDETECTIONRESPONSE: is(0x1042),
  CAP_PAPERHANDLING: is(0x1043),
  CAP_PRINTERVERTICALOFFSET: is(0x1045),
  CAP_POWERSAVETIME: is(0x1046),
  ICAP_AUTOBRIGHT: is(0x1100, { controls: ['brightness'] }),
  ICAP_EXPOSURETIME: is(0x1105),
  ICAP_GAMMA: is(0x1108),
  ICAP_HALFTONES: is(0x1109, { controls: ['threshold'] }),
  ICAP_HIGHLIGHT: is(0x110a),
  ICAP_LAMPSTATE: is(0x110d),
  ICAP_LIGHTSOURCE: is(0x110e),
  ICAP_SHADOW: is(0x1113),
  ICAP_LIGHTPATH: is(0x111e),
  ICAP_BITDEPTHREDUCTION: is(0x112c, { controls: ['threshold'] }),
  ICAP_IMAGEFILTER: is(0x1147),
  ICAP_NOISEFILTER: is(0x1148),
  ICAP_OVERSCAN: is(0x1149, { controls: ['area', 'pageSize'] }),
  ICAP_FEEDERTYPE: is(0x1154),
  ICAP_AUTOSIZE: is(0x1156, { controls: ['pageSize', 'area'] }),
  ICAP_AUTOMATICLENGTHDETECTION: is(0x1158, { controls: ['pageSize', 'area'] }),
  ICAP_COLORMANAGEMENTENABLED: is(0x115b),
  ICAP_FILMTYPE: is(0x115f),
  ICAP_MIRROR: is(0x1160),
};

/** A bit of the codes of capabilities that concern the image. */
const ICAP = 0x0100;
/** CAP_CUSTOMBASE: the vendor's own begin here. */
export const CUSTOM = 0x8000;

const parameters: Partial<Readonly<Record<CapabilityName, readonly OptionControl[]>>> = {
  XFERCOUNT: ['sheets'],
  PIXELTYPE: ['colorMode'],
  UNITS: ['resolution', 'area'],
  XFERMECH: ['transferMode'],
  FEEDERENABLED: ['source'],
  AUTOFEED: ['source', 'sheets'],
  AUTOSCAN: ['sheets'],
  DUPLEXENABLED: ['duplexMode'],
  AUTOMATICSENSEMEDIUM: ['source'],
  BRIGHTNESS: ['brightness'],
  CONTRAST: ['contrast'],
  XRESOLUTION: ['resolution'],
  YRESOLUTION: ['resolution'],
  SUPPORTEDSIZES: ['pageSize', 'area'],
  THRESHOLD: ['threshold'],
  BITDEPTH: ['colorMode'],
  UNDEFINEDIMAGESIZE: ['pageSize', 'autoCrop'],
  FLIPROTATION: ['duplexMode'],
  AUTOMATICBORDERDETECTION: ['pageSize', 'autoCrop'],
  AUTOMATICDESKEW: ['autoDeskew'],
  AUTOMATICROTATE: ['autoRotate'],
};

/** Those that Platen negotiates for a scan parameter: by name, and by number as a vendor's own. */
export const reservedOptions: readonly ReservedOption[] = Object.entries(parameters).flatMap(([name, controls]) => {
  const { code } = capabilityCodes[name as CapabilityName];
  const prefix = (code & ICAP) === 0 ? 'CAP' : 'ICAP';
  return [`${prefix}_${name}`, numbered(code)].map(each => ({ name: each, controls }));
});

/** `0x8001` */
export function numbered(code: number): string {
  return `0x${code.toString(16).padStart(4, '0')}`;
}
