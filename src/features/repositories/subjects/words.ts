import * as vscode from 'vscode';
import type { Commit, Repository } from 'sourcehut/port/repository.ts';
import { spelled } from 'sourcehut/port/word.ts';
import type { Listing } from '../../../store/shared/listing.ts';
import type { ReferenceKind } from '../../../store/repositories/repositoryReferences.ts';
import { visible, visibleLine } from '../../../engine/text/visible.ts';

/**
 * Blanks in a name that look like one plain space or like none. The wide space is normal between Chinese, Japanese or Korean
 * letters.
 */
const oddBlanks =
	/[\t\n\r]|^ +| +$|(?<= ) +|(?! )(?!(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])\u3000(?=\p{L}))\p{Zs}/gu;

/** A file or reference name with odd blanks and hidden characters spelled out. */
export function shownName(name: string): string {
	return visible(name).replaceAll(oddBlanks, (blanks) =>
		Array.from(blanks, (blank) => `⟨U+${blank.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}⟩`).join(''),
	);
}

/** `private` or `unlisted`; `undefined` for public. */
export function visibilityText({ visibility }: Repository): string | undefined {
	switch (visibility) {
		case 'public':
			return undefined;
		case 'unlisted':
			return vscode.l10n.t('unlisted');
		case 'private':
			return vscode.l10n.t('private');
		default:
			return visibleLine(spelled(visibility));
	}
}

/** Plural name of a kind of references. */
export function referenceKindText(kind: ReferenceKind): string {
	return {
		branch: vscode.l10n.t('Branches'),
		tag: vscode.l10n.t('Tags'),
		other: vscode.l10n.t('Other references'),
	}[kind];
}

/** Note for a folder with missing entries. */
export function partOfFolderText(): string {
	return vscode.l10n.t(
		'Some entries are missing here. Clone the repository, or open the folder on the web to see them.',
	);
}

/** Count of loaded items: "312", "50 of 312", "50+". */
export function countText({ items, completeness }: Listing<unknown>): string {
	switch (completeness.kind) {
		case 'complete':
			return String(items.length);
		case 'more':
			return completeness.total === undefined
				? vscode.l10n.t('{0}+', items.length)
				: vscode.l10n.t('{0} of {1}', items.length, Math.max(items.length, completeness.total));
		case 'unstated':
			return vscode.l10n.t('{0} sent', items.length);
	}
}

/** First line of a commit's message. */
export function titleOf({ message }: Commit): string {
	return visibleLine(message.trimStart().split('\n', 1)[0] ?? '') || vscode.l10n.t('(no message)');
}

/**
 * Signature state of a commit. Nothing verifies signatures, and no server's claim counts. Empty if the server doesn't report
 * it.
 */
export function signatureTexts({ signature }: Commit): readonly string[] {
	if (signature === 'untold') {
		return [];
	}
	return [signature ? vscode.l10n.t('signed, not verified') : vscode.l10n.t('not signed')];
}
