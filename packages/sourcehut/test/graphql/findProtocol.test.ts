import assert from 'node:assert/strict';
import { isForgeError } from '../../src/port/forgeError.ts';
import { findHub, findProtocol } from '../../src/graphql/transport/findProtocol.ts';
import { HttpFailure, type HttpClient, type HttpRequest } from '../../src/http/httpClient.ts';
import { fake } from '../../../../test/support/fake.ts';

const never = new AbortController().signal;

async function found(status: number, text: string): Promise<string> {
	const sent: HttpRequest[] = [];
	const protocol = await findProtocol(
		fake<HttpClient>({
			async send(request) {
				sent.push(request);
				return {
					status,
					contentType: '',
					location: undefined,
					retryAfterMs: undefined,
					body: new TextEncoder().encode(text),
				};
			},
		}),
		'https://todo.forge.test',
		never,
	);
	const [request] = sent;
	assert.deepEqual(
		[sent.length, request?.method, request?.origin, request?.path, request?.authorization],
		[1, 'GET', 'https://todo.forge.test', '/query/api-meta.json', undefined],
	);
	return protocol ?? 'untold';
}

suite('protocol of an area', () => {
	test('is GraphQL if the server lists its scopes, without a token', async () => {
		assert.equal(await found(200, '{"scopes":["PROFILE","TICKETS"]}'), 'graphql');
		assert.equal(await found(200, '{"scopes":[]}'), 'graphql');
	});

	test('is REST if the GraphQL address does not exist', async () => {
		for (const status of [404, 405, 410]) {
			assert.equal(await found(status, 'Not found'), 'rest', String(status));
		}
	});

	test('stays unknown after a server error or a redirect', async () => {
		for (const status of [500, 502, 503, 429, 408, 301, 302]) {
			assert.equal(await found(status, '{"scopes":[]}'), 'untold', String(status));
		}
	});

	test('stays unknown after any other response, such as one of a proxy', async () => {
		for (const [status, text] of [
			[403, '<!doctype html><p>Checking your browser'],
			[401, '{"errors":[{"reason":"Authorization required"}]}'],
			[400, ''],
			[200, '<!doctype html><p>A page for everything'],
			[200, '{"scopes":"all"}'],
			[200, '[]'],
			[200, 'null'],
			[204, ''],
		] as const) {
			assert.equal(await found(status, text), 'untold', `${status} ${text}`);
		}
	});

	test('throws when the server does not respond', async () => {
		const failing = findProtocol(
			fake<HttpClient>({
				send: () => Promise.reject(new HttpFailure({ kind: 'unreachable', reason: 'dns', host: 'todo.forge.test' })),
			}),
			'https://todo.forge.test',
			never,
		);
		await assert.rejects(failing, (error) => isForgeError(error) && error.problem.kind === 'unreachable');
	});
});

suite('address of the projects service', () => {
	const [below, itself] = ['https://hub.forge.test', 'https://forge.test'];
	const told = (...scopes: readonly string[]): string => JSON.stringify({ scopes });

	async function hubAt(answers: Readonly<Record<string, readonly [status: number, text: string]>>): Promise<unknown> {
		const sent: unknown[] = [];
		const hub = await findHub(
			fake<HttpClient>({
				async send({ origin, path, authorization }) {
					sent.push([origin, path, authorization]);
					const [status, text] = answers[origin] ?? [];
					if (status === undefined) {
						throw new HttpFailure({ kind: 'unreachable', reason: 'dns', host: 'forge.test' });
					}
					const body = new TextEncoder().encode(text);
					return { status, contentType: '', location: undefined, retryAfterMs: undefined, body };
				},
			}),
			[below, itself],
			never,
		);
		const path = '/query/api-meta.json';
		assert.deepEqual(sent, [
			[below, path, undefined],
			[itself, path, undefined],
		]);
		return hub;
	}

	test('is the first candidate whose service lists the scope of projects, without a token', async () => {
		const projects = [200, told('PROFILE', 'PROJECTS')] as const;
		assert.equal(await hubAt({ [itself]: projects }), itself);
		assert.equal(await hubAt({ [below]: projects, [itself]: projects }), below);
		assert.equal(await hubAt({ [below]: [301, ''], [itself]: projects }), itself);
	});

	test('is unknown without a valid response', async () => {
		assert.equal(await hubAt({}), undefined);
		assert.equal(await hubAt({ [below]: [404, ''], [itself]: [200, told('PROFILE', 'TICKETS')] }), undefined);
		assert.equal(await hubAt({ [itself]: [200, '<p>A page about PROJECTS'] }), undefined);
		assert.equal(await hubAt({ [itself]: [500, told('PROJECTS')] }), undefined);
	});
});
