import * as vscode from 'vscode';
import { untrustedMarkdown } from '../../../editor/documents/untrustedMarkdown.ts';
import type { ListPermission, MailingList } from '../../../forge/list.ts';
import { spelled } from '../../../forge/word.ts';
import { escapeMarkdown } from '../../../text/escapeMarkdown.ts';
import { extraParagraphs } from '../../../editor/ask/extraFields.ts';
import { visibleLine } from '../../../text/visible.ts';

const longestDescription = 300;
/** Maximum of listed permissions. */
const mostWords = 20;

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
export function permissionTexts({ permissions }: Pick<MailingList, 'permissions'>): readonly string[] {
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

const knownWords = ['browse', 'reply', 'post', 'moderate'] as const;
const normalWords: readonly ListPermission[] = ['browse', 'reply', 'post'];

function wordsText(words: readonly ListPermission[]): string {
	// `normal` means three other permissions (docs/protocol.md#list-permissions).
	const stated = words.includes('normal') ? [...words, ...normalWords] : words;
	const known = knownWords.filter((word) => stated.includes(word));
	const others = words.filter((word) => word.startsWith('other:')).map((word) => visibleLine(spelled(word)));
	const all = [...known.map(permissionWord), ...others];
	const listed = all.slice(0, mostWords);
	const more = all.length > mostWords ? [vscode.l10n.t('and {0} more', all.length - mostWords)] : [];
	return all.length === 0 ? vscode.l10n.t('nothing') : [...listed, ...more].join(', ');
}

function permissionWord(word: (typeof knownWords)[number]): string {
	switch (word) {
		case 'browse':
			return vscode.l10n.t('browse');
		case 'reply':
			return vscode.l10n.t('reply');
		case 'post':
			return vscode.l10n.t('post');
		case 'moderate':
			return vscode.l10n.t('moderate');
	}
}
