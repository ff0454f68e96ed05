import * as vscode from 'vscode';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { tellBriefly } from '../../editor/ask/notify.ts';
import type { Feature, CommandHandler, CommandTable } from '../../editor/commands/feature.ts';
import { untrustedMarkdown } from '../../editor/documents/untrustedMarkdown.ts';
import { countText } from '../../editor/trees/markTexts.ts';
import type { TreeSource } from '../../editor/trees/treeSource.ts';
import { unreadMarks } from '../../editor/trees/unreadMarks.ts';
import type { Mark } from '../../forge/port/mark.ts';
import { type Connection, watchConnections, type Connections } from '../../store/connection.ts';
import type { InboxItem, InboxState, WatchWord } from '../../store/inbox/inboxBook.ts';
import {
	thingKey,
	type InboxThing,
	type InboxEntry,
	type InboxEvent,
	type ReferenceChange,
} from '../../store/inbox/inboxEntry.ts';
import { knownTicket } from '../../store/tickets/index/knownTicket.ts';
import { escapeMarkdown } from '../../engine/text/escapeMarkdown.ts';
import { inboxAge, type InboxAge } from './inboxAge.ts';
import { inboxNotices } from './inboxNotices.ts';
import type { InboxContext } from './inboxContext.ts';
import { firstToRead, inboxTargets, type InboxTarget, type ThingInInbox } from './inboxTargets.ts';
import { doneShown, inboxMarkKey, inboxScheme, inboxTree, type DoneShown } from './inboxTree.ts';
import { thingTitle } from './inboxWords.ts';
import { tellChosen, watchCommand } from './watchCommand.ts';
import { withProgress } from '../../editor/ask/progress.ts';
import { openDestination } from '../../editor/links/openDestination.ts';
import { unlessMissing } from '../../forge/port/isAway.ts';
import type { ListRef } from '../../forge/port/list.ts';
import type { Commit, RepositoryRef } from '../../forge/port/repository.ts';
import { visibleLine } from '../../engine/text/visible.ts';

/** Maximum age of the cost figure. */
const againMs = 60_000;

/** The Inbox view, its count, notices and commands. */
export interface InboxFeature extends Feature {
	readonly tree: TreeSource;
}

/** Composes what belongs to the inbox. */
export function inboxFeature(context: InboxContext): InboxFeature {
	const owned = new Disposables();
	const done = owned.add(doneShown(context));
	const age = owned.add(inboxAge(context));
	const tree = owned.add(inboxTree(context, done, age.note));
	owned.add(inboxCounts(context, age));
	owned.add(inboxNotices(context));
	return {
		tree,
		commands: inboxCommands(context, done, age),
		dispose: () => owned.dispose(),
	};
}

/** Commands on entries and things. Each acts on the selected rows; from the palette it asks for a thing. */
export function inboxCommands(context: InboxContext, done: DoneShown, age: InboxAge): CommandTable {
	const { connections } = context;
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
		(
			title: string,
			wanted: (thing: ThingInInbox) => boolean,
			none: string,
			work: (targets: readonly InboxTarget[]) => void,
		): CommandHandler =>
		async (subject, _, selected) =>
			work(await inboxTargets(connections, selected.length > 0 ? selected : [subject], title, wanted, none));
	return {
		'forge.inbox.open': async (subject, signal) => {
			const [target] = await inboxTargets(
				connections,
				[subject],
				vscode.l10n.t('Choose what to open'),
				has('unread', 'read'),
				vscode.l10n.t('The inbox is empty.'),
			);
			if (target) {
				await openTarget(target, signal);
			}
		},
		'forge.inbox.markRead': onTargets(
			vscode.l10n.t('Choose what to mark as read'),
			has('unread'),
			vscode.l10n.t('Nothing in the inbox is unread.'),
			(targets) => move(targets, ['unread'], 'read'),
		),
		'forge.inbox.markUnread': onTargets(
			vscode.l10n.t('Choose what to mark as unread'),
			has('read'),
			vscode.l10n.t('Nothing in the inbox is read.'),
			(targets) => move(targets, ['read'], 'unread'),
		),
		'forge.inbox.done': onTargets(
			vscode.l10n.t('Choose what to mark as done'),
			has('unread', 'read'),
			vscode.l10n.t('The inbox is empty.'),
			(targets) => move(targets, ['unread', 'read'], 'done'),
		),
		'forge.inbox.moveBack': onTargets(
			vscode.l10n.t('Choose what to move back to the inbox'),
			has('done'),
			vscode.l10n.t('Nothing in the inbox is done.'),
			(targets) => move(targets, ['done'], 'read'),
		),
		'forge.inbox.mute': onTargets(
			vscode.l10n.t('Choose what to mute'),
			(thing) => !thing.isMuted && has('unread', 'read')(thing),
			vscode.l10n.t('The inbox is empty.'),
			(targets) => tellChosen(watch(targets, 'nothing'), 'nothing'),
		),
		'forge.inbox.unmute': onTargets(
			vscode.l10n.t('Choose what to unmute'),
			({ isMuted }) => isMuted,
			vscode.l10n.t('Nothing is muted.'),
			(targets) => tellUnmuted(watch(targets, 'usual')),
		),
		'forge.inbox.watch': watchCommand(context),
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
		'forge.inbox.showDone': () => done.choose(true),
		'forge.inbox.hideDone': () => done.choose(false),
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

/**
 * Dots beside unread rows, the unread count on the icon of the views, and the status bar. The status bar item also
 * shows the polling cost, so it stays visible with nothing unread. No other view has a badge: the editor adds up badges
 * on the icon and would count an entry twice.
 */
export function inboxCounts({ connections, view, settings, clock }: InboxContext, age: InboxAge): Disposable {
	const owned = new Disposables();
	const dots = owned.add(unreadMarks(inboxScheme));
	let item: vscode.StatusBarItem | undefined;
	let shown = '';
	let timer: Disposable | undefined;

	function showOnIcon(count: number): void {
		if (view.badge?.value !== (count || undefined)) {
			view.badge = count === 0 ? undefined : { value: count, tooltip: unreadText(count, countText(count, true)) };
		}
	}

	function show(): void {
		const count = connections.all().reduce((sum, { inbox }) => sum + inbox.unreadCount(), 0);
		dots.show(marksOf(connections));
		showOnIcon(count);
		if (connections.all().length === 0 || !settings.hasStatusBar()) {
			item?.hide();
			return;
		}
		item ??= owned.add(vscode.window.createStatusBarItem('forge.inbox', vscode.StatusBarAlignment.Left, 80));
		const number = countText(count, true);
		const unread = count === 0 ? vscode.l10n.t('No unread entries in your inbox') : unreadText(count, number);
		item.name = vscode.l10n.t('Inbox');
		item.command = 'forge.inbox.focus';
		item.text = count === 0 ? '$(inbox)' : `$(inbox) ${number}`;
		describe(item, [unread, ...age.details()]);
		item.show();
	}

	/** The label repeats the tooltip: screen readers don't read status bar tooltips. */
	function describe(of: vscode.StatusBarItem, lines: readonly string[]): void {
		const label = lines.join('\n');
		if (label !== shown) {
			shown = label;
			of.tooltip = tooltipOf(lines);
			of.accessibilityInformation = { label };
		}
	}

	/** No event arrives when another window spends requests, so refresh by timer. */
	function showAgain(): void {
		timer = clock.after(againMs, () => {
			show();
			showAgain();
		});
	}

	owned.add(
		watchConnections(
			connections,
			({ inbox, inboxReadings }) => [inbox.onDidChange(show), inboxReadings.onDidRead(show)],
			show,
		),
	);
	owned.add(settings.onDidChange(show));
	show();
	showAgain();
	return {
		dispose() {
			timer?.dispose();
			view.badge = undefined;
			owned.dispose();
		},
	};
}

/** One sentence per line. Server text becomes visible text in an untrusted string. */
function tooltipOf(lines: readonly string[]): vscode.MarkdownString {
	return untrustedMarkdown(lines.map(escapeMarkdown));
}

function unreadText(count: number, text: string): string {
	return count === 1
		? vscode.l10n.t('1 unread entry in your inbox')
		: vscode.l10n.t('{0} unread entries in your inbox', text);
}

/** By the rows' addresses: each entry, and the thing that it belongs to. */
function marksOf(connections: Connections): ReadonlyMap<string, Mark> {
	const marks = new Map<string, Mark>();
	for (const { key, inbox } of connections.all()) {
		for (const { entry, state } of inbox.items()) {
			if (state === 'unread') {
				marks.set(inboxMarkKey(key, 'entry', entry.id), 'new');
				marks.set(inboxMarkKey(key, 'thing', thingKey(entry.thing)), 'new');
			}
		}
	}
	return marks;
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

/** Opens an entry: the event on its ticket page, the mail in its thread, the patchset, or the push. */
async function openEntry(connection: Connection, { thing, event }: InboxEntry, signal: AbortSignal): Promise<void> {
	switch (thing.kind) {
		case 'ticket': {
			const { ref } = thing;
			const at = eventIdOf(event);
			return openDestination(connection, { kind: 'ticket', ref, ...(at === undefined ? {} : { event: at }) }, signal);
		}
		case 'thread':
			return openMail(connection, thing.list, event.kind === 'mailArrived' ? event.mailId : thing.id);
		case 'patchset':
			return event.kind === 'mailArrived'
				? openMail(connection, thing.ref.list, event.mailId)
				: openDestination(connection, { kind: 'patchset', ref: thing.ref }, signal);
		case 'repository':
			return event.kind === 'pushed'
				? openPush(connection, thing.ref, event.changes, signal)
				: openDestination(connection, { kind: 'repository', ref: thing.ref }, signal);
	}
}

/** Of the ticket's timeline. */
function eventIdOf(event: InboxEvent): number | undefined {
	return 'eventId' in event ? event.eventId : undefined;
}

/**
 * Opens one added commit as itself, several as a comparison. The first reference counts, as in the entry's sentence.
 * The old and the new target of a reference may both be gone.
 */
async function openPush(
	connection: Connection,
	ref: RepositoryRef,
	changes: readonly ReferenceChange[],
	signal: AbortSignal,
): Promise<void> {
	const change = changes.find(({ now }) => now !== undefined);
	const commit = await commitAt(connection, ref, change?.now, signal);
	if (!change || !commit) {
		return openDestination(connection, { kind: 'repository', ref }, signal);
	}
	const { id, parents } = commit;
	const isBranch = change.name.startsWith('refs/heads/');
	// A merge's first parent is the branch's old commit.
	const before =
		isBranch && parents[0] !== change.old ? await commitAt(connection, ref, change.old, signal) : undefined;
	if (!before) {
		return openDestination(connection, { kind: 'commit', ref, id }, signal);
	}
	const comparison = { kind: 'comparison', connectionKey: connection.key, ref, before: before.id, after: id };
	await vscode.commands.executeCommand('forge.repositories.compare', comparison);
}

/** The id of an annotated tag leads to its commit. */
async function commitAt(
	connection: Connection,
	ref: RepositoryRef,
	id: string | undefined,
	signal: AbortSignal,
): Promise<Commit | undefined> {
	if (id === undefined) {
		return undefined;
	}
	const title = vscode.l10n.t('Loading commit {0}…', visibleLine(id.slice(0, 7)));
	return withProgress(title, signal, (working) =>
		unlessMissing(connection.repositories.folders.commit(ref, id, working)),
	);
}

/** Uses the mail's number in its list; destinations only know Message-IDs. */
async function openMail({ key }: Connection, list: ListRef, id: number): Promise<void> {
	const subject = { kind: 'mail', connectionKey: key, list, id, messageId: undefined };
	await vscode.commands.executeCommand('forge.lists.openThread', subject);
}
