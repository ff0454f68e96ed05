import assert from 'node:assert/strict';
import type { Forge } from 'sourcehut/port/forge.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { allItems, protocolSuite, wanted } from '../support/contractForge.ts';

const lantern = { owner: '~alice', name: 'lantern' };
const gone = { owner: '~alice', name: 'gone' };
const place = { ref: 'main', path: 'no/such.txt' };

/** Reads of missing objects, by the name in the error. Members that a protocol lacks read nothing. */
const reads: readonly (readonly [name: string, read: (forge: Forge) => Promise<unknown> | undefined])[] = [
	['~alice/gone', ({ trackers }) => trackers.tracker(gone, wanted())],
	['~alice/gone', ({ trackers }) => allItems(trackers.labels(gone, wanted()))],
	['~alice/gone', ({ trackers }) => allItems(trackers.tickets(gone, wanted()))],
	['~alice/gone', ({ trackers }) => trackers.submit(gone, { title: 'A title', description: '' }, wanted())],
	['~alice/lantern#9999', ({ trackers }) => trackers.ticket({ tracker: lantern, id: 9999 }, wanted())],
	['~alice/lantern#9999', ({ trackers }) => allItems(trackers.events({ tracker: lantern, id: 9999 }, wanted()))],
	['~alice/lantern#9999', ({ trackers }) => trackers.inBulk?.ticket({ tracker: lantern, id: 9999 }, wanted())],
	['~alice/lantern unknown', ({ trackers }) => trackers.labelMaking?.remove(lantern, 'unknown', wanted())],
	['~alice/gone', ({ trackers }) => trackers.subscriptions?.isSubscribed({ kind: 'tracker', ref: gone }, wanted())],
	['~alice/gone', ({ lists }) => lists.list(gone, wanted())],
	['~alice/gone', ({ lists }) => allItems(lists.posts(gone, wanted()))],
	['~alice/gone/patches/9999', ({ lists }) => lists.patchset({ list: gone, id: 9999 }, wanted())],
	['<none@forge.test>', ({ lists }) => lists.email({ messageId: 'none@forge.test', list: undefined }, wanted())],
	['~alice/gone', ({ repositories }) => repositories.repository(gone, wanted())],
	['~alice/gone', ({ repositories }) => allItems(repositories.references(gone, wanted()))],
	['~alice/lantern main:no/such.txt', ({ repositories }) => repositories.blob(lantern, place, wanted())],
	['~alice/lantern no-branch', ({ repositories }) => allItems(repositories.log(lantern, 'no-branch', wanted()))],
	['~nobody', ({ users }) => users.user('todo', '~nobody', wanted())],
	[
		'~alice/lantern/webhooks/9999',
		({ webhooks }) => webhooks.webhook({ kind: 'tracker', ref: lantern }, 9999, wanted()),
	],
];

protocolSuite('missing objects', {}, ({ forge }) => {
	for (const [index, [name, read]] of reads.entries()) {
		test(`${index}: the error names ${name}`, async () => {
			const failure = await read(forge().as('alice'))?.then(
				() => assert.fail('It was found'),
				(error: unknown) => error,
			);
			if (failure !== undefined) {
				assert.ok(isForgeError(failure) && failure.problem.kind === 'notFound', 'not missing');
				assert.equal(failure.about, name);
			}
		});
	}
});
