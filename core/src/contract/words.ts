/** The interface document's terms and spellings, used from the wire to the driver. */

export const colorModes = ['Color', 'Grayscale', 'BlackAndWhite'] as const;
/** Color: 24-bit RGB. Grayscale: 8-bit. BlackAndWhite: 1-bit. */
export type ColorMode = (typeof colorModes)[number];

export const duplexModes = ['Simplex', 'DuplexLongEdge', 'DuplexShortEdge'] as const;
export type DuplexMode = (typeof duplexModes)[number];

/** Sizes that a scan may request. */
export const scanPageSizes = ['Letter', 'Legal', 'A4', 'A5', 'A6', 'B5', 'Auto'] as const;
/** Sizes that capabilities may list; A3 and Executive cannot be requested (interface, "Page sizes"). */
export const pageSizes = [...scanPageSizes, 'A3', 'Executive'] as const;
export type PageSize = (typeof pageSizes)[number];

/** Width and height of each named size, portrait, in millimetres (B5 is JIS). `Auto` has none. */
export const millimetres: Readonly<Record<Exclude<PageSize, 'Auto'>, { width: number; height: number }>> = {
  Letter: { width: 215.9, height: 279.4 },
  Legal: { width: 215.9, height: 355.6 },
  A3: { width: 297, height: 420 },
  A4: { width: 210, height: 297 },
  A5: { width: 148, height: 210 },
  A6: { width: 105, height: 148 },
  B5: { width: 182, height: 257 },
  Executive: { width: 184.15, height: 266.7 },
};

/**
 * What may be done to a page in addition to scanning it.
 * rotate: turn upright by content. deskew: straighten a skewed page. crop: cut to the sheet's edges.
 * turn: rotate the back of a sheet bound on its short edge by 180°.
 */
export const adjustments = ['rotate', 'deskew', 'crop', 'turn'] as const;
export type Adjustment = (typeof adjustments)[number];

/** The scan parameters that request an adjustment, and the capabilities that announce it. */
export const adjustmentParameters = [
  { parameter: 'autoRotate', adjustment: 'rotate', capability: 'supportsAutoRotate' },
  { parameter: 'autoDeskew', adjustment: 'deskew', capability: 'supportsAutoDeskew' },
  { parameter: 'autoCrop', adjustment: 'crop', capability: 'supportsAutoCrop' },
] as const satisfies readonly { parameter: string; adjustment: Adjustment; capability: string }[];
export type AdjustmentParameter = (typeof adjustmentParameters)[number];

export type Source = 'feeder' | 'flatbed';
