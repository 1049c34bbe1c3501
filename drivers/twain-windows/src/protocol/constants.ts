/** TWAIN's constants, from the public specification 2.x. */
import { TY, type ItemType } from './itemTypes.js';

/** Data groups. */
export const DG = { CONTROL: 1, IMAGE: 2 } as const;

/** Data argument types. */
export const DAT = {
  PENDINGXFERS: 0x0005,
  SETUPMEMXFER: 0x0006,
  DEVICEEVENT: 0x000d,
  IMAGEINFO: 0x0101,
  IMAGELAYOUT: 0x0102,
  PALETTE8: 0x010a,
} as const;

/** Messages. */
export const MSG = {
  GET: 0x0001,
  GETCURRENT: 0x0002,
  GETDEFAULT: 0x0003,
  SET: 0x0006,
  RESET: 0x0007,
  QUERYSUPPORT: 0x0008,
  GETHELP: 0x0009,
  GETLABEL: 0x000a,
  ENDXFER: 0x0701,
  STOPFEEDER: 0x0702,
} as const;

/** Return codes. */
export const RC = {
  SUCCESS: 0,
  FAILURE: 1,
  CHECKSTATUS: 2,
  CANCEL: 3,
  XFERDONE: 6,
  DATANOTAVAILABLE: 9,
  BUSY: 10,
  SCANNERLOCKED: 11,
} as const;

/** Bits of QUERYSUPPORT's answer. */
export const QC = { GET: 0x0001, SET: 0x0002, GETDEFAULT: 0x0004, GETCURRENT: 0x0008, RESET: 0x0010 } as const;

/** Events of CAP_DEVICEEVENT that end a page. */
export const DE = { DEVICEOFFLINE: 7, DEVICEREMOVED: 9, PAPERDOUBLEFEED: 12, PAPERJAM: 13 } as const;

interface CapabilityCode {
  readonly code: number;
  /** The item type, from the specification; the source's own answer takes precedence. */
  readonly type: ItemType;
}

const cap = (code: number, type: ItemType): CapabilityCode => ({ code, type });

/** The capabilities that this driver uses. */
export const capabilityCodes = {
  XFERCOUNT: cap(0x0001, TY.INT16),
  COMPRESSION: cap(0x0100, TY.UINT16),
  PIXELTYPE: cap(0x0101, TY.UINT16),
  UNITS: cap(0x0102, TY.UINT16),
  XFERMECH: cap(0x0103, TY.UINT16),
  FEEDERENABLED: cap(0x1002, TY.BOOL),
  FEEDERLOADED: cap(0x1003, TY.BOOL),
  SUPPORTEDCAPS: cap(0x1005, TY.UINT16),
  AUTOFEED: cap(0x1007, TY.BOOL),
  INDICATORS: cap(0x100b, TY.BOOL),
  PAPERDETECTABLE: cap(0x100d, TY.BOOL),
  UICONTROLLABLE: cap(0x100e, TY.BOOL),
  DEVICEONLINE: cap(0x100f, TY.BOOL),
  AUTOSCAN: cap(0x1010, TY.BOOL),
  DUPLEX: cap(0x1012, TY.UINT16),
  DUPLEXENABLED: cap(0x1013, TY.BOOL),
  JOBCONTROL: cap(0x1017, TY.UINT16),
  DEVICEEVENT: cap(0x1022, TY.UINT16),
  AUTOMATICSENSEMEDIUM: cap(0x103b, TY.BOOL),
  AUTOBRIGHT: cap(0x1100, TY.BOOL),
  BRIGHTNESS: cap(0x1101, TY.FIX32),
  CONTRAST: cap(0x1103, TY.FIX32),
  PHYSICALWIDTH: cap(0x1111, TY.FIX32),
  PHYSICALHEIGHT: cap(0x1112, TY.FIX32),
  XRESOLUTION: cap(0x1118, TY.FIX32),
  YRESOLUTION: cap(0x1119, TY.FIX32),
  TILES: cap(0x111b, TY.BOOL),
  BITORDER: cap(0x111c, TY.UINT16),
  PIXELFLAVOR: cap(0x111f, TY.UINT16),
  PLANARCHUNKY: cap(0x1120, TY.UINT16),
  SUPPORTEDSIZES: cap(0x1122, TY.UINT16),
  THRESHOLD: cap(0x1123, TY.FIX32),
  BITDEPTH: cap(0x112b, TY.UINT16),
  BITDEPTHREDUCTION: cap(0x112c, TY.UINT16),
  UNDEFINEDIMAGESIZE: cap(0x112d, TY.BOOL),
  MINIMUMHEIGHT: cap(0x1130, TY.FIX32),
  MINIMUMWIDTH: cap(0x1131, TY.FIX32),
  AUTODISCARDBLANKPAGES: cap(0x1134, TY.INT32),
  FLIPROTATION: cap(0x1136, TY.UINT16),
  AUTOMATICBORDERDETECTION: cap(0x1150, TY.BOOL),
  AUTOMATICDESKEW: cap(0x1151, TY.BOOL),
  AUTOMATICROTATE: cap(0x1152, TY.BOOL),
} as const satisfies Readonly<Record<string, CapabilityCode>>;

export type CapabilityName = keyof typeof capabilityCodes;
/** By name, or a vendor's or an optional one by its number. */
export type CapabilityKey = CapabilityName | number;

export function capabilityCode(key: CapabilityKey): number {
  return typeof key === 'number' ? key : capabilityCodes[key].code;
}

/** ICAP_PIXELTYPE. */
export const PT = { BW: 0, GRAY: 1, RGB: 2, PALETTE: 3 } as const;
/** ICAP_XFERMECH. */
export const SX = { NATIVE: 0, FILE: 1, MEMORY: 2 } as const;
/** ICAP_PIXELFLAVOR: the meaning of a zero. */
export const PF = { CHOCOLATE: 0, VANILLA: 1 } as const;
/** ICAP_BITORDER. */
export const BO = { LSBFIRST: 0, MSBFIRST: 1 } as const;
/** ICAP_UNITS: units per inch. Pixels are not a length. */
export const perInch: Readonly<Record<number, number>> = { 0: 1, 1: 2.54, 2: 6, 3: 72, 4: 1440, 6: 25.4 };
export const INCHES = 0;
/** ICAP_FLIPROTATION: how the back of a sheet is turned. */
export const FR = { BOOK: 0, FANFOLD: 1 } as const;
/** ICAP_AUTODISCARDBLANKPAGES. */
export const KEEP_BLANK_PAGES = -2;
/** ICAP_BITDEPTHREDUCTION: by ICAP_THRESHOLD. */
export const BR_THRESHOLD = 0;
/** ICAP_COMPRESSION, CAP_JOBCONTROL, ICAP_PLANARCHUNKY (chunky), CAP_DUPLEX. */
export const NONE = 0;
