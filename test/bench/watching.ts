import type { Pages } from 'sourcehut/port/page.ts';
import { fakeClock, type FakeClock } from '../support/fakeClock.ts';
import { makeList } from '../support/makeMail.ts';
import { makeTicket, makeTracker, makeUser } from '../support/makeTicket.ts';
import { randomFrom } from '../support/randomFrom.ts';
import { watchedForge, type WatchedForge } from '../support/watchedForge.ts';
import { watchingWindow } from '../support/watchingWindow.ts';
import { mostFigure } from './figures.ts';
import type { Figure, Size } from './measurement.ts';

const sizes = {
	full: { trackers: 5, lists: 5, repositories: 10, tickets: 120, hours: 2 },
	smallest: { trackers: 1, lists: 1, repositories: 2, tickets: 20, hours: 0.5 },
} as const;

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
/** Default of `forge.index.requestsPerHour`. */
const perHour = 300;
/** Leaves requests for the user and for events. */
const mostQuiet = (perHour * 2) / 3;
/** First reads, until polls reach their lowest rate. */
const firstMs = 2 * hourMs;
/** For the last event to arrive in the inbox. */
const lastMs = 45 * minuteMs;

interface Happened {
	readonly atMs: number;
	arrivedMs: number | undefined;
}

interface Period {
	readonly requestsPerHour: number;
	/** From each event to its arrival in the inbox, sorted. */
	readonly lateMs: readonly number[];
}

/**
 * Requests for watching others' trackers, lists and repositories, and the delay of events in the inbox: the real watch over a
 * forge in memory. The clock advances by seconds, so each run gives the same figures.
 */
export async function measure(size: Size): Promise<readonly Figure[]> {
	const { trackers, lists, repositories, hours } = sizes[size];
	const things = trackers + lists + repositories;
	const quiet = await period(size, 'quiet');
	const busy = await period(size, 'busy');
	const naiveQuiet = await naivePerHour(size, 'quiet');
	const naiveBusy = await naivePerHour(size, 'busy');
	const of = `${trackers} trackers, ${lists} lists, ${repositories} repositories, ${hours} hours`;
	const allowed = `${perHour} an hour are allowed`;
	return [
		requestsFigure(`Watching ${things} quiet things: requests per hour`, mostQuiet, quiet, `${of}; ${allowed}`),
		ratioTo(`Watching ${things} quiet things: requests, to each thing each minute`, 0.2, quiet, naiveQuiet),
		requestsFigure(`Watching ${things} busy things: requests per hour`, perHour, busy, `${of}; ${allowed}`),
		ratioTo(`Watching ${things} busy things: requests, to each thing each minute`, 0.2, busy, naiveBusy),
		lateFigure(`Watching ${things} busy things: until half of it is in the inbox`, 10, busy, 0.5),
		lateFigure(`Watching ${things} busy things: until all of it is in the inbox`, 60, busy, 1),
	];
}

function requestsFigure(name: string, goal: number, { requestsPerHour }: Period, detail: string): Figure {
	return mostFigure(name, requestsPerHour, { most: goal }, detail);
}

function ratioTo(name: string, goal: number, { requestsPerHour }: Period, naive: number): Figure {
	const detail = `${requestsPerHour.toFixed(0)} to ${naive.toFixed(0)} requests per hour`;
	return mostFigure(name, requestsPerHour / naive, { most: goal, digits: 3 }, detail);
}

/** `part`: share of all events. */
function lateFigure(name: string, goalMinutes: number, { lateMs }: Period, part: number): Figure {
	const minutes = (lateMs[Math.ceil(lateMs.length * part) - 1] ?? Number.NaN) / minuteMs;
	const most = { most: goalMinutes, unit: ' min', digits: 1 };
	return mostFigure(name, minutes, most, `${lateMs.length} things happened, one each minute`);
}

/** Followed things, all of others. */
interface Places {
	readonly trackers: readonly string[];
	readonly lists: readonly string[];
	readonly repositories: readonly string[];
}

interface BenchWorld {
	readonly clock: FakeClock;
	readonly forge: WatchedForge;
	readonly places: Places;
	/** Tickets of each tracker. */
	readonly tickets: number;
}

function worldOf(size: Size): BenchWorld {
	const { trackers, lists, repositories, tickets } = sizes[size];
	const clock = fakeClock();
	const forge = watchedForge(clock);
	const owner = makeUser('bob');
	forge.lists.world.users.push({
		...makeUser('alice'),
		email: 'alice@forge.test',
		url: undefined,
		location: undefined,
		bio: undefined,
	});
	const names = (kind: string, count: number): readonly string[] =>
		Array.from({ length: count }, (_, at) => `${kind}${at + 1}`);
	for (const [at, name] of names('tracker', trackers).entries()) {
		const tracker = makeTracker({ id: at + 1, name, owner });
		forge.trackers.world.trackers.push(tracker);
		const all = Array.from({ length: tickets }, (_, of) => makeTicket({ id: tickets - of, tracker }));
		forge.trackers.world.tickets.set(`~bob/${name}`, all);
	}
	for (const [at, name] of names('list', lists).entries()) {
		forge.lists.world.lists.push(makeList({ id: at + 1, name, owner }));
	}
	for (const name of names('repository', repositories)) {
		forge.push(`~bob/${name}`, 'refs/heads/main');
	}
	const full = (all: readonly string[]): readonly string[] => all.map((name) => `~bob/${name}`);
	const places = {
		trackers: full(names('tracker', trackers)),
		lists: full(names('list', lists)),
		repositories: full(names('repository', repositories)),
	};
	return { clock, forge, places, tickets };
}

/** Each call makes an event in the next place, and returns a predicate for its entry. */
function happenings({
	forge,
	places,
	tickets,
}: BenchWorld): () => (id: string, references: readonly string[]) => boolean {
	const all = [
		...places.trackers.map((name) => ({ kind: 'tracker' as const, name })),
		...places.lists.map((name) => ({ kind: 'list' as const, name })),
		...places.repositories.map((name) => ({ kind: 'repository' as const, name })),
	];
	let count = 0;
	return () => {
		count += 1;
		// Alternates between the kinds.
		const { kind, name } = all[(count * 7) % all.length] ?? { kind: 'list', name: '' };
		const isId = (wanted: string) => (id: string) => id === wanted;
		switch (kind) {
			case 'tracker':
				return isId(forge.comment(name, 1 + ((count * 3) % tickets)));
			case 'list':
				return isId(`mail ${name} ${forge.mail(name)}`);
			case 'repository': {
				const tag = `refs/tags/v${count}`;
				forge.push(name, tag);
				return (_, references) => references.includes(`${name} ${tag}`);
			}
		}
	};
}

async function period(size: Size, how: 'quiet' | 'busy'): Promise<Period> {
	const world = worldOf(size);
	const { clock, forge, places } = world;
	const window = watchingWindow({ forge, clock, followed: places, perHour, random: randomFrom(1) });
	for (const [kind, names] of [
		['tracker', places.trackers],
		['list', places.lists],
	] as const) {
		names.forEach((name) => window.inbox.choose(`${kind} ${name}`, 'everything'));
	}
	const happens = happenings(world);
	const happened: (Happened & { readonly isToldBy: ReturnType<typeof happens> })[] = [];
	window.inbox.onDidChange(({ arrived }) => {
		for (const { entry } of arrived) {
			const { thing, event } = entry;
			const of = thing.kind === 'repository' ? `${thing.ref.owner}/${thing.ref.name}` : '';
			const references = event.kind === 'pushed' ? event.changes.map(({ name }) => `${of} ${name}`) : [];
			for (const each of happened) {
				if (each.isToldBy(entry.id, references)) {
					each.arrivedMs ??= clock.nowMs();
				}
			}
		}
	});
	await pass(clock, firstMs);
	const before = forge.calls().length;
	const hours = sizes[size].hours;
	for (let minute = 0; minute < hours * 60; minute += 1) {
		const passedMs = (minute * 17 * secondMs) % minuteMs;
		await pass(clock, passedMs);
		if (how === 'busy') {
			happened.push({ atMs: clock.nowMs(), arrivedMs: undefined, isToldBy: happens() });
		}
		await pass(clock, minuteMs - passedMs);
	}
	const requests = forge.calls().length - before;
	await pass(clock, lastMs);
	window.dispose();
	const lateMs = happened.map(({ atMs, arrivedMs = Number.NaN }) => arrivedMs - atMs);
	if (lateMs.some((each) => Number.isNaN(each))) {
		throw new Error('Not everything that happened came to the inbox');
	}
	return { requestsPerHour: requests / hours, lateMs: lateMs.toSorted((a, b) => a - b) };
}

async function pass(clock: FakeClock, totalMs: number): Promise<void> {
	for (let passedMs = 0; passedMs < totalMs; passedMs += secondMs) {
		clock.advance(secondMs);
		for (let turn = 0; turn < 4; turn += 1) {
			await new Promise((resolve) => setImmediate(resolve));
		}
	}
}

const never = new AbortController().signal;

/** The same by polling every thing each minute, and reading each new ticket and mail. */
async function naivePerHour(size: Size, how: 'quiet' | 'busy'): Promise<number> {
	const world = worldOf(size);
	const { clock, forge, places } = world;
	const happens = happenings(world);
	const { hours } = sizes[size];
	const refOf = (name: string): { owner: string; name: string } => ({
		owner: name.split('/')[0] ?? '',
		name: name.split('/')[1] ?? '',
	});
	const seenMs = clock.nowMs();
	const known = new Map<string, number>();
	for (let minute = 0; minute < hours * 60; minute += 1) {
		clock.advance(minuteMs);
		if (how === 'busy') {
			happens();
		}
		for (const ref of places.trackers.map(refOf)) {
			for (const ticket of await first(forge.trackers.api.tickets(ref, never))) {
				if (ticket.updatedMs > (known.get(ticket.ref) ?? seenMs)) {
					known.set(ticket.ref, ticket.updatedMs);
					await first(forge.trackers.api.events({ tracker: ref, id: ticket.id }, never));
				}
			}
		}
		for (const ref of places.lists.map(refOf)) {
			for (const mail of await first(forge.lists.api.posts(ref, never))) {
				if (!known.has(`mail ${mail.id}`)) {
					known.set(`mail ${mail.id}`, mail.createdMs);
					await forge.lists.api.email(mail.id, never);
				}
			}
			await first(forge.lists.api.search?.(ref, 'is:reply', never));
			await first(forge.lists.api.patchsets(ref, never));
		}
		for (const ref of places.repositories.map(refOf)) {
			await first(forge.repositories.api.references(ref, never));
		}
	}
	return forge.calls().length / hours;
}

async function first<T>(pages: Pages<T> | undefined): Promise<readonly T[]> {
	for await (const { items } of pages ?? []) {
		return items;
	}
	return [];
}
