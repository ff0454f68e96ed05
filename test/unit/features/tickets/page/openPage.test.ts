import '../../../../support/vscodeStub.ts';
import assert from 'node:assert/strict';
import type { Clock } from '@forge-desk/base/clock.ts';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { keptTimelines, type KeptTimelines } from '../../../../../src/store/tickets/savedTickets.ts';
import type { PageLink } from '../../../../../src/editor/pages/pageHost.ts';
import {
	answer,
	type AnyHandlers,
	type FromHost,
	type Protocol,
} from '../../../../../src/pages/protocol/pageProtocol.ts';
import type { PageChange } from '../../../../../src/pages/protocol/ticketProtocol.ts';
import type { FakeTrackerWorld } from '../../../../support/fakeForge.ts';
import { textsInMemory } from '../../../../support/textsInMemory.ts';
import { fakeClock, type FakeClock } from '../../../../support/fakeClock.ts';
import { quietProblems, ticketsParts } from '../../../../support/fakeTicketsParts.ts';
import { makeComment, makeEvent } from '../../../../support/makeTicket.ts';
import { richTicket } from '../../../../support/richTicket.ts';

const { ticketPage } = await import('../../../../../src/features/tickets/page/ticketPage.ts');
const { pageRenderer } = await import('../../../../../src/editor/pages/pageRenderer.ts');

const name = '~alice/alpha#12';
const never = new AbortController().signal;
const unused = (): never => assert.fail('Pages are opened by the test');

/** A page without a browser: its messages in order of arrival. */
interface BarePage {
	readonly posted: readonly FromHost[];
	readonly clock: FakeClock;
	readonly rich: ReturnType<typeof richTicket>;
	readonly shown: Emitter<void>;
	ask(name: string, value?: unknown): Promise<void>;
	/** Entries after all messages in order of arrival. */
	entries(): readonly number[];
}

async function settled(): Promise<void> {
	for (let turn = 0; turn < 20; turn++) {
		await new Promise((resolve) => setImmediate(resolve));
	}
}

/** With slices of 10 ms, each entry takes a slice of its own. */
function pausing(clock: FakeClock, sliceMs: number): Clock {
	let passedMs = 0;
	return {
		nowMs: () => clock.nowMs() + (passedMs += sliceMs),
		after(delayMs, work) {
			if (delayMs > 0) {
				return clock.after(delayMs, work);
			}
			const timer = setImmediate(work);
			return { dispose: () => clearImmediate(timer) };
		},
	};
}

async function openBare({
	isKnown = false,
	sliceMs = 10,
	entry,
	pageSize,
	disk,
	before,
}: {
	isKnown?: boolean;
	sliceMs?: number;
	entry?: number;
	pageSize?: number;
	disk?: KeptTimelines;
	before?: FakeTrackerWorld['before'];
} = {}): Promise<BarePage> {
	const rich = richTicket(disk);
	rich.world.before = before ?? rich.world.before;
	const [connection] = rich.connections.all();
	assert.ok(connection);
	rich.world.events.set(
		name,
		Array.from({ length: 10 }, (_, at) =>
			makeEvent({ id: 10 - at, kinds: ['comment'], comment: makeComment(`Comment ${10 - at}`, { id: 10 - at }) }),
		),
	);
	rich.world.pageSize = pageSize ?? rich.world.pageSize;
	const { ref } = rich.subject;
	if (isKnown) {
		await connection.tickets.ticket(ref, never);
		await connection.tickets.events(ref, never);
		await connection.tickets.trackers.labels(ref.tracker, never);
	}
	const renderer = pageRenderer(() => import('../../../../../src/render.ts'));
	await renderer.load();
	const posted: FromHost[] = [];
	const owned = new Disposables();
	const clock = fakeClock();
	const shown = owned.add(new Emitter<void>());
	const link: PageLink<Protocol> = {
		tell: (told, value) => void posted.push({ kind: 'news', name: told, value }),
		setTitle: () => undefined,
		mark: () => undefined,
		become: () => undefined,
		close: unused,
		signal: never,
		owned,
		isWatched: () => true,
		isVisible: () => true,
		entry,
		onDidWant: new Emitter<number>().event,
		onDidChangeWatched: owned.add(new Emitter<void>()).event,
		onDidShow: shown.event,
	};
	const parts = ticketsParts(rich.connections, {
		open: unused,
		restore: unused,
		inFront: unused,
		front: unused,
		dispose: unused,
	});
	const doings = { follow: unused, writing: never, focusComposer: false, renderer };
	const { handlers, start } = ticketPage({ ...parts, clock: pausing(clock, sliceMs) }, rich.subject, doings).connect({
		...link,
	});
	if (start) {
		posted.push({ kind: 'news', name: 'start', value: start });
	}
	const all: AnyHandlers = handlers;
	let id = 0;
	return {
		posted,
		clock,
		rich,
		shown,
		async ask(asked, value) {
			id += 1;
			const reply = await answer(
				all,
				{ kind: 'ask', id, name: asked, value },
				(error) => quietProblems.explain(error).message,
			);
			if (reply) {
				posted.push(reply);
			}
		},
		entries: () => entriesOf(posted),
	};
}

function hasTimeline(value: unknown): value is PageChange {
	return typeof value === 'object' && value !== null && 'timeline' in value;
}

function isStart(value: unknown): value is { readonly change: unknown } {
	return typeof value === 'object' && value !== null && 'strings' in value && 'change' in value;
}

function entriesOf(posted: readonly FromHost[]): readonly number[] {
	const ids = new Set<number>();
	let hasStarted = false;
	for (const message of posted) {
		const value = message.kind === 'refusal' ? undefined : message.value;
		hasStarted ||= isStart(value);
		const change = isStart(value) ? value.change : value;
		// A page that has not started has nothing to change.
		const timeline = hasStarted && hasTimeline(change) ? change.timeline : undefined;
		if (timeline?.kind === 'entries') {
			if (timeline.isWhole) {
				ids.clear();
			}
			timeline.put.forEach((entry) => ids.add(entry.id));
			timeline.gone.forEach((gone) => ids.delete(gone));
		}
	}
	return [...ids].toSorted((a, b) => a - b);
}

function headsOf(posted: readonly FromHost[]): readonly unknown[] {
	return posted.flatMap((message) => {
		const value = message.kind === 'refusal' ? undefined : message.value;
		const change = isStart(value) ? value.change : value;
		const head = hasTimeline(change) ? change.head : undefined;
		return head ? [{ title: head.title, readBefore: head.readBefore }] : [];
	});
}

const all = Array.from({ length: 10 }, (_, at) => at + 1);

suite('host of an open ticket page', () => {
	test('sends every entry on start, in any number of slices', async () => {
		for (const isKnown of [false, true]) {
			const page = await openBare({ isKnown });
			await page.ask('load', isKnown ? 1 : 0);
			await settled();
			assert.deepEqual(page.entries(), all, isKnown ? 'known before' : 'unknown before');
		}
	});

	test('sends every entry again when a hidden page restarts', async () => {
		const page = await openBare({ isKnown: true });
		await page.ask('load', 1);
		await settled();
		await page.ask('load', 1);
		await settled();
		assert.deepEqual(page.entries(), all);
	});

	test('reads back to the requested entry, and names it in the first start only', async () => {
		const page = await openBare({ entry: 3, pageSize: 2 });
		await page.ask('load', 0);
		await settled();
		assert.deepEqual(page.entries(), [3, 4, 5, 6, 7, 8, 9, 10]);
		await page.ask('load', 1);
		const starts = page.posted.flatMap((message) => (message.kind === 'answer' ? [message.value] : []));
		assert.deepEqual(
			starts.map((start) => (isStart(start) && 'entry' in start ? start.entry : 'none')),
			[3, undefined],
		);
	});

	test('shows cached data after a reload without the forge, with its age', async () => {
		const disk = keptTimelines(textsInMemory(), fakeClock());
		await openBare({ isKnown: true, disk });
		const page = await openBare({
			disk,
			before: () => Promise.reject(new ForgeError({ kind: 'unreachable', reason: 'offline', host: 'todo.forge.test' })),
		});
		await page.ask('load', 0);
		await settled();
		assert.deepEqual(page.entries(), all);
		assert.deepEqual(headsOf(page.posted).at(-1), {
			title: 'The parser stops at the first empty line of a folded header',
			readBefore: 'Offline – showing data from less than a minute ago',
		});
	});

	test('sends nothing between the request for a start and its response', async () => {
		const page = await openBare({ isKnown: true });
		await page.ask('load', 0);
		const [inline, first] = page.posted;
		assert.deepEqual([inline?.kind, first?.kind], ['news', 'answer']);
		await settled();
	});

	test('sends a change that arrives at the very end of a transfer', async () => {
		const page = await openBare({ isKnown: true, sliceMs: 0 });
		await page.ask('load', 1);
		await settled();
		const [connection] = page.rich.connections.all();
		const { ref } = page.rich.subject;
		// Number of microtasks after which the transfer of the first change may just have ended.
		for (let turns = 0; turns < 8; turns++) {
			const ids = [100 + 2 * turns, 101 + 2 * turns];
			for (const id of ids) {
				const events = [makeEvent({ id, kinds: ['comment'], comment: makeComment('More', { id }) })];
				connection?.tickets.apply({ kind: 'eventsAdded', ticket: ref, events });
				for (let turn = 0; turn < turns; turn++) {
					await Promise.resolve();
				}
			}
			await settled();
			assert.deepEqual(page.entries().slice(-2), ids, `${turns} turns`);
		}
	});

	test('renders a change in a later turn than its read', async () => {
		const page = await openBare({ isKnown: true, sliceMs: 0 });
		await page.ask('load', 1);
		await settled();
		const before = page.posted.length;
		const [connection] = page.rich.connections.all();
		const events = [makeEvent({ id: 60, kinds: ['comment'], comment: makeComment('More', { id: 60 }) })];
		connection?.tickets.apply({ kind: 'eventsAdded', ticket: page.rich.subject.ref, events });
		for (let turn = 0; turn < 100; turn++) {
			await Promise.resolve();
		}
		assert.equal(page.posted.length, before);
		await settled();
		assert.deepEqual(page.entries().slice(-1), [60]);
	});

	test('keeps a manual unread mark until the page is shown again or the ticket changes', async () => {
		const page = await openBare();
		await page.ask('load', 0);
		await settled();
		const [connection] = page.rich.connections.all();
		const { ref } = page.rich.subject;
		const ticket = await connection?.tickets.ticket(ref, never);
		assert.ok(connection && ticket);
		connection.readMarks.markUnread(ticket);
		page.clock.advance(20_000);
		await settled();
		connection.tickets.apply({ kind: 'ticketChanged', ticket });
		await settled();
		assert.equal(connection.readMarks.mark(ticket), 'changed');
		page.shown.fire();
		assert.equal(connection.readMarks.mark(ticket), undefined);
		connection.readMarks.markUnread(ticket);
		const events = [makeEvent({ id: 50, kinds: ['comment'], comment: makeComment('News', { id: 50 }) })];
		connection.tickets.apply({ kind: 'eventsAdded', ticket: ref, events });
		await settled();
		assert.equal(connection.readMarks.mark(ticket), undefined);
	});
});
