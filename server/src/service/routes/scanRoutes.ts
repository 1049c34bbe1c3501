/** The routes that scan: all that a command calls, and reads in the OpenAPI document. URL = file. */
import writeDocument from './api/documents.js';
import cancelScan from './api/scans/cancel.js';
import continueScan from './api/scans/continue.js';
import scanDocument from './api/scans/document.js';
import scanDocuments from './api/scans/documents.js';
import scanEvents from './api/scans/events.js';
import listScans from './api/scans/list.js';
import scanPage from './api/scans/page.js';
import readScan from './api/scans/read.js';
import releaseScan from './api/scans/release.js';
import startScan from './api/scans/start.js';
import cancel from './api/twain/cancel.js';
import direct from './api/twain/direct.js';
import scanners from './api/twain/scanners.js';
import openapi from './openapi.js';
import root from './root.js';
import type { Route } from '../route.js';

export const scanRoutes: readonly Route[] = [
  root,
  writeDocument,
  cancelScan,
  continueScan,
  scanDocument,
  scanDocuments,
  scanEvents,
  listScans,
  scanPage,
  readScan,
  releaseScan,
  startScan,
  cancel,
  direct,
  scanners,
  openapi,
];
