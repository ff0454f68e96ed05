import assert from 'node:assert/strict';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { ArchiveError, type ArchiveProblem } from '../../src/http/archiveError.ts';
import type { ArchiveReads } from '../../src/http/archiveReads.ts';
import { findPlace, inboxesOf } from '../../src/port/findPlace.ts';
import { archiveOf } from './archiveOf.ts';

const never = new AbortController().signal;
const site = 'https://archive.example/';
const missing: ArchiveProblem = { kind: 'missing', isPartial: false, upstream: undefined };

suite('kind of an address', () => {
	const listed = [undefined, 3, 7].map((modifiedMs) => ({
		url: `${site}${modifiedMs}/`,
		name: String(modifiedMs),
		description: '',
		modifiedMs,
		epochs: [],
	}));
	const failing = (problem: ArchiveProblem) => (): Promise<never> =>
		Promise.reject(new ArchiveError(problem, 'archive.example'));
	const facts: Awaited<ReturnType<ArchiveReads['inbox']>> = {
		url: `${site}devel/`,
		name: 'devel',
		description: '',
		addresses: [],
		listId: undefined,
		newsgroups: [],
		mirrors: [],
		repositories: [],
	};

	test('is an inbox if the archive describes it', async () => {
		const client = archiveOf({ inbox: async () => facts });
		assert.deepEqual(await findPlace(client, `${site}devel/`, never), { kind: 'inbox', url: `${site}devel/` });
	});

	test('is a site for a bare host, and below it if no inbox is there', async () => {
		const newestFirst = { kind: 'site', inboxes: [listed[2], listed[1], listed[0]] };
		// A bare host needs no question about an inbox.
		assert.deepEqual(await findPlace(archiveOf({ inboxes: async () => listed }), site, never), newestFirst);
		for (const problem of [missing, { kind: 'foreign' } as const]) {
			const client = archiveOf({ inbox: failing(problem), inboxes: async () => listed });
			assert.deepEqual(await findPlace(client, `${site}mail/`, never), newestFirst);
		}
	});

	test('stays unknown without inboxes, and after any other failure', async () => {
		const cases: readonly (readonly [string, Partial<ArchiveReads>, string, string | undefined])[] = [
			[site, { inboxes: async () => [] }, 'notFound', site],
			[`${site}x/`, { inbox: failing(missing), inboxes: async () => [] }, 'notFound', `${site}x/`],
			[`${site}x/`, { inbox: failing({ kind: 'silent' }) }, 'unreachable', undefined],
			[`${site}x/`, { inbox: failing(missing), inboxes: failing({ kind: 'challenge' }) }, 'browserCheck', undefined],
		];
		for (const [url, members, kind, about] of cases) {
			await assert.rejects(findPlace(archiveOf(members), url, never), (error) => {
				assert.ok(isForgeError(error));
				assert.deepEqual([error.problem.kind, error.about], [kind, about]);
				return true;
			});
		}
		const broken = archiveOf({ inbox: () => Promise.reject(new RangeError('broken')) });
		await assert.rejects(findPlace(broken, `${site}x/`, never), RangeError);
	});

	test('leaves the order of the archive alone where no inbox has a date', async () => {
		const undated = ['b', 'a'].map((name) => ({ ...listed[0]!, name }));
		const client = archiveOf({ inboxes: async () => undated });
		assert.deepEqual(await inboxesOf(client, site, never), undated);
	});
});
