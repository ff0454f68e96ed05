import * as vscode from 'vscode';
import { thingIcon } from '../../editor/names/thingIcon.ts';
import { choose } from '../../editor/ask/ask.ts';
import { tellBriefly } from '../../editor/ask/notify.ts';
import { connectionOf } from '../../editor/commands/subjects.ts';
import type { Connection, Connections } from '../../store/connection.ts';
import type { InboxItem } from '../../store/inbox/inboxBook.ts';
import { thingKey } from '../../store/inbox/inboxEntry.ts';
import { inboxSubject, type InboxSubject } from './inboxSubjects.ts';
import { thingsIn, type ThingInInbox } from './inboxThings.ts';
import { reasonText, thingReference, thingTitle } from './inboxWords.ts';

/** A thing of one account with the entries that a command acts on. */
export interface InboxTarget {
	readonly connection: Connection;
	readonly thing: ThingInInbox;
	readonly items: readonly InboxItem[];
}

/** Question for commands without a row. */
export interface InboxQuestion {
	readonly title: string;
	/** Filters the offered things. */
	readonly wanted: (thing: ThingInInbox) => boolean;
	/** Message if there are none. */
	readonly none: string;
}

/**
 * Targets of the given rows; asks for a thing if there are no rows. Empty, after a message, if there is nothing to
 * choose.
 */
export async function inboxTargets(
	connections: Connections,
	rows: readonly unknown[],
	question: InboxQuestion,
): Promise<readonly InboxTarget[]> {
	const subjects = rows.flatMap((row) => inboxSubject(row) ?? []);
	return subjects.length > 0
		? subjects.flatMap((subject) => targetOf(connections, subject) ?? [])
		: askThing(connections, question);
}

/** `undefined` if the inbox no longer contains the entry. */
function targetOf(connections: Connections, subject: InboxSubject): InboxTarget | undefined {
	const connection = connectionOf(connections, subject);
	const all = thingsIn(connection.inbox, true);
	if (subject.kind === 'inboxThing') {
		const thing = all.find(({ key }) => key === subject.thing);
		return thing && { connection, thing, items: thing.items };
	}
	const item = connection.inbox.items().find(({ entry }) => entry.id === subject.id);
	const thing = item && all.find(({ key }) => key === thingKey(item.entry.thing));
	return thing && { connection, thing, items: [item] };
}

async function askThing(
	connections: Connections,
	{ title, wanted, none }: InboxQuestion,
): Promise<readonly InboxTarget[]> {
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
			description: `${thingReference(value.thing.thing)} · ${reasonText(value.thing.reason)}`,
			iconPath: new vscode.ThemeIcon(thingIcon(value.thing.thing)),
			value,
		})),
	);
	return [{ connection, thing, items: thing.items }];
}
