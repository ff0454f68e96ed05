import * as vscode from 'vscode';
import { askFor, type Choice } from '../../../editor/ask/ask.ts';
import { asTyped, chooseOrType, type Exact } from '../../../editor/ask/chooseOrType.ts';
import { countsText } from '../../../editor/trees/pagingRows.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import type { Connection, Connections } from '../../../store/connection.ts';
import { shortAge } from '../../../engine/text/age.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { commitTyped, noRevisionText, pickReference } from './pickReference.ts';
import { canBeRevision, isIdLike } from './referenceItems.ts';
import type { CommitSubject, ReferenceSubject, RepositorySubject } from '../subjects/subjects.ts';
import { repositoryKind } from '../subjects/repositoryKind.ts';
import { askByName, askAccount, askTied } from '../../../editor/owned/askOwned.ts';
import { shownName, titleOf } from '../subjects/words.ts';
import type { RepositoriesContext } from '../parts/repositoriesContext.ts';

/**
 * Asks for a repository. `any` takes the only known one without a question and offers "other" beside several. `another`
 * offers "other" even beside a single one, for commands on unknown repositories.
 */
export function askRepository(
	connections: Connections,
	kind: 'any' | 'another',
	signal: AbortSignal,
): Promise<RepositorySubject> {
	const byName = async (typed: string): Promise<RepositorySubject> => {
		const connection = await askAccount(repositoryKind, connections);
		const ref = await askByName(repositoryKind, vscode.l10n.t('Name of the repository'), typed, connection, signal);
		await withProgress(vscode.l10n.t('Searching for {0}…', refText(ref)), signal, (working) =>
			connection.repositories.metadata.get(ref, working),
		);
		return { kind: 'repository', connectionKey: connection.key, ref };
	};
	const another = { label: vscode.l10n.t('Another repository…'), alwaysShow: true, value: byName };
	const question = { isOnlyTaken: kind === 'any', none: () => byName(''), another };
	return askTied(repositoryKind, connections, question, signal);
}

/** Asks for a branch or tag of a repository, or for any other revision by its name. */
export async function askReference(
	connection: Connection,
	ref: RepositoryRef,
	signal: AbortSignal,
): Promise<ReferenceSubject> {
	const title = vscode.l10n.t('Choose a branch or tag of {0}', shownName(ref.name));
	const revision = await pickReference({ connection, ref, title }, signal);
	return { kind: 'reference', connectionKey: connection.key, ref, revision };
}

/** Accepts text like a commit id unless the server refused it. Other words may be revisions or parts of a title, so ask. */
async function askRevision(typed: string, refused: string | undefined): Promise<string> {
	if (isIdLike(typed) && typed !== refused) {
		return typed;
	}
	return askFor({
		title: vscode.l10n.t('Name or commit id'),
		value: typed,
		placeHolder: 'v1.2 · 3f9c2e1',
		complaint: (value) =>
			canBeRevision(value.trim())
				? undefined
				: vscode.l10n.t('Type the name of a branch or tag, or a commit id, without spaces.'),
	});
}

type CommitChoice =
	| { readonly kind: 'commit'; readonly id: string }
	| { readonly kind: 'typed' }
	| { readonly kind: 'more' };

/** Asks for a commit of a revision: by its title, by its id, or by reading on. */
export async function askCommit(
	{ connections, clock }: RepositoriesContext,
	{ connectionKey, ref, revision }: ReferenceSubject,
	signal: AbortSignal,
): Promise<CommitSubject> {
	const { repositories } = connectionOf(connections, { connectionKey });
	let listing = await repositories.log(ref, revision).first(signal);
	const question = vscode.l10n.t('Choose a commit of {0}', shownName(revision));
	let refused: string | undefined;
	let typed = '';
	for (;;) {
		const rows = listing.items.map((commit): Choice<CommitChoice> => {
			const age = shortAge(commit.timestampMs, clock.nowMs(), vscode.env.language);
			return {
				label: titleOf(commit),
				description: [visibleLine(commit.author.name), age, visibleLine(commit.shortId)].join(' · '),
				iconPath: commitIcon(),
				value: { kind: 'commit', id: commit.id },
			};
		});
		const typedId: CommitChoice = { kind: 'typed' };
		const other = { label: vscode.l10n.t('Enter a Commit ID…'), alwaysShow: true, value: typedId };
		const choices: readonly Choice<CommitChoice>[] = [
			...rows,
			other,
			...(listing.completeness.kind === 'more'
				? [
						{
							label: vscode.l10n.t('Show More'),
							description: countsText(listing.items.length, listing.completeness),
							alwaysShow: true,
							value: { kind: 'more' } as const,
						},
					]
				: []),
		];
		const exact = (text: string): Exact<CommitChoice> | undefined =>
			isIdLike(text) ? asTyped(choices, text, { iconPath: commitIcon(), value: other.value }) : undefined;
		const title = refused === undefined ? question : noRevisionText(ref, refused);
		const answer = await chooseOrType({ title, choices, typed, exact }, signal);
		typed = answer.typed;
		const chosen = answer.value;
		switch (chosen.kind) {
			case 'commit':
				return { kind: 'commit', connectionKey, ref, id: chosen.id };
			case 'typed': {
				typed = await askRevision(typed.trim(), refused);
				const id = await commitTyped(repositories, { ref, text: typed }, signal);
				if (id !== undefined) {
					return { kind: 'commit', connectionKey, ref, id };
				}
				// The list reopens with the typed text.
				refused = typed;
				break;
			}
			case 'more':
				listing = await repositories.log(ref, revision).more(signal);
		}
	}
}

function commitIcon(): vscode.ThemeIcon {
	return new vscode.ThemeIcon('git-commit');
}
