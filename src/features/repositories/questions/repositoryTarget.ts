import * as vscode from 'vscode';
import { addressInFront } from '../../../editor/commands/addressInFront.ts';
import {
	type RepositorySubject,
	repositoriesSubject,
	type ReferenceSubject,
	type EntrySubject,
} from '../subjects/subjects.ts';
import { askCommit, askRepository, askReference } from './repositoryQuestions.ts';
import type { PageHost } from '../../../editor/pages/pageHost.ts';
import { connectionOf } from '../../../editor/commands/subjects.ts';
import { openRevision } from '../places/openPlaces.ts';
import type { FileSearch, RepositoriesContext } from '../parts/repositoriesContext.ts';

/** The command's argument; from the palette the page or document in front. */
export function orInFront({ pages }: { readonly pages: PageHost }, subject: unknown): unknown {
	return subject === undefined ? (pages.inFront() ?? addressInFront()) : subject;
}

function givenOf(context: RepositoriesContext, subject: unknown) {
	return repositoriesSubject(orInFront(context, subject));
}

/** The repository that a command is about. Prompts if there is none. */
export async function repositoryOf(
	context: RepositoriesContext,
	subject: unknown,
	signal: AbortSignal,
): Promise<RepositorySubject> {
	const given = givenOf(context, subject);
	return given
		? { kind: 'repository', connectionKey: given.connectionKey, ref: given.ref }
		: askRepository(context.connections, 'any', signal);
}

/** The command's branch or tag; asks if there is none. */
export async function referenceOf(
	context: RepositoriesContext,
	subject: unknown,
	signal: AbortSignal,
): Promise<ReferenceSubject> {
	const given = givenOf(context, subject);
	if (given?.kind === 'reference') {
		return given;
	}
	if (given && 'at' in given) {
		return { kind: 'reference', connectionKey: given.connectionKey, ref: given.ref, revision: given.at.ref };
	}
	const { connectionKey, ref } = await repositoryOf(context, subject, signal);
	return askReference(connectionOf(context.connections, { connectionKey }), ref, signal);
}

/** The command's commit; asks if there is none. */
export async function commitTarget(context: RepositoriesContext, subject: unknown, signal: AbortSignal) {
	const given = givenOf(context, subject);
	return given?.kind === 'commit' ? given : askCommit(context, await referenceOf(context, subject, signal), signal);
}

/** The command's file; otherwise asks for one below the given folder or reference. */
export async function fileOf(
	context: RepositoriesContext,
	subject: unknown,
	signal: AbortSignal,
): Promise<FileSubject> {
	const given = givenOf(context, subject);
	if (given?.kind === 'file' || given?.kind === 'submodule') {
		return given;
	}
	const { connectionKey, ref, at } = given?.kind === 'folder' ? given : await rootOf(context, subject, signal);
	const connection = connectionOf(context.connections, { connectionKey });
	const { path, line, column } = await context.askFile({ connection, ref, at }, signal);
	const file: EntrySubject = { kind: 'file', connectionKey, ref, at: { ref: at.ref, path } };
	if (line === undefined) {
		return file;
	}
	const position = new vscode.Position(line - 1, (column ?? 1) - 1);
	return { ...file, selection: new vscode.Range(position, position) };
}

/** A file with a selection. */
export interface FileSubject extends EntrySubject {
	readonly selection?: vscode.Range;
}

/** Scope of a text search: the command's folder or revision, or that of the file or page in front. */
export async function askSearchPlace(
	context: RepositoriesContext,
	subject: unknown,
	signal: AbortSignal,
): Promise<FileSearch> {
	const given = givenOf(context, subject ?? addressInFront()) ?? openRevision();
	const { connectionKey, ref, at } =
		given?.kind === 'folder'
			? given
			: await rootOf(
					context,
					given?.kind === 'commit'
						? { kind: 'reference', connectionKey: given.connectionKey, ref: given.ref, revision: given.id }
						: given?.kind === 'file' || given?.kind === 'submodule'
							? { kind: 'reference', connectionKey: given.connectionKey, ref: given.ref, revision: given.at.ref }
							: given,
					signal,
				);
	return { connection: connectionOf(context.connections, { connectionKey }), ref, at };
}

async function rootOf(context: RepositoriesContext, subject: unknown, signal: AbortSignal) {
	const { connectionKey, ref, revision } = await referenceOf(context, subject, signal);
	return { connectionKey, ref, at: { ref: revision, path: '' } };
}
