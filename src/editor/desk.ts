import type * as vscode from 'vscode';
import type { CommandId } from '../commands/table.ts';
import type { ToolName } from './models/toolNames.ts';
import type { References } from './links/references.ts';
import type { TreeNode } from './trees/treeNode.ts';
import { panelNames, type ViewId } from '../commands/viewIds.ts';

/** Tree views, created by the shell before the rest of the extension loads. */
export type Views = Readonly<Record<ViewId, vscode.TreeView<TreeNode>>>;

/** Panels that the editor restores after a reload. */
export const panelTypes = panelNames.map((name) => `forge.${name}` as const);
export type PanelType = (typeof panelTypes)[number];

/** Everything behind the shell. Loads on first use, or when the window is idle. */
export interface Desk extends vscode.Disposable {
	/** Runs a command; shows errors and never throws. */
	run(command: CommandId, subject: unknown, selected: unknown): Promise<void>;
	readonly trees: Readonly<Record<ViewId, vscode.TreeDataProvider<TreeNode>>>;
	readonly sessions: vscode.AuthenticationProvider;
	/** Remote trees and blobs, `forge:`. */
	readonly files: vscode.FileSystemProvider;
	/** Mails as readable documents, `forge-mail:`. */
	readonly mails: vscode.FileSystemProvider;
	/** File contents in patches, `forge-patch:`. */
	readonly patches: vscode.FileSystemProvider;
	/** Comparisons of versions of a series, `forge-versions:`. */
	readonly versions: vscode.FileSystemProvider;
	/** Previews of reviews, `forge-review:`. */
	readonly previews: vscode.FileSystemProvider;
	/** Previews of patches, `forge-series:`. */
	readonly series: vscode.FileSystemProvider;
	/** Documents that are drafts, `forge-new:`, `forge-description:`, `forge-reply:` and `forge-suggestion:`. */
	readonly drafts: vscode.FileSystemProvider;
	/** References in texts, after all accounts are connected. */
	references(): Promise<References>;
	/** A language model tool, after all accounts are connected. */
	tool(name: ToolName): Promise<vscode.LanguageModelTool<unknown>>;
	/** Asks whether to open a link from outside the editor, and opens it. Never rejects. */
	openEditorLink(link: vscode.Uri): Promise<void>;
	/** Somebody signed in or out; the storage is up to date. */
	readonly onDidChangeAccounts: vscode.Event<void>;
	restorePanel(type: PanelType, panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}
