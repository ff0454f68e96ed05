import type { PushSaid } from '../../forge/deliveryHint.ts';
import type { Reference, RepositoryRef } from '../../forge/repository.ts';
import type { OwnerName } from '../../forge/user.ts';
import { jsonIn } from '../../base/looseJson.ts';
import type { InboxPosition, InboxReading, Watching } from './inboxBook.ts';
import { thingKey, type InboxEntry, type InboxThing, type ReferenceChange } from './inboxEntry.ts';
import { pushesOf } from './saidPushes.ts';
import { watchedKey } from './watched.ts';

/** Where the names of a repository lead, as it was read, and what is known already. */
export interface ReadReferences {
	readonly ref: RepositoryRef;
	readonly references: readonly Reference[];
	/** Whether these are all that there are: only then what is missing is gone. */
	readonly isWhole: boolean;
	readonly known: InboxPosition | undefined;
	/** What deliveries said of pushes meanwhile, in the order in which they came. */
	readonly said: readonly PushSaid[];
	readonly watching: Watching;
	/** `~name` of the account. */
	readonly me: OwnerName;
	readonly nowMs: number;
}

/** More than anybody reads in a row. */
const mostChanges = 50;
/** Each change belongs to one entry of a reading, so its first ones tell it from the others. */
const mostInId = 10;

/**
 * What pushes to a repository bring to the inbox: one reading tells where names lead now, and so what several pushes of a
 * name did together, which is nothing where the last one undid the others. What deliveries say of pushes between makes no
 * entry, because one that was lost would leave another inbox than one that came. Who pushed, and whether it was one push or several, is told where
 * deliveries said so. What the account pushed itself comes as read, and is not left out as its comments are: who pushed is
 * the word of a delivery alone, which must not make anything vanish.
 */
export function pushNotices(read: ReadReferences): InboxReading {
	const { ref, references, isWhole, known, said, watching, me, nowMs } = read;
	const thing: InboxThing = { kind: 'repository', ref };
	const before = knownBefore(known);
	const now = new Map(references.map(({ name, target }): [string, string] => [name, target]));
	const changes = changesSince(before, now, isWhole);
	const isFirstWhole = isWhole && before.isPart;
	if (before.targets !== undefined && changes.length === 0 && !isFirstWhole) {
		return { entries: [], positions: new Map() };
	}
	const count = known?.newestId ?? 0;
	const position = {
		sinceMs: Math.max(nowMs, (known?.sinceMs ?? 0) + 1),
		newestId: count + 1,
		detail: detailOf(before, now, isWhole),
	};
	const pushes = watching === 'everything' ? pushesOf(changes, said) : [];
	const entries = pushes.map((push): InboxEntry => ({
		// A name may go to and fro between two commits: the count tells one time from another, the same for all who knew the same.
		id: `${thingKey(thing)} ${push.changes.slice(0, mostInId).map(nameOfChange).join(' ')} ${count}`,
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

/** How far a repository is known of which nobody wants to hear any more: what is there when it is read next is no news. */
export function withoutTargets({ sinceMs, newestId }: InboxPosition): InboxPosition {
	return { sinceMs: sinceMs + 1, newestId, detail: '' };
}

/** The name under which is kept what is wanted of a repository, and where its names led. */
export function repositoryPosition(ref: RepositoryRef): string {
	return watchedKey({ kind: 'repository', ref });
}

/** What is known of where names led. */
interface KnownTargets {
	/** `undefined` where nobody has read them, or nobody wanted to hear of them. */
	readonly targets: ReadonlyMap<string, string> | undefined;
	/** No reading has reached all of them yet. */
	readonly isPart: boolean;
}

function knownBefore(known: InboxPosition | undefined): KnownTargets {
	const targets = known && targetsIn(known.detail);
	return { targets, isPart: targets === undefined || (known !== undefined && isOfPart(known.detail)) };
}

function changesSince(
	{ targets, isPart }: KnownTargets,
	now: ReadonlyMap<string, string>,
	isWhole: boolean,
): readonly ReferenceChange[] {
	const changes = targets === undefined ? [] : changesBetween(targets, now, isWhole);
	// What was never reached until now is not new: nobody knows how long it has been there.
	return isWhole && isPart ? changes.filter(({ old }) => old !== undefined) : changes;
}

/** What is kept. Names that a reading did not reach are not new when the next one does. */
function detailOf({ targets, isPart }: KnownTargets, now: ReadonlyMap<string, string>, isWhole: boolean): string {
	return JSON.stringify(isWhole ? [...now] : [...(isPart ? [partMark] : []), ...new Map([...(targets ?? []), ...now])]);
}

function changesBetween(
	before: ReadonlyMap<string, string>,
	now: ReadonlyMap<string, string>,
	isWhole: boolean,
): readonly ReferenceChange[] {
	const moved = [...now].flatMap(([name, target]): readonly ReferenceChange[] => {
		const old = before.get(name);
		return old === target ? [] : [{ name, old, now: target, isAnnotatedTag: false }];
	});
	const gone = isWhole ? [...before].filter(([name]) => !now.has(name)) : [];
	return [...moved, ...gone.map(([name, old]) => ({ name, old, now: undefined, isAnnotatedTag: false }))];
}

/** Short enough for a row of pushes, and the same for whoever saw the same. */
function nameOfChange({ name, old, now }: ReferenceChange): string {
	return `${name} ${old?.slice(0, 12) ?? '-'} ${now?.slice(0, 12) ?? '-'}`;
}

/** Stands among the names where no reading has reached all of them yet. */
const partMark = 'part';

function isOfPart(detail: string): boolean {
	const kept = jsonIn(detail);
	return Array.isArray(kept) && kept.includes(partMark);
}

/** What was kept; `undefined` for what was not written so. */
function targetsIn(detail: string): ReadonlyMap<string, string> | undefined {
	const pairs = jsonIn(detail);
	return Array.isArray(pairs) ? new Map(pairs.filter(isPair)) : undefined;
}

function isPair(value: unknown): value is [string, string] {
	return Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === 'string');
}
