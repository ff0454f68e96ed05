import * as vscode from 'vscode';
import { cancelled, choose, type Choice } from '../../../editor/ask/ask.ts';
import { notify, tellBriefly, withoutPictures } from '../../../editor/ask/notify.ts';
import { withProgress } from '../../../editor/ask/progress.ts';
import { openExactly } from '../../../editor/links/openExactly.ts';
import { refText } from '../../../forge/namedRef.ts';
import type { Reference, RepositoryRef } from '../../../forge/repository.ts';
import type { Connection } from '../../../state/connection.ts';
import { inReadingOrder, referenceKind, shortName } from '../../../state/repositories/repositoryReferences.ts';
import { listingPages } from '../../../state/shared/listingPages.ts';
import type { RepositorySubject } from '../subjects/subjects.ts';
import { linkOfSubject } from '../subjects/webLink.ts';
import { shownName } from '../subjects/words.ts';

/** Asks which branch of a repository is the default one, and makes it that. Where only the web can do it, its page opens. */
export async function setDefaultBranch(
	connection: Connection,
	subject: RepositorySubject,
	signal: AbortSignal,
): Promise<void> {
	const { ref } = subject;
	const { repositories, instance } = connection;
	const set = repositories.writes.setDefaultBranch;
	if (!set) {
		const address = linkOfSubject(instance, subject);
		if (address !== undefined) {
			await openExactly(`${address}/settings/info`);
		}
		return;
	}
	const { branches, first, isPart } = await withProgress(vscode.l10n.t('Loading branches…'), signal, (working) =>
		branchesOf(connection, ref, working),
	);
	const name = shownName(refText(ref));
	if (branches.length === 0) {
		// Not awaited: the notice may stay open for hours.
		void notify('information', vscode.l10n.t('{0} has no branches until something is pushed.', name));
		throw cancelled();
	}
	const branch = await choose(
		vscode.l10n.t('Choose the default branch of {0}', name),
		inReadingOrder(branches, first).map((each) => branchChoice(each, first)),
		isPart ? vscode.l10n.t('The forge lists only some branches of {0}.', name) : undefined,
	);
	if (branch === first) {
		throw cancelled();
	}
	await withProgress(vscode.l10n.t('Saving…'), signal, (working) => set(ref, branch, working));
	tellBriefly(vscode.l10n.t('The default branch of {0} is now {1}', name, shownName(branch)));
}

/** All branches and the default branch. */
async function branchesOf(
	{ repositories }: Connection,
	ref: RepositoryRef,
	signal: AbortSignal,
): Promise<{ readonly branches: readonly Reference[]; readonly first: string | undefined; readonly isPart: boolean }> {
	// Somebody may have set or pushed another one since.
	repositories.forget(ref);
	const listings = listingPages(
		() => repositories.references(ref, signal),
		() => repositories.moreReferences(ref, signal),
	);
	let all: readonly Reference[] = [];
	let isPart = false;
	for await (const { items, completeness } of listings) {
		all = items;
		isPart = completeness.kind === 'more';
	}
	const branches = all.filter((each) => referenceKind(each) === 'branch');
	const first = branches.length === 0 ? undefined : await repositories.defaultBranch(ref, signal);
	return { branches, first: first?.isCertain === true ? first.name : undefined, isPart };
}

function branchChoice(reference: Reference, first: string | undefined): Choice<string> {
	const name = shortName(reference);
	return {
		label: withoutPictures(shownName(name)),
		iconPath: new vscode.ThemeIcon('git-branch'),
		...(name === first ? { description: vscode.l10n.t('current') } : {}),
		value: name,
	};
}
