/** `GET /app/about?scanner=NAME`: what is known of a scanner, for the person in front of it. It opens no scanner. */
import { ScanError } from '@platen/core';
import { Type } from '../../../machine/schemaType.js';
import { assertOwnPage } from '../../http/guards/ownPage.js';
import type { Route } from '../../route.js';

const schema = { hide: true, querystring: Type.Object({ scanner: Type.String({ minLength: 1 }) }) };

const appAbout: Route = (app, { scans, health }) => {
  app.get('/app/about', { schema, onRequest: async request => assertOwnPage(request) }, async (request, reply) => {
    const { scanner } = request.query;
    const known = scans.listed().find(({ name }) => name === scanner);
    if (!known) throw new ScanError('device-not-found', 'No scanner has that name.');
    const { device, driver } = known;
    await health.ask();
    const told = health.known(driver.id);
    return reply.header('cache-control', 'no-store').send({
      success: true,
      manufacturer: device.manufacturer,
      model: device.model,
      ...(told && { health: { state: told.state, ...(told.sentence !== undefined && { sentence: told.sentence }) } }),
      facts: (told?.facts ?? []).flatMap(({ name, value, title, device: its }) =>
        its === device.name ? [{ name, value, ...(title !== undefined && { title }) }] : [],
      ),
    });
  });
};
export default appAbout;
