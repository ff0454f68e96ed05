import assert from 'node:assert/strict';
import type { TrackerApi } from 'sourcehut/port/forge.ts';
import { cursorTickets } from '../../support/cursorTickets.ts';
import { addTickets, alpha, filesInMemory, indexWindow, indexWorld } from '../../support/indexWindow.ts';

const never = new AbortController().signal;
const secondMs = 1000;
const minuteMs = 60 * secondMs;

const down = (from: number): readonly number[] => Array.from({ length: from }, (_, at) => from - at);
const firsts = (followed: readonly string[]): number => followed.filter((cursor) => cursor === 'first').length;
/** Cursors, once per request. */
const cursorsOf = (followed: readonly string[]): readonly string[] => followed.filter((cursor) => cursor !== 'first');

suite('background ticket index with cursors only', function () {
	this.timeout(20_000);

	test('follows each cursor once and counts every request', async () => {
		const forge = cursorTickets(indexWorld(180));
		const window = indexWindow(forge);
		await window.pass(30 * secondMs);
		assert.deepEqual([window.index.state(alpha).kind, window.numbers()], ['whole', down(180)]);
		assert.equal(new Set(cursorsOf(forge.followed)).size, 7);
		assert.deepEqual([firsts(forge.followed), cursorsOf(forge.followed).length], [1, 7]);
		// Own trackers and eight pages.
		assert.equal(window.asked(), forge.followed.length + 1);
		await window.close();
	});

	test('resumes in the next window', async () => {
		const fake = indexWorld(180);
		const forge = cursorTickets(fake);
		const files = filesInMemory();
		fake.world.before = (call) => {
			if (call.startsWith('tickets') && forge.followed.length > 4) {
				throw new DOMException('The window closes', 'AbortError');
			}
		};
		const first = indexWindow(forge, { files });
		await first.pass(10 * secondMs);
		assert.deepEqual([first.index.state(alpha).kind, first.numbers().length], ['partial', 100]);
		await first.close();
		fake.world.before = () => undefined;
		forge.followed.length = 0;
		const second = indexWindow(forge, { files });
		await second.keeper.loaded;
		await second.pass(70 * secondMs);
		assert.deepEqual([second.index.state(alpha).kind, second.numbers()], ['whole', down(180)]);
		// The newest page and the four missing ones.
		assert.deepEqual([firsts(forge.followed), cursorsOf(forge.followed).length], [1, 4]);
		await second.close();
	});

	test('closes the gap above known tickets and reads no further', async () => {
		const fake = indexWorld(100);
		const forge = cursorTickets(fake);
		const window = indexWindow(forge);
		await window.pass(20 * secondMs);
		assert.equal(window.index.state(alpha).kind, 'whole');
		addTickets(fake, 60);
		forge.followed.length = 0;
		await window.store.reads(alpha).reread(undefined, never);
		await window.pass(10 * secondMs);
		assert.deepEqual([window.index.state(alpha).kind, window.numbers()], ['whole', down(160)]);
		assert.deepEqual([firsts(forge.followed), cursorsOf(forge.followed).length], [1, 2]);
		await window.close();
	});

	test('starts over when the server rejects a cursor', async () => {
		const fake = indexWorld(180);
		const forge = cursorTickets(fake);
		const window = indexWindow(forge);
		await window.store.tickets(alpha, never);
		await window.store.reads(alpha).more(never);
		forge.forget();
		forge.followed.length = 0;
		await window.pass(30 * secondMs);
		assert.deepEqual([window.index.state(alpha).kind, window.numbers()], ['whole', down(180)]);
		// One rejection and all eight pages.
		assert.equal(forge.followed.length, 9);
		await window.close();
	});

	test('loads a further page on demand after its cursor is lost', async () => {
		const fake = indexWorld(180);
		const forge = cursorTickets(fake);
		const { store } = indexWindow(forge);
		await store.tickets(alpha, never);
		await store.reads(alpha).more(never);
		forge.forget();
		assert.equal((await store.reads(alpha).more(never)).items.length, 75);
	});

	test('rereads every page in turn', async () => {
		const fake = indexWorld(180);
		const forge = cursorTickets(fake);
		const window = indexWindow(forge);
		await window.pass(30 * secondMs);
		const wholeMs = window.clock.nowMs();
		forge.followed.length = 0;
		await window.pass(16 * minuteMs, 5 * secondMs);
		for (const id of down(180)) {
			assert.ok((window.index.checkedAtMs({ tracker: alpha, id }) ?? 0) > wholeMs, String(id));
		}
		assert.ok(cursorsOf(forge.followed).length <= 2 * 8, String(cursorsOf(forge.followed).length));
		await window.close();
	});

	test('stops when a promised page is empty', async () => {
		const fake = indexWorld(60);
		const forge = cursorTickets(fake);
		const api = {
			...forge.api,
			async *tickets(...asked: Parameters<TrackerApi['tickets']>) {
				for await (const { next: _, ...page } of forge.api.tickets(...asked)) {
					yield page;
				}
			},
		};
		const window = indexWindow({ api });
		await window.pass(20 * secondMs);
		assert.equal(window.numbers().length, 25);
		assert.ok(forge.followed.length <= 3, String(forge.followed.length));
		await window.close();
	});
});
