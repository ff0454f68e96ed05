import * as vscode from 'vscode';
import { pushAll } from '@forge-desk/base/longArrays.ts';
import { askFor, cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { isForgeError } from 'sourcehut/port/forgeError.ts';
import { unlessMissing } from 'sourcehut/port/isAway.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { RepositoryRef } from 'sourcehut/port/repository.ts';
import { isSafeRevision } from 'hardened-git/gitNames.ts';
import { revisionCommit } from 'hardened-git/localSeries.ts';
import { referencesInClone, type ReferenceInClone } from 'hardened-git/readClone.ts';
import type { Connection } from '../../../store/connection.ts';
import type { PatchsetReview } from '../../../store/lists/patchsets/patchsetReview.ts';
import type { StandingCommit } from '../../../store/repositories/pinnedRevisions.ts';
import {
	inReadingOrder,
	referenceKind,
	revisionOf,
	shortName,
} from '../../../store/repositories/repositoryReferences.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { repositoryOrAsked } from '../diffs/patchRepository.ts';
import type { ApplyContext } from './savedApplied.ts';
import { clonesNow, folderName, type OpenClone } from './openClone.ts';

/** Base of a check. */
export type Against =
	| {
			readonly kind: 'forge';
			readonly ref: RepositoryRef;
			/** In the form that the server accepts. */
			readonly revision: string;
			/** Its short name. */
			readonly name: string;
			/** The resolved commit, if just requested. */
			readonly commit?: StandingCommit;
	  }
	| {
			readonly kind: 'clone';
			readonly clone: OpenClone;
			/** `undefined` for the checkout. */
			readonly reference: Pick<ReferenceInClone, 'name' | 'commit'> | undefined;
	  };

/** Asks for a revision outside the listed references. */
type AskOther = () => Promise<Against>;

/**
 * Asks for a revision in the patches' repository, or in a clone of a trusted window. Throws `cancelled()` if the user
 * closes the list.
 */
export async function askAgainst(
	parts: ApplyContext,
	connection: Connection,
	{ ref: { list }, patchset }: PatchsetReview,
	signal: AbortSignal,
): Promise<Against> {
	const { prefix } = patchset;
	const repository = await repositoryOrAsked(parts, { connection, list, prefix }, signal);
	const clones = parts.trust.isTrusted() ? await clonesNow(parts.findGit, signal) : [];
	const read = repository && (await referencesIfThere(parts, connection, repository, signal));
	const choices: Choice<Against | AskOther>[] = [];
	if (repository && read && 'all' in read) {
		const { all, first } = read;
		for (const reference of inReadingOrder(all, first)) {
			const name = shortName(reference);
			choices.push({
				label: visibleLine(name),
				description: visibleLine(refText(repository)),
				iconPath: new vscode.ThemeIcon(referenceKind(reference) === 'tag' ? 'tag' : 'git-branch'),
				value: { kind: 'forge', ref: repository, revision: revisionOf(reference, all), name },
			});
		}
	}
	pushAll(choices, await cloneChoices(parts, clones, signal));
	if (choices.length === 0) {
		if (read && 'error' in read) {
			throw read.error;
		}
		void tellNothing();
		throw cancelled();
	}
	const title = vscode.l10n.t('Choose what to check "{0}" against', visibleLine(patchset.subject));
	const chosen = await choose(title, [
		...choices,
		...(repository ? [otherChoice(refText(repository), () => askOnForge(connection, repository, signal))] : []),
		...clones.map((clone) => otherChoice(cloneText(clone), () => askInClone(parts, clone, signal))),
	]);
	return typeof chosen === 'function' ? chosen() : chosen;
}

/** The error too: clones are offered even if the forge is offline, or the repository renamed. */
async function referencesIfThere(
	{ problems }: ApplyContext,
	{ repositories }: Connection,
	ref: RepositoryRef,
	signal: AbortSignal,
) {
	try {
		return await withProgress(vscode.l10n.t('Loading branches…'), signal, async (working) => ({
			all: (await repositories.references(ref).first(working)).items,
			first: (await repositories.names.defaultBranch(ref, working))?.name,
		}));
	} catch (error) {
		if (!isForgeError(error)) {
			throw error;
		}
		problems.log(error);
		return { error };
	}
}

/** Each clone's checkout, then its other branches and tags, newest first. */
async function cloneChoices({ git }: ApplyContext, clones: readonly OpenClone[], signal: AbortSignal) {
	const choices: Choice<Against | AskOther>[] = [];
	for (const clone of clones) {
		const all = await withProgress(vscode.l10n.t('Loading branches…'), signal, (working) =>
			referencesInClone(git, clone.root.fsPath, working),
		);
		const description = cloneText(clone);
		choices.push({
			label: visibleLine(clone.head.name ?? clone.head.commit ?? ''),
			description,
			iconPath: new vscode.ThemeIcon('repo-clone'),
			value: { kind: 'clone', clone, reference: undefined },
		});
		for (const reference of all.filter(({ kind, name }) => kind !== 'branch' || name !== clone.head.name)) {
			choices.push({
				label: visibleLine(reference.name),
				description,
				iconPath: new vscode.ThemeIcon(reference.kind === 'tag' ? 'tag' : 'git-branch'),
				value: { kind: 'clone', clone, reference },
			});
		}
	}
	return choices;
}

function cloneText({ root }: OpenClone): string {
	return vscode.l10n.t('clone {0}', folderName(root));
}

function otherChoice(where: string, value: AskOther): Choice<Against | AskOther> {
	return {
		label: vscode.l10n.t('Another Revision…'),
		description: visibleLine(where),
		iconPath: new vscode.ThemeIcon('edit'),
		alwaysShow: true,
		value,
	};
}

/** Asks until the typed revision resolves. */
async function askRevision<T>(
	/** Whose revision it is, as people call it. */
	where: string,
	isOne: (text: string) => boolean,
	/** `undefined` if it doesn't resolve. */
	find: (name: string) => Promise<T | undefined>,
	/** Message for that case. */
	lacks: (name: string) => string,
): Promise<{ readonly name: string; readonly found: T }> {
	const question = {
		title: vscode.l10n.t('Branch, tag or commit of {0}', visibleLine(where)),
		complaint: (text: string) =>
			isOne(text.trim()) ? undefined : vscode.l10n.t('Enter a branch, a tag or a commit id.'),
	};
	let name = await askFor(question);
	let found = await find(name);
	while (found === undefined) {
		name = await askFor({ ...question, value: name, prompt: lacks(visibleLine(name)) });
		found = await find(name);
	}
	return { name, found };
}

async function askOnForge({ repositories }: Connection, ref: RepositoryRef, signal: AbortSignal): Promise<Against> {
	const { name, found } = await askRevision(
		refText(ref),
		(text) => text !== '',
		(revision) =>
			withProgress(vscode.l10n.t('Loading commits…'), signal, (working) =>
				unlessMissing(repositories.newestPinned(ref, revision, working)),
			),
		(revision) =>
			vscode.l10n.t('{0} does not have "{1}". Enter another revision.', visibleLine(refText(ref)), revision),
	);
	return { kind: 'forge', ref, revision: name, name, commit: found.commit };
}

async function askInClone({ git }: ApplyContext, clone: OpenClone, signal: AbortSignal): Promise<Against> {
	const where = folderName(clone.root);
	const { name, found } = await askRevision(
		where,
		isSafeRevision,
		(revision) => revisionCommit(git, clone.root.fsPath, revision, signal),
		(revision) =>
			vscode.l10n.t(
				'The clone {0} does not have "{1}". Enter another revision, or fetch in the clone first.',
				where,
				revision,
			),
	);
	return { kind: 'clone', clone, reference: { name, commit: found } };
}

/** Not awaited: the notice may stay open for hours. */
async function tellNothing(): Promise<void> {
	const chooseOne = vscode.l10n.t('Choose Repository…');
	const text = vscode.l10n.t(
		'There is no branch to check against. Choose the repository of these patches, or open a clone.',
	);
	if ((await notify('information', text, chooseOne)) === chooseOne) {
		await vscode.commands.executeCommand('forge.patchsets.chooseRepository');
	}
}
