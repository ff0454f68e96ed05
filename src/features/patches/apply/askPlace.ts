import * as vscode from 'vscode';
import { askFor, choose, type Choice } from '../../../editor/ask/ask.ts';
import { patchsetName, type Patchset } from 'sourcehut/port/list.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import type { ApplyTarget } from 'hardened-git/applySeries.ts';
import { checkoutIn, isSameCheckout, type Checkout } from 'hardened-git/applyState.ts';
import { hasCommit } from 'hardened-git/readClone.ts';
import type { HardenedGit } from 'hardened-git/hardenedGit.ts';
import { isSafeFolderName, isSafeRefName } from 'hardened-git/gitNames.ts';
import { slug } from '../../../engine/text/slug.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { ApplyContext } from './savedApplied.ts';
import { cloneChoice, folderName, newClone, type OpenClone } from './openClone.ts';

/** Target of applying, with its readable names. */
export interface ApplyPlace {
	readonly clone: OpenClone;
	readonly target: ApplyTarget;
	/** Parent commit of the first patch. */
	readonly base: string;
	/** Of the base: a branch, or the beginning of an id. */
	readonly baseName: string;
}

type Where =
	| { readonly kind: 'here'; readonly at: Checkout }
	/** A new clone, because this one is of something else. */
	| { readonly kind: 'clone'; readonly of: NonNullable<OpenClone['isNotOf']> }
	| { readonly kind: 'worktree'; readonly base: string; readonly baseName: string };

/**
 * Asks for the target: a new worktree with a new branch, or the checkout. Throws `cancelled()` if the user closes the
 * list.
 */
export async function askPlace(
	parts: ApplyContext,
	clone: OpenClone,
	patchset: Patchset,
	/** `base-commit:` as written; `undefined` if no mail has one. */
	baseCommit: string | undefined,
	signal: AbortSignal,
): Promise<ApplyPlace> {
	const { git } = parts;
	const { root } = clone;
	// Ask git itself: the editor learns about terminal commands late.
	const at = await checkoutIn(git, root.fsPath, signal);
	const { commit, branch } = at;
	const stated = baseCommit !== undefined && isObjectId(baseCommit) ? baseCommit : undefined;
	const hasBase = stated !== undefined && (await hasCommit(git, root.fsPath, stated, signal));
	const here = branch === undefined ? shortId(commit) : visibleLine(branch);
	const missing =
		baseCommit === undefined || hasBase
			? undefined
			: vscode.l10n.t('The clone does not have the base commit {0}.', shortId(baseCommit));
	// A clone of something else has no blobs for a three-way merge.
	const elsewhere =
		clone.isNotOf && vscode.l10n.t('No remote of this folder leads to {0}.', visibleLine(refText(clone.isNotOf.ref)));
	const atBase: readonly Choice<Where>[] =
		stated === undefined || !hasBase
			? []
			: [
					{
						label: vscode.l10n.t('New Worktree at Base Commit {0}…', shortId(stated)),
						detail: vscode.l10n.t('A new branch in a new folder, at the commit that the series was made from.'),
						iconPath: new vscode.ThemeIcon('git-branch-create'),
						value: { kind: 'worktree', base: stated, baseName: shortId(stated) },
					},
				];
	const inWorktree: Choice<Where> = {
		label: vscode.l10n.t('New Worktree at {0}…', here),
		detail: sentences(
			vscode.l10n.t('A new branch in a new folder. Your working tree is not changed.'),
			elsewhere,
			missing,
		),
		iconPath: new vscode.ThemeIcon('git-branch-create'),
		value: { kind: 'worktree', base: commit, baseName: here },
	};
	const onBranch: Choice<Where> = {
		label:
			branch === undefined ? vscode.l10n.t('Checked-out Commit {0}', here) : vscode.l10n.t('Current Branch {0}', here),
		detail: sentences(vscode.l10n.t('Adds the commits in {0}.', visibleLine(root.fsPath)), elsewhere),
		iconPath: new vscode.ThemeIcon('git-branch'),
		value: { kind: 'here', at },
	};
	const title = visibleLine(patchset.subject);
	const question =
		patchset.version > 1
			? vscode.l10n.t('Choose where to apply version {1} of "{0}"', title, patchset.version)
			: vscode.l10n.t('Choose where to apply "{0}"', title);
	const elsewhereToo: readonly Choice<Where>[] = clone.isNotOf
		? [cloneChoice<Where>(clone.isNotOf.ref, { kind: 'clone', of: clone.isNotOf })]
		: [];
	const where = await choose(question, [...elsewhereToo, ...atBase, inWorktree, onBranch]);
	switch (where.kind) {
		case 'here':
			return { clone, target: where, base: commit, baseName: here };
		case 'clone': {
			const made = await newClone(parts, where.of, signal);
			return askPlace(parts, made, patchset, baseCommit, signal);
		}
		case 'worktree': {
			const { base, baseName } = where;
			return { clone, target: await askWorktree(clone, patchset, base), base, baseName };
		}
	}
}

/** True if the target is unchanged since the question. A new worktree has its own commit in any case. */
export async function isStillThere(
	git: HardenedGit,
	{ clone: { root }, target }: ApplyPlace,
	signal: AbortSignal,
): Promise<boolean> {
	return target.kind === 'worktree' || isSameCheckout(await checkoutIn(git, root.fsPath, signal), target.at);
}

async function askWorktree({ root }: OpenClone, patchset: Patchset, commit: string): Promise<ApplyTarget> {
	const parent = vscode.Uri.joinPath(root, '..').fsPath;
	const { id, subject, version } = patchset;
	const words = slug(subject);
	const proposed = version > 1 ? `${words}-v${version}` : words;
	const fallback = `patchset-${patchsetName(id)}`;
	const branch = await askFor({
		title: vscode.l10n.t('Name of the new branch'),
		prompt: vscode.l10n.t('The worktree is created in {0}.', visibleLine(parent)),
		value: words !== '' && isSafeRefName(proposed) ? proposed : fallback,
		complaint: (name) =>
			isSafeRefName(name.trim())
				? undefined
				: vscode.l10n.t('Enter a branch name without spaces and without any of ~ ^ : ? * [ \\'),
	});
	const name = `${folderName(root)}-${branch.replaceAll('/', '-')}`;
	return {
		kind: 'worktree',
		parent,
		name: isSafeFolderName(name) ? name : fallback,
		branch,
		commit,
	};
}

export function shortId(id: string): string {
	return visibleLine(id.slice(0, 10));
}

function sentences(...all: readonly (string | undefined)[]): string {
	return all.filter((each) => each !== undefined).join(' ');
}
