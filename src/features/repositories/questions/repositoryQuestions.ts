import * as vscode from 'vscode';
import { askFor, cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import { askConnection, offer } from '../../../editor/ask/askConnection.ts';
import { countsText } from '../../../editor/trees/pagingRows.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import type { ForgeInstance } from '../../../forge/instance.ts';
import { repositoryRefText, type Commit, type RepositoryRef } from '../../../forge/repository.ts';
import type { Connection, Connections } from '../../../state/connection.ts';
import type { Listing } from '../../../state/shared/listing.ts';
import { shortAge } from '../../../text/age.ts';
import { visibleLine } from '../../../text/visible.ts';
import { pickReference } from './pickReference.ts';
import { canBeRevision } from './referenceItems.ts';
import type { RepositoriesParts } from '../parts/repositoriesParts.ts';
import type { CommitSubject, ReferenceSubject, RepositorySubject } from '../subjects/subjects.ts';
import { pastedRepository } from '../subjects/webLink.ts';
import { shownName, titleOf, visibilityText } from '../subjects/words.ts';

/** Asks for an account, or takes the only one. */
export function askAccount(connections: Connections): Promise<Connection> {
	return askConnection(connections, vscode.l10n.t('You are not signed in. Sign in to see repositories.'));
}

/**
 * Asks for a repository: `any` takes the only one that is known without a question, and offers others by their name beside
 * several; `another` offers them beside a single one, too, for what people do with repositories that they do not know yet;
 * `followed` offers only those.
 */
export async function askRepository(
	connections: Connections,
	kind: 'any' | 'another' | 'followed',
	signal: AbortSignal,
): Promise<RepositorySubject> {
	if (connections.all().length === 0) {
		await askAccount(connections);
	}
	const perAccount = await Promise.all(
		connections.all().map((connection) => repositoryChoices(connection, kind, signal)),
	);
	const choices = perAccount.flat();
	const title = vscode.l10n.t('Choose a repository');
	const [only, ...others] = choices;
	if (kind !== 'followed') {
		if (only && others.length === 0 && kind === 'any') {
			return only.value;
		}
		const chosen = only && (await choose<RepositorySubject | undefined>(title, [...choices, another()]));
		return chosen ?? askAnother(connections, signal);
	}
	if (!only) {
		await offer(vscode.l10n.t("You don't follow a repository."), {
			label: vscode.l10n.t('Follow Repository…'),
			command: 'forge.repositories.follow',
		});
		throw cancelled();
	}
	return choose(title, choices);
}

function another(): Choice<undefined> {
	return { label: vscode.l10n.t('Another repository…'), alwaysShow: true, value: undefined };
}

/** A repository by its name or address, which need not be followed. That it is there is known before anything opens. */
async function askAnother(connections: Connections, signal: AbortSignal): Promise<RepositorySubject> {
	const { key, instance, repositories } = await askAccount(connections);
	const ref = await askForRepository(vscode.l10n.t('Name of the repository'), instance);
	await withProgress(vscode.l10n.t('Searching for {0}…', repositoryRefText(ref)), signal, (working) =>
		repositories.repository(ref, working),
	);
	return { kind: 'repository', connectionKey: key, ref };
}

/** Asks for a repository of a forge by its name or address. */
export async function askForRepository(title: string, { areas: { git } }: ForgeInstance): Promise<RepositoryRef> {
	const answer = await askFor({
		title,
		prompt: vscode.l10n.t('Its reference, or its address on the web or for cloning'),
		placeHolder: '~owner/name',
		complaint: (value) =>
			pastedRepository(value, git)
				? undefined
				: vscode.l10n.t('Write ~owner/name, or paste an address that begins with {0}.', git),
	});
	const ref = pastedRepository(answer, git);
	if (!ref) {
		throw cancelled();
	}
	return ref;
}

async function repositoryChoices(
	connection: Connection,
	kind: 'any' | 'another' | 'followed',
	signal: AbortSignal,
): Promise<readonly Choice<RepositorySubject>[]> {
	const { repositories, me, instance, key } = connection;
	const own = kind === 'followed' ? [] : (await repositories.ownRepositories(signal)).items;
	const refs: readonly RepositoryRef[] = [
		...own.map(({ owner, name }) => ({ owner: owner?.canonicalName ?? me, name })),
		...repositories.followedRepositories(),
	];
	return refs.map((ref) => {
		const repository = repositories.knownRepository(ref);
		const visibility = repository && visibilityText(repository);
		return {
			label: shownName(repositoryRefText(ref)),
			description: [visibleLine(instance.name), ...(visibility === undefined ? [] : [visibility])].join(' · '),
			iconPath: new vscode.ThemeIcon('repo'),
			value: { kind: 'repository', connectionKey: key, ref },
		};
	});
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

function askRevision(): Promise<string> {
	return askFor({
		title: vscode.l10n.t('Name or commit id'),
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
	{ connections, clock }: RepositoriesParts,
	{ connectionKey, ref, revision }: ReferenceSubject,
	signal: AbortSignal,
): Promise<CommitSubject> {
	const { repositories } = connectionOf(connections, { connectionKey });
	let listing = await repositories.log(ref, revision, signal);
	for (;;) {
		const rows = listing.items.map((commit) => commitChoice(commit, clock.nowMs()));
		const chosen = await choose<CommitChoice>(vscode.l10n.t('Choose a commit of {0}', shownName(revision)), [
			...rows,
			...moreChoice(listing),
			typedChoice(vscode.l10n.t('Enter a commit id…')),
		]);
		switch (chosen.kind) {
			case 'commit':
				return { kind: 'commit', connectionKey, ref, id: chosen.id };
			case 'typed': {
				const { id } = await repositories.commit(ref, await askRevision(), signal);
				return { kind: 'commit', connectionKey, ref, id };
			}
			case 'more':
				listing = await repositories.moreLog(ref, revision, signal);
		}
	}
}

function commitChoice(commit: Commit, nowMs: number): Choice<CommitChoice> {
	const age = shortAge(commit.timestampMs, nowMs, vscode.env.language);
	return {
		label: titleOf(commit),
		description: [visibleLine(commit.author.name), age, visibleLine(commit.shortId)].join(' · '),
		iconPath: new vscode.ThemeIcon('git-commit'),
		value: { kind: 'commit', id: commit.id },
	};
}

function moreChoice({ items, completeness }: Listing<unknown>): readonly Choice<{ readonly kind: 'more' }>[] {
	return completeness.kind === 'more'
		? [
				{
					label: vscode.l10n.t('Show More'),
					description: countsText(items.length, completeness),
					alwaysShow: true,
					value: { kind: 'more' },
				},
			]
		: [];
}

function typedChoice(label: string): Choice<{ readonly kind: 'typed' }> {
	return { label, alwaysShow: true, value: { kind: 'typed' } };
}
