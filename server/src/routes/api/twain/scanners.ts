/** `GET /api/twain/scanners`: every scanner of every driver. */
import { describeScanner } from '@platen/core';
import { ScannerList } from '../../../http/dto/schemas.js';
import type { Route } from '../../route.js';

const scanners: Route = (app, { scanner }) => {
  app.get('/api/twain/scanners', { schema: { response: { '2xx': ScannerList } } }, async () => {
    const all = (await scanner.list()).map(describeScanner);
    return { success: true as const, scanners: all, count: all.length };
  });
};
export default scanners;
