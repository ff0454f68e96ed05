import type { InboxEntry } from '../../store/inbox/inboxEntry.ts';
import * as vscode from 'vscode';
import { Emitter } from '@forge-desk/base/event.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import { rowContext } from '../../commands/rows.ts';
import { untilText } from '../../editor/ask/snoozeTimes.ts';
import { untrustedMarkdown } from '../../editor/documents/untrustedMarkdown.ts';
import { thingIcon } from '../../editor/names/thingIcon.ts';
import { accountRows } from '../../editor/trees/accountRows.ts';
import { countText, markSentence } from '../../editor/trees/markTexts.ts';
import { tailRows } from '../../editor/trees/pagingRows.ts';
import type { TreeNode } from '../../editor/trees/treeNode.ts';
import type { TreeNote, TreeSource } from '../../editor/trees/treeSource.ts';
import { watchConnections, type Connection } from '../../store/connection.ts';
import type { InboxItem, InboxState } from '../../store/inbox/inboxBook.ts';
import { needsAnswer, type InboxGroup } from '../../store/inbox/inboxGroup.ts';
import { fullTime, shortAge, spokenAge } from '../../engine/text/age.ts';
import { escapeMarkdown } from '../../engine/text/escapeMarkdown.ts';
import { eventSentence } from './eventSentence.ts';
import type { InboxContext } from './inboxContext.ts';
import { thingsIn, type InboxSubject, type ThingInInbox } from './inboxTargets.ts';
import { eventIcon, reasonText, thingReference } from './inboxWords.ts';
import { groupLook, rowLabel, rowTitle } from './rowTexts.ts';

/** More lines are hard to read at a glance. */
const mostInTooltip = 5;

/** More rows slow the editor down, and nobody reads them. */
const thingsAtOnce = 200;

/** Rows of the view: entries grouped by thing. Makes no requests. */
export function inboxTree(context: InboxContext, done: DoneShown, note: TreeNote): TreeSource & Disposable {
	const { connections } = context;
	const owned = new Disposables();
	const changed = owned.add(new Emitter<TreeNode | undefined>());
	/** Maximum number of things shown, by row id of a group. */
	const limits = new Map<string, number>();
	const accounts = accountRows(connections, async (connection): Promise<readonly TreeNode[]> => {
		const parent = accounts.above(connection);
		const things = Map.groupBy(thingsIn(connection.inbox, done.now()), ({ group }) => group);
		return Array.from(things, ([group, all]) => groupRow(connection, group, all, parent));
	});

	/** A group opens nothing, so that its key folds it. */
	function groupRow(
		connection: Connection,
		group: InboxGroup,
		all: readonly ThingInInbox[],
		parent: TreeNode | undefined,
	): TreeNode {
		const { text, codicon } = groupLook(group);
		const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
		const item = new vscode.TreeItem(text, group === 'snoozed' ? Collapsed : Expanded);
		const count = countText(all.length, true);
		item.description = count;
		item.iconPath = new vscode.ThemeIcon(codicon);
		item.contextValue = rowContext('inboxGroup', {});
		item.accessibilityInformation = {
			label: [text, all.length === 1 ? vscode.l10n.t('1 item') : vscode.l10n.t('{0} items', count)].join(', '),
		};
		const id = `${connection.key}/group ${group}`;
		const row: TreeNode = {
			id,
			item,
			parent,
			subject: { kind: 'inboxGroup', connectionKey: connection.key, group },
			async children() {
				const limit = limits.get(id) ?? thingsAtOnce;
				const items = all.slice(0, limit).map((thing) => thingRow(context, connection, thing, row));
				const completeness =
					all.length > limit ? ({ kind: 'more', total: all.length } as const) : ({ kind: 'complete' } as const);
				const more = tailRows({ id, parent: row }, { items, completeness }, async () => {
					limits.set(id, limit + thingsAtOnce);
					changed.fire(parent);
				});
				return [...items, ...more];
			},
		};
		return row;
	}

	owned.add(
		watchConnections(
			connections,
			(connection) => [connection.inbox.onDidChange(() => changed.fire(accounts.above(connection)))],
			() => changed.fire(undefined),
		),
	);
	owned.add(done.onDidChange(() => changed.fire(undefined)));
	return {
		roots: (signal) => accounts.roots(signal),
		forget: () => undefined,
		note,
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}

/** Row of a thing. A thing with one entry has no children. */
function thingRow(context: InboxContext, connection: Connection, of: ThingInInbox, parent: TreeNode): TreeNode {
	const { entry } = of.leading;
	const subject: InboxSubject = { kind: 'inboxThing', connectionKey: connection.key, thing: of.key };
	const row: TreeNode = {
		id: `${connection.key}/${of.key}`,
		get item() {
			return thingItem(context, connection, of, subject);
		},
		agedMs: entry.atMs,
		parent,
		subject,
		tooltip() {
			const more = of.items.length - mostInTooltip;
			const sentences = of.items.slice(0, mostInTooltip).map((item) => sentenceOf(context, connection, item.entry));
			const markdown = untrustedMarkdown([
				`**${escapeMarkdown(rowTitle(of, connection))}**`,
				escapeMarkdown(thingReference(of.thing)),
				...sentences.map(escapeMarkdown),
				more > 0 ? escapeMarkdown(vscode.l10n.t('and {0} more', more)) : '',
				escapeMarkdown(reasonText(entry.reason)),
				...snoozeTexts(of).map(escapeMarkdown),
				of.isMuted ? escapeMarkdown(vscode.l10n.t('Muted: what happens to it does not come to the inbox.')) : '',
				escapeMarkdown(fullTime(entry.atMs, vscode.env.language)),
			]);
			return Promise.resolve(markdown);
		},
		...(of.items.length === 1
			? {}
			: {
					children: () => Promise.resolve(of.items.map((item) => entryRow(context, connection, item, of.isMuted, row))),
				}),
	};
	return row;
}

function thingItem(
	context: InboxContext,
	connection: Connection,
	of: ThingInInbox,
	subject: InboxSubject,
): vscode.TreeItem {
	const { clock, words } = context;
	const { entry } = of.leading;
	const hasMore = of.items.length > 1;
	const { Collapsed, None } = vscode.TreeItemCollapsibleState;
	const label = rowLabel(of, connection, words);
	const item = new vscode.TreeItem(label, hasMore ? Collapsed : None);
	const states = [
		...stateTexts(stateOf(of), of.isMuted),
		...snoozeTexts(of),
		...(hasMore && of.unreadCount > 0 ? [vscode.l10n.t('{0} unread', countText(of.unreadCount, true))] : []),
	];
	const age = shortAge(entry.atMs, clock.nowMs(), vscode.env.language);
	const spoken = spokenAge(entry.atMs, clock.nowMs(), vscode.env.language);
	const facts = [
		...(hasMore ? [] : [sentenceOf(context, connection, entry)]),
		// The beginning of the row has the other reasons.
		...(needsAnswer(entry) ? [] : [reasonText(entry.reason)]),
		thingReference(of.thing),
	];
	item.description = [...states, age, ...facts].join(' · ');
	item.iconPath = iconOf(of.isMuted ? 'bell-slash' : thingIcon(of.thing), stateOf(of));
	item.contextValue = rowContext(`inbox.thing.${stateOf(of)}`, { muted: of.isMuted });
	item.resourceUri = inboxUri(connection.key, 'thing', of.key);
	item.accessibilityInformation = {
		label: [
			label,
			...(!hasMore && of.unreadCount > 0 ? [vscode.l10n.t('unread')] : []),
			...states,
			spoken,
			...facts,
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
	const states = items.map(({ state }) => state);
	return (['read', 'snoozed'] as const).find((state) => states.includes(state)) ?? 'done';
}

function snoozeTexts({ group, leading }: ThingInInbox): readonly string[] {
	return group === 'snoozed' ? [untilText(leading.untilMs)] : [];
}

function stateTexts(state: InboxState, isMuted: boolean): readonly string[] {
	return [...(state === 'done' ? [vscode.l10n.t('done')] : []), ...(isMuted ? [vscode.l10n.t('muted')] : [])];
}

function entryRow(
	context: InboxContext,
	connection: Connection,
	item: InboxItem,
	isMuted: boolean,
	parent: TreeNode,
): TreeNode {
	const { entry, state } = item;
	const { atMs } = entry;
	const subject: InboxSubject = { kind: 'inboxEntry', connectionKey: connection.key, id: entry.id };
	const reason = reasonText(entry.reason);
	return {
		id: `${parent.id}/${entry.id}`,
		get item() {
			const nowMs = context.clock.nowMs();
			const sentence = sentenceOf(context, connection, entry);
			const states = stateTexts(state, false);
			const spoken = spokenAge(atMs, nowMs, vscode.env.language);
			const unread = state === 'unread' ? [vscode.l10n.t('unread')] : [];
			const shownItem = new vscode.TreeItem(sentence, vscode.TreeItemCollapsibleState.None);
			shownItem.description = [...states, shortAge(atMs, nowMs, vscode.env.language), reason].join(' · ');
			shownItem.iconPath = iconOf(eventIcon(entry.event), state);
			shownItem.contextValue = rowContext(`inbox.entry.${state}`, { muted: isMuted });
			shownItem.resourceUri = inboxUri(connection.key, 'entry', entry.id);
			shownItem.accessibilityInformation = { label: [sentence, ...unread, ...states, reason, spoken].join(', ') };
			shownItem.command = openCommand(subject);
			return shownItem;
		},
		agedMs: atMs,
		parent,
		subject,
		tooltip() {
			const markdown = untrustedMarkdown([
				`**${escapeMarkdown(sentenceOf(context, connection, entry))}**`,
				state === 'unread' ? escapeMarkdown(markSentence('new')) : '',
				escapeMarkdown(reason),
				escapeMarkdown(fullTime(atMs, vscode.env.language)),
			]);
			return Promise.resolve(markdown);
		},
	};
}

function openCommand(subject: InboxSubject): vscode.Command {
	return { command: 'forge.inbox.open', title: vscode.l10n.t('Open'), arguments: [subject] };
}

function sentenceOf({ words }: InboxContext, connection: Connection, entry: InboxEntry): string {
	return eventSentence(entry, words, connection.me);
}

const shown = 'shown';

/** "Show Done" state. */
export type DoneShown = ReturnType<typeof doneShown>;

/** Lasts for the window until the last account signs out. Sets the context key for menus. */
export function doneShown({ doneShown: kept, connections }: InboxContext) {
	const owned = new Disposables();
	const changed = owned.add(new Emitter<void>());
	const now = (): boolean => kept.read() === shown;

	async function tell(): Promise<void> {
		await vscode.commands.executeCommand('setContext', 'forge.inbox.doneShown', now());
	}

	// Signing out deletes the stored value.
	owned.add(connections.onDidChange(() => void tell()));
	void tell();
	return {
		now,
		/** Resolves after the save. */
		async choose(isShown: boolean) {
			const keeping = kept.write(isShown ? shown : '');
			changed.fire();
			await tell();
			await keeping;
		},
		onDidChange: changed.event,
		dispose: () => owned.dispose(),
	};
}

/** Scheme of row addresses. No provider opens them. */
export const inboxScheme = 'forge-inbox';

/** Separates entries from things in row names. */
type RowKind = 'entry' | 'thing';

/** Address for the row's file decoration. `name`: entry id or thing key. */
function inboxUri(connectionKey: string, kind: RowKind, name: string): vscode.Uri {
	return vscode.Uri.from({ scheme: inboxScheme, authority: connectionKey, path: `/${kind}/${name}` });
}

/** The same as a key of marks. */
export function inboxMarkKey(connectionKey: string, kind: RowKind, name: string): string {
	return `${connectionKey}/${kind}/${name}`;
}
