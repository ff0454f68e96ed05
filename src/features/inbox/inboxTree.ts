import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { Disposables, type Disposable } from '../../base/lifecycle.ts';
import { rowContext } from '../../commands/rows.ts';
import { untrustedMarkdown } from '../../editor/documents/untrustedMarkdown.ts';
import { thingIcon } from '../../editor/names/thingIcon.ts';
import { accountRows } from '../../editor/trees/accountRows.ts';
import { countText } from '../../editor/trees/countTexts.ts';
import { markSentence } from '../../editor/trees/markTexts.ts';
import { tailRows } from '../../editor/trees/pagingRows.ts';
import type { TreeNode } from '../../editor/trees/treeNode.ts';
import type { TreeNote, TreeSource } from '../../editor/trees/treeSource.ts';
import { watchConnections, type Connection } from '../../store/connection.ts';
import type { InboxItem, InboxState } from '../../store/inbox/inboxBook.ts';
import { fullTime, shortAge, spokenAge } from '../../engine/text/age.ts';
import { escapeMarkdown } from '../../engine/text/escapeMarkdown.ts';
import type { DoneShown } from './doneShown.ts';
import { eventSentence } from './eventSentence.ts';
import type { InboxParts, InboxWords } from './inboxParts.ts';
import type { InboxEntrySubject, InboxSubject, InboxThingSubject } from './inboxSubjects.ts';
import { thingsIn, type ThingInInbox } from './inboxThings.ts';
import { inboxUri } from './inboxUri.ts';
import { eventIcon, reasonText, thingReference, thingTitle } from './inboxWords.ts';

/** More lines are hard to read at a glance. */
const mostInTooltip = 5;

/** More rows slow the editor down, and nobody reads them. */
const thingsAtOnce = 200;

export interface InboxTreeParts extends Pick<InboxParts, 'connections' | 'clock' | 'words'> {
	readonly doneShown: Omit<DoneShown, 'dispose'>;
	readonly note: TreeNote;
}

/** Rows of the view: entries grouped by thing. Makes no requests. */
export function inboxTree({ connections, clock, words, doneShown, note }: InboxTreeParts): TreeSource & Disposable {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<TreeNode | undefined>());
	/** Maximum number of things shown, by account key. */
	const limits = new Map<string, number>();
	const accounts = accountRows(connections, (connection) => Promise.resolve(rowsOf(connection)));

	function rowsOf(connection: Connection): readonly TreeNode[] {
		const { key, inbox } = connection;
		const parent = accounts.above(connection);
		const all = thingsIn(inbox, doneShown.now());
		const limit = limits.get(key) ?? thingsAtOnce;
		const items = all.slice(0, limit).map((thing) => thingRow({ connection, words, clock }, thing, parent));
		return [
			...items,
			...tailRows(
				{ id: key, parent },
				{
					items,
					completeness: all.length > limit ? { kind: 'more', total: all.length } : { kind: 'complete' },
				},
				async () => {
					limits.set(key, limit + thingsAtOnce);
					changed.fire(parent);
				},
			),
		];
	}

	owned.add(
		watchConnections(
			connections,
			(connection) => [connection.inbox.onDidChange(() => changed.fire(accounts.above(connection)))],
			() => changed.fire(undefined),
		),
	);
	owned.add(doneShown.onDidChange(() => changed.fire(undefined)));
	return {
		roots: (signal) => accounts.roots(signal),
		forget: () => undefined,
		note,
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}

interface InboxRowParts {
	readonly connection: Connection;
	readonly words: InboxWords;
	readonly clock: Clock;
}

/**
 * Row of a thing. The unread entry leads the label, because narrow views cut off the end. A thing with one entry has no
 * children.
 */
function thingRow(parts: InboxRowParts, of: ThingInInbox, parent: TreeNode | undefined): TreeNode {
	const { connection } = parts;
	const [newest] = of.items;
	const subject: InboxThingSubject = { kind: 'inboxThing', connectionKey: connection.key, thing: of.key };
	const row: TreeNode = {
		id: `${connection.key}/${of.key}`,
		get item() {
			return thingItem(parts, of, subject);
		},
		agedMs: newest.entry.atMs,
		parent,
		subject,
		tooltip: () => Promise.resolve(thingTooltip(parts, of)),
		...(of.items.length === 1
			? {}
			: {
					children: () =>
						Promise.resolve(of.items.map((item) => entryRow(parts, { ...item, isMuted: of.isMuted }, row))),
				}),
	};
	return row;
}

function thingItem(parts: InboxRowParts, of: ThingInInbox, subject: InboxSubject): vscode.TreeItem {
	const { connection, clock } = parts;
	const [newest, ...older] = of.items;
	const { Collapsed, None } = vscode.TreeItemCollapsibleState;
	const title = thingTitle(of.thing);
	const item = new vscode.TreeItem(title, older.length > 0 ? Collapsed : None);
	const states = [
		...stateTexts(stateOf(of), of.isMuted),
		...(older.length > 0 && of.unreadCount > 0 ? [unreadText(of.unreadCount)] : []),
	];
	const happened = older.length === 0 ? [sentenceOf(parts, newest)] : [];
	const reason = reasonText(of.reason);
	const age = shortAge(newest.entry.atMs, clock.nowMs(), vscode.env.language);
	const spoken = spokenAge(newest.entry.atMs, clock.nowMs(), vscode.env.language);
	const reference = thingReference(of.thing);
	// A narrow view cuts off the end.
	item.description = [...states, age, ...happened, reason, reference].join(' · ');
	item.iconPath = iconOf(of.isMuted ? 'bell-slash' : thingIcon(of.thing), stateOf(of));
	item.contextValue = rowContext(`inbox.thing.${stateOf(of)}`, { muted: of.isMuted });
	item.resourceUri = inboxUri(connection.key, 'thing', of.key);
	item.accessibilityInformation = {
		label: [
			title,
			...(older.length === 0 && of.unreadCount > 0 ? [vscode.l10n.t('unread')] : []),
			...states,
			reason,
			spoken,
			...happened,
			reference,
		].join(', '),
	};
	item.command = openCommand(subject);
	return item;
}

/** Done entries have a pale icon beside the word "done". */
function iconOf(codicon: string, state: InboxState): vscode.ThemeIcon {
	return state === 'done'
		? new vscode.ThemeIcon(codicon, new vscode.ThemeColor('disabledForeground'))
		: new vscode.ThemeIcon(codicon);
}

/** A thing is as its entry is that still waits most. */
function stateOf({ items, unreadCount }: ThingInInbox): InboxState {
	if (unreadCount > 0) {
		return 'unread';
	}
	return items.some(({ state }) => state === 'read') ? 'read' : 'done';
}

function unreadText(count: number): string {
	return vscode.l10n.t('{0} unread', countText(count, true));
}

function stateTexts(state: InboxState, isMuted: boolean): readonly string[] {
	return [...(state === 'done' ? [vscode.l10n.t('done')] : []), ...(isMuted ? [vscode.l10n.t('muted')] : [])];
}

interface EntryOfThing extends InboxItem, Pick<ThingInInbox, 'isMuted'> {}

function entryRow(parts: InboxRowParts, item: EntryOfThing, parent: TreeNode): TreeNode {
	const { connection } = parts;
	const { entry } = item;
	const subject: InboxEntrySubject = { kind: 'inboxEntry', connectionKey: connection.key, id: entry.id };
	return {
		id: `${parent.id}/${entry.id}`,
		get item() {
			return entryItem(parts, item, subject);
		},
		agedMs: entry.atMs,
		parent,
		subject,
		tooltip: () => Promise.resolve(entryTooltip(parts, item)),
	};
}

function entryItem(
	parts: InboxRowParts,
	{ entry, state, isMuted }: EntryOfThing,
	subject: InboxSubject,
): vscode.TreeItem {
	const { connection, clock } = parts;
	const sentence = sentenceOf(parts, { entry });
	const item = new vscode.TreeItem(sentence, vscode.TreeItemCollapsibleState.None);
	const [states, reason] = [stateTexts(state, false), reasonText(entry.reason)];
	const age = shortAge(entry.atMs, clock.nowMs(), vscode.env.language);
	item.description = [...states, age, reason].join(' · ');
	item.iconPath = iconOf(eventIcon(entry.event), state);
	item.contextValue = rowContext(`inbox.entry.${state}`, { muted: isMuted });
	item.resourceUri = inboxUri(connection.key, 'entry', entry.id);
	item.accessibilityInformation = {
		label: [
			sentence,
			...(state === 'unread' ? [vscode.l10n.t('unread')] : []),
			...states,
			reason,
			spokenAge(entry.atMs, clock.nowMs(), vscode.env.language),
		].join(', '),
	};
	item.command = openCommand(subject);
	return item;
}

function openCommand(subject: InboxSubject): vscode.Command {
	return { command: 'forge.inbox.open', title: vscode.l10n.t('Open'), arguments: [subject] };
}

function sentenceOf({ connection, words }: InboxRowParts, { entry }: Pick<InboxItem, 'entry'>): string {
	return eventSentence(entry, { words, me: connection.me });
}

function thingTooltip(parts: InboxRowParts, of: ThingInInbox): vscode.MarkdownString {
	const more = of.items.length - mostInTooltip;
	return untrustedMarkdown([
		`**${escapeMarkdown(thingTitle(of.thing))}**`,
		escapeMarkdown(thingReference(of.thing)),
		...of.items.slice(0, mostInTooltip).map((item) => escapeMarkdown(sentenceOf(parts, item))),
		more > 0 ? escapeMarkdown(vscode.l10n.t('and {0} more', more)) : '',
		escapeMarkdown(reasonText(of.reason)),
		of.isMuted ? escapeMarkdown(vscode.l10n.t('Muted: what happens to it does not come to the inbox.')) : '',
		escapeMarkdown(fullTime(of.items[0].entry.atMs, vscode.env.language)),
	]);
}

function entryTooltip(parts: InboxRowParts, item: InboxItem): vscode.MarkdownString {
	return untrustedMarkdown([
		`**${escapeMarkdown(sentenceOf(parts, item))}**`,
		item.state === 'unread' ? escapeMarkdown(markSentence('new')) : '',
		escapeMarkdown(reasonText(item.entry.reason)),
		escapeMarkdown(fullTime(item.entry.atMs, vscode.env.language)),
	]);
}
