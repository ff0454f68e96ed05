import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { ListFinder } from '../../../../../src/features/lists/find/listFinder.ts';
import type { AccountList } from '../../../../../src/features/lists/find/accountList.ts';
import type { ReadText } from '../../../../../src/store/lists/listMailTexts.ts';
import { fakeClock } from '../../../../support/fakeClock.ts';
import { fakeLists, listConnection, type FakeListWorld } from '../../../../support/fakeLists.ts';
import { makeMail, makePatchset } from '../../../../support/makeMail.ts';
import { makeReading } from '../../../../support/makeSeries.ts';
import { makeUser } from '../../../../support/makeTicket.ts';

const { listFinder } = await import('../../../../../src/features/lists/find/listFinder.ts');
const { threadsOf } = await import('../../../../../src/store/lists/listThreads.ts');

const never = new AbortController().signal;
const devel = { owner: '~alice', name: 'devel' };

interface Desk {
	readonly world: FakeListWorld;
	readonly finder: ListFinder;
	readonly seen: AccountList;
	/** How often a filter used the text of the message. */
	readonly looks: () => number;
	/** Loads the message with this text. */
	readonly reads: (text: string) => void;
	readonly found: (filter: string) => readonly number[];
}

/** One patchset with one message whose text counts its uses. */
async function desk(): Promise<Desk> {
	const { world, api } = fakeLists();
	world.patchsets.set('~alice/devel', [makePatchset({ id: 1, subject: 'Lanterns' })]);
	const mail = makeMail({ id: 10, subject: '[PATCH proj] Lanterns', isPatch: true });
	world.series.set(1, [mail]);
	const connection = listConnection(api);
	let looks = 0;
	let known: ReadText | undefined;
	const reads = (text: string): void => {
		const reading = makeReading({ subject: mail.subject });
		assert.ok(reading.kind === 'read');
		Object.defineProperty(reading.mail, 'text', {
			get() {
				looks += 1;
				return text;
			},
		});
		known = { mail, reading };
	};
	Object.defineProperty(connection, 'texts', { value: { ...connection.texts, known: () => known } });
	await connection.lists.patchsets(devel).first(never);
	await connection.lists.series({ list: devel, id: 1 }, never);
	const finder = listFinder(fakeClock(), () => undefined);
	const seen = { connection, list: devel };
	const found = (filter: string): readonly number[] =>
		finder
			.patchsets(seen, finder.read(seen, filter), connection.lists.patchsets(devel).known()?.items ?? [])
			.shown.map(({ id }) => id);
	return { world, finder, seen, looks: () => looks, reads, found };
}

suite('list finder', () => {
	test('searches a text once per filter, and again after a new text has loaded', async () => {
		const { looks, reads, found } = await desk();
		reads('Nothing of the kind');
		assert.deepEqual([found('"a lamp"'), found('"a lamp"')], [[], []]);
		assert.equal(looks(), 1);
		reads('Here is a lamp');
		assert.deepEqual([found('"a lamp"'), found('"a lamp"')], [[1], [1]]);
		assert.equal(looks(), 2);
		assert.deepEqual(found('!"a lamp"'), []);
		assert.equal(looks(), 3);
	});

	test('searches no text for facts from the forge', async () => {
		const { looks, reads, found } = await desk();
		reads('Anything');
		assert.deepEqual([found('status:proposed'), found('prefix:proj'), found('is:patch')], [[1], [1], [1]]);
		assert.equal(looks(), 0);
	});

	test('applies a changed status immediately to the patchset and its thread', async () => {
		const { seen, finder, found } = await desk();
		const threads = threadsOf([
			makeMail({ id: 10, subject: '[PATCH proj] Lanterns', sender: makeUser('bob') }),
			makeMail({ id: 11, subject: 'Something else' }),
		]);
		const shown = (filter: string): readonly number[] =>
			finder.threads(seen, finder.read(seen, filter), threads).shown.map(({ id }) => id);
		assert.deepEqual([found('status:proposed'), shown('status:proposed')], [[1], [10]]);
		await seen.connection.lists.setStatus({ list: devel, id: 1 }, 'applied', never);
		assert.deepEqual([found('status:proposed'), shown('status:proposed')], [[], []]);
		assert.deepEqual([found('status:applied'), shown('status:applied')], [[1], [10]]);
	});

	test('matches a thread to the patchset that names its message, else to the newest with the same subject', async () => {
		const { seen, finder } = await desk();
		const { lists } = seen.connection;
		const cover = makeMail({ id: 20, subject: '[PATCH proj 0/1] Lanterns' });
		lists.apply({
			kind: 'patchsetChanged',
			list: devel,
			patchset: makePatchset({ id: 2, subject: 'Lanterns', status: 'rejected' }),
		});
		lists.apply({
			kind: 'patchsetChanged',
			list: devel,
			patchset: makePatchset({ id: 3, subject: 'Lanterns', status: 'approved', coverLetter: cover }),
		});
		const threads = threadsOf([cover, makeMail({ id: 21, subject: '[PATCH proj] Lanterns' })]);
		const shown = (filter: string): readonly number[] =>
			finder.threads(seen, finder.read(seen, filter), threads).shown.map(({ id }) => id);
		assert.deepEqual([shown('status:approved'), shown('status:rejected')], [[21, 20], []]);
		lists.apply({
			kind: 'patchsetChanged',
			list: devel,
			patchset: makePatchset({ id: 4, subject: 'Lanterns', status: 'rejected' }),
		});
		assert.deepEqual([shown('status:approved'), shown('status:rejected')], [[20], [21]]);
	});
});
