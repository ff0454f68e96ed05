import * as vscode from 'vscode';
import { tellBriefly } from '../../editor/ask/notify.ts';
import type { CommandHandler, CommandTable } from '../../editor/commands/feature.ts';
import type { InboxItem, InboxState, WatchWord } from '../../state/inbox/inboxBook.ts';
import type { Connection } from '../../state/connection.ts';
import type { DoneShown } from './doneShown.ts';
import type { InboxAge } from './inboxAge.ts';
import { inboxTargets, type InboxQuestion, type InboxTarget } from './inboxTargets.ts';
import { firstToRead, type ThingInInbox } from './inboxThings.ts';
import { thingTitle } from './inboxWords.ts';
import { markRows } from './markRows.ts';
import { openEntry } from './openPlace.ts';
import { tellChosen } from './watchWords.ts';
import { watchCommand, type WatchCommandParts } from './watchCommand.ts';

export interface InboxCommandParts extends WatchCommandParts {
	readonly doneShown: Pick<DoneShown, 'choose'>;
	readonly age: Pick<InboxAge, 'refresh'>;
}

/** Commands on entries and things. Each acts on the selected rows; from the palette it asks for a thing. */
export function inboxCommands({ doneShown, age, ...parts }: InboxCommandParts): CommandTable {
	const { connections } = parts;
	/** The last change of states, by account: as everything was before. */
	let last: readonly Moved[] = [];
	const move = (targets: readonly InboxTarget[], from: readonly InboxState[], to: InboxState): void => {
		last = moveTargets(targets, from, to);
	};
	/** Unmuting is how muting is undone. */
	const watch = (targets: readonly InboxTarget[], watching: WatchWord): readonly string[] => {
		last = [];
		return chosen(targets, watching);
	};
	const onTargets =
		(question: () => InboxQuestion, work: (targets: readonly InboxTarget[]) => void): CommandHandler =>
		async (subject, _, selected) =>
			work(await inboxTargets(connections, selected.length > 0 ? selected : [subject], question()));
	return {
		'forge.inbox.open': async (subject, signal) => {
			const [target] = await inboxTargets(connections, [subject], openQuestion());
			if (target) {
				await openTarget(target, signal);
			}
		},
		'forge.inbox.markRead': onTargets(readQuestion, (targets) => move(targets, ['unread'], 'read')),
		'forge.inbox.markUnread': onTargets(unreadQuestion, (targets) => move(targets, ['read'], 'unread')),
		'forge.inbox.done': onTargets(doneQuestion, (targets) => move(targets, ['unread', 'read'], 'done')),
		'forge.inbox.moveBack': onTargets(backQuestion, (targets) => move(targets, ['done'], 'read')),
		'forge.inbox.mute': onTargets(muteQuestion, (targets) => tellChosen(watch(targets, 'nothing'), 'nothing')),
		'forge.inbox.unmute': onTargets(unmuteQuestion, (targets) => tellUnmuted(watch(targets, 'usual'))),
		'forge.inbox.watch': watchCommand(parts),
		'forge.inbox.markAllRead': async () => {
			const moved = connections
				.all()
				.map((connection) => moveItems(connection, connection.inbox.items(), ['unread'], 'read'));
			last = moved.some(({ items }) => items.length > 0) ? moved : last;
			tellBriefly(vscode.l10n.t('Marked everything in the inbox as read.'));
		},
		'forge.inbox.undo': async () => {
			if (last.every(({ items }) => items.length === 0)) {
				return tellBriefly(vscode.l10n.t('There is nothing to undo in the inbox.'));
			}
			last.forEach(moveBack);
			last = [];
			tellBriefly(vscode.l10n.t('Undid the last change in the inbox.'));
		},
		'forge.inbox.refresh': (_, signal) => age.refresh(signal),
		'forge.inbox.showDone': () => doneShown.choose(true),
		'forge.inbox.hideDone': () => doneShown.choose(false),
	};
}

/** For a whole thing, open its oldest unread entry and mark all entries as read. */
async function openTarget({ connection, thing, items }: InboxTarget, signal: AbortSignal): Promise<void> {
	const [only, ...others] = items;
	const { entry } = only && others.length === 0 ? only : firstToRead(thing);
	await openEntry(connection, entry, signal);
	moveItems(connection, items, ['unread'], 'read');
}

/** Entries of one account, with their states before the change. */
interface Moved {
	readonly connection: Connection;
	readonly items: readonly InboxItem[];
	readonly restoreRows: (() => void) | undefined;
}

/** One call per account, because each call writes to disk. */
function moveTargets(targets: readonly InboxTarget[], from: readonly InboxState[], to: InboxState): readonly Moved[] {
	return [...new Set(targets.map((target) => target.connection))].map((connection) => {
		const items = targets.flatMap((target) => (target.connection === connection ? target.items : []));
		return moveItems(connection, items, from, to);
	});
}

function moveBack({ connection, items, restoreRows }: Moved): void {
	for (const [state, moved] of Map.groupBy(items, (item) => item.state)) {
		connection.inbox.setState(
			moved.map(({ entry }) => entry.id),
			state,
		);
	}
	restoreRows?.();
}

function moveItems(
	connection: Connection,
	items: readonly InboxItem[],
	from: readonly InboxState[],
	to: InboxState,
): Moved {
	const moved = items.filter(({ state }) => from.includes(state));
	connection.inbox.setState(
		moved.map(({ entry }) => entry.id),
		to,
	);
	return { connection, items: moved, restoreRows: to === 'unread' ? undefined : markRows(connection, moved) };
}

/** Mutes or unmutes the things of the selected entries. Returns their titles. */
function chosen(targets: readonly InboxTarget[], watching: WatchWord): readonly string[] {
	const things = new Map(targets.map((target) => [`${target.connection.key} ${target.thing.key}`, target]));
	things.forEach(({ connection, thing }) => connection.inbox.choose(thing.key, watching));
	return [...things.values()].map(({ thing }) => thingTitle(thing.thing));
}

function tellUnmuted(titles: readonly string[]): void {
	const [first] = titles;
	if (first !== undefined) {
		tellBriefly(
			titles.length === 1 ? vscode.l10n.t('Unmuted "{0}".', first) : vscode.l10n.t('Unmuted {0} items.', titles.length),
		);
	}
}

function has(...states: readonly InboxState[]): (thing: ThingInInbox) => boolean {
	return ({ items }) => items.some(({ state }) => states.includes(state));
}

function openQuestion(): InboxQuestion {
	return {
		title: vscode.l10n.t('Choose what to open'),
		wanted: has('unread', 'read'),
		none: vscode.l10n.t('The inbox is empty.'),
	};
}

function readQuestion(): InboxQuestion {
	return {
		title: vscode.l10n.t('Choose what to mark as read'),
		wanted: has('unread'),
		none: vscode.l10n.t('Nothing in the inbox is unread.'),
	};
}

function unreadQuestion(): InboxQuestion {
	return {
		title: vscode.l10n.t('Choose what to mark as unread'),
		wanted: has('read'),
		none: vscode.l10n.t('Nothing in the inbox is read.'),
	};
}

function doneQuestion(): InboxQuestion {
	return {
		title: vscode.l10n.t('Choose what to mark as done'),
		wanted: has('unread', 'read'),
		none: vscode.l10n.t('The inbox is empty.'),
	};
}

function backQuestion(): InboxQuestion {
	return {
		title: vscode.l10n.t('Choose what to move back to the inbox'),
		wanted: has('done'),
		none: vscode.l10n.t('Nothing in the inbox is done.'),
	};
}

function muteQuestion(): InboxQuestion {
	return {
		title: vscode.l10n.t('Choose what to mute'),
		wanted: (thing) => !thing.isMuted && has('unread', 'read')(thing),
		none: vscode.l10n.t('The inbox is empty.'),
	};
}

function unmuteQuestion(): InboxQuestion {
	return {
		title: vscode.l10n.t('Choose what to unmute'),
		wanted: ({ isMuted }) => isMuted,
		none: vscode.l10n.t('Nothing is muted.'),
	};
}
