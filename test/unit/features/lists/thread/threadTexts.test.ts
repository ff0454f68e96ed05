import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { ThreadTexts } from '../../../../../src/features/lists/thread/openThread.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import type { MailTexts, ReadText } from '../../../../../src/store/lists/listMailTexts.ts';
import { fake } from '../../../../support/fake.ts';
import { quietProblems } from '../../../../support/fakeTicketsParts.ts';
import { makeMail } from '../../../../support/makeMail.ts';

const { threadTexts } = await import('../../../../../src/features/lists/thread/openThread.ts');

interface Rig {
	readonly reads: ThreadTexts;
	readonly asked: readonly number[];
	readonly mostAtOnce: () => number;
	readonly changes: () => number;
	/** Evicts a text from the cache. */
	readonly forget: (id: number) => void;
}

/** Texts that load according to `answer`. */
function rig(answer: (id: number) => Promise<void> | void, known: readonly number[] = []): Rig {
	const asked: number[] = [];
	const there = new Set(known);
	let open = 0;
	let most = 0;
	let changes = 0;
	const textOf = (id: number): ReadText => ({
		mail: makeMail({ id }),
		reading: { kind: 'raw', reason: 'unreadable', text: '' },
	});
	const read = async (id: number): Promise<ReadText> => {
		asked.push(id);
		open += 1;
		most = Math.max(most, open);
		await Promise.resolve();
		try {
			await answer(id);
		} finally {
			open -= 1;
		}
		there.add(id);
		return textOf(id);
	};
	const reads = threadTexts(
		fake<MailTexts>({ known: (id) => (there.has(id) ? textOf(id) : undefined), read, readWhole: read }),
		quietProblems,
		() => {
			changes += 1;
		},
		() => new Promise((resolve) => setImmediate(resolve)),
		new AbortController().signal,
	);
	return { reads, asked, mostAtOnce: () => most, changes: () => changes, forget: (id) => void there.delete(id) };
}

const offline = (): never => {
	throw new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'lists.forge.test' });
};
const missing = (): never => {
	throw new ForgeError({ kind: 'notFound' });
};

suite('thread texts', () => {
	test('load once each, four at a time, in order, and only if unknown', async () => {
		const { reads, asked, mostAtOnce } = rig(() => undefined, [3]);
		await reads.read([2, 1, 3, 4, 5, 6, 7, 2]);
		await reads.read([1, 2, 3, 4, 5, 6, 7]);
		assert.deepEqual(asked, [2, 1, 4, 5, 6, 7]);
		assert.equal(mostAtOnce(), 4);
	});

	test('load again after an eviction, but not while a load runs', async () => {
		const gate = Promise.withResolvers<void>();
		const { reads, asked, forget } = rig(() => gate.promise);
		const first = reads.read([1, 2]);
		const second = reads.read([1, 2]);
		gate.resolve();
		await Promise.all([first, second]);
		assert.deepEqual(asked, [1, 2]);
		forget(1);
		await reads.read([1, 2]);
		assert.deepEqual(asked, [1, 2, 1]);
	});

	test('report the reason for a missing text, and load all others', async () => {
		const { reads, asked } = rig((id) => (id % 2 === 0 ? missing() : undefined));
		await reads.read([1, 2, 3, 4, 5, 6, 7, 8, 10, 12]);
		assert.equal(asked.length, 10);
		assert.ok(reads.failure(2));
		assert.equal(reads.failure(1), undefined);
	});

	test('stop after a few failed requests to an unreachable forge', async () => {
		const { reads, asked } = rig(offline);
		const ids = Array.from({ length: 200 }, (_, at) => at + 1);
		await reads.read(ids);
		assert.ok(asked.length < 12, `${asked.length} asked`);
		assert.ok(ids.every((id) => reads.failure(id) !== undefined));
	});

	test('load the other failed texts after one succeeds again', async () => {
		let isOffline = true;
		const { reads } = rig(() => (isOffline ? offline() : undefined));
		await reads.read([1, 2, 3, 4, 5, 6, 7, 8]);
		isOffline = false;
		await reads.again(5);
		assert.deepEqual(
			[1, 2, 3, 4, 5, 6, 7, 8].filter((id) => reads.failure(id) !== undefined),
			[],
		);
	});
});
