import * as v from 'valibot';
import * as vscode from 'vscode';
import { cancelled } from '../../../editor/ask/ask.ts';
import { problemOrigin } from '../../../editor/ask/problemOrigin.ts';
import { notify } from '../../../editor/ask/notify.ts';
import { connectionOf, isRecord, subjectReader } from '../../../editor/commands/subjects.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import type { FolderBelongs } from '../../../editor/git/folderMapping.ts';
import { repositoryOf, type FindGit } from '../../../editor/git/gitApi.ts';
import type { TrackerSubject } from '../subjects/subjects.ts';
import { askTracker } from '../subjects/ticketQuestions.ts';
import type { TicketsContext } from '../context/ticketsContext.ts';
import { newTicketText } from './newTicketText.ts';
import { fencedCode, permalink, todoText } from './codeInTickets.ts';

/** Argument of the quick fix. Lines count from 0. */
const hereSubject = subjectReader(
	v.object({
		kind: v.literal('here'),
		uri: v.string(),
		line: v.number(),
		/** Message of the diagnostic, if there is one. */
		problem: v.optional(v.string()),
		/** Source of the diagnostic, as `gcc(-Wunused)`. */
		origin: v.optional(v.string()),
	}),
);

/** Lines shown around a problem, and after a comment that names work to do. */
const around = { problem: 2, todo: 4 } as const;

/** Longer problems go on in the text. */
const longestTitle = 200;

/** Diagnostics have no length limit; tickets do. */
const longestSaid = 4000;

/** Lines of a document with a message about them. */
interface Here {
	readonly document: vscode.TextDocument;
	/** Counts from 0, both lines included. */
	readonly firstLine: number;
	readonly lastLine: number;
	readonly said: string;
	/** Source of the message, unless it is the code itself. */
	readonly origin?: string | undefined;
}

/** Asks for missing facts and writes the first text of a ticket about the selected code. */
export async function newTicketFromHere(
	context: TicketsContext,
	subject: unknown,
	signal: AbortSignal,
): Promise<{ readonly tracker: TrackerSubject; readonly text: string }> {
	const here = await hereTarget(subject);
	if (!here) {
		void notify('information', vscode.l10n.t('Open a file and select what the ticket is about.'));
		throw cancelled();
	}
	const folder = await context.folders.of(here.document.uri, signal);
	const known = folder?.tracker;
	const tracker: TrackerSubject = known
		? { kind: 'tracker', connectionKey: known.connectionKey, ref: known.ref }
		: await askTracker(context.connections, signal);
	return { tracker, text: await textFor(context, here, folder, signal) };
}

async function hereTarget(subject: unknown): Promise<Here | undefined> {
	const given = hereSubject(subject);
	if (given) {
		const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(given.uri, true));
		return hereAt(document, given.line, given);
	}
	const editor = vscode.window.activeTextEditor;
	if (!editor) {
		return undefined;
	}
	const { document, selection } = editor;
	if (!selection.isEmpty) {
		const lastLine = selection.end.character === 0 ? selection.end.line - 1 : selection.end.line;
		const firstLine = selection.start.line;
		const lines = linesOf(document, firstLine, lastLine);
		const said = lines.map(todoText).find((text) => text !== undefined) ?? '';
		return { document, firstLine, lastLine, said };
	}
	const { line } = selection.active;
	const problem = vscode.languages
		.getDiagnostics(document.uri)
		.find(({ range }) => range.start.line <= line && line <= range.end.line);
	return hereAt(document, line, problem ? { problem: problem.message, origin: problemOrigin(problem) } : {});
}

function hereAt(
	document: vscode.TextDocument,
	line: number,
	{ problem, origin }: { readonly problem?: string | undefined; readonly origin?: string | undefined },
): Here {
	const at = Math.min(line, document.lineCount - 1);
	const last = document.lineCount - 1;
	if (problem !== undefined) {
		const [firstLine, lastLine] = [Math.max(0, at - around.problem), Math.min(last, at + around.problem)];
		return { document, firstLine, lastLine, said: problem, origin };
	}
	const todo = todoText(document.lineAt(at).text);
	return {
		document,
		firstLine: at,
		lastLine: todo === undefined ? at : Math.min(last, at + around.todo),
		said: todo ?? '',
	};
}

/**
 * The message's first line becomes the title; its rest, source, code and position become the description. Diagnostics,
 * comments and file names may contain anything, so escape all Markdown.
 */
async function textFor(
	context: TicketsContext,
	here: Here,
	folder: FolderBelongs | undefined,
	signal: AbortSignal,
): Promise<string> {
	const { document, firstLine, lastLine, origin } = here;
	const said = here.said.trim().split(anyBreak);
	const line = visibleLine(said[0] ?? '');
	const title = Array.from(line).slice(0, longestTitle).join('');
	const isCut = title.length < line.length || said.length > 1;
	const name = pathOf(document.uri, folder);
	const repository = folder?.repository;
	const link =
		repository?.head === undefined
			? undefined
			: permalink(connectionOf(context.connections, repository).instance, repository.ref, repository.head, name, [
					firstLine + 1,
					lastLine + 1,
				]);
	const lines = firstLine === lastLine ? `${firstLine + 1}` : `${firstLine + 1}-${lastLine + 1}`;
	const warning = link === undefined ? undefined : await doubtOf(context.findGit, document, folder, signal);
	const text = said.join('\n');
	const saidLines = (text.length > longestSaid ? `${text.slice(0, longestSaid).toWellFormed()}…` : text).split('\n');
	const description = [
		...(isCut || origin !== undefined
			? [fencedCode([...saidLines, ...(origin === undefined ? [] : [visibleLine(origin)])], '')]
			: []),
		placeText(name, lines, link),
		...(warning === undefined ? [] : [warning]),
		fencedCode(linesOf(document, firstLine, lastLine), document.languageId),
	];
	return newTicketText({ title, description: description.join('\n\n') });
}

/** Every break that the editor or Markdown takes for one. */
const anyBreak = /\r\n|[\n\r\u2028\u2029]/;

function placeText(path: string, lines: string, link: string | undefined): string {
	const name = visibleLine(path);
	if (link === undefined && !name.includes('`')) {
		return `\`${name}\`:${lines}`;
	}
	const text = `${name.replaceAll(/[\\`*_<>[\]]/g, '\\$&')}:${lines}`;
	return link === undefined ? text : `[${text}](${link.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}

function linesOf(document: vscode.TextDocument, first: number, last: number): readonly string[] {
	const lines = Array.from(
		{ length: Math.max(0, last - first) + 1 },
		(_, index) => document.lineAt(first + index).text,
	);
	const end = lines.findLastIndex((line) => line.trim() !== '');
	return lines.slice(0, Math.max(1, end + 1));
}

/** Readable path: relative to the repository, otherwise to the workspace folder. */
function pathOf(uri: vscode.Uri, folder: FolderBelongs | undefined): string {
	const top = folder?.repository?.root.path;
	return top !== undefined && uri.path.startsWith(`${top}/`)
		? uri.path.slice(top.length + 1)
		: vscode.workspace.asRelativePath(uri, false);
}

/** Why the link may not show what its writer saw; for the reader of the ticket too. */
async function doubtOf(
	findGit: FindGit,
	document: vscode.TextDocument,
	folder: FolderBelongs | undefined,
	signal: AbortSignal,
): Promise<string | undefined> {
	const { uri, isDirty } = document;
	const git = isDirty ? undefined : await findGit(signal);
	const state = git && repositoryOf(git, uri)?.state;
	const changes = state ? [...state.workingTreeChanges, ...state.indexChanges, ...state.mergeChanges] : [];
	const isUncommitted = changes.some(
		(change) => isRecord(change) && change['uri'] instanceof vscode.Uri && change['uri'].toString() === uri.toString(),
	);
	if (isDirty || isUncommitted) {
		return vscode.l10n.t('The file has uncommitted changes, so the link may show other lines.');
	}
	return folder?.repository?.isPushed === false
		? vscode.l10n.t('The commit is not pushed yet, so the link will work once it is.')
		: undefined;
}
