import type { PageLink } from '../../../editor/pages/pageHost.ts';
import type { IfNew } from '../../../editor/pages/pagePieces.ts';
import { ForgeError } from '../../../forge/forgeError.ts';
import { refText } from '../../../forge/namedRef.ts';
import type { Commit, RepositoryRef } from '../../../forge/repository.ts';
import type { CommitPageStart, CommitProtocol } from '../../../protocol/commitProtocol.ts';
import type { CommitChange, FilesView } from '../../../protocol/commitView.ts';
import type { Connection } from '../../../state/connection.ts';
import { pagePart, type PagePart } from '../pages/pagePart.ts';
import { openPieces, type OpenPieces } from '../pages/openPieces.ts';
import type { RepositoryPagesParts } from '../pages/pageParts.ts';
import type { SignatureVerdict } from '../pages/signature.ts';
import type { CommitSubject } from '../subjects/subjects.ts';
import { shownName } from '../subjects/words.ts';
import { commitHeadView, parentTitles } from './commitHead.ts';
import { commitStrings } from './commitStrings.ts';
import { filesView, pathOfFile, type CommitComparison } from './filesView.ts';

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
	readonly #parts: RepositoryPagesParts;
	readonly #making: CommitMaking;
	readonly #commit: PagePart<Commit>;
	readonly #files: PagePart<Compared>;
	#parent = 0;
	#verdict: SignatureVerdict | undefined;
	readonly pieces: OpenPieces<CommitPageStart>;

	constructor(parts: RepositoryPagesParts, making: CommitMaking) {
		this.#parts = parts;
		this.#making = making;
		const { subject } = making;
		this.pieces = openPieces({
			...making,
			parts,
			strings: commitStrings,
			now: (ifNew) => this.#now(ifNew),
			read: () => this.#read(),
			// Newly loaded trackers turn ticket references into links.
			watch: ({ tickets }) => tickets.onDidChange(() => void this.pieces.changed()),
		});
		const { reading } = this.pieces;
		this.#commit = pagePart(
			(stop) => this.pieces.connection().repositories.commit(subject.ref, subject.id, stop),
			reading,
		);
		this.#files = pagePart((stop) => this.#compare(stop), reading);
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

	#read(): void {
		void this.#commit.read().then(() => {
			const commit = this.commit();
			const connection = this.pieces.known();
			if (commit && connection) {
				void this.#files.read();
				this.#verify(connection, commit);
			}
		});
	}

	async #compare(signal: AbortSignal): Promise<Compared> {
		const { ref } = this.#making.subject;
		const parent = this.#parent;
		const commit = this.commit();
		if (!commit) {
			throw new ForgeError({ kind: 'notFound' });
		}
		const pair = { before: commit.parents[parent], after: commit.id };
		return { parent, comparison: await this.pieces.connection().repositories.changes(ref, pair, signal) };
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
				const verdict = this.#verdict ?? unlooked(now.value);
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

/** Verdict before any verification. */
function unlooked({ signature }: Commit): SignatureVerdict {
	if (signature === 'untold') {
		return { kind: 'untold' };
	}
	return { kind: signature ? 'notVerified' : 'unsigned' };
}
