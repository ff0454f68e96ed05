import type { Random } from '../../../../../test/support/random.ts';
import { modes, type Signed } from '../../../src/git/gitObjects.ts';
import type { FileEntry, RepositoryDraft } from './repositoryDraft.ts';
import type { Author, Crew } from './crew.ts';
import type { Item, Source } from './sourceText.ts';
import { renderSource } from './sourceText.ts';

/** A line of development with its head and content. */
export interface Line {
	head: string | undefined;
	readonly files: Map<string, FileEntry>;
	readonly sources: Map<string, Source>;
	/** Paths changed since the line split off. */
	readonly changed: Set<string>;
}

/** Creates a repository's history in chronological order. */
export interface History {
	readonly draft: RepositoryDraft;
	readonly crew: Crew;
	readonly random: Random;
	/** Seconds; every commit moves it on. */
	nowS(): number;
	line(): Line;
	split(line: Line): Line;
	/** Writes a plain file, executable or link. It is part of the next commit. */
	put(line: Line, path: string, content: string | Uint8Array, mode?: number): void;
	source(line: Line, source: Source): void;
	remove(line: Line, path: string): void;
	/** Changes one source file by giving it another list of items. */
	edit(line: Line, path: string, change: (items: readonly Item[]) => readonly Item[]): void;
	commit(line: Line, author: Author, message: string, options?: CommitOptions): string;
	merge(into: Line, from: Line, author: Author, message: string): string;
	tag(name: string, target: string, author: Author, message: string): void;
}

export interface CommitOptions {
	/** Committer, if not the author. */
	readonly committer?: Author;
	readonly signed?: boolean;
	/** Further parents. */
	readonly parents?: readonly string[];
}

export interface Setting {
	readonly crew: Crew;
	readonly random: Random;
	readonly startS: number;
	/** Most seconds between two commits. */
	readonly stepS: number;
}

export function createHistory(draft: RepositoryDraft, { crew, random, startS, stepS }: Setting): History {
	let nowS = startS;
	const at = ({ name, email, offset }: Author, timeS: number): Signed => ({ name, email, timeS, offset });
	const put: History['put'] = (line, path, content, mode = modes.file) => {
		line.files.set(path, { mode, id: mode === modes.submodule ? String(content) : draft.blob(content) });
		line.changed.add(path);
	};
	const source: History['source'] = (line, made) => {
		line.sources.set(made.path, made);
		put(line, made.path, renderSource(made));
	};
	const commit: History['commit'] = (line, author, message, options = {}) => {
		nowS += 60 + random.below(stepS);
		const { committer = author, signed = true, parents = [] } = options;
		const writtenS = committer === author ? nowS : nowS - random.below(stepS * 4);
		line.head = draft.commit({
			files: line.files,
			parents: [...(line.head === undefined ? [] : [line.head]), ...parents],
			author: at(author, writtenS),
			committer: at(committer, nowS),
			message,
			signer: signed ? committer.signer : undefined,
		});
		return line.head;
	};
	return {
		draft,
		crew,
		random,
		nowS: () => nowS,
		line: () => ({ head: undefined, files: new Map(), sources: new Map(), changed: new Set() }),
		split: ({ head, files, sources }) => ({
			head,
			files: new Map(files),
			sources: new Map(sources),
			changed: new Set(),
		}),
		put,
		source,
		remove(line, path) {
			line.files.delete(path);
			line.sources.delete(path);
			line.changed.add(path);
		},
		edit(line, path, change) {
			const old = line.sources.get(path);
			if (old === undefined) {
				throw new Error(`The history knows no source ${path}`);
			}
			source(line, { ...old, items: change(old.items) });
		},
		commit,
		merge(into, from, author, message) {
			for (const path of from.changed) {
				takeOver(into.files, from.files, path);
				takeOver(into.sources, from.sources, path);
				into.changed.add(path);
			}
			return commit(into, author, message, from.head === undefined ? {} : { parents: [from.head] });
		},
		tag(name, target, author, message) {
			const made = draft.tag({ name, target, tagger: at(author, nowS), message, signer: author.signer });
			draft.ref(`refs/tags/${name}`, made);
		},
	};
}

function takeOver<T>(into: Map<string, T>, from: ReadonlyMap<string, T>, key: string): void {
	const value = from.get(key);
	if (value === undefined) {
		into.delete(key);
	} else {
		into.set(key, value);
	}
}
