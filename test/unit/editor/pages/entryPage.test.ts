import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { EntryPage } from '../../../../src/editor/pages/livePage.ts';
import type { EntryStart } from '../../../../src/pages/protocol/pageProtocol.ts';
import { eagerClock } from '../../../support/eagerClock.ts';
import { fakeConnection, fakeConnections, type FakeConnections } from '../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../support/fakeForge.ts';
import { quietProblems } from '../../../support/fakeTicketsParts.ts';
import { liveLink, type LiveLink } from '../support/liveLink.ts';

const { entryPage } = await import('../../../../src/editor/pages/livePage.ts');

type Start = EntryStart<string>;
interface Protocol {
	readonly requests: { readonly load: { readonly in: number; readonly out: Start } };
	readonly news: { readonly start: Start; readonly changed: string; readonly goTo: number };
}

interface Opened extends LiveLink<Protocol> {
	readonly page: EntryPage<Start>;
	readonly connections: FakeConnections;
	/** Calls of the page, in order. */
	readonly done: string[];
	/** The result of the next read. */
	read: () => Promise<void>;
	/** The changes to publish. */
	news: string[];
	isKnown: boolean;
}

function opened(connections = fakeConnections(fakeConnection(fakeTrackers('~alice').api))): Opened {
	const made = liveLink<Protocol>(7);
	const done: string[] = [];
	const page = entryPage<Start, string>({
		parts: {
			connections,
			problems: { ...quietProblems, log: (error) => done.push(`log ${String(error)}`) },
			clock: eagerClock(),
		},
		subject: { connectionKey: 'sample-alice' },
		link: made.link,
		watch: () => ({ dispose: () => void done.push('lets go') }),
		arrived: () => void done.push('arrived'),
		isKnown: () => open.isKnown,
		read: () => open.read(),
		forget: () => void done.push('forgets'),
		next: () => ({ change: open.news.shift(), goesOn: open.news.length > 0 }),
		start: (start) => start,
		readMark: { shown: () => void done.push('shown'), look: () => void done.push('look') },
	});
	const open: Opened = {
		...made,
		page,
		connections,
		done,
		read: () => Promise.resolve(),
		news: [],
		isKnown: true,
	};
	return open;
}

async function rest(): Promise<void> {
	for (let turns = 0; turns < 10; turns++) {
		await turn();
	}
}

suite('entry page', () => {
	test('starts with cached data, leads to its entry once, and publishes after the page has started', async () => {
		const { page, told, news, want } = opened();
		news.push('known');
		const first = page.open();
		assert.deepEqual([first?.number, first?.entry, first?.change], [1, 7, 'known']);
		news.push('while the editor opens it');
		await page.changed();
		assert.deepEqual(told, []);
		const { change, entry } = await page.start(1);
		assert.deepEqual([change, entry], ['while the editor opens it', 7]);
		await rest();
		news.push('one', 'two');
		await page.changed();
		assert.deepEqual(told, [
			['changed', 'one'],
			['changed', 'two'],
		]);
		assert.equal((await page.start(0)).entry, undefined);
		await rest();
		want(3);
		assert.deepEqual(told.at(-1), ['goTo', 3]);
	});

	test('reads once for the page and its first start, and again for a later one', async () => {
		const open = opened();
		let reads = 0;
		open.read = async () => void (reads += 1);
		open.page.open();
		assert.equal((await open.page.start(1)).number, 1);
		assert.deepEqual([reads, open.done], [1, []]);
		await rest();
		open.done.splice(0);
		assert.equal((await open.page.start(1)).number, 2, 'it asks again');
		assert.equal((await open.page.start(0)).number, 3, 'it has no start');
		assert.equal((await open.page.start(7)).number, 4, 'it has another start');
		assert.deepEqual([reads, open.done.filter((each) => each === 'forgets').length], [4, 3]);
	});

	test('publishes nothing between two starts', async () => {
		const open = opened();
		const going = Promise.withResolvers<void>();
		await open.page.start(0);
		open.read = () => going.promise;
		const second = open.page.start(0);
		await rest();
		open.news.push('early');
		await open.page.changed();
		assert.deepEqual(open.told, []);
		going.resolve();
		assert.equal((await second).change, 'early');
	});

	test('waits for unknown data, and reports a missing account', async () => {
		const open = opened();
		open.isKnown = false;
		assert.equal(open.page.open(), undefined);
		const { page } = opened(fakeConnections());
		assert.equal(page.open(), undefined);
		assert.equal((await page.start(0)).failure, 'The forge said: notSignedIn.');
	});

	test('a failure is a start with a message and a log line, and leaves the entry to the next start', async () => {
		const open = opened();
		open.read = () => Promise.reject(new Error('no line'));
		open.page.open();
		const { failure, change } = await open.page.start(1);
		assert.deepEqual([failure, change], ['Error: no line', undefined]);
		assert.deepEqual(open.done, ['log Error: no line']);
		open.read = () => Promise.resolve();
		assert.equal((await open.page.start(0)).entry, 7);
	});

	test('counts as seen after publishing or when it comes into view, but never while hidden', async () => {
		const { page, done, watch, show } = opened();
		page.open();
		await page.start(1);
		assert.deepEqual(done, []);
		await rest();
		assert.deepEqual(done.splice(0), ['look']);
		watch(false);
		await page.changed();
		assert.deepEqual(done.splice(0), []);
		watch(true);
		show();
		assert.deepEqual(done, ['look', 'shown', 'look']);
	});

	test('a closed page publishes nothing and releases its account', async () => {
		const { page, done, told, news, close } = opened();
		page.open();
		await page.start(1);
		await rest();
		done.splice(0);
		news.push('late');
		const publishing = page.changed();
		close();
		await publishing;
		assert.deepEqual(told, []);
		assert.equal(done[0], 'lets go');
	});
});
