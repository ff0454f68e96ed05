import assert from 'node:assert/strict';
import { readArchivePlace } from 'public-inbox/read/archivePlace.ts';
import { knownSites } from 'public-inbox/read/knownSites.ts';

suite('known sites', () => {
	test('have addresses of their own over encryption, and projects to know them by', () => {
		assert.ok(knownSites.length > 0);
		assert.equal(new Set(knownSites.map(({ url }) => url)).size, knownSites.length);
		for (const { url, projects } of knownSites) {
			assert.match(url, /^https:\/\/[a-z.-]+\.[a-z]+\/$/);
			assert.deepEqual(readArchivePlace(url), { kind: 'place', url, query: undefined });
			assert.match(projects, /^\w[\w-]*(?: \w+)*(?:, \w[\w-]*(?: \w+)*)*$/);
		}
	});

	test('find mails of all inboxes at once on one of them', () => {
		assert.deepEqual(
			knownSites.flatMap(({ url, hasAll }) => (hasAll ? url : [])),
			['https://lore.kernel.org/'],
		);
	});
});
