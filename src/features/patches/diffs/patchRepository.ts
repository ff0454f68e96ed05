import { refText } from 'sourcehut/port/namedRef.ts';
import * as vscode from 'vscode';
import { askFor, type Choice } from '../../../editor/ask/ask.ts';
import { asTyped, chooseOrType } from '../../../editor/ask/chooseOrType.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import type { ListRef } from 'sourcehut/port/list.ts';
import { ownRepositoryRef, type RepositoryRef } from 'sourcehut/port/repository.ts';
import type { Connection } from '../../../store/connection.ts';
import { repositoryRefOf } from '../../../store/repositories/repositoryRef.ts';
import type { ChosenRepository } from '../../../store/wholeFiles/repositoryChoices.ts';
import { repositoryOfPatch } from '../../../store/wholeFiles/repositoryOfPatch.ts';
import { repositoryOfRemote } from '../../../engine/text/remoteAddress.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { ListsContext } from '../../lists/context/listsContext.ts';
import { originOf } from 'sourcehut/port/instance.ts';

/** Patches with an unknown repository. */
export interface PatchesOfList {
	readonly connection: Connection;
	readonly list: ListRef;
	/** Text between `PATCH` and the version. */
	readonly prefix: string | undefined;
}

/** Repository of patches from the user's choice, perhaps none, or this window's clones; `undefined` if neither knows. */
export async function repositoryHere(
	{ cloneClues }: ListsContext,
	{ connection, list, prefix }: PatchesOfList,
	signal: AbortSignal,
): Promise<{ readonly ref: RepositoryRef | undefined } | undefined> {
	const chosen = connection.wholeFiles.choices.of(list, prefix);
	if (chosen) {
		return { ref: chosen === 'none' ? undefined : chosen };
	}
	const clones = await cloneClues(connection, signal);
	const found = repositoryOfPatch({ list, prefix, chosen: undefined, clones, known: [] });
	return found.kind === 'found' && found.by === 'clone' ? { ref: found.ref } : undefined;
}

/** Compares with own repositories, followed ones, and the list's name. */
export async function repositoryByForge(
	{ cloneClues, problems }: ListsContext,
	{ connection, list, prefix }: PatchesOfList,
	signal: AbortSignal,
): Promise<
	| { readonly kind: 'found'; readonly ref: RepositoryRef }
	/** The forge does not answer, so that the question would lead to nothing. */
	| { readonly kind: 'unknown' }
	/** The likeliest first. */
	| { readonly kind: 'ask'; readonly likely: readonly RepositoryRef[] }
> {
	try {
		const clones = await cloneClues(connection, signal);
		const known = await repositoriesOf(connection, signal);
		const found = repositoryOfPatch({ list, prefix, chosen: undefined, clones, known });
		if (found.kind === 'ask') {
			return found;
		}
		return found.isThere || (await exists(connection, found.ref, signal))
			? { kind: 'found', ref: found.ref }
			: { kind: 'ask', likely: known };
	} catch (error) {
		if (!isForgeError(error)) {
			throw error;
		}
		problems.log(error);
		return { kind: 'unknown' };
	}
}

/** Repository of patches; asks the user as a last resort. Throws `cancelled()` if the user closes the question. */
export async function repositoryOrAsked(
	parts: ListsContext,
	patches: PatchesOfList,
	signal: AbortSignal,
): Promise<RepositoryRef | undefined> {
	const here = await repositoryHere(parts, patches, signal);
	if (here) {
		return here.ref;
	}
	const known = await repositoryByForge(parts, patches, signal);
	switch (known.kind) {
		case 'found':
			return known.ref;
		case 'unknown':
			return undefined;
		case 'ask': {
			const chosen = await askPatchRepository(patches, known.likely, signal);
			return chosen === 'none' ? undefined : chosen;
		}
	}
}

/** Candidates regardless of earlier choices, best match first. */
export async function likelyRepositories(
	{ cloneClues }: ListsContext,
	{ connection, list, prefix }: PatchesOfList,
	signal: AbortSignal,
): Promise<readonly RepositoryRef[]> {
	const clones = await cloneClues(connection, signal);
	const known = await repositoriesOf(connection, signal);
	const found = repositoryOfPatch({ list, prefix, chosen: undefined, clones, known });
	const others = [...clones.map(({ ref }) => ref), ...known];
	return found.kind === 'ask' ? found.likely : [...(found.isThere ? [found.ref] : []), ...others];
}

async function repositoriesOf({ repositories, me }: Connection, signal: AbortSignal) {
	const { items } = await repositories.own.first(signal);
	const own = items.map((each) => ownRepositoryRef(each, me));
	return [...own, ...repositories.followed.all()];
}

async function exists({ repositories }: Connection, ref: RepositoryRef, signal: AbortSignal): Promise<boolean> {
	try {
		await repositories.metadata.get(ref, signal);
		return true;
	} catch (error) {
		if (isForgeError(error) && (error.problem.kind === 'notFound' || error.problem.kind === 'notAllowed')) {
			return false;
		}
		throw error;
	}
}

/** Asks for the repository of patches and stores the answer. Throws `cancelled()` if the user closes the question. */
export async function askPatchRepository(
	{ connection, list, prefix }: PatchesOfList,
	likely: readonly RepositoryRef[],
	signal: AbortSignal,
): Promise<ChosenRepository> {
	const now = connection.wholeFiles.choices.of(list, prefix);
	const current = (isNow: boolean): { readonly description?: string } =>
		isNow ? { description: vscode.l10n.t('current') } : {};
	const others: readonly Choice<ChosenRepository | 'other'>[] = [
		{
			label: vscode.l10n.t('Another repository…'),
			iconPath: new vscode.ThemeIcon('repo'),
			alwaysShow: true,
			value: 'other',
		},
		{
			label: vscode.l10n.t('None on this forge'),
			detail: vscode.l10n.t('Shows only the lines that patches contain, unless a clone in this window has the files.'),
			iconPath: new vscode.ThemeIcon('circle-slash'),
			alwaysShow: true,
			value: 'none',
			...current(now === 'none'),
		},
	];
	const title =
		prefix === undefined
			? vscode.l10n.t('Choose the repository of patches to {0}', visibleLine(refText(list)))
			: vscode.l10n.t(
					'Choose the repository of patches with the prefix {0} to {1}',
					visibleLine(prefix),
					visibleLine(refText(list)),
				);
	const refs = [...(now && now !== 'none' ? [now] : []), ...likely];
	const distinct = new Map(refs.map((ref) => [refText(ref), ref]));
	const known = Array.from(distinct.values(), (ref) => ({
		label: visibleLine(refText(ref)),
		iconPath: new vscode.ThemeIcon('repo'),
		value: ref,
		...current(ref === now),
	}));
	const choices: readonly Choice<ChosenRepository | 'other'>[] = [...known, ...others];
	const icon = new vscode.ThemeIcon('repo');
	const { value: answer, typed } = await chooseOrType(
		{
			title,
			choices,
			exact: (text) =>
				namedRepository(text, connection) ? asTyped(known, text, { iconPath: icon, value: 'other' }) : undefined,
		},
		signal,
	);
	const chosen = answer === 'other' ? await askByName(connection, typed, signal) : answer;
	await connection.wholeFiles.choices.choose(list, prefix, chosen);
	return chosen;
}

/** The forge must confirm the name. */
async function askByName(connection: Connection, before: string, signal: AbortSignal): Promise<RepositoryRef> {
	const { repositories, instance } = connection;
	const typed = await askFor({
		title: vscode.l10n.t('Name of the repository'),
		typed: before,
		prompt: vscode.l10n.t('Its reference, web URL or clone URL'),
		placeHolder: '~owner/name',
		complaint: (value) =>
			namedRepository(value.trim(), connection)
				? undefined
				: vscode.l10n.t('Write ~owner/name, or paste a URL that begins with {0}.', originOf(instance, 'git')),
	});
	const ref = namedRepository(typed, connection) ?? { owner: '', name: typed };
	const { owner, name } = await withProgress(vscode.l10n.t('Searching for {0}…', refText(ref)), signal, (working) =>
		repositories.metadata.get(ref, working),
	);
	return { owner: owner?.canonicalName ?? ref.owner, name };
}

function namedRepository(text: string, { instance }: Connection): RepositoryRef | undefined {
	return repositoryRefOf(text) ?? repositoryOfRemote(text, originOf(instance, 'git'));
}
