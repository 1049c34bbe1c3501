/** `POST /app/tray/{name}`: lays an image that was dropped onto the page into the tray of a simulated scanner. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { codeOf, messageOf, ScanError } from '@platen/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { answerOf } from '../../http/errorAnswer.js';
import { HttpError } from '../../http/errors.js';
import { assertOwnPageActs } from '../../http/ownPage.js';
import type { Route } from '../../route.js';

/** An A4 page at 300 dpi as an uncompressed file fits. Pixels are limited by the driver, before it decodes them. */
const IMAGE_BYTES = 32 * 1024 * 1024;
/** Each may hold as much memory. */
const MOST_AT_ONCE = 4;

const schema = { hide: true, params: Type.Object({ name: Type.String({ minLength: 1 }) }) };

/** What the rest of the service says of a body is about JSON. */
function onError(thrown: unknown, _request: FastifyRequest, _reply: FastifyReply): never {
  const { code } = answerOf(thrown);
  if (code === 'body-too-large')
    throw new HttpError(code, `An image for the tray has at most ${IMAGE_BYTES / 1024 / 1024} MiB.`);
  if (code === 'wrong-content-type')
    throw new HttpError(
      code,
      'A tray takes an image: send its bytes with the type of the image, "Content-Type: image/png" for example.',
    );
  throw thrown;
}

const appTray: Route = (app, { scans }) => {
  let underWay = 0;

  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    assertOwnPageActs(request);
    if (underWay >= MOST_AT_ONCE)
      throw new ScanError('busy', 'Other images are being laid into trays: try again when they are there.');
    underWay++;
    reply.raw.once('close', () => underWay--);
  };

  void app.register(async plugin => {
    const scope = plugin.withTypeProvider<TypeBoxTypeProvider>();
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(/^image\//, { parseAs: 'buffer', bodyLimit: IMAGE_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    scope.post(
      '/app/tray/:name',
      { schema, onRequest: admit, errorHandler: onError, bodyLimit: IMAGE_BYTES },
      async (request, reply) => {
        const image = request.body as Uint8Array | undefined;
        if (!image?.length) throw new HttpError('bad-request', 'There is no image in the request.');
        const found = (await scans.list()).find(({ name }) => name === request.params.name);
        if (!found) throw new ScanError('device-not-found', 'There is no scanner of that name.');
        if (!found.driver.insert)
          throw new HttpError('bad-request', `${found.name} is a real scanner: put the paper into it by hand.`);
        try {
          await found.driver.insert(found.device.id, image);
        } catch (error) {
          // It is not the scanner that failed: this is no image, or the scanner has no tray.
          throw codeOf(error) === 'unsupported' ? new HttpError('bad-request', messageOf(error)) : error;
        }
        return reply
          .header('cache-control', 'no-store')
          .send({ success: true, message: `The image is in the tray of ${found.name}.` });
      },
    );
  });
};
export default appTray;
