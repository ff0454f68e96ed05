import * as vscode from 'vscode';
import { Disposables, type Disposable } from '../base/lifecycle.ts';
import { onceAtATime } from '../base/onceAtATime.ts';
import type { OwnerName } from '../forge/user.ts';
import type { Connection, Connections } from '../state/connection.ts';
import { visibleLine } from '../text/visible.ts';
import { confirm, notify, tellBriefly } from './notify.ts';
import { connectionOf, isRecord } from './subjects.ts';

/** What one's own thing is called within an account. */
interface NamedRef {
	readonly owner: OwnerName;
	readonly name: string;
}

/** Something of one's own that has a description. */
export interface Described {
	readonly connectionKey: string;
	readonly ref: NamedRef;
}

/** What the documents of one kind of things need to know of it. */
export interface DescribedKind {
	/** What follows in the names of its documents, and tells them from those of other kinds. */
	readonly ending: '.md' | ' repository.md';
	/** What the line above a text says, and the command that it runs with the address of the document. */
	readonly saving: { readonly title: string; readonly command: string };
	/** The description as the forge has it now. */
	read(connection: Connection, ref: NamedRef, signal: AbortSignal): Promise<string>;
	/** Sends another one; an empty one takes it away. */
	write(connection: Connection, ref: NamedRef, description: string, signal: AbortSignal): Promise<unknown>;
	/** Why the forge would not take it. */
	complaint(description: string): string | undefined;
}

/** Descriptions as documents without a file, each sent from the line above its first one. */
export interface DescriptionDocuments extends Disposable {
	edit(described: Described, signal: AbortSignal): Promise<void>;
	/** True for the address of such a document; commands are handed anything. */
	holds(subject: unknown): subject is vscode.Uri;
	/** Sends the text of a document, and closes it when the forge has it. */
	save(uri: vscode.Uri, signal: AbortSignal): Promise<void>;
}

/**
 * Opens, remembers and sends descriptions. What is not sent when the window closes is a text that the editor keeps, under
 * an address that still says what it is of.
 */
export function descriptionDocuments(connections: Connections, kind: DescribedKind): DescriptionDocuments {
	const owned = new Disposables();
	/** What the documents were opened with, by their paths, to tell what somebody else wrote meanwhile. */
	const firsts = new Map<string, string>();
	const once = onceAtATime();
	const changed = owned.add(new vscode.EventEmitter<void>());
	owned.add(connections.onDidChange(() => changed.fire()));

	/** Only of those who are signed in: names of documents are nobody's promise. */
	function isOwn({ connectionKey, ref }: Described): boolean {
		return connections.byKey(connectionKey)?.me === ref.owner;
	}

	async function open(described: Described, uri: vscode.Uri, signal: AbortSignal): Promise<void> {
		const isOpen = documentAt(uri) !== undefined;
		const description = await kind.read(connectionOf(connections, described), described.ref, signal);
		const document = await vscode.workspace.openTextDocument(uri);
		// Of a text that the editor kept nobody knows what it stood on.
		if (!isOpen && document.getText() === '') {
			firsts.set(uri.path, description);
			if (description !== '') {
				const edit = new vscode.WorkspaceEdit();
				edit.insert(uri, new vscode.Position(0, 0), description);
				await vscode.workspace.applyEdit(edit);
			}
		}
		await vscode.window.showTextDocument(document);
	}

	async function save(described: Described, document: vscode.TextDocument, signal: AbortSignal): Promise<void> {
		const text = plain(document);
		const complaint = kind.complaint(text);
		if (complaint !== undefined) {
			void notify('warning', complaint);
			return;
		}
		const { path } = document.uri;
		if (!(await sent(described, { text, first: firsts.get(path) }, signal))) {
			return;
		}
		if (plain(document) === text) {
			await vscode.window.showTextDocument(document);
			await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
		} else {
			// What is typed on stands on what was saved now.
			firsts.set(path, text);
		}
	}

	/** `first`: what the text stood on, where that is known. */
	async function sent(
		described: Described,
		{ text, first }: { readonly text: string; readonly first: string | undefined },
		signal: AbortSignal,
	): Promise<boolean> {
		const connection = connectionOf(connections, described);
		const { ref } = described;
		const name = visibleLine(nameOf(ref));
		const there = (await kind.read(connection, ref, signal)).trim();
		const isAsExpected = there === first?.trim() || there === text;
		if (!isAsExpected && !(await confirmOverwrite(name, first !== undefined))) {
			return false;
		}
		await kind.write(connection, ref, text, signal);
		tellBriefly(vscode.l10n.t('Saved the description of {0}', name));
		return true;
	}

	function line(uri: vscode.Uri): vscode.CodeLens {
		const { title, command } = kind.saving;
		return new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), {
			title: `$(cloud-upload) ${title}`,
			command,
			arguments: [uri],
		});
	}

	owned.add(
		vscode.languages.registerCodeLensProvider(
			{ scheme: 'untitled' },
			{
				onDidChangeCodeLenses: changed.event,
				provideCodeLenses({ uri }) {
					const described = namedIn(uri, kind);
					return described && isOwn(described) ? [line(uri)] : [];
				},
			},
		),
	);

	return {
		edit(described, signal) {
			const uri = uriOf(described, kind);
			return once(uri.path, () => open(described, uri, signal));
		},
		holds: (subject): subject is vscode.Uri =>
			isRecord(subject) &&
			typeof subject['scheme'] === 'string' &&
			typeof subject['path'] === 'string' &&
			namedIn({ scheme: subject['scheme'], path: subject['path'] }, kind) !== undefined,
		async save(uri, signal) {
			const described = namedIn(uri, kind);
			const document = documentAt(uri);
			// Who signed out meanwhile is told so, and the text stays.
			if (described && document && connectionOf(connections, described).me === described.ref.owner) {
				await once(uri.path, () => save(described, document, signal));
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

function nameOf({ owner, name }: NamedRef): string {
	return `${owner}/${name}`;
}

/** What a document's address names, as `uriOf` made it. */
function namedIn(
	{ scheme, path }: Pick<vscode.Uri, 'scheme' | 'path'>,
	{ ending }: Pick<DescribedKind, 'ending'>,
): Described | undefined {
	const [, owner, name, connectionKey, rest] =
		/^\/?(~[^\u2215]+)\u2215([^\u2215]+) \(([^()]+)\)( repository\.md|\.md)$/u.exec(path) ?? [];
	return scheme === 'untitled' &&
		owner !== undefined &&
		name !== undefined &&
		connectionKey !== undefined &&
		rest === ending
		? { connectionKey, ref: { owner, name } }
		: undefined;
}

/** The name is there for the tab; the account keeps things of the same name on two forges apart. */
function uriOf({ connectionKey, ref }: Described, { ending }: Pick<DescribedKind, 'ending'>): vscode.Uri {
	const path = `${nameOf(ref).replaceAll('/', '\u2215')} (${connectionKey})${ending}`;
	return vscode.Uri.from({ scheme: 'untitled', path });
}
