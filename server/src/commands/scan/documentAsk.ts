/** What a command asks of a document, in the words of the query of `GET /api/scans/{id}/document`. */
export interface DocumentAsk {
  /** An extension of the document format. */
  readonly format: string;
  readonly pages?: string;
  readonly rotate?: string;
  readonly title?: string;
  readonly searchable?: 'false';
  readonly barcodes?: 'true';
}

/** The path of a document in the service. */
export function documentPath(scan: string, ask: DocumentAsk): string {
  const query = String(new URLSearchParams(Object.entries(ask)));
  // Commas need no escape, and a list of pages has many.
  return `/api/scans/${scan}/document?${query.replaceAll('%2C', ',')}`;
}
