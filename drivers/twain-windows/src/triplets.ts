/** TWAIN's words for operations and their outcomes, as the public TWAIN 2.x specification numbers them. */

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
  ENDXFER: 0x0701,
  STOPFEEDER: 0x0702,
} as const;

/** Return codes. */
export const RC = { SUCCESS: 0, FAILURE: 1, CHECKSTATUS: 2, CANCEL: 3, XFERDONE: 6, DATANOTAVAILABLE: 9, BUSY: 10, SCANNERLOCKED: 11 } as const;

/** Bits of QUERYSUPPORT's answer. */
export const QC = { GET: 0x0001, SET: 0x0002, GETDEFAULT: 0x0004, GETCURRENT: 0x0008, RESET: 0x0010 } as const;

/** Events of CAP_DEVICEEVENT that end a page. */
export const DE = { DEVICEOFFLINE: 7, DEVICEREMOVED: 9, PAPERDOUBLEFEED: 12, PAPERJAM: 13 } as const;
