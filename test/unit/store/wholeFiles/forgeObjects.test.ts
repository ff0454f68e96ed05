import assert from 'node:assert/strict';
import { ForgeError, type Problem } from 'sourcehut/port/forgeError.ts';
import { blobId } from 'patchmail/patch/blobId.ts';
import { searchBudget } from '../../../../src/store/repositories/history/historyReads.ts';
import { keptReadings } from '../../../../src/store/shared/keptReadings.ts';
import { forgeObjects, shortIdSupport, statedIds } from '../../../../src/store/wholeFiles/forgeObjects.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { keptNames } from '../../../support/fakeConnection.ts';
import { fakeRepositories, fakeStore, quill } from '../../../support/fakeRepositories.ts';
import { textsInMemory } from '../../../support/textsInMemory.ts';

const never = new AbortController().signal;
const text = 'one\n';
const short = blobId(text).slice(0, 7);

suite('requests for stated blob ids', () => {
	/** A server with blobs for these ids only. */
	function objectsOf(
		byId: ReadonlyMap<string, string>,
		ways = shortIdSupport(keptNames()),
		problem: Problem = { kind: 'notFound' },
	) {
		const fake = fakeRepositories();
		const asked: string[] = [];
		const api = {
			...fake.api,
			blobByShortId: async (_ref: unknown, id: string) => {
				asked.push(id);
				const content = byId.get(id);
				if (content === undefined) {
					throw new ForgeError(problem);
				}
				return { bytes: Buffer.from(content), isBinary: false };
			},
		};
		const repositories = fakeStore({ ...fake, api });
		return {
			asked,
			ways,
			repositories,
			byId: forgeObjects(repositories, quill, true, ways).byId,
		};
	}

	test('stop after one on a server without support', async () => {
		const { byId, asked, ways } = objectsOf(new Map());
		assert.equal(await byId.content(short, searchBudget(5), never), undefined);
		assert.equal(byId.canAsk('1234567'), false);
		byId.wasThere(short);
		assert.equal(ways.of(true), 'refused');
		const later = objectsOf(new Map(), ways);
		assert.equal(later.byId.canAsk(short), false);
		assert.deepEqual(asked, [short]);
	});

	test('continue for another series after a server failure', async () => {
		const { byId, ways } = objectsOf(new Map(), shortIdSupport(keptNames()), { kind: 'serverError', status: 503 });
		assert.equal(await byId.content(short, searchBudget(5), never), undefined);
		assert.equal(byId.canAsk(short), false);
		byId.wasThere(short);
		assert.equal(ways.of(true), undefined);
		assert.equal(objectsOf(new Map(), ways).byId.canAsk(short), true);
	});

	test('continue on a server with support, and store the blob', async () => {
		const { byId, ways, repositories } = objectsOf(new Map([[short, text]]));
		assert.equal(String(await byId.content(short, searchBudget(5), never)), text);
		assert.equal(ways.of(true), 'given out');
		assert.equal(ways.of(false), undefined);
		assert.equal(await byId.content('1234567', searchBudget(5), never), undefined);
		byId.wasThere('1234567');
		assert.equal(byId.canAsk('7654321'), true);
		assert.equal(String((await repositories.objects.keptBlob(quill, blobId(text)))?.bytes), text);
	});

	test('accept only content that matches the id', async () => {
		const { byId, ways } = objectsOf(new Map([['1234567', text]]));
		assert.equal(await byId.content('1234567', searchBudget(5), never), undefined);
		assert.equal(ways.of(true), undefined);
	});

	test('count against the budget', async () => {
		const { byId, asked } = objectsOf(new Map());
		await assert.rejects(byId.content(short, searchBudget(0), never), { name: 'AbortError' });
		assert.deepEqual(asked, []);
	});
});

suite('full ids of stated ids', () => {
	test('survive restarts, per repository', async () => {
		const disk = textsInMemory();
		const ids = statedIds(keptReadings(disk, fakeClock()));
		ids.note(quill, short, Buffer.from(text));
		assert.equal(await ids.fullId(quill, short), blobId(text));
		const later = statedIds(keptReadings(disk, fakeClock()));
		assert.equal(await later.fullId(quill, short), blobId(text));
		assert.equal(await later.fullId({ ...quill, name: 'other' }, short), undefined);
		assert.equal(await later.fullId(quill, blobId('two')), blobId('two'));
	});

	test('disappear if the stored data is invalid', async () => {
		const disk = textsInMemory();
		const name = 'stated-ids ~alice/quill';
		keptReadings(disk, fakeClock()).keep(name, [[short, blobId('two')]]);
		assert.equal(await statedIds(keptReadings(disk, fakeClock())).fullId(quill, short), undefined);
		assert.equal(disk.texts.has(name), false);
	});

	test('remain only for the most recent ones', async () => {
		const ids = statedIds(undefined);
		const contents = Array.from({ length: 2001 }, (_, at) => Buffer.from(`${at}`));
		contents.forEach((content) => ids.note(quill, blobId(content).slice(0, 12), content));
		assert.equal(await ids.fullId(quill, blobId('0').slice(0, 12)), undefined);
		assert.equal(await ids.fullId(quill, blobId('2000').slice(0, 12)), blobId('2000'));
	});
});
