import { checkedPath } from '../../src/answers/streamedFile.ts';
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isForgeError } from '../../src/port/forgeError.ts';
import { listEndpoints, repositoryEndpoints, trackerEndpoints } from '../../src/rest/endpoints.ts';
import { pathOf, queryOf } from '../../src/rest/endpoint.ts';
import { counts, seed } from '../../../../test/support/counts.ts';

const origin = 'https://todo.forge.example';
const me = '~alice';

function ticketPath(owner: string | undefined, tracker: string, ticket: number | string): string {
	return checkedPath(
		origin,
		pathOf(trackerEndpoints.ticket, { params: { 'tracker-name': tracker, 'ticket-id': ticket }, owner }, me),
	);
}

/** Input that could try to break out of the path. */
const hostile = fc.oneof(
	fc.string(),
	fc.string({ unit: 'binary' }),
	fc.constantFrom(
		'..',
		'.',
		'../../..',
		'%2e%2e',
		'%2E%2E%2F',
		'//evil.example',
		'/\\evil.example',
		'\\..\\',
		'?x=1',
		'#x',
		'@evil.example',
		'a/../../b',
		'a/./b',
		'a//b',
		'\u0000',
		'\ud800',
		'a\nb',
		' ',
		'http://evil.example/',
	),
);

suite('request paths', () => {
	test('are implicit for the user and explicit for others', () => {
		assert.equal(ticketPath(undefined, 'alpha', 7), '/api/trackers/alpha/tickets/7');
		assert.equal(ticketPath('~alice', 'alpha', 7), '/api/trackers/alpha/tickets/7');
		assert.equal(ticketPath('~bob', 'alpha', 7), '/api/user/~bob/trackers/alpha/tickets/7');
	});

	test('accept an email address as owner', () => {
		const call = { params: { 'list-name': 'devel' }, owner: 'bob@forge.test' };
		assert.equal(pathOf(listEndpoints.list, call, me), '/api/user/bob%40forge.test/lists/devel');
	});

	test('keep slashes only in references and file paths', () => {
		const params = { name: 'proj', ref: 'feature/x', path: 'src/a b/ü.ts' };
		assert.equal(
			pathOf(repositoryEndpoints.pathBlob, { params }, me),
			'/api/repos/proj/blob/feature/x/src/a%20b/%C3%BC.ts',
		);
		assert.equal(pathOf(repositoryEndpoints.repository, { params: { name: 'a/b' } }, me), '/api/repos/a%2Fb');
	});

	test('encode a cursor as a query value', () => {
		const query = queryOf({ start: 'https://evil.example/?a=b&c#d', search: "it's \ud800" });
		assert.equal(query, '?start=https%3A%2F%2Fevil.example%2F%3Fa%3Db%26c%23d&search=it%27s%20%EF%BF%BD');
		assert.equal(checkedPath(origin, `/api/trackers${query}`), `/api/trackers${query}`);
	});

	test('never leave their origin or prefix, for any names', () => {
		fc.assert(
			fc.property(hostile, hostile, hostile, (owner, tracker, ticket) => {
				let path: string;
				try {
					path = ticketPath(owner, tracker, ticket);
				} catch (error) {
					assert.ok(isForgeError(error) && error.problem.kind === 'invalid');
					return;
				}
				const url = new URL(`${origin}${path}`);
				assert.equal(url.origin, origin);
				const segments = url.pathname.split('/').map(decodeURIComponent);
				assert.deepEqual(
					segments,
					owner === me
						? ['', 'api', 'trackers', tracker, 'tickets', ticket]
						: ['', 'api', 'user', owner, 'trackers', tracker, 'tickets', ticket],
				);
				assert.equal(`${url.search}${url.hash}${url.username}`, '');
			}),
			{ numRuns: counts({ small: 2000, full: 100_000 }), seed: seed() },
		);
	});

	test('with slashes never leave their prefix either', () => {
		fc.assert(
			fc.property(hostile, hostile, (ref, path) => {
				let built: string;
				try {
					built = checkedPath(
						origin,
						pathOf(repositoryEndpoints.pathBlob, { params: { name: 'proj', ref, path } }, me),
					);
				} catch (error) {
					assert.ok(isForgeError(error) && error.problem.kind === 'invalid');
					return;
				}
				const url = new URL(`${origin}${built}`);
				assert.equal(url.origin, origin);
				assert.equal(decodeURIComponent(url.pathname), `/api/repos/proj/blob/${ref}/${path}`);
			}),
			{ numRuns: counts({ small: 2000, full: 100_000 }), seed: seed() },
		);
	});

	test('with dot segments or unsafe characters are rejected', () => {
		for (const path of ['/a/../b', '/a/./b', '/a/%2e%2e/b', '@evil.example/', 'x', '/a b', '/a#b']) {
			assert.throws(() => checkedPath(origin, path), isForgeError, path);
		}
		assert.equal(checkedPath(origin, '/oauth/exchange?a=b'), '/oauth/exchange?a=b');
	});
});
