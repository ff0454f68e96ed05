import assert from 'node:assert/strict';
import type { TicketRef } from 'sourcehut/port/ticket.ts';
import type { InboxEntry } from '../../src/store/inbox/inboxEntry.ts';
import { knownLists } from '../../src/store/lists/knownLists.ts';
import { busyForge } from './support/busyForge.ts';
import { protocolSuite, wanted, type Contract } from '../support/contractForge.ts';
import { fakeClock, type FakeClock } from '../support/fakeClock.ts';
import type { SampleForge } from '../support/sampleForge.ts';
import { watchingWindow, type WatchingWindow } from '../support/watchingWindow.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
/** Object counts of alice, who maintains many projects. */
const sizes = { trackers: 21, lists: 62, repositories: 46 };

/** The request limits of alice's window. */
interface Most {
	readonly start: number;
	readonly idleHour: number;
	readonly refresh: number;
	readonly mentionMinutes: number;
	/** For 300 mails in 60 threads of one list. */
	readonly mails: number;
}

// A separate forge that the suite fills and whose requests it counts. The tests build on each other.
protocolSuite(
	'a window with many trackers, lists and repositories',
	{ tickets: 90, firstIn: 'graphql' },
	(contract) => {
		const { dialect, forge } = contract;
		const most: Readonly<Record<Contract['dialect'], Most>> = {
			// Its tickets come in pages of 50.
			field: { start: 30, idleHour: 40, refresh: 36, mentionMinutes: 5, mails: 120 },
			document: { start: 30, idleHour: 40, refresh: 35, mentionMinutes: 5, mails: 120 },
			graphql: { start: 30, idleHour: 40, refresh: 35, mentionMinutes: 5, mails: 0 },
		};
		const clock: FakeClock = fakeClock(Date.now() - 12 * hourMs);
		let window: WatchingWindow;
		let pass: (totalMs: number) => Promise<void>;

		suiteSetup(async () => {
			const busy = busyForge(forge().as('alice'));
			// GraphQL servers list 25 of the user's own. The others are known by name.
			const followed = { lists: await fill(contract) };
			window = watchingWindow({ forge: busy.forge, clock, followed, perHour: 300, random: () => 0.5 });
			pass = (totalMs) => busy.pass(clock, totalMs);
		});

		suiteTeardown(() => window.dispose());

		async function costs(limit: number, work: () => Promise<unknown>): Promise<void> {
			const { sample } = forge();
			await sample.forgetRequests();
			await work();
			const sent = await sample.requestCount();
			assert.ok(sent <= limit, `${sent} requests, at most ${limit}:\n${(await kinds(sample)).join('\n')}`);
		}

		test('starts with few requests', async () => {
			await costs(most[dialect].start, async () => {
				const { tickets, lists, repositories } = window;
				const views = [
					tickets.ownTrackers(wanted()),
					knownLists(lists.collection, wanted()),
					repositories.own.first(wanted()),
				];
				await Promise.all([...views, pass(75 * secondMs)]);
			});
		});

		test('sends few requests in an hour without events', async () => {
			await pass(90 * minuteMs);
			await costs(most[dialect].idleHour, () => pass(hourMs));
		});

		test('refreshes with few requests', async () => {
			await costs(most[dialect].refresh, async () => {
				const refresh = window.readings.refresh(wanted());
				await pass(2 * minuteMs);
				assert.deepEqual(await refresh, []);
			});
		});

		test('shows a mention in minutes', async () => {
			for (const id of [1, 80]) {
				const ref: TicketRef = { tracker: { owner: '~alice', name: 'many' }, id };
				await forge().as('bob').trackers.updateTicket(ref, { comment: 'Is that so, ~alice?' }, wanted());
				const isTold = (): boolean =>
					window.inbox
						.items()
						.some(
							({ entry: { thing } }) =>
								thing.kind === 'ticket' && thing.ref.id === id && thing.ref.tracker.name === 'many',
						);
				let lateMs = 0;
				for (; !isTold() && lateMs < 4 * hourMs; lateMs += 10 * secondMs) {
					await pass(10 * secondMs);
				}
				assert.ok(
					lateMs <= most[dialect].mentionMinutes * minuteMs,
					`#${id}: after ${lateMs / minuteMs} minutes ${(await kinds(forge().sample)).join('\n')}`,
				);
			}
		});

		if (dialect === 'graphql') {
			// Its pages lose mails within the same second (docs/protocol.md#graphql-pages-of-mails), and these arrive
			// within one.
			return;
		}

		test('shows 300 mails with few requests', async () => {
			const { sample } = forge();
			await sample.forgetRequests();
			await sendMails(sample, '~alice/list-61', 60);
			const told = (): readonly InboxEntry[] =>
				window.inbox
					.items()
					.map(({ entry }) => entry)
					.filter(
						({ event, thing }) =>
							event.kind === 'mailArrived' && thing.kind === 'thread' && thing.list.name === 'list-61',
					);
			for (let minutes = 0; told().length < 300 && minutes < 600; minutes += 10) {
				await pass(10 * minuteMs);
			}
			assert.equal(told().length, 300);
			const asked = (await sample.requests()).filter(({ path, question }) => {
				const of = `${path} ${question ?? ''}`;
				return /api\/(?:emails|thread)|list-61|query\/(?:email|thread)|^\/query query (?:Mail|Thread)\b/.test(of);
			});
			assert.ok(asked.length <= most[dialect].mails, `${asked.length} requests:\n${(await kinds(sample)).join('\n')}`);
			const naming = told().filter(({ reason }) => reason === 'mentioned');
			// Threads of the document contain no texts.
			assert.ok(naming.length === 6 || dialect === 'document', `${naming.length} name alice`);
		});
	},
);

/** Sends mails from bob in many threads to a list of alice's. Some mention her. */
async function sendMails(sample: SampleForge, list: string, threads: number): Promise<void> {
	for (let thread = 0; thread < threads; thread += 1) {
		for (let at = 0; at < 5; at += 1) {
			const text = [
				'From: Bob <bob@forge.test>',
				`To: ${list}@lists.forge.test`,
				`Subject: ${at === 0 ? '' : 'Re: '}Question ${thread}`,
				`Message-ID: <${thread}-${at}@forge.test>`,
				...(at === 0 ? [] : [`In-Reply-To: <${thread}-${at - 1}@forge.test>`]),
				'',
				at === 3 && thread % 10 === 0 ? 'What do you think, ~alice?' : 'I see.',
				'',
			];
			await sample.act('/lists/mail', { list, mail: text.join('\r\n') });
		}
	}
}

/** Fills the forge up to the sizes. Each tracker has a ticket. Returns the new lists, as `~owner/name`. */
async function fill({ forge }: Contract): Promise<readonly string[]> {
	const made: string[] = [];
	const { trackers, lists, repositories } = forge().as('alice');
	const [ownTrackers, ownLists, ownRepositories] = await Promise.all([
		countOf(trackers.trackers(undefined, wanted())),
		countOf(lists.lists(undefined, wanted())),
		countOf(repositories.repositories(undefined, wanted())),
	]);
	for (let at = ownTrackers; at < sizes.trackers; at += 1) {
		const { name } = await trackers.create({ name: `tracker-${at}`, description: '' }, wanted());
		await trackers.submit({ owner: '~alice', name }, { title: 'It flickers', description: '' }, wanted());
	}
	for (let at = ownLists; at < sizes.lists; at += 1) {
		const { name } = await lists.create({ name: `list-${at}` }, wanted());
		made.push(`~alice/${name}`);
	}
	for (let at = ownRepositories; at < sizes.repositories; at += 1) {
		await repositories.create({ name: `repository-${at}`, description: '', visibility: 'public' }, wanted());
	}
	return made;
}

async function countOf(pages: AsyncIterable<{ readonly items: readonly unknown[] }>): Promise<number> {
	let count = 0;
	for await (const { items } of pages) {
		count += items.length;
	}
	return count;
}

/** Requests grouped by kind, most frequent first. */
async function kinds(sample: SampleForge): Promise<readonly string[]> {
	const count = new Map<string, number>();
	for (const { method, path, question } of await sample.requests()) {
		const kind = question?.split(' {')[0] ?? `${method} ${path.replaceAll(/\d+/g, 'N').replace(/\?.*/, '?')}`;
		count.set(kind, (count.get(kind) ?? 0) + 1);
	}
	return [...count].toSorted((a, b) => b[1] - a[1]).map(([kind, sent]) => `${sent} ${kind}`);
}
