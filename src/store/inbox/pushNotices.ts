import { jsonIn } from '../../base/lenientJson.ts';
import type { PushedReference, PushSaid } from 'sourcehut/port/deliveryHint.ts';
import type { Reference, RepositoryRef } from 'sourcehut/port/repository.ts';
import type { OwnerName } from 'sourcehut/port/user.ts';
import type { InboxPosition, InboxReading, Watching } from './inboxBook.ts';
import { thingKey, type InboxEntry, type InboxThing, type ReferenceChange } from './inboxEntry.ts';
import { watchedKey } from './watched.ts';

/** A repository's references as read, and its known position. */
export interface ReadReferences {
	readonly ref: RepositoryRef;
	readonly references: readonly Reference[];
	/** True if the list is complete: only then a missing reference counts as deleted. */
	readonly isWhole: boolean;
	readonly known: InboxPosition | undefined;
	/** Pushes from webhook deliveries since the last read, in order of arrival. */
	readonly said: readonly PushSaid[];
	readonly watching: Watching;
	/** `~name` of the account. */
	readonly me: OwnerName;
	readonly nowMs: number;
}

/** More than anybody reads in a row. */
const mostChanges = 50;
/** Each change belongs to one entry of a read, so the first ones identify the entry. */
const mostInId = 10;
/** Marks stored targets without a complete read. */
const partMark = 'part';

/**
 * Entries for pushes to a repository. Two reads show the combined effect of all pushes between them, or nothing if they
 * cancel out. Deliveries add the pusher and separate the pushes, but never create entries: a lost delivery must not
 * change the inbox. The account's own pushes arrive as read, and not omitted like its comments, because a delivery
 * alone names the pusher and must not hide a change.
 */
export function pushNotices(read: ReadReferences): InboxReading {
	const { ref, references, isWhole, known, said, watching, me, nowMs } = read;
	const thing: InboxThing = { kind: 'repository', ref };
	const last = known ?? { sinceMs: 0, newestId: 0, detail: '' };
	// An unknown format counts as muted.
	const kept = jsonIn(last.detail);
	const pairs = Array.isArray(kept) ? kept : undefined;
	const before = new Map(pairs?.filter(isPair));
	/** No read was complete yet. */
	const isPart = !pairs || pairs.includes(partMark);
	const now = new Map(references.map(({ name, target }): [string, string] => [name, target]));
	const isFirstWhole = isWhole && isPart;
	const changes = pairs ? changesBetween(before, now, isWhole, isFirstWhole) : [];
	if (pairs && changes.length === 0 && !isFirstWhole) {
		return { entries: [], positions: new Map() };
	}
	const position = {
		sinceMs: Math.max(nowMs, last.sinceMs + 1),
		newestId: last.newestId + 1,
		// Marks an incomplete list, so that references beyond it are no news later.
		detail: JSON.stringify(isWhole ? [...now] : [...(isPart ? [partMark] : []), ...new Map([...before, ...now])]),
	};
	const pushes = watching === 'everything' ? pushesOf(changes, said) : [];
	/** Short enough for a row of pushes, and deterministic. */
	const nameOf = (change: ReferenceChange): string =>
		`${change.name} ${change.old?.slice(0, 12) ?? '-'} ${change.now?.slice(0, 12) ?? '-'}`;
	const entries = pushes.map((push): InboxEntry => ({
		// A reference may alternate between two commits. The counter keeps the ids apart, and is equal in windows with
		// equal state.
		id: `${thingKey(thing)} ${push.changes.slice(0, mostInId).map(nameOf).join(' ')} ${last.newestId}`,
		thing,
		atMs: nowMs,
		by: push.by,
		reason: 'followed',
		event: { kind: 'pushed', changes: push.changes.slice(0, mostChanges) },
	}));
	return {
		entries,
		ownIds: new Set(entries.filter(({ by }) => by === me).map(({ id }) => id)),
		positions: new Map([[repositoryPosition(ref), position]]),
	};
}

/** The position of a repository after the user muted it: its state at the next read is no news. */
export function withoutTargets({ sinceMs, newestId }: InboxPosition): InboxPosition {
	return { sinceMs: sinceMs + 1, newestId, detail: '' };
}

/** Name of a repository's position and choice. */
export function repositoryPosition(ref: RepositoryRef): string {
	return watchedKey({ kind: 'repository', ref });
}

function changesBetween(
	before: ReadonlyMap<string, string>,
	now: ReadonlyMap<string, string>,
	isWhole: boolean,
	isFirstWhole: boolean,
): readonly ReferenceChange[] {
	const moved = [...now].flatMap(([name, target]): readonly ReferenceChange[] => {
		const old = before.get(name);
		// A reference that no read reached before may be old, so it is no news.
		const isOld = isFirstWhole && old === undefined;
		return old === target || isOld ? [] : [{ name, old, now: target, isAnnotatedTag: false }];
	});
	const gone = isWhole ? [...before].filter(([name]) => !now.has(name)) : [];
	return [...moved, ...gone.map(([name, old]) => ({ name, old, now: undefined, isAnnotatedTag: false }))];
}

function isPair(value: unknown): value is [string, string] {
	return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string');
}

/** Reference changes and their pusher. */
interface ToldPush {
	/** `~name`; `undefined` if unknown or ambiguous. */
	readonly by: string | undefined;
	readonly changes: readonly ReferenceChange[];
}

/** One reference change of a delivery. */
interface Move {
	/** Commit ids; `undefined` if the reference didn't exist. */
	readonly before: string | undefined;
	readonly after: string | undefined;
	readonly isAnnotatedTag: boolean;
	readonly push: PushSaid;
}

/**
 * Groups reference changes by push. A delivery counts only as part of a chain from the reference's old target to its
 * new one; all other changes form one group without a pusher. The order and number of deliveries don't matter, and a
 * change with several possible pushers names none. Annotated tags match without ids: a delivery has the commit, a read
 * has the tag object. Takes linear time, because deliveries are untrusted and can be as large as a body.
 */
export function pushesOf(changes: readonly ReferenceChange[], said: readonly PushSaid[]): readonly ToldPush[] {
	const moves = Map.groupBy(named(said, changes), ({ name }) => name);
	const pushes = new Map<string, ToldPush & { readonly changes: ReferenceChange[] }>();
	for (const change of changes) {
		const ofName = (moves.get(change.name) ?? []).map(({ push, update: { before, after, annotatedTag } }): Move => {
			const isAnnotatedTag = after !== undefined && Boolean(annotatedTag);
			return { before: before?.id, after: after?.id, isAnnotatedTag, push };
		});
		const steps = stepsOf(change, ofName);
		const pushers = new Set(steps.map(({ push }) => push.pusher.canonicalName));
		const [by] = pushers.size === 1 ? pushers : [];
		const isAnnotatedTag = steps.some((step) => step.after === change.now && step.isAnnotatedTag);
		const ids = [...new Set(steps.map(({ push }) => push.pushId))].toSorted();
		// A forged delivery may reuse the id of a push.
		const key = JSON.stringify([by, ids]);
		const told = pushes.get(key) ?? { by, changes: [] };
		told.changes.push({ ...change, isAnnotatedTag });
		pushes.set(key, told);
	}
	return [...pushes.values()];
}

/** An update of a delivery with the name of its reference. */
interface NamedUpdate {
	readonly name: string;
	readonly update: PushedReference;
	readonly push: PushSaid;
}

/**
 * Updates with their names. An unnamed update gets the name of the new or deleted reference with its object, also if
 * the reference moved before the read. Omits it if several references fit, unless one push made exactly these.
 */
function named(said: readonly PushSaid[], changes: readonly ReferenceChange[]): readonly NamedUpdate[] {
	const updates = said.flatMap((push) => push.references.map((update) => ({ update, push })));
	const known = updates.flatMap(({ update, push }): readonly NamedUpdate[] =>
		update.name === undefined ? [] : [{ name: update.name, update, push }],
	);
	const moved = Map.groupBy(known, ({ name }) => name);
	const names = new Map<string, Set<string>>();
	const fits = (key: string, name: string): void => {
		const all = names.get(key) ?? new Set();
		names.set(key, all.add(name));
	};
	for (const { name, old, now } of changes) {
		const ofName = moved.get(name) ?? [];
		if (old === undefined) {
			[now, ...ofName.map(({ update }) => update.before?.id)].forEach((id) => fits(`new ${id}`, name));
		}
		if (now === undefined) {
			[old, ...ofName.map(({ update }) => update.after?.id)].forEach((id) => fits(`gone ${id}`, name));
		}
	}
	const unnamed = Map.groupBy(
		updates.filter(({ update }) => update.name === undefined),
		({ update: { object, after } }) => `${after ? 'new' : 'gone'} ${object}`,
	);
	const found = Array.from(unnamed).flatMap(([key, alike]): readonly NamedUpdate[] => {
		const fitting = [...(names.get(key) ?? [])];
		const [only, ...others] = fitting;
		if (only !== undefined && others.length === 0) {
			return alike.map((each) => ({ name: only, ...each }));
		}
		const isOfOnePush = alike.length === fitting.length && new Set(alike.map(({ push }) => push.pushId)).size === 1;
		return isOfOnePush ? alike.flatMap((each, at) => ({ name: fitting[at] ?? '', ...each })) : [];
	});
	return [...known, ...found];
}

/** All moves on chains from the old target to the new one; empty without a complete chain. */
function stepsOf({ name, old, now }: ReferenceChange, moves: readonly Move[]): readonly Move[] {
	// Otherwise it may be a tag object.
	const isCommit = now === undefined || moves.some(({ after, isAnnotatedTag }) => after === now && !isAnnotatedTag);
	// A delivery doesn't say whether the old object was an annotated tag.
	const wasCommit =
		old === undefined ||
		!name.startsWith('refs/tags/') ||
		moves.some(({ before, after, isAnnotatedTag }) => before === old || (after === old && !isAnnotatedTag));
	const steps = moves.flatMap((move): readonly Move[] => {
		const step = { ...move, isAnnotatedTag: false };
		const ends = isCommit || !move.isAnnotatedTag ? [step] : [step, { ...move, after: now }];
		return wasCommit || move.before === undefined ? ends : [...ends, ...ends.map((each) => ({ ...each, before: old }))];
	});
	const reached = reachedFrom(old, steps);
	const leading = reachedFrom(
		now,
		steps.map(({ before, after }) => ({ before: after, after: before })),
	);
	return steps.filter(({ before, after }) => reached.has(before) && leading.has(after));
}

/** All targets reachable from `start`. */
function reachedFrom(
	start: string | undefined,
	steps: readonly Pick<Move, 'before' | 'after'>[],
): ReadonlySet<string | undefined> {
	const from = Map.groupBy(steps, ({ before }) => before);
	const reached = new Set([start]);
	for (const at of reached) {
		from.get(at)?.forEach(({ after }) => reached.add(after));
	}
	return reached;
}
