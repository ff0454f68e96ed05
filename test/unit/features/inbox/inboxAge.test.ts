import '../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { Emitter } from '@forge-desk/base/event.ts';
import type { WatchReading, WatchReadings } from '../../../../src/store/watch/watchReadings.ts';
import { clockTime } from '../../../../src/engine/text/age.ts';
import { counts, seed } from '../../../support/counts.ts';
import type { InboxContext } from '../../../../src/features/inbox/inboxContext.ts';
import { fake } from '../../../support/fake.ts';
import { fakeClock } from '../../../support/fakeClock.ts';
import { fakeConnection, fakeConnections } from '../../../support/fakeConnection.ts';
import { fakeTrackers } from '../../../support/fakeForge.ts';
import { resetStub, stubbed } from '../../../support/vscodeValues.ts';

const { agoText } = await import('../../../../src/editor/ask/readBefore.ts');
const { inboxAge } = await import('../../../../src/features/inbox/inboxAge.ts');

const clock = fakeClock();
const minuteMs = 60_000;
const never = new AbortController().signal;
const time = (atMs: number): string => clockTime(atMs, clock.nowMs(), 'en');
const ago = (minutes: number): string => agoText(clock.nowMs() - minutes * minuteMs, clock.nowMs(), 'short');
const longAgo = (minutes: number): string => agoText(clock.nowMs() - minutes * minuteMs, clock.nowMs(), 'long');
const paused = (untilMs: number): string =>
	`paused until ${time(untilMs)}, request limit reached (forge.index.requestsPerHour)`;
const read = (name: string, minutesAgo: number | undefined, hasFailed = false): WatchReading => ({
	watched: { kind: 'tracker', ref: { owner: '~alice', name } },
	readMs: minutesAgo === undefined ? undefined : clock.nowMs() - minutesAgo * minuteMs,
	hasFailed,
});

/** An account whose readings are `now`. */
function reading(first: readonly WatchReading[]) {
	const changed = new Emitter<void>();
	const seen: {
		now: readonly WatchReading[];
		hurried: number;
		left: readonly WatchReading[];
		budgetMs: number;
		restsMs: number;
	} = {
		now: first,
		hurried: 0,
		left: [],
		budgetMs: 0,
		restsMs: 0,
	};
	const connection = {
		inboxReadings: fake<WatchReadings>({
			all: () => seen.now,
			refresh() {
				seen.hurried += 1;
				return Promise.resolve(seen.left);
			},
			restsUntilMs: ({ readMs }) => (readMs === undefined ? seen.restsMs : 0),
			budget: () => ({ perHour: 300, spent: 42, readyMs: seen.budgetMs }),
			onDidRead: changed.event,
		}),
	};
	const bare = fakeConnection(fakeTrackers().api);
	Object.assign(bare, connection);
	const age = inboxAge(fake<InboxContext>({ connections: fakeConnections(bare), clock }));
	let changes = 0;
	age.note.onDidChange(() => (changes += 1));
	return {
		age,
		inbox: bare.inbox,
		seen,
		changes: () => changes,
		become: (now: readonly WatchReading[]): void => {
			seen.now = now;
			changed.fire();
		},
	};
}

suite('inbox age', () => {
	setup(() => resetStub());

	test('is the time of the oldest source, and empty until each source has loaded', () => {
		const { age, become, changes } = reading([]);
		assert.equal(age.note.text(), '');
		become([read('one', 3), read('two', undefined)]);
		assert.deepEqual([age.note.text(), changes()], ['', 0]);
		become([read('one', 3), read('two', 17)]);
		const text = `updated ${ago(17)}`;
		assert.deepEqual([age.note.text(), changes()], [text, 1]);
		become([read('one', 1), read('two', 17)]);
		assert.deepEqual([age.note.text(), changes()], [text, 1]);
	});

	test('is the age stored by an earlier window until each source has loaded', () => {
		const { age, become, inbox } = reading([]);
		const sinceMs = clock.nowMs() - 90 * minuteMs;
		inbox.add({ entries: [], positions: new Map([['as of', { sinceMs, newestId: 0, detail: '' }]]) });
		assert.equal(age.note.text(), `updated ${ago(90)}`);
		assert.equal(age.details()[0], `Updated ${longAgo(90)}.`);
		become([read('one', 3), read('two', undefined)]);
		assert.equal(age.note.text(), `updated ${ago(90)}`);
		become([read('one', 3), read('two', 2)]);
		assert.equal(age.note.text(), `updated ${ago(3)}`);
	});

	test('says that only a part is that old, where news is newer', () => {
		const { age, become, inbox } = reading([]);
		become([read('one', 3), read('two', 29)]);
		const entry = (minutes: number) =>
			fake<Parameters<typeof inbox.add>[0]['entries'][number]>({
				id: `at ${minutes}`,
				atMs: clock.nowMs() - minutes * minuteMs,
				thing: { kind: 'ticket', ref: { tracker: { owner: '~alice', name: 'one' }, id: 1 }, title: 'One' },
				event: { kind: 'ticketCreated' },
			});
		inbox.add({ entries: [entry(40)], positions: new Map() });
		assert.equal(age.note.text(), `updated ${ago(29)}`);
		inbox.add({ entries: [entry(5)], positions: new Map() });
		assert.equal(age.note.text(), `oldest part updated ${ago(29)}`);
		assert.equal(age.details()[0], `Its oldest part was updated ${longAgo(29)}.`);
	});

	test('lists failed sources and the request budget in its details', () => {
		const { age, become, seen } = reading([]);
		become([read('one', 3), read('two', 17, true)]);
		assert.deepEqual(age.details(), [
			`Updated ${longAgo(17)}.`,
			'Could not be loaded: ~alice/two',
			'~alice, requests in the last hour: 42 of 300',
		]);
		seen.budgetMs = clock.nowMs() + 20 * minuteMs;
		assert.equal(
			age.details()[2],
			`~alice, requests in the last hour: 42 of 300. The request limit (forge.index.requestsPerHour) is reached until ${time(seen.budgetMs)}. Refresh Inbox loads now.`,
		);
		become(Array.from({ length: 8 }, (_, at) => read(`t${at}`, 1, true)));
		assert.match(age.details()[1] ?? '', /~alice\/t4, and 3 more$/);
	});

	test('shows in the note until when and why the inbox pauses', () => {
		const { age, become, seen, changes } = reading([]);
		seen.budgetMs = clock.nowMs() + 20 * minuteMs;
		become([read('one', undefined)]);
		assert.equal(age.note.text(), paused(seen.budgetMs));
		become([{ ...read('one', 3), olderMs: clock.nowMs() - 90 * minuteMs }]);
		const closed = `assignments and closed tickets updated ${ago(90)}`;
		const waits = `${paused(seen.budgetMs)} · updated ${ago(3)} · ${closed}`;
		assert.deepEqual([age.note.text(), changes()], [waits, 2]);
		seen.budgetMs = clock.nowMs();
		become([read('one', 1)]);
		assert.equal(age.note.text(), `updated ${ago(1)}`);
		// With a budget of 0 requests the inbox never loads on its own.
		seen.budgetMs = Number.POSITIVE_INFINITY;
		assert.equal(age.note.text(), `updated ${ago(1)}`);
	});

	test('is never younger than the oldest part, for random reading times, failures and waits', () => {
		const minutes = fc.integer({ min: 0, max: 600 });
		const parts = fc.array(
			fc.record({ readAgo: minutes, olderAgo: fc.option(minutes, { nil: undefined }), hasFailed: fc.boolean() }),
			{ minLength: 1, maxLength: 12 },
		);
		// Once: a formatted time takes much memory that the process keeps, and then its programs start slowly.
		const updatedAgo = Array.from({ length: 601 }, (_, minutes) => `updated ${ago(minutes)}`);
		fc.assert(
			fc.property(parts, fc.boolean(), (all, isWaiting) => {
				const { age, become, seen } = reading([]);
				seen.budgetMs = isWaiting ? clock.nowMs() + minuteMs : 0;
				become(
					all.map(({ readAgo, olderAgo, hasFailed }, at) => ({
						...read(`t${at}`, readAgo, hasFailed),
						...(olderAgo === undefined ? {} : { olderMs: clock.nowMs() - olderAgo * minuteMs }),
					})),
				);
				const told = age.note.text();
				const shown = updatedAgo.flatMap((text, minutes) => (told.includes(text) ? [minutes] : []));
				const oldest = Math.max(...all.flatMap(({ readAgo, olderAgo = readAgo }) => [readAgo, olderAgo]));
				// One text covers the minutes of an hour.
				assert.equal(updatedAgo[Math.max(...shown)], updatedAgo[oldest], told);
			}),
			{ numRuns: counts({ small: 100, full: 2000 }), seed: seed() },
		);
	});

	test('becomes current through a refresh that reports failed sources and the oldest age', async () => {
		const { age, seen } = reading([read('one', 3)]);
		await age.refresh(never);
		assert.deepEqual([seen.hurried, stubbed.shown.at(-1)], [1, 'The inbox is up to date.']);
		seen.left = [read('two', 17, true), { ...read('long', 1), olderMs: clock.nowMs() - 90 * minuteMs }];
		await age.refresh(never);
		assert.equal(
			stubbed.shown.at(-1),
			`Refreshed the inbox without what could not be loaded in full: ~alice/two, ~alice/long. Its oldest part was updated ${longAgo(90)}. Try again later.`,
		);
	});

	test('shows after a refresh when the next attempt follows a rejected request', async () => {
		const { age, seen } = reading([read('one', 3)]);
		seen.left = [read('one', 3, true), read('two', undefined, true)];
		seen.restsMs = clock.nowMs() + 7 * minuteMs;
		await age.refresh(never);
		const [was, again] = [longAgo(3), time(seen.restsMs)];
		assert.equal(
			stubbed.shown.at(-1),
			`Refreshed the inbox without what could not be loaded in full: ~alice/one, ~alice/two. Its oldest part was updated ${was}. Forge Desk tries again at ${again}.`,
		);
	});

	test('asks the other window to refresh if that one polls', async () => {
		const { age, seen, inbox } = reading([]);
		await age.refresh(never);
		assert.deepEqual([seen.hurried, stubbed.shown.at(-1)], [0, 'Another window refreshes the inbox.']);
		assert.equal(inbox.position('refresh')?.sinceMs, clock.nowMs());
	});
});
