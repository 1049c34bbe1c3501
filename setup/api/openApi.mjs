/** The interface as the service serves it at /openapi.json, without its sentences and examples. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../step.mjs';

/** The plugins of an installation whose words requests may use. */
const plugins = ['format-png', 'format-jpeg', 'format-tiff', 'format-bmp', 'patch-codes'];

async function registryOf(names) {
  const { createRegistry } = await import(pathToFileURL(join(root, 'core', 'dist', 'server.js')).href);
  const registry = createRegistry();
  for (const name of names) {
    const { default: plugin } = await import(pathToFileURL(join(root, 'plugins', name, 'dist', 'plugin.js')).href);
    registry.add(plugin.name, await plugin.setup({ options: {} }));
  }
  return registry;
}

async function served() {
  const { buildApp } = await import(pathToFileURL(join(root, 'server', 'dist', 'service', 'app.js')).href);
  // Only its route definitions and the words of its plugins are used.
  const consent = { admits: () => true, hasToken: () => false, allows: () => true };
  const routeParts = { version: '', registry: await registryOf(plugins), consent };
  const app = await buildApp({ routeParts, security: { allowedHosts: ['localhost'] } });
  const document = (await app.inject('/openapi.json')).json();
  await app.close();
  await routeParts.registry.close();
  return document;
}

/** @returns {Promise<string>} Markdown: a line for each parameter, body, answer and field, so that a difference is short */
export async function openApi() {
  const { paths, components } = await served();
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
  );
  const named = [
    ...Object.entries(components.headers).map(([name, { schema }]) => [`header ${name}`, schema]),
    ...Object.entries(components.responses).map(([name, answer]) => [`answer ${name}`, answer.content]),
    ...Object.entries(components.schemas),
  ];
  return `# The HTTP interface

What programs send and get. \`GET /openapi.json\` is the whole document, with sentences and examples.

\`\`\`ts
${[
  ...operations.sort(byName).map(([name, operation]) => `${name} ${operationText(operation)}`),
  ...named
    .sort(byName)
    .map(([name, shape]) => `${name} ${shape.type || shape.$ref ? textOf(shape) : contentText(shape)}`),
].join('\n\n')}
\`\`\`
`;
}

const byName = (one, other) => (one[0] < other[0] ? -1 : 1);

const indented = lines =>
  lines.length === 0 ? '{}' : `{\n${lines.map(line => `  ${line.replaceAll('\n', '\n  ')}`).join('\n')}\n}`;

function operationText({ operationId, parameters = [], requestBody, responses, 'x-events': events = [] }) {
  return indented([
    `id ${operationId}`,
    ...parameters.map(each => `${each.in} ${each.name}${each.required ? '' : '?'}: ${textOf(each.schema)}`),
    ...(requestBody ? [`body${requestBody.required ? '' : '?'} ${contentText(requestBody.content)}`] : []),
    ...Object.entries(responses).map(([status, answer]) => `${status} ${answerText(answer)}`),
    ...events.map(({ event, data }) => `event ${event} ${textOf(data)}`),
  ]);
}

const nameIn = ref => ref.split('/').at(-1);

function answerText({ $ref, content = {}, headers = {} }) {
  if ($ref) return `answer ${nameIn($ref)}`;
  return [contentText(content), ...Object.keys(headers).map(name => `header ${name}`)].join(' ');
}

const contentText = content =>
  Object.entries(content)
    .map(([type, { schema }]) => `${type} ${schema ? textOf(schema) : 'bytes'}`)
    .join(', ');

/** A schema as a type. What limits its values follows in brackets. */
function textOf({ $ref, type, properties, required = [], items, anyOf, patternProperties, ...rest }) {
  if ($ref) return nameIn($ref);
  if (anyOf) return anyOf.map(textOf).join(' | ');
  if ('const' in rest) return JSON.stringify(rest.const);
  if (rest.enum) return rest.enum.map(each => JSON.stringify(each)).join(' | ');
  const limits = Object.entries(rest)
    .filter(([key]) => /^(?:m(?:in|ax)|exclusive|pattern|format|default|additional|unique)/.test(key))
    .map(([key, value]) => `${key} ${typeof value === 'object' ? textOf(value) : JSON.stringify(value)}`);
  const limited = text => (limits.length > 0 ? `${text} [${limits.sort().join(', ')}]` : text);
  if (type === 'array') return limited(`list of ${items ? textOf(items) : 'any'}`);
  if (type !== 'object') return limited([type ?? 'any'].flat().join(' | '));
  const fields = { ...properties, ...patternProperties };
  return limited(
    indented(
      Object.entries(fields)
        .sort(byName)
        .map(([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${textOf(field)}`),
    ),
  );
}
