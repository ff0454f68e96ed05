import type * as vscode from 'vscode';
import type { Feature } from '../../editor/feature.ts';
import type { LinkSource } from '../../editor/linkCommands.ts';
import { firstLinesBy } from './firstLines.ts';
import { listCommands, listLinks } from './listCommands.ts';
import type { ListsParts } from './listsParts.ts';
import { listTree, type ListTree } from './listTree.ts';
import { mailDocuments } from './mailDocuments.ts';

/** Mailing lists in the editor: the view, the commands and mails as documents. */
export interface ListsFeature extends Feature {
	readonly tree: ListTree;
	/** Mails as readable documents, `forge-mail:`. */
	readonly mails: vscode.TextDocumentContentProvider;
	readonly links: LinkSource;
}

/** Composes what belongs to lists. */
export function listsFeature(parts: ListsParts): ListsFeature {
	const mails = mailDocuments(parts);
	const tree = listTree(parts, firstLinesBy(parts.mailReader));
	return {
		tree,
		mails,
		links: listLinks(parts),
		commands: listCommands(parts, mails.open),
		dispose() {
			tree.dispose();
			mails.dispose();
		},
	};
}
