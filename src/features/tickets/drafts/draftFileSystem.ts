import * as vscode from 'vscode';
import type { Clock } from '@forge-desk/base/clock.ts';
import type { Event } from '@forge-desk/base/event.ts';
import { Disposables, type Disposable } from '@forge-desk/base/lifecycle.ts';
import type { Problems } from '../../../editor/ask/problems.ts';
import type { Drafts } from '../../../store/drafts/drafts.ts';
import { draftOfUri, shownUri } from './draftUri.ts';
import { type DocumentSubject } from './draftSubject.ts';

/** File system of draft documents: a save stores the draft, and text survives crashes. */
export interface DraftFileSystem extends vscode.FileSystemProvider, Disposable {}

/**
 * Stores only the times of changes. `firstText`: initial text of a document without draft. `onDidReplace`: a document
 * has another text now than the one that the editor may hold.
 */
export function draftFileSystem(
	drafts: Drafts,
	clock: Clock,
	problems: Problems,
	firstText: (about: DocumentSubject) => Promise<string>,
	onDidReplace: Event<DocumentSubject>,
): DraftFileSystem {
	const owned = new Disposables();
	const changed = owned.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
	/** The draft's own time changes while the user types; the editor would report a change by another program. */
	const savedMs = new Map<string, number>();
	/** When a text was put in the place of the one that the editor holds. */
	const replacedMs = new Map<string, number>();

	// The next document at this address starts empty. Skip descriptions: reading their text would cost a request.
	owned.add(
		onDidReplace((about) => {
			if (about.kind === 'mail' || about.kind === 'review') {
				const uri = shownUri(about);
				replacedMs.set(uri.toString(), Math.max(changedMs(uri) + 1, clock.nowMs()));
				changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
			}
		}),
	);

	/** While the user types, ignore replacements; otherwise the editor reports a change by another program. */
	function changedMs(uri: vscode.Uri): number {
		const key = uri.toString();
		const isTypedIn = vscode.workspace.textDocuments.some((each) => each.isDirty && each.uri.toString() === key);
		return Math.max(savedMs.get(key) ?? 0, (isTypedIn ? undefined : replacedMs.get(key)) ?? 0);
	}

	function aboutOf(uri: vscode.Uri): DocumentSubject {
		const about = draftOfUri(uri);
		if (!about) {
			throw vscode.FileSystemError.FileNotFound(uri);
		}
		return about;
	}

	async function bytes(uri: vscode.Uri): Promise<Uint8Array> {
		const about = aboutOf(uri);
		const text =
			drafts.draft(about)?.text ??
			(await firstText(about).catch((error: unknown) => {
				// The editor shows this error's message in place of the document.
				problems.log(error);
				throw vscode.FileSystemError.Unavailable(problems.explain(error).message);
			}));
		return new TextEncoder().encode(text);
	}

	const refuse = (uri: vscode.Uri): never => {
		throw vscode.FileSystemError.NoPermissions(uri);
	};

	return {
		onDidChangeFile: changed.event,
		watch: () => ({ dispose: () => undefined }),
		async stat(uri) {
			const { length } = await bytes(uri);
			return { type: vscode.FileType.File, ctime: 0, mtime: changedMs(uri), size: length };
		},
		readFile: bytes,
		async writeFile(uri, content) {
			const text = new TextDecoder().decode(content);
			await drafts.keep(aboutOf(uri), { text: text.trim() === '' ? '' : text, atMs: clock.nowMs() });
			savedMs.set(uri.toString(), clock.nowMs());
			replacedMs.delete(uri.toString());
		},
		readDirectory: () => [],
		createDirectory: refuse,
		delete: refuse,
		rename: refuse,
		dispose: () => owned.dispose(),
	};
}
