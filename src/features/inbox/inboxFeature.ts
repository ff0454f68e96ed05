import * as vscode from 'vscode';
import { Disposables } from '@forge-desk/base/lifecycle.ts';
import { tellBriefly } from '../../editor/ask/notify.ts';
import { askUntil, timeText } from '../../editor/ask/snoozeTimes.ts';
import type { Feature, CommandHandler, CommandTable } from '../../editor/commands/feature.ts';
import { actsSoFar } from '../../editor/bulk/actHistory.ts';
import type { TreeSource } from '../../editor/trees/treeSource.ts';
import type { Connection, Connections } from '../../store/connection.ts';
import type { InboxItem, InboxState, KeptState, WatchWord } from '../../store/inbox/inboxBook.ts';
import { thingKey, type InboxThing } from '../../store/inbox/inboxEntry.ts';
import { knownTicket } from '../../store/tickets/index/knownTicket.ts';
import { inboxAge, type InboxAge } from './inboxAge.ts';
import { inboxCounts } from './inboxCounts.ts';
import { inboxNotices } from './inboxNotices.ts';
import type { InboxContext } from './inboxContext.ts';
import {
	firstToRead,
	inboxSubject,
	inboxTargets,
	thingsIn,
	type InboxTarget,
	type ThingInInbox,
} from './inboxTargets.ts';
import { doneShown, inboxTree, type DoneShown } from './inboxTree.ts';
import { thingTitle } from './inboxWords.ts';
import { inboxFront, type InboxFront } from './inboxFront.ts';
import { openEntry } from './openEntry.ts';
import { chosenText, watchCommand } from './watchCommand.ts';

/** The Inbox view, its count, notices and commands. */
export interface InboxFeature extends Feature {
	readonly tree: TreeSource;
	/** Undo on a page: the latest change of the Inbox there, otherwise `other`. */
	readonly undoOr: (other: CommandHandler | undefined) => CommandHandler;
	/** Snooze on a page: its row in the Inbox, otherwise `other`. */
	readonly snoozeOr: (other: CommandHandler | undefined) => CommandHandler;
}

/** Composes what belongs to the inbox. */
export function inboxFeature(context: InboxContext): InboxFeature {
	const owned = new Disposables();
	const done = owned.add(doneShown(context));
	const age = owned.add(inboxAge(context));
	const tree = owned.add(inboxTree(context, done, age.note));
	owned.add(inboxCounts(context, age));
	owned.add(inboxNotices(context));
	const front = owned.add(inboxFront(context));
	const { commands, undoOr, snoozeOr } = inboxCommands(context, done, age, front);
	return { tree, commands, undoOr, snoozeOr, dispose: () => owned.dispose() };
}

/** The last change: as everything was before. */
interface LastChange {
	readonly moved: readonly Moved[];
	readonly choices: readonly MadeChoice[];
	/** Names of its page, and of the page of the next row. */
	readonly fronts: readonly string[];
	/** Acts of other areas before it. */
	readonly acts: number;
	/** The row of the replaced page. */
	readonly left?: InboxTarget;
}

const nothing: LastChange = { moved: [], choices: [], fronts: [], acts: 0 };

/**
 * Commands on entries and things. Each acts on the selected rows, otherwise on the page in front; without both it asks
 * for a thing.
 */
export function inboxCommands(context: InboxContext, done: DoneShown, age: InboxAge, front: InboxFront) {
	const { connections } = context;
	let last = nothing;
	const change = (isInFront: boolean, moved: readonly Moved[], choices: readonly MadeChoice[] = []): void => {
		last = { moved, choices, fronts: isInFront ? front.names() : [], acts: actsSoFar() };
	};
	const onTargets =
		(
			title: string,
			wanted: (thing: ThingInInbox) => boolean,
			none: string,
			work: (targets: readonly InboxTarget[], isInFront: boolean, signal: AbortSignal) => void | Promise<void>,
		): CommandHandler =>
		async (subject, signal, selected) => {
			const rows = selected.length > 0 ? selected : [subject];
			const inFront = rows.some((row) => inboxSubject(row)) ? undefined : front.target();
			if (inFront && wanted(inFront.thing)) {
				await work([inFront], true, signal);
			} else {
				await work(await inboxTargets(connections, rows, title, wanted, none), false, signal);
			}
		};
	const muteOrNot = (targets: readonly InboxTarget[], isInFront: boolean, word: WatchWord): readonly string[] => {
		// The choice moves the entries of a muted thing.
		const moved = targets.map(({ connection, thing: { items } }) => ({ connection, items, restoreRows: undefined }));
		change(isInFront, moved, choose(targets, word));
		return [...new Set(targets.map(({ thing }) => thingTitle(thing.thing)))];
	};

	/** For a whole thing, opens its oldest unread entry and marks all entries as read. */
	async function open(target: InboxTarget, signal: AbortSignal): Promise<void> {
		const { connection, thing, items } = target;
		const [only, ...others] = items;
		const shown = only && others.length === 0 ? only : firstToRead(thing);
		await openEntry(connection, shown.entry, signal);
		front.note(target, shown);
		moveItems(connection, items, ['unread'], 'read');
	}

	/** After `work` on the page of an opened row, the page of the next row follows. `work` returns the message about it. */
	async function finish(
		targets: readonly InboxTarget[],
		isInFront: boolean,
		signal: AbortSignal,
		work: () => string | undefined,
	): Promise<void> {
		const [target] = targets;
		const isWalk = isInFront && front.isOpened();
		const before = openThings(connections);
		const text = work();
		const left = openThings(connections);
		const isSame = (one: InboxTarget, other: InboxTarget): boolean =>
			one.connection === other.connection && one.thing.key === other.thing.key;
		// The same thing for its other entries, then the rows below, then those above.
		const at = target ? before.findIndex((each) => isSame(each, target)) : -1;
		const inTurn = [...before.slice(Math.max(at, 0)), ...before.slice(0, Math.max(at, 0))];
		const next = isWalk
			? inTurn.map((each) => left.find((other) => isSame(each, other))).find((found) => found !== undefined)
			: undefined;
		const isLast = isWalk && left.length === 0;
		if (text !== undefined) {
			tellBriefly([text, ...(isLast ? [vscode.l10n.t('The inbox is empty.')] : [])].join(' '));
		}
		if (target && next) {
			last = { ...last, fronts: [...last.fronts, `${next.connection.key} ${next.thing.key}`], left: target };
			await open(next, signal);
		}
	}

	/** A whole thing, also for one of its entries: the rest would keep it in sight. */
	async function snooze(targets: readonly InboxTarget[], isInFront: boolean, signal: AbortSignal): Promise<void> {
		const titles = [...new Set(targets.map(({ thing }) => thingTitle(thing.thing)))];
		const [title = ''] = titles;
		const untilMs = await askUntil(
			titles.length === 1
				? vscode.l10n.t('How long to snooze "{0}"', title)
				: vscode.l10n.t('How long to snooze {0} items', titles.length),
			context.clock.nowMs(),
		);
		await finish(targets, isInFront, signal, () => {
			const whole = targets.map((target) => ({ ...target, items: target.thing.items }));
			change(isInFront, moveTargets(whole, ['unread', 'read', 'snoozed'], 'unread', untilMs));
			const time = timeText(untilMs);
			return titles.length === 1
				? vscode.l10n.t('Snoozed "{0}" until {1}.', title, time)
				: vscode.l10n.t('Snoozed {0} items until {1}.', titles.length, time);
		});
	}

	const isMadeInFront = (): boolean =>
		last.acts === actsSoFar() && front.names().some((name) => last.fronts.includes(name));

	async function undo(signal: AbortSignal): Promise<void> {
		const { moved, choices, left } = last;
		if (choices.length === 0 && moved.every(({ items }) => items.length === 0)) {
			return tellBriefly(vscode.l10n.t('There is nothing to undo in the inbox.'));
		}
		const goesBack = left !== undefined && isMadeInFront();
		choices.forEach(({ connection, key, before }) => connection.inbox.choose(key, before));
		for (const { connection, items, restoreRows } of moved) {
			const byState = Map.groupBy(items, ({ state, untilMs = 0 }) => `${state} ${untilMs}`);
			for (const group of byState.values()) {
				const [{ state, untilMs } = { state: 'read' as const, untilMs: undefined }] = group;
				connection.inbox.setState(
					group.map(({ entry }) => entry.id),
					state === 'snoozed' ? 'unread' : state,
					untilMs,
				);
			}
			restoreRows?.();
		}
		last = nothing;
		tellBriefly(vscode.l10n.t('Undid the last change in the inbox.'));
		if (goesBack) {
			await open(left, signal);
		}
	}

	const commands: CommandTable = {
		'forge.inbox.open': async (subject, signal) => {
			const [target] = await inboxTargets(
				connections,
				[subject],
				vscode.l10n.t('Choose what to open'),
				has('unread', 'read'),
				vscode.l10n.t('The inbox is empty.'),
			);
			if (target) {
				await open(target, signal);
			}
		},
		'forge.inbox.markRead': onTargets(
			vscode.l10n.t('Choose what to mark as read'),
			has('unread'),
			vscode.l10n.t('Nothing in the inbox is unread.'),
			(targets, isInFront) => change(isInFront, moveTargets(targets, ['unread'], 'read')),
		),
		'forge.inbox.markUnread': onTargets(
			vscode.l10n.t('Choose what to mark as unread'),
			has('read'),
			vscode.l10n.t('Nothing in the inbox is read.'),
			(targets, isInFront) => change(isInFront, moveTargets(targets, ['read'], 'unread')),
		),
		'forge.inbox.done': onTargets(
			vscode.l10n.t('Choose what to mark as done'),
			has('unread', 'read'),
			vscode.l10n.t('The inbox is empty.'),
			(targets, isInFront, signal) =>
				finish(targets, isInFront, signal, () => {
					change(isInFront, moveTargets(targets, ['unread', 'read', 'snoozed'], 'done'));
					const [target] = targets;
					return target && isInFront
						? vscode.l10n.t('Marked "{0}" as done.', thingTitle(target.thing.thing))
						: undefined;
				}),
		),
		'forge.inbox.snooze': onTargets(
			vscode.l10n.t('Choose what to snooze'),
			has('unread', 'read'),
			vscode.l10n.t('The inbox is empty.'),
			snooze,
		),
		'forge.inbox.moveBack': onTargets(
			vscode.l10n.t('Choose what to move back to the inbox'),
			has('snoozed', 'done'),
			vscode.l10n.t('Nothing in the inbox is snoozed or done.'),
			(targets, isInFront) =>
				change(isInFront, [
					...moveTargets(targets, ['snoozed'], 'read'),
					...moveTargets(
						targets.filter(({ items }) => items.every(({ state }) => state !== 'snoozed')),
						['done'],
						'read',
					),
				]),
		),
		'forge.inbox.mute': onTargets(
			vscode.l10n.t('Choose what to mute'),
			(thing) => !thing.isMuted && has('unread', 'read')(thing),
			vscode.l10n.t('The inbox is empty.'),
			(targets, isInFront, signal) =>
				finish(targets, isInFront, signal, () => chosenText(muteOrNot(targets, isInFront, 'nothing'), 'nothing')),
		),
		'forge.inbox.unmute': onTargets(
			vscode.l10n.t('Choose what to unmute'),
			({ isMuted }) => isMuted,
			vscode.l10n.t('Nothing is muted.'),
			(targets, isInFront) => {
				const titles = muteOrNot(targets, isInFront, 'usual');
				const [first] = titles;
				if (first !== undefined) {
					const { length } = titles;
					tellBriefly(
						length === 1 ? vscode.l10n.t('Unmuted "{0}".', first) : vscode.l10n.t('Unmuted {0} items.', length),
					);
				}
			},
		),
		'forge.inbox.watch': watchCommand(context),
		'forge.inbox.markAllRead': async () => {
			const moved = connections
				.all()
				.map((connection) => moveItems(connection, connection.inbox.items(), ['unread'], 'read'));
			if (moved.some(({ items }) => items.length > 0)) {
				change(false, moved);
			}
			tellBriefly(vscode.l10n.t('Marked everything in the inbox as read.'));
		},
		'forge.inbox.undo': (_, signal) => undo(signal),
		'forge.inbox.refresh': (_, signal) => age.refresh(signal),
		'forge.inbox.showDone': () => done.choose(true),
		'forge.inbox.hideDone': () => done.choose(false),
	};
	return {
		commands,
		undoOr:
			(other: CommandHandler | undefined): CommandHandler =>
			async (subject, signal, selected) =>
				subject === undefined && isMadeInFront() ? undo(signal) : other?.(subject, signal, selected),
		snoozeOr:
			(other: CommandHandler | undefined): CommandHandler =>
			async (subject, signal, selected) => {
				const inFront = subject === undefined ? front.target() : undefined;
				return inFront && has('unread', 'read')(inFront.thing)
					? snooze([inFront], true, signal)
					: other?.(subject, signal, selected);
			},
	};
}

/** The things of the first two groups, in the order of the view. */
function openThings(connections: Connections): readonly InboxTarget[] {
	return connections.all().flatMap((connection) =>
		thingsIn(connection.inbox, false)
			.filter(({ group }) => group === 'needsAnswer' || group === 'forInformation')
			.map((thing) => ({ connection, thing, items: thing.items })),
	);
}

/** Entries of one account, with their states before the change. */
interface Moved {
	readonly connection: Connection;
	readonly items: readonly InboxItem[];
	readonly restoreRows: (() => void) | undefined;
}

/** One call per account, because each call writes to disk. */
function moveTargets(
	targets: readonly InboxTarget[],
	from: readonly InboxState[],
	to: KeptState,
	untilMs?: number,
): readonly Moved[] {
	return [...new Set(targets.map((target) => target.connection))].map((connection) => {
		const items = targets.flatMap((target) => (target.connection === connection ? target.items : []));
		return moveItems(connection, items, from, to, untilMs);
	});
}

function moveItems(
	connection: Connection,
	items: readonly InboxItem[],
	from: readonly InboxState[],
	to: KeptState,
	untilMs?: number,
): Moved {
	const moved = items.filter(({ state }) => from.includes(state));
	connection.inbox.setState(
		moved.map(({ entry }) => entry.id),
		to,
		untilMs,
	);
	return { connection, items: moved, restoreRows: to === 'unread' ? undefined : markRows(connection, moved) };
}

/** A choice for a thing, and the one before. */
interface MadeChoice {
	readonly connection: Connection;
	readonly key: string;
	readonly before: WatchWord;
}

/** Mutes or unmutes the things of the selected entries. */
function choose(targets: readonly InboxTarget[], watching: WatchWord): readonly MadeChoice[] {
	const things = new Map(targets.map((target) => [`${target.connection.key} ${target.thing.key}`, target]));
	return Array.from(things.values(), ({ connection, thing: { key } }) => {
		const before = connection.inbox.choice(key);
		connection.inbox.choose(key, watching);
		return { connection, key, before };
	});
}

function has(...states: readonly InboxState[]): (thing: ThingInInbox) => boolean {
	return ({ items }) => items.some(({ state }) => states.includes(state));
}

/**
 * Marks a ticket's row as read when its last unread inbox entry was moved. A ticket that changed after its newest entry stays
 * marked. `items`: the moved entries. Call the result to restore the marks.
 */
function markRows(connection: Connection, items: readonly InboxItem[]): () => void {
	const things = new Map(items.map(({ entry: { thing } }) => [thingKey(thing), thing]));
	const undos = Array.from(things, ([key, thing]) => markRow(connection, thing, key));
	return () => undos.forEach((undo) => undo?.());
}

function markRow(connection: Connection, thing: InboxThing, key: string): (() => void) | undefined {
	const ticket = thing.kind === 'ticket' ? knownTicket(connection, thing.ref) : undefined;
	if (!ticket || connection.readMarks.mark(ticket) === undefined) {
		return undefined;
	}
	const entries = connection.inbox.items().filter(({ entry }) => thingKey(entry.thing) === key);
	const newestMs = entries.reduce((newest, { entry }) => Math.max(newest, entry.atMs), 0);
	const isRead = entries.every(({ state }) => state !== 'unread') && ticket.updatedMs <= newestMs;
	return isRead ? connection.readMarks.markRead(ticket) : undefined;
}
