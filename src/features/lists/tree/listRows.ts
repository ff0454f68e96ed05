import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import { rowContext } from '../../../commands/rows.ts';
import { unsentMark, extraParagraphs } from '../../../editor/ask/extraFields.ts';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import { watchedFact } from '../../../editor/owned/watchedFact.ts';
import { countText, unreadText } from '../../../editor/trees/markTexts.ts';
import { countsText } from '../../../editor/trees/pagingRows.ts';
import type { TreeNode } from '../../../editor/trees/treeNode.ts';
import type { ListRef, ListPermission, MailingList } from 'sourcehut/port/list.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { spelled } from 'sourcehut/port/word.ts';
import type { Connection } from '../../../store/connection.ts';
import { shortAge, spokenAge } from '../../../engine/text/age.ts';
import { escapeMarkdown } from '../../../engine/text/escapeMarkdown.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { leftText, listProblemText } from '../find/listFilterRows.ts';
import type { ListFinder } from '../find/listFinder.ts';
import type { AccountList } from '../find/accountList.ts';
import type { GroupKind } from '../marks/listMarks.ts';
import type { ListSubject } from '../subjects/subjects.ts';

const longestDescription = 300;

/** Maximum of listed permissions. */
const mostWords = 20;

const knownWords = ['browse', 'reply', 'post', 'moderate'] as const;

const normalWords: readonly ListPermission[] = ['browse', 'reply', 'post'];

export type Children = NonNullable<TreeNode['children']>;

/** A fact of a row: beside the name, and as spoken. Empty texts are left out. */
export interface Fact {
	readonly shown: string;
	readonly spoken: string;
}

export function same(text: string): Fact {
	return { shown: text, spoken: text };
}

export function ageFact(atMs: number, clock: Clock): Fact {
	const [nowMs, locale] = [clock.nowMs(), vscode.env.language];
	return { shown: shortAge(atMs, nowMs, locale), spoken: spokenAge(atMs, nowMs, locale) };
}

export function shownFacts(facts: readonly Fact[]): string {
	return facts.flatMap(({ shown }) => (shown === '' ? [] : [shown])).join(' · ');
}

/** `name`: what comes before the facts. */
export function spokenFacts(name: readonly string[], facts: readonly Fact[]): string {
	return [...name, ...facts.map(({ spoken }) => spoken)].filter((text) => text !== '').join(', ');
}

export function listRow(
	finder: ListFinder,
	seen: AccountList,
	parent: TreeNode | undefined,
	children: Children,
): TreeNode {
	const { connection, list: ref } = seen;
	const { collection } = connection.lists;
	const name = visibleLine(ref.name);
	const owner = visibleLine(ref.owner);
	const subject: ListSubject = { kind: 'list', connectionKey: connection.key, ref };
	return {
		// Independent of the parent.
		id: `${connection.key}/${refText(ref)}`,
		get item() {
			const filtered = filteredText(finder, seen);
			const tie = tieOf(connection, ref);
			const list = collection.known(ref);
			const facts = [
				filtered,
				unreadText(finder.marks.unread(connection, ref).things),
				watchedFact(connection, { kind: 'list', ref }),
				...(list ? unsentMark(list) : []),
			].filter((fact) => fact !== undefined);
			const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
			item.description = [owner, ...(tie === 'visited' ? [tieText(tie)] : []), ...facts].join(' · ');
			item.iconPath = new vscode.ThemeIcon(filtered === undefined ? 'mail' : 'filter');
			item.contextValue = rowContext(`list.${tie}`, {
				mine: collection.isMine(ref),
				filtered: filtered !== undefined,
				// A followed list has a context of its own.
				follows: tie !== 'followed' && isFollowed(connection, ref),
				archived: connection.instance.archiveUrl?.startsWith('http') === true,
			});
			item.accessibilityInformation = {
				label: [vscode.l10n.t('Mailing list {0} of {1}', name, owner), tieText(tie), ...facts].join(', '),
			};
			return item;
		},
		parent,
		children,
		subject,
		tooltip: async (signal) => listTooltip(tieText(tieOf(connection, ref)), await connection.lists.list(ref, signal)),
	};
}

/** Filter and number of matches for a list's row; `undefined` without filter. */
function filteredText(finder: ListFinder, seen: AccountList): string | undefined {
	const { connection, list } = seen;
	const reading = finder.applied(seen);
	if (!reading) {
		return undefined;
	}
	if (reading.kind === 'problem') {
		return vscode.l10n.t('The filter is invalid: {0}', listProblemText(reading.problem));
	}
	const text = vscode.l10n.t('filtered: {0}', visibleLine(connection.listChoices.of(list).filter));
	const known = connection.lists.patchsets(list).known()?.items;
	return known === undefined
		? text
		: `${text} · ${leftText(finder.patchsets(seen, reading, known).shown.length, known.length)}`;
}

/**
 * The account's relation to a list. A subscription to an own list comes first, since the account can end it. Other lists
 * are only visited.
 */
type ListTie = 'own' | 'subscribed' | 'followed' | 'visited';

function tieOf(connection: Connection, ref: ListRef): ListTie {
	const { collection } = connection.lists;
	const other = isFollowed(connection, ref) ? 'followed' : 'visited';
	return collection.subscription(ref) ? 'subscribed' : collection.isMine(ref) ? 'own' : other;
}

function isFollowed({ lists }: Connection, { owner, name }: ListRef): boolean {
	return lists.followed.all().some((list) => list.owner === owner && list.name === name);
}

function tieText(tie: ListTie): string {
	return {
		own: vscode.l10n.t('your own'),
		subscribed: vscode.l10n.t('subscribed'),
		followed: vscode.l10n.t('followed'),
		visited: vscode.l10n.t('not followed'),
	}[tie];
}

/** Row of a list's patchsets or threads. */
export function groupRow(
	finder: ListFinder,
	{ connection, list }: AccountList,
	kind: GroupKind,
	parent: TreeNode,
	children: Children,
): TreeNode {
	const isPatchsets = kind === 'patchsets';
	return {
		id: `${parent.id}/${kind}`,
		get item() {
			const item = new vscode.TreeItem(
				isPatchsets ? vscode.l10n.t('Patchsets') : vscode.l10n.t('Threads'),
				isPatchsets ? vscode.TreeItemCollapsibleState.Expanded : vscode.TreeItemCollapsibleState.Collapsed,
			);
			item.iconPath = new vscode.ThemeIcon(isPatchsets ? 'git-pull-request' : 'comment-discussion');
			item.contextValue = rowContext(`group.${kind}`, {});
			const listing = isPatchsets ? connection.lists.patchsets(list).known() : undefined;
			const size = listing?.items.length ?? 0;
			const count =
				listing &&
				(listing.completeness.kind === 'complete' ? countText(size, true) : countsText(size, listing.completeness));
			const unread = unreadText(finder.marks.unread(connection, list)[kind]);
			const facts = [count, unread].filter((fact) => fact !== undefined);
			if (facts.length > 0) {
				item.description = facts.join(' · ');
			}
			return item;
		},
		parent,
		children,
		// The list's subject, so list commands work here too.
		subject: parent.subject,
	};
}

/** Row with a plain text, such as a placeholder. */
export function emptyRow(parent: TreeNode, text: string): TreeNode {
	const item = new vscode.TreeItem(text, vscode.TreeItemCollapsibleState.None);
	item.contextValue = rowContext('empty', {});
	return { id: `${parent.id}/empty`, item, parent, subject: undefined };
}

/** Row of failed subscriptions with a Try Again action. */
export function failedRow(connection: Connection, parent: TreeNode | undefined, message: string): TreeNode {
	const item = new vscode.TreeItem(message, vscode.TreeItemCollapsibleState.None);
	item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
	item.description = vscode.l10n.t('Try Again');
	item.contextValue = rowContext('failed', {});
	item.command = { command: 'forge.view.tryAgain', title: vscode.l10n.t('Try Again'), arguments: [] };
	return { id: `${connection.key}/subscriptions/failed`, item, parent, subject: undefined };
}

/** Tooltip of a list: description, relation to the account, and permissions. */
export function listTooltip(tie: string, list: MailingList): vscode.MarkdownString {
	const first = Array.from(visibleLine(list.description ?? ''))
		.slice(0, longestDescription)
		.join('');
	const name = visibleLine(`${list.owner.canonicalName}/${list.name}`);
	return untrustedMarkdown([
		`**${escapeMarkdown(name)}**`,
		escapeMarkdown(first),
		escapeMarkdown(tie),
		...permissionTexts(list).map(escapeMarkdown),
		...extraParagraphs(list),
	]);
}

/**
 * Permissions, one sentence per group of people. If all groups have the same, one sentence for everybody; later servers never
 * do (docs/protocol.md#list-permissions). Empty if the list states none.
 */
export function permissionTexts({ permissions }: MailingList): readonly string[] {
	if (!permissions) {
		return [];
	}
	const mine = permissions.mine ? [vscode.l10n.t('You can: {0}', wordsText(permissions.mine))] : [];
	const [everybody, subscribed, account] = [permissions.nonsubscriber, permissions.subscriber, permissions.account].map(
		(words) => words && wordsText(words),
	);
	if (everybody !== undefined && everybody === subscribed && everybody === account) {
		return [...mine, vscode.l10n.t('Everyone can: {0}', everybody)];
	}
	return [
		...mine,
		...(subscribed === undefined ? [] : [vscode.l10n.t('Subscribers can: {0}', subscribed)]),
		...(account === undefined ? [] : [vscode.l10n.t('Others with an account can: {0}', account)]),
		...(everybody === undefined ? [] : [vscode.l10n.t('Anonymous users can: {0}', everybody)]),
	];
}

function wordsText(words: readonly ListPermission[]): string {
	// `normal` means three other permissions (docs/protocol.md#list-permissions).
	const stated = words.includes('normal') ? [...words, ...normalWords] : words;
	const texts = {
		browse: vscode.l10n.t('browse'),
		reply: vscode.l10n.t('reply'),
		post: vscode.l10n.t('post'),
		moderate: vscode.l10n.t('moderate'),
	};
	const known = knownWords.filter((word) => stated.includes(word));
	const others = words.filter((word) => word.startsWith('other:')).map((word) => visibleLine(spelled(word)));
	const all = [...known.map((word) => texts[word]), ...others];
	const listed = all.slice(0, mostWords);
	const more = all.length > mostWords ? [vscode.l10n.t('and {0} more', all.length - mostWords)] : [];
	return all.length === 0 ? vscode.l10n.t('nothing') : [...listed, ...more].join(', ');
}
