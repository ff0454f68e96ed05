import * as vscode from 'vscode';
import { Disposables, type Disposable } from '../../../base/lifecycle.ts';
import { confirm, notify, tellBriefly } from '../../../editor/notify.ts';
import { connectionOf, isRecord } from '../../../editor/subjects.ts';
import { repositoryRefText } from '../../../forge/repository.ts';
import type { Connections } from '../../../state/connection.ts';
import type { RepositorySubject } from '../subjects.ts';
import { shownName } from '../words.ts';
import { changeRepository } from './changeRepository.ts';
import { descriptionComplaint } from './repositoryFacts.ts';

/** Descriptions of repositories as documents without a file, each sent from the line above its first one. */
export interface RepositoryDescriptions extends Disposable {
	edit(repository: RepositorySubject, signal: AbortSignal): Promise<void>;
	/** True for the address of such a document; commands are handed anything. */
	holds(subject: unknown): subject is vscode.Uri;
	/** Sends the text of a document, and closes it when the forge has it. */
	save(uri: vscode.Uri, signal: AbortSignal): Promise<void>;
}

/**
 * Opens, remembers and sends descriptions. What is not sent when the window closes is a text that the editor keeps, under
 * an address that still says which repository it is of.
 */
export function repositoryDescriptions(connections: Connections): RepositoryDescriptions {
	const owned = new Disposables();
	/** What the documents were opened with, by their paths, to tell what somebody else wrote meanwhile. */
	const firsts = new Map<string, string>();
	const changed = owned.add(new vscode.EventEmitter<void>());
	owned.add(connections.onDidChange(() => changed.fire()));

	/** Only of those who are signed in: names of documents are nobody's promise. */
	function ownNamedIn(uri: Pick<vscode.Uri, 'scheme' | 'path'>): RepositorySubject | undefined {
		const named = repositoryNamedIn(uri);
		return named && connections.byKey(named.connectionKey)?.me === named.ref.owner ? named : undefined;
	}

	async function sent(
		repository: RepositorySubject,
		path: string,
		text: string,
		signal: AbortSignal,
	): Promise<boolean> {
		const connection = connectionOf(connections, repository);
		const { ref } = repository;
		const name = shownName(repositoryRefText(ref));
		const first = firsts.get(path);
		const there = ((await connection.forge.repositories.repository(ref, signal)).description ?? '').trim();
		const isAsExpected = there === first?.trim() || there === text;
		if (!isAsExpected && !(await confirmOverwrite(name, first !== undefined))) {
			return false;
		}
		await changeRepository(connection, ref, { description: text }, signal);
		tellBriefly(vscode.l10n.t('Saved the description of {0}', name));
		return true;
	}

	owned.add(
		vscode.languages.registerCodeLensProvider(
			{ scheme: 'untitled' },
			{
				onDidChangeCodeLenses: changed.event,
				provideCodeLenses: ({ uri }) =>
					ownNamedIn(uri)
						? [
								new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
									title: `$(cloud-upload) ${vscode.l10n.t('Save Repository Description')}`,
									command: 'forge.repositories.edit',
									arguments: [uri],
								}),
							]
						: [],
			},
		),
	);

	return {
		async edit(repository, signal) {
			const uri = uriOf(repository);
			const isOpen = documentAt(uri) !== undefined;
			const { forge } = connectionOf(connections, repository);
			const { description = '' } = await forge.repositories.repository(repository.ref, signal);
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
			repositoryNamedIn({ scheme: subject['scheme'], path: subject['path'] }) !== undefined,
		async save(uri, signal) {
			const repository = repositoryNamedIn(uri);
			const document = documentAt(uri);
			// Who signed out meanwhile is told so, and the text stays.
			if (!repository || !document || connectionOf(connections, repository).me !== repository.ref.owner) {
				return;
			}
			const text = plain(document);
			const complaint = descriptionComplaint(text);
			if (complaint !== undefined) {
				void notify('warning', complaint);
				return;
			}
			if (!(await sent(repository, uri.path, text, signal))) {
				return;
			}
			if (plain(document) === text) {
				await vscode.window.showTextDocument(document);
				await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
			} else {
				// What is typed on stands on what was saved now.
				firsts.set(uri.path, text);
			}
		},
		dispose: () => owned.dispose(),
	};
}

function plain(document: vscode.TextDocument): string {
	return document.getText().trim().replaceAll('\r\n', '\n');
}

function documentAt({ scheme, path }: vscode.Uri): vscode.TextDocument | undefined {
	return vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === scheme && uri.path === path);
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

/** Which repository a document's address names, as `uriOf` made it; its end tells it from the documents of lists. */
function repositoryNamedIn({ scheme, path }: Pick<vscode.Uri, 'scheme' | 'path'>): RepositorySubject | undefined {
	const [, owner, name, connectionKey] =
		/^\/?(~[^\u2215]+)\u2215([^\u2215]+) \(([^()]+)\) repository\.md$/u.exec(path) ?? [];
	return scheme === 'untitled' && owner !== undefined && name !== undefined && connectionKey !== undefined
		? { kind: 'repository', connectionKey, ref: { owner, name } }
		: undefined;
}

/** The name is there for the tab; the account keeps repositories of the same name on two forges apart. */
function uriOf({ connectionKey, ref }: RepositorySubject): vscode.Uri {
	const name = `${repositoryRefText(ref).replaceAll('/', '\u2215')} (${connectionKey}) repository.md`;
	return vscode.Uri.from({ scheme: 'untitled', path: name });
}
