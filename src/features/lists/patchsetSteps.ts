import * as vscode from 'vscode';
import type { CommandTable } from '../../editor/feature.ts';
import { tellBriefly } from '../../editor/notify.ts';
import type { TreeNode } from '../../editor/treeNode.ts';
import type { ListTree } from './listTree.ts';
import type { ListsParts } from './listsParts.ts';
import { patchsetSubject, type PatchsetSubject } from './subjects.ts';

/** What going from patchset to patchset needs. */
export interface PatchsetStepsParts {
	readonly pages: Pick<ListsParts['pages'], 'inFront'>;
	readonly tree: Pick<ListTree, 'patchsetRows'>;
	readonly view: Pick<vscode.TreeView<TreeNode>, 'visible' | 'reveal'>;
}

/** Goes on to the patchset that stands above or below in the view, on the board or in the list as it is shown. */
export function patchsetSteps(parts: PatchsetStepsParts): CommandTable {
	return {
		'forge.patchsets.next': (subject, signal) => step(parts, { subject, by: 1 }, signal),
		'forge.patchsets.previous': (subject, signal) => step(parts, { subject, by: -1 }, signal),
	};
}

/** In the view the next row is selected; on a page the next patchset's page opens, and the view goes along. */
async function step(
	{ pages, tree, view }: PatchsetStepsParts,
	{ subject, by }: { readonly subject: unknown; readonly by: 1 | -1 },
	signal: AbortSignal,
): Promise<void> {
	const row = patchsetSubject(subject);
	const from = row ?? patchsetSubject(pages.inFront());
	if (!from) {
		return tellBriefly(vscode.l10n.t('Open a patchset or select one first.'));
	}
	const rows = await tree.patchsetRows(from, signal);
	const at = rows.findIndex((each) => isOf(each, from));
	const to = at === -1 ? undefined : rows[at + by];
	if (!to) {
		return tellBriefly(nowhere(at, by));
	}
	if (!row) {
		await vscode.commands.executeCommand('forge.patchsets.open', to.subject);
	}
	if (view.visible) {
		await view.reveal(to, { select: true, focus: false });
	}
}

function isOf(row: TreeNode, { ref }: PatchsetSubject): boolean {
	return patchsetSubject(row)?.ref.id === ref.id;
}

function nowhere(at: number, by: 1 | -1): string {
	if (at === -1) {
		return vscode.l10n.t('This patchset is not among those that the view shows.');
	}
	return by === 1
		? vscode.l10n.t('This is the last patchset of the list.')
		: vscode.l10n.t('This is the first patchset of the list.');
}
