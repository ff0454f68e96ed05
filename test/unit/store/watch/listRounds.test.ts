import assert from 'node:assert/strict';
import { listKey } from 'sourcehut/port/list.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { makeList } from '../../../support/makeMail.ts';
import { makeUser } from '../../../support/makeTicket.ts';
import { passTime } from '../support/passTime.ts';
import { watchedForge } from '../../../support/watchedForge.ts';
import { watchingWindow } from '../../../support/watchingWindow.ts';

const minuteMs = 60_000;
const names = ['one', 'two', 'three'];

/** Three lists of bob at a server with known, unknown or failing message times. */
function opened(how: 'known' | 'unknown' | 'failing', { lists = names, most = 2, before = false } = {}) {
	const clock = fakeClock();
	const forge = watchedForge(clock);
	lists.forEach((name, at) => forge.lists.world.lists.push(makeList({ id: at + 1, name, owner: makeUser('bob') })));
	if (before) {
		// Each has had a message before the window opens.
		lists.forEach((name) => forge.mail(`~bob/${name}`));
		clock.advance(60 * minuteMs);
	}
	const asked: number[] = [];
	const api = {
		...forge.lists.api,
		activity: {
			mostLists: most,
			async lastMs(refs: readonly { readonly owner: string; readonly name: string }[]) {
				asked.push(refs.length);
				if (how === 'failing') {
					throw new ForgeError({ kind: 'serverError', status: 500 });
				}
				const lastMs = (name: string): number =>
					Math.max(
						0,
						...forge.lists.world.mails.filter(({ list }) => list?.name === name).map((mail) => mail.createdMs),
					);
				return new Map(how === 'known' ? refs.map((ref) => [listKey(ref), lastMs(ref.name)] as const) : []);
			},
		},
	};
	const followed = { lists: lists.map((name) => `~bob/${name}`) };
	const window = watchingWindow({ forge: { ...forge, lists: { ...forge.lists, api } }, clock, followed, perHour: 300 });
	followed.lists.forEach((name) => window.inbox.choose(`list ${name}`, 'everything'));
	const told = (): readonly string[] => window.inbox.items().map(({ entry }) => entry.id);
	const rows = (): readonly string[] =>
		forge.lists.world.calls.filter((call) => /^(?:search|posts|patchsets)/.test(call));
	return { clock, forge, window, asked, told, rows, pass: (totalMs: number) => passTime(clock, totalMs) };
}

suite('lists with known times of last messages', () => {
	test('load only after a new message, within five minutes', async () => {
		const { forge, window, asked, told, rows, pass } = opened('known');
		await pass(2 * minuteMs);
		assert.deepEqual(asked, [2, 1]);
		assert.deepEqual(rows(), []);
		assert.ok(window.readings.all().every(({ readMs }) => readMs !== undefined));
		const id = forge.mail('~bob/two');
		await pass(5 * minuteMs);
		assert.deepEqual(told(), [`mail ~bob/two ${id}`]);
		assert.deepEqual(
			rows().filter((call) => !call.includes('two')),
			[],
		);
		const before = rows().length;
		await pass(20 * minuteMs);
		assert.equal(rows().length, before);
		window.dispose();
	});

	for (const count of [8, 31, 61]) {
		test(`report what arrived before their first reading: ${count} lists`, async () => {
			const lists = Array.from({ length: count }, (_, at) => `l${at}`);
			const { forge, window, told, pass } = opened('known', { lists, most: 65, before: true });
			await pass(2 * minuteMs);
			const sent = lists.map((name) => `mail ~bob/${name} ${forge.mail(`~bob/${name}`)}`);
			// Two readings of three requests, the text, and a third reading later.
			await pass((30 + 2 * count) * minuteMs);
			assert.deepEqual(told().toSorted(), sent.toSorted());
			window.dispose();
		});
	}

	for (const how of ['unknown', 'failing'] as const) {
		test(`have their own polls if the times are ${how}`, async () => {
			const { forge, window, told, pass } = opened(how);
			await pass(5 * minuteMs);
			const id = forge.mail('~bob/two');
			await pass(20 * minuteMs);
			assert.deepEqual(told(), [`mail ~bob/two ${id}`]);
			window.dispose();
		});
	}
});

/** Lists of bob. One had a message; messages update the list time while `areMoving`. */
async function openedWithTimes({ isProved = true } = {}) {
	const clock = fakeClock();
	const forge = watchedForge(clock);
	const { lists } = forge.lists.world;
	const [createdMs, owner] = [clock.nowMs() - 100 * minuteMs, makeUser('bob')];
	names.forEach((name, at) => lists.push(makeList({ id: at + 1, name, owner, createdMs, updatedMs: createdMs })));
	const state = { areMoving: isProved };
	const mail = (name: string): string => {
		const at = lists.findIndex((list) => list.name === name);
		const list = lists[at];
		if (list && state.areMoving) {
			lists[at] = { ...list, updatedMs: clock.nowMs() };
		}
		return `mail ~bob/${name} ${forge.mail(`~bob/${name}`)}`;
	};
	mail('two');
	const api = { ...forge.lists.api, updatesWithMails: true } as const;
	const followed = { lists: names.map((name) => `~bob/${name}`) };
	const window = watchingWindow({ forge: { ...forge, lists: { ...forge.lists, api } }, clock, followed, perHour: 300 });
	followed.lists.forEach((name) => window.inbox.choose(`list ${name}`, 'everything'));
	const { calls } = forge.lists.world;
	const callsOf = (pattern: RegExp): number => calls.filter((call) => pattern.test(call)).length;
	const pass = (totalMs: number): Promise<void> => passTime(clock, totalMs, { stepMs: 5000 });
	await pass(30 * minuteMs);
	const told = (): readonly string[] => window.inbox.items().map(({ entry }) => entry.id);
	return { window, state, mail, calls, callsOf, pass, told };
}

suite('lists whose times follow messages', () => {
	test('load only after a new message', async () => {
		const { window, mail, calls, callsOf, pass, told } = await openedWithTimes();
		assert.equal(callsOf(/^(?:search|posts).*(?:one|three)/), 0);
		assert.ok(window.readings.all().every(({ readMs }) => readMs !== undefined));
		calls.length = 0;
		const id = mail('three');
		await pass(5 * minuteMs);
		assert.deepEqual(told(), [id]);
		await pass(25 * minuteMs);
		assert.equal(callsOf(/^(?:search|posts).*(?:one|two)/), 0);
		// A message that the server stores late is not lost.
		assert.equal(callsOf(/^posts.*three/), 2);
		window.dispose();
	});

	test('have their own polls until a message proves the time', async () => {
		const { window, mail, pass, told } = await openedWithTimes({ isProved: false });
		const id = mail('three');
		await pass(20 * minuteMs);
		assert.deepEqual(told(), [id]);
		window.dispose();
	});

	test('return to their own polls after a message without a new time', async () => {
		const { window, state, mail, pass, told } = await openedWithTimes();
		const known = mail('two');
		await pass(6 * minuteMs);
		state.areMoving = false;
		const missed = [mail('two'), mail('three')];
		// Another message makes the list known again.
		state.areMoving = true;
		const last = mail('one');
		await pass(6 * minuteMs);
		assert.deepEqual(told().toSorted(), [known, last].toSorted());
		state.areMoving = false;
		const again = mail('one');
		await pass(60 * minuteMs);
		assert.deepEqual(told().toSorted(), [known, last, again, ...missed].toSorted());
		window.dispose();
	});
});
