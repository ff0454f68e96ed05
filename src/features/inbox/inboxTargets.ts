import * as v from 'valibot';
import * as vscode from 'vscode';
import { maxOf } from '@forge-desk/base/longArrays.ts';
import { thingIcon } from '../../editor/names/thingIcon.ts';
import { choose } from '../../editor/ask/ask.ts';
import { tellBriefly } from '../../editor/ask/notify.ts';
import { connectionOf, subjectReader } from '../../editor/commands/subjects.ts';
import type { Connection, Connections } from '../../store/connection.ts';
import type { InboxItem } from '../../store/inbox/inboxBook.ts';
import { thingKey, type InboxThing } from '../../store/inbox/inboxEntry.ts';
import { inboxGroup, inboxGroups, needsAnswer, type InboxGroup } from '../../store/inbox/inboxGroup.ts';
import { reasonText, thingReference, thingTitle } from './inboxWords.ts';
import type { Inbox } from '../../store/inbox/inbox.ts';

/** A thing of one account with the entries that a command acts on. */
export interface InboxTarget {
	readonly connection: Connection;
	readonly thing: ThingInInbox;
	readonly items: readonly InboxItem[];
}

/**
 * Targets of the given rows; asks for a thing if there are no rows. Empty, after a message, if there is nothing to
 * choose. `title`, `wanted` and `none`: the question, the offered things, and the message without any.
 */
export async function inboxTargets(
	connections: Connections,
	rows: readonly unknown[],
	title: string,
	wanted: (thing: ThingInInbox) => boolean,
	none: string,
): Promise<readonly InboxTarget[]> {
	const subjects = rows.flatMap((row) => inboxSubject(row) ?? []);
	if (subjects.length > 0) {
		return subjects.flatMap((subject): readonly InboxTarget[] => {
			const connection = connectionOf(connections, subject);
			const all = thingsIn(connection.inbox, true);
			if (subject.kind === 'inboxThing') {
				const thing = all.find(({ key }) => key === subject.thing);
				return thing ? [{ connection, thing, items: thing.items }] : [];
			}
			// The inbox may no longer contain the entry.
			const item = connection.inbox.items().find(({ entry }) => entry.id === subject.id);
			const thing = item && all.find(({ key }) => key === thingKey(item.entry.thing));
			return thing ? [{ connection, thing, items: [item] }] : [];
		});
	}
	const found = connections
		.all()
		.flatMap((connection) => thingsIn(connection.inbox, true).map((thing) => ({ connection, thing })))
		.filter(({ thing }) => wanted(thing));
	if (found.length === 0) {
		tellBriefly(none);
		return [];
	}
	const { connection, thing } = await choose(
		title,
		found.map((value) => ({
			label: thingTitle(value.thing.thing),
			description: `${thingReference(value.thing.thing)} · ${reasonText(value.thing.leading.entry.reason)}`,
			iconPath: new vscode.ThemeIcon(thingIcon(value.thing.thing)),
			value,
		})),
	);
	return [{ connection, thing, items: thing.items }];
}

/** A thing with its entries. */
export interface ThingInInbox {
	/** As `thingKey` has it. */
	readonly key: string;
	/** As its newest entry has it: titles change. */
	readonly thing: InboxThing;
	/** Newest first; at least one. */
	readonly items: readonly [InboxItem, ...InboxItem[]];
	readonly unreadCount: number;
	readonly group: InboxGroup;
	/** The newest entry that puts the thing into its group. */
	readonly leading: InboxItem;
	readonly isMuted: boolean;
}

/**
 * The things of an inbox in the order of the view: by group, then by their newest entry or the end of their snooze.
 * Without `isDoneShown`, done entries are left out.
 */
export function thingsIn(inbox: Inbox, isDoneShown: boolean): readonly ThingInInbox[] {
	const byThing = new Map<string, [InboxItem, ...InboxItem[]]>();
	for (const item of inbox.items()) {
		if (isDoneShown || item.state !== 'done') {
			const key = thingKey(item.entry.thing);
			const known = byThing.get(key);
			if (known) {
				known.push(item);
			} else {
				byThing.set(key, [item]);
			}
		}
	}
	const things = Array.from(byThing, ([key, items]): ThingInInbox => {
		const [newest] = items;
		const group = inboxGroup(items);
		const open = items.find(({ state }) => state !== 'done') ?? newest;
		const asking = items.find(({ entry, state }) => state !== 'done' && needsAnswer(entry));
		return {
			key,
			thing: newest.entry.thing,
			items,
			unreadCount: items.filter(({ state }) => state === 'unread').length,
			group,
			leading: group === 'needsAnswer' ? (asking ?? open) : open,
			isMuted: inbox.choice(key) === 'nothing',
		};
	});
	const times = new Map(things.map((thing) => [thing, cameMs(thing)]));
	const rank = ({ group }: ThingInInbox): number => inboxGroups.indexOf(group);
	return things.toSorted((one, other) => rank(one) - rank(other) || (times.get(other) ?? 0) - (times.get(one) ?? 0));
}

/** A thing comes back on top when its snooze ends. Snoozed things are in the order of their return. */
function cameMs({ items, group }: ThingInInbox): number {
	if (group === 'snoozed') {
		return -maxOf(items.map(({ untilMs = 0 }) => untilMs));
	}
	return maxOf(items.map(({ entry, untilMs = 0 }) => Math.max(entry.atMs, untilMs)));
}

/** Oldest unread entry; otherwise the newest visible one. */
export function firstToRead({ items }: ThingInInbox): InboxItem {
	return items.findLast(({ state }) => state === 'unread') ?? items.find(({ state }) => state !== 'done') ?? items[0];
}

const inboxSubjects = v.variant('kind', [
	/** `id`: of an `InboxEntry`. */
	v.object({ kind: v.literal('inboxEntry'), connectionKey: v.string(), id: v.string() }),
	/** `thing`: by `thingKey`. */
	v.object({ kind: v.literal('inboxThing'), connectionKey: v.string(), thing: v.string() }),
]);
export type InboxSubject = v.InferOutput<typeof inboxSubjects>;

export const inboxSubject = subjectReader(inboxSubjects);
