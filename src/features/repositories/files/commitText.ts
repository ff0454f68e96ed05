import * as vscode from 'vscode';
import type { Commit, RepositoryRef, Signer } from '../../../forge/repository.ts';
import { repositoryRefText } from '../../../forge/repository.ts';
import { visible, visibleLine } from '../../../text/visible.ts';
import { signatureText } from '../subjects/words.ts';

/**
 * A commit as a document to read. The address of author and committer is always shown, and hidden characters are
 * written out.
 */
export function commitText(ref: RepositoryRef, commit: Commit, locale: string): string {
	const date = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long', timeZone: 'UTC' });
	const rows: readonly (readonly [string, string])[] = [
		[vscode.l10n.t('Commit'), commit.id],
		[vscode.l10n.t('Repository'), repositoryRefText(ref)],
		[vscode.l10n.t('Author'), person(commit.author)],
		[vscode.l10n.t('Committer'), person(commit.committer)],
		[vscode.l10n.t('Date'), date.format(commit.timestampMs)],
		[vscode.l10n.t('Tree'), commit.tree],
		...commit.parents.map((parent) => [vscode.l10n.t('Parent'), parent] as const),
		[vscode.l10n.t('Signature'), signatureText(commit)],
	];
	const width = Math.max(...rows.map(([name]) => name.length)) + 2;
	const head = rows.map(([name, value]) => `${`${name}:`.padEnd(width)}${visibleLine(value)}`);
	return `${head.join('\n')}\n\n${visible(commit.message).trimEnd()}\n`;
}

function person({ name, email }: Signer): string {
	return `${name} <${email}>`;
}
