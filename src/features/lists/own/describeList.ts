import * as vscode from 'vscode';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { confirm, notify, tellBriefly } from '../../../editor/notify.ts';
import { withProgress } from '../../../editor/progress.ts';
import { connectionOf, isRecord } from '../../../editor/subjects.ts';
import { listRefText } from '../../../forge/list.ts';
import type { Connections } from '../../../state/connection.ts';
import { visibleLine } from '../../../text/visible.ts';
import type { ListSubject } from '../subjects.ts';
import { descriptionComplaint } from './createList.ts';

/** Descriptions of lists as documents without a file, each sent from the line above its first one. */
export interface ListDescriptions extends Disposable {
	edit(list: ListSubject, signal: AbortSignal): Promise<void>;
	/** True for the address of such a document; commands are handed anything. */
	holds(subject: unknown): subject is vscode.Uri;
	/** Sends the text of a document, and closes it when the forge has it. */
	save(uri: vscode.Uri, signal: AbortSignal): Promise<void>;
}

/**
 * Opens, remembers and sends descriptions. What is not sent when the window closes is a text that the editor keeps, under
 * an address that still says which list it is of.
 */
export function listDescriptions(connections: Connections): ListDescriptions {
	const owned = new Disposables();
	/** What the documents were opened with, by their paths, to tell what somebody else wrote meanwhile. */
	const firsts = new Map<string, string>();
	const changed = owned.add(new vscode.EventEmitter<void>());
	owned.add(connections.onDidChange(() => changed.fire()));

	/** Only of those who are signed in: names of documents are nobody's promise. */
	function listOf(uri: Pick<vscode.Uri, 'scheme' | 'path'>): ListSubject | undefined {
		const list = listNamedIn(uri);
		return list && connections.byKey(list.connectionKey)?.lists.isMine(list.ref) === true ? list : undefined;
	}

	owned.add(
		vscode.languages.registerCodeLensProvider(
			{ scheme: 'untitled' },
			{
				onDidChangeCodeLenses: changed.event,
				provideCodeLenses: ({ uri }) =>
					listOf(uri)
						? [
								new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
									title: `$(cloud-upload) ${vscode.l10n.t('Save List Description')}`,
									command: 'forge.lists.editDescription',
									arguments: [uri],
								}),
							]
						: [],
			},
		),
	);

	return {
		async edit(list, signal) {
			const uri = uriOf(list);
			const isOpen = documentAt(uri) !== undefined;
			const { description = '' } = await connectionOf(connections, list).forge.lists.list(list.ref, signal);
			if (!isOpen) {
				firsts.set(uri.path, description);
			}
			const document = await vscode.workspace.openTextDocument(uri);
			if (!isOpen && document.getText() === '' && description !== '') {
				const edit = new vscode.WorkspaceEdit();
				edit.insert(uri, new vscode.Position(0, 0), description);
				await vscode.workspace.applyEdit(edit);
			}
			await vscode.window.showTextDocument(document);
		},
		holds: (subject): subject is vscode.Uri =>
			isRecord(subject) &&
			typeof subject['scheme'] === 'string' &&
			typeof subject['path'] === 'string' &&
			listNamedIn({ scheme: subject['scheme'], path: subject['path'] }) !== undefined,
		async save(uri, signal) {
			const list = listNamedIn(uri);
			const document = documentAt(uri);
			if (!list || !document) {
				return;
			}
			// Who signed out meanwhile is told so, and the text stays.
			if (!connectionOf(connections, list).lists.isMine(list.ref)) {
				return;
			}
			const text = document.getText().trim().replaceAll('\r\n', '\n');
			const complaint = descriptionComplaint(text);
			if (complaint !== undefined) {
				void notify('warning', complaint);
				return;
			}
			const isSent = await sent(connections, { list, first: firsts.get(uri.path), text }, signal);
			if (isSent && document.getText().trim().replaceAll('\r\n', '\n') === text) {
				await vscode.window.showTextDocument(document);
				await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
			} else if (isSent) {
				firsts.set(uri.path, text);
			}
		},
		dispose: () => owned.dispose(),
	};
}

function documentAt({ scheme, path }: vscode.Uri): vscode.TextDocument | undefined {
	return vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === scheme && uri.path === path);
}

interface Description {
	readonly list: ListSubject;
	/** What the document was opened with; `undefined` for one that was opened before the window was loaded again. */
	readonly first: string | undefined;
	readonly text: string;
}

async function sent(
	connections: Connections,
	{ list, first, text }: Description,
	signal: AbortSignal,
): Promise<boolean> {
	const { forge, lists } = connectionOf(connections, list);
	const name = visibleLine(listRefText(list.ref));
	const now = await forge.lists.list(list.ref, signal);
	const there = (now.description ?? '').trim();
	const isAsExpected = there === first?.trim() || there === text;
	if (!isAsExpected && !(await confirmOverwrite(name, first !== undefined))) {
		return false;
	}
	await withProgress(vscode.l10n.t('Saving…'), signal, (working) => lists.describe(list.ref, text, working));
	tellBriefly(vscode.l10n.t('Saved the description of {0}', name));
	return true;
}

function confirmOverwrite(name: string, isCertain: boolean): Promise<boolean> {
	return confirm(
		isCertain
			? vscode.l10n.t('The description of {0} was changed meanwhile.', name)
			: vscode.l10n.t('The description of {0} is another one and may have been changed meanwhile.', name),
		vscode.l10n.t('Saving puts your text in the place of what is there now.'),
		vscode.l10n.t('Save All the Same'),
	);
}

/** Which list a document's address names, as `uriOf` made it. */
function listNamedIn({ scheme, path }: Pick<vscode.Uri, 'scheme' | 'path'>): ListSubject | undefined {
	const [, owner, name, connectionKey] = /^\/?(~[^\u2215]+)\u2215([^\u2215]+) \(([^()]+)\)\.md$/u.exec(path) ?? [];
	return scheme === 'untitled' && owner !== undefined && name !== undefined && connectionKey !== undefined
		? { kind: 'list', connectionKey, ref: { owner, name } }
		: undefined;
}

/** The name is there for the tab; the account keeps lists of the same name on two forges apart. */
function uriOf({ connectionKey, ref }: ListSubject): vscode.Uri {
	const name = `${listRefText(ref).replaceAll('/', '\u2215')} (${connectionKey}).md`;
	return vscode.Uri.from({ scheme: 'untitled', path: name });
}
