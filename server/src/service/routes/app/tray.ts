/** `POST /app/tray/{name}`: puts an image that was dropped onto the page into the tray of a simulated scanner. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { codeOf, messageOf, ScanError } from '@platen/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from '../../../machine/schemaType.js';
import { answerOf } from '../../http/answers/errorAnswer.js';
import { HttpError } from '../../http/errors.js';
import { assertOwnPageActs } from '../../http/guards/ownPage.js';
import type { Route } from '../../route.js';

/** Fits an uncompressed A4 page at 300 dpi. The driver limits the pixels, before it decodes them. */
const IMAGE_BYTES = 32 * 1024 * 1024;
/** Each upload may hold `IMAGE_BYTES` of memory. */
const MOST_AT_ONCE = 4;

const schema = { hide: true, params: Type.Object({ name: Type.String({ minLength: 1 }) }) };

/** The rest of the service expects JSON bodies; this rewords its errors for images. */
function onError(thrown: unknown, _request: FastifyRequest, _reply: FastifyReply): never {
  const { code } = answerOf(thrown);
  if (code === 'body-too-large')
    throw new HttpError(code, `The image is too large. The limit is ${IMAGE_BYTES / 1024 / 1024} MiB.`);
  if (code === 'wrong-content-type')
    throw new HttpError(
      code,
      'The body is not an image. Send the image\'s bytes with its type, such as "Content-Type: image/png".',
    );
  throw thrown;
}

const appTray: Route = (app, { scans }) => {
  let underWay = 0;

  const admit = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    assertOwnPageActs(request);
    if (underWay >= MOST_AT_ONCE) throw new ScanError('busy', 'Other images are being uploaded. Try again later.');
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
        if (!image?.length) throw new HttpError('bad-request', 'The request contains no image.');
        const found = (await scans.list()).find(({ name }) => name === request.params.name);
        if (!found) throw new ScanError('device-not-found', 'No scanner has that name.');
        if (!found.driver.insert)
          throw new HttpError('bad-request', `${found.name} is a real scanner. Insert the paper by hand.`);
        try {
          await found.driver.insert(found.device.id, image);
        } catch (error) {
          // The scanner did not fail: the bytes are not an image, or the scanner has no tray.
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
