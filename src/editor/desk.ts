import type * as vscode from 'vscode';
import type { CommandId } from '../commands/table.ts';
import type { LanguageTools } from './models/languageTools.ts';
import type { References } from './links/references.ts';
import type { TreeNode } from './trees/treeNode.ts';
import { panelNames, type ViewId } from '../commands/viewIds.ts';

/** The tree views, created by the shell so that they exist before anything heavy is loaded. */
export type Views = Readonly<Record<ViewId, vscode.TreeView<TreeNode>>>;

/** Panels that the editor keeps over a reload and wants filled again. */
export const panelTypes = panelNames.map((name) => `forge.${name}` as const);
export type PanelType = (typeof panelTypes)[number];

/** All that is behind the shell. Loaded on the first use of any of it, or once the window is idle. */
export interface Desk extends vscode.Disposable {
	/** Runs a command to its end; failures are shown and never thrown. */
	run(command: CommandId, subject: unknown, selected: unknown): Promise<void>;
	readonly trees: Readonly<Record<ViewId, vscode.TreeDataProvider<TreeNode>>>;
	readonly sessions: vscode.AuthenticationProvider;
	/** Remote trees and blobs, `forge:`. */
	readonly files: vscode.FileSystemProvider;
	/** Mails as readable documents, `forge-mail:`. */
	readonly mails: vscode.FileSystemProvider;
	/** What patches show of files, `forge-patch:`. */
	readonly patches: vscode.FileSystemProvider;
	/** Comparisons of versions of a series, `forge-versions:`. */
	readonly versions: vscode.FileSystemProvider;
	/** Reviews as they would be sent, `forge-review:`. */
	readonly previews: vscode.FileSystemProvider;
	/** Patches as they would be sent, `forge-series:`. */
	readonly series: vscode.FileSystemProvider;
	/** Documents that are drafts, `forge-new:`, `forge-description:`, `forge-reply:` and `forge-suggestion:`. */
	readonly drafts: vscode.FileSystemProvider;
	/** References in texts, once every account is there. */
	references(): Promise<References>;
	/** The tools for language models, once every account is there. */
	tools(): Promise<LanguageTools>;
	/** Asks whether a link from outside of the editor shall be opened, and opens it. Never rejects. */
	openEditorLink(link: vscode.Uri): Promise<void>;
	/** Somebody signed in or out, and the storage says so by now. */
	readonly onDidChangeAccounts: vscode.Event<void>;
	restorePanel(type: PanelType, panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}
