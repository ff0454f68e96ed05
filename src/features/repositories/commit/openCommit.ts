import * as vscode from 'vscode';
import type { PageLink } from '../../../editor/pages/pageHost.ts';
import type { IfNew } from '../../../editor/pages/livePage.ts';
import { personIn } from 'patchmail/mail/personIn.ts';
import { type Trailer, trailersOf } from 'patchmail/series/commitTrailers.ts';
import { visibleLine } from '../../../engine/text/visible.ts';
import { ForgeError } from 'sourcehut/port/forgeError.ts';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Commit, RepositoryRef, Signer } from 'sourcehut/port/repository.ts';
import {
	commitStrings,
	type CommitProtocol,
	type CommitPageStrings,
	type FilesView,
	type CommitChange,
	type CommitHeadView,
	type SignatureView,
} from '../../../pages/protocol/commitProtocol.ts';
import type { MailPersonView } from '../../../pages/protocol/pageProtocol.ts';
import type { Connection } from '../../../store/connection.ts';
import { entryKind, type EntryKind } from '../../../store/repositories/repositoryEntries.ts';
import type { RepositoryFolders } from '../../../store/repositories/repositoryFolders.ts';
import { openPieces, type OpenPieces, pagePart, type PagePart } from '../pages/openPieces.ts';
import type { RepositoriesContext, SignatureVerdict } from '../parts/repositoriesContext.ts';
import type { CommitSubject } from '../subjects/subjects.ts';
import { shownName, titleOf } from '../subjects/words.ts';
import { kindText } from '../tree/entryRows.ts';
import { messagePieces, type MessagePlace } from './messagePieces.ts';
import { webOf } from '../../../editor/links/webOf.ts';

/** Changes between two commits. */
export type CommitComparison = Awaited<ReturnType<RepositoryFolders['changes']>>;
type Change = CommitComparison['changes'][number];
type Side = Extract<Change, { readonly kind: 'added' }>['after'];

/** The editor lists larger comparisons, with their contents. */
const mostFiles = 500;

/** Files of a comparison; the index is the key. */
function filesView({ changes, leftOut, refused }: CommitComparison): FilesView {
	const more = changes.length - mostFiles;
	return {
		kind: 'files',
		summary: summary(changes.length),
		files: changes.slice(0, mostFiles).map((change, key) => {
			const { kind } = change;
			const from =
				kind === 'renamed' && change.before.path !== change.after.path ? shownName(change.before.path) : undefined;
			return { key, kind, path: shownName(pathOfFile(change)), from, facts: factsOf(change) };
		}),
		remarks: [
			...(more > 0
				? [
						more === 1
							? vscode.l10n.t('1 more file is not shown here. Open the changes to see all of them.')
							: vscode.l10n.t('{0} more files are not shown here. Open the changes to see all of them.', more),
					]
				: []),
			...(leftOut === undefined ? [] : [vscode.l10n.t('There are too many changes to compare. Only some are shown.')]),
			...(refused > 0
				? [
						refused === 1
							? vscode.l10n.t('1 entry is not shown because of an invalid file name.')
							: vscode.l10n.t('{0} entries are not shown because of invalid file names.', refused),
					]
				: []),
		],
	};
}

function summary(count: number): string {
	return count === 1 ? vscode.l10n.t('1 file changed') : vscode.l10n.t('{0} files changed', count);
}

/** Path for commands: the new path, or the old one of a deleted file. */
function pathOfFile(change: Change): string {
	return change.kind === 'deleted' ? change.before.path : change.after.path;
}

function factsOf(change: Change): string {
	switch (change.kind) {
		case 'added':
			return unusual(change.after);
		case 'deleted':
			return unusual(change.before);
		case 'typeChanged':
			return vscode.l10n.t('{0}, was {1}', kindWord(kindOf(change.after)), kindWord(kindOf(change.before)));
		case 'modified':
		case 'renamed': {
			const [before, after] = [kindOf(change.before), kindOf(change.after)];
			return before === after
				? unusual(change.after, 'executable')
				: vscode.l10n.t('{0}, was {1}', kindWord(after), kindWord(before));
		}
	}
}

/** File kind, unless it is the usual one. */
function unusual(side: Side, usual?: EntryKind): string {
	const kind = kindOf(side);
	return kind === 'file' || kind === usual ? '' : kindWord(kind);
}

/** The page never follows links. */
function kindWord(kind: EntryKind): string {
	return kind === 'symlink' ? vscode.l10n.t('symbolic link') : kindText(kind);
}

function kindOf({ mode }: Side): EntryKind {
	return entryKind({ name: '', id: '', type: 'blob', mode });
}

/** Longer text is no explanation; git shows all of it. */
const mostText = 100_000;

const mostTrailers = 100;

const longestValue = 1000;

/** Nobody has merged more at once. */
const mostParents = 100;

/** Of another commit. */
const longestTitle = 100;

export interface CommitMaking {
	readonly subject: CommitSubject;
	readonly link: PageLink<CommitProtocol>;
	/** The repository has this name now. */
	readonly renamed: (to: RepositoryRef) => void;
}

/** A file of a commit, for the diff commands. */
export interface ChangedFile {
	readonly before: string | undefined;
	readonly path: string;
}

/** The files against one parent. */
interface Compared {
	readonly parent: number;
	readonly comparison: CommitComparison;
}

/** An open commit page. The commit never changes; comparisons and signature results may. */
export class OpenCommit {
	readonly #parts: RepositoriesContext;
	readonly #making: CommitMaking;
	readonly #commit: PagePart<Commit>;
	readonly #files: PagePart<Compared>;
	#parent = 0;
	#verdict: SignatureVerdict | undefined;
	readonly pieces: OpenPieces<CommitPageStrings, CommitChange>;

	constructor(parts: RepositoriesContext, making: CommitMaking) {
		this.#parts = parts;
		this.#making = making;
		const { subject } = making;
		this.pieces = openPieces({
			...making,
			parts,
			strings: commitStrings,
			now: (ifNew) => this.#now(ifNew),
			read: () => {
				void this.#commit.read().then(() => {
					const commit = this.commit();
					const connection = this.pieces.known();
					if (commit && connection) {
						void this.#files.read();
						this.#verify(connection, commit);
					}
				});
			},
			// Newly loaded trackers turn ticket references into links.
			watch: ({ tickets }) => tickets.onDidChange(() => void this.pieces.changed()),
		});
		const { reading } = this.pieces;
		this.#commit = pagePart(
			(stop) => this.pieces.connection().repositories.folders.commit(subject.ref, subject.id, stop),
			reading,
		);
		this.#files = pagePart(async (stop) => {
			const parent = this.#parent;
			const commit = this.commit();
			if (!commit) {
				throw new ForgeError({ kind: 'notFound' });
			}
			const pair = { before: commit.parents[parent], after: commit.id };
			const { folders } = this.pieces.connection().repositories;
			return { parent, comparison: await folders.changes(subject.ref, pair, stop) };
		}, reading);
	}

	/** The commit after it loaded. */
	commit(): Commit | undefined {
		const now = this.#commit.now();
		return now.kind === 'known' ? now.value : undefined;
	}

	/** Compares the files with those of another parent. */
	compareWith(parent: number): void {
		if (parent < (this.commit()?.parents.length ?? 0) && parent !== this.#parent) {
			this.#parent = parent;
			void this.pieces.changed();
			void this.#files.read();
		}
	}

	/** A file that the page shows, by its key. */
	file(key: number): ChangedFile | undefined {
		const now = this.#files.now();
		const change = now.kind === 'known' ? now.value.comparison.changes[key] : undefined;
		return change && now.kind === 'known'
			? { before: this.commit()?.parents[now.value.parent], path: pathOfFile(change) }
			: undefined;
	}

	#verify(connection: Connection, commit: Commit): void {
		const { verifySignature, problems } = this.#parts;
		if (typeof commit.signature !== 'object' || !verifySignature || this.#verdict) {
			return;
		}
		verifySignature(connection, commit, this.#making.link.signal).then(
			(verdict) => {
				this.#verdict = verdict;
				void this.pieces.changed();
			},
			// The signature stays unverified.
			problems.log,
		);
	}

	/** If the account connects later, the page starts again. */
	#now(ifNew: IfNew): CommitChange {
		const { ref } = this.#making.subject;
		const repository = ifNew('repository', shownName(refText(ref)));
		const connection = this.pieces.known();
		const { explain } = this.pieces;
		if (!connection) {
			const reason = explain(new ForgeError({ kind: 'notSignedIn' }));
			return { repository, head: ifNew('head', { kind: 'failed', reason }) };
		}
		const now = this.#commit.now();
		switch (now.kind) {
			case 'reading':
				return { repository, head: ifNew('head', { kind: 'loading' }) };
			case 'failed':
				return { repository, head: ifNew('head', { kind: 'failed', reason: explain(now.error) }) };
			case 'known': {
				const verdict =
					this.#verdict ??
					(now.value.signature === 'untold'
						? { kind: 'untold' }
						: { kind: now.value.signature ? 'notVerified' : 'unsigned' });
				const value = commitHeadView(connection, ref, now.value, verdict);
				return {
					repository,
					head: ifNew('head', { kind: 'shown', value }),
					parentTitles: ifNew('parentTitles', parentTitles(connection, ref, now.value)),
					files: ifNew('files', { parent: this.#parent, view: this.#filesView(explain) }),
				};
			}
		}
	}

	#filesView(explain: (error: unknown) => string): FilesView {
		const now = this.#files.now();
		switch (now.kind) {
			case 'reading':
				return { kind: 'loading' };
			case 'failed':
				return { kind: 'failed', reason: explain(now.error) };
			case 'known':
				return now.value.parent === this.#parent ? filesView(now.value.comparison) : { kind: 'loading' };
		}
	}
}

/** A commit's own data. Nobody verified the author, so people appear with their addresses. */
function commitHeadView(
	{ instance, tickets }: Connection,
	ref: RepositoryRef,
	commit: Commit,
	verdict: SignatureVerdict,
): CommitHeadView {
	const place: MessagePlace = {
		ref,
		web: webOf(instance),
		knows: (tracker) => tickets.trackers.known(tracker) !== undefined,
	};
	const { title, body, trailers } = commitMessage(commit.message);
	const isCut = body.length > mostText;
	const author = personView(commit.author);
	const committer = personView(commit.committer);
	return {
		title: messagePieces(visibleLine(title) === '' ? vscode.l10n.t('(no message)') : title, place),
		body: [
			...messagePieces(body.slice(0, mostText), place),
			...(isCut
				? [{ kind: 'text', text: `…\n\n${vscode.l10n.t('The rest of the message is left out.')}` } as const]
				: []),
		],
		trailers: trailers.slice(0, mostTrailers).map((trailer) => {
			const written = trailer.value.slice(0, longestValue);
			// Git writes a person's address in angle brackets.
			if (!/<[^<>\s@]+@[^<>\s@]+>/.test(written)) {
				return { key: visibleLine(trailer.key), person: undefined, pieces: messagePieces(written, place) };
			}
			const { name, address } = personIn(written);
			const person = { name: visibleLine(name), address: visibleLine(address) };
			return { key: visibleLine(trailer.key), person, pieces: [] };
		}),
		author,
		committer: author.name === committer.name && author.address === committer.address ? undefined : committer,
		atMs: commit.timestampMs,
		id: visibleLine(commit.id),
		tree: visibleLine(commit.tree),
		parents: commit.parents.slice(0, mostParents).map(visibleLine),
		signature: signatureView(verdict),
	};
}

/** No requests for titles; comparing with a parent loads its title. */
function parentTitles({ repositories }: Connection, ref: RepositoryRef, { parents }: Commit): readonly string[] {
	return parents.slice(0, mostParents).map((id) => {
		const known = repositories.objects.knownCommit(ref, id);
		const title = Array.from(known ? titleOf(known) : '');
		return title.length > longestTitle ? `${title.slice(0, longestTitle).join('')}…` : title.join('');
	});
}

function personView({ name, email }: Signer): MailPersonView {
	return { name: visibleLine(name), address: visibleLine(email) };
}

/** A verdict in words. Names in it come from the user's own programs. */
function signatureView(verdict: SignatureVerdict): SignatureView {
	switch (verdict.kind) {
		case 'unsigned':
			return { text: vscode.l10n.t('not signed'), tone: 'none' };
		case 'untold':
			return { text: vscode.l10n.t('signature unknown'), tone: 'none' };
		case 'notVerified':
			return { text: vscode.l10n.t('signed, not verified'), tone: 'none' };
		case 'good':
			return {
				text: vscode.l10n.t(
					'signed by {0}, verified with the key {1}',
					visibleLine(verdict.signer),
					visibleLine(verdict.key),
				),
				tone: 'good',
			};
		case 'bad':
			return { text: vscode.l10n.t('the signature does not match this commit'), tone: 'bad' };
		case 'unknownKey':
			return {
				text:
					verdict.key === undefined
						? vscode.l10n.t('signed, not verified: you do not have the key')
						: vscode.l10n.t('signed, not verified: you do not have the key {0}', visibleLine(verdict.key)),
				tone: 'none',
			};
	}
}

/** Parts of a commit message. */
interface CommitMessage {
	/** Its first line; empty when there is none. */
	readonly title: string;
	/** Text between title and trailers. */
	readonly body: string;
	readonly trailers: readonly Trailer[];
}

/** Takes a message apart. Lines among the trailers that are none stay in the body, and so do the trailers around them. */
export function commitMessage(message: string): CommitMessage {
	const text = message.replaceAll('\r\n', '\n').trim();
	const end = text.indexOf('\n');
	const title = end === -1 ? text : text.slice(0, end);
	const below = end === -1 ? '' : text.slice(end + 1);
	const trailers = trailersOf(text);
	const lines = below.split('\n');
	const start = lines.findLastIndex((line) => line.trim() === '') + 1;
	const own = lines.slice(start).filter((line) => !/^[ \t]/.test(line));
	const areAlone = trailers.length > 0 && own.length === trailers.length;
	const rest = areAlone ? lines.slice(0, start) : lines;
	// Keep leading blanks, which mark lists and code.
	const first = rest.findIndex((line) => line.trim() !== '');
	return { title, body: first === -1 ? '' : rest.slice(first).join('\n').trimEnd(), trailers };
}
