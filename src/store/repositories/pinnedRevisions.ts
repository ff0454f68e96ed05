import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { refText } from 'sourcehut/port/namedRef.ts';
import type { Commit, RepositoryRef } from 'sourcehut/port/repository.ts';
import { isObjectId } from 'patchmail/git/objectId.ts';
import { type KeptText, goodOf, keptIn, time } from '../shared/keptText.ts';

/** A revision pinned to a commit. Reads below the revision use that commit until the user moves on. */
export interface Standing {
	/** As sent to the server: a name, `HEAD` or an id. */
	readonly revision: string;
	readonly commit: StandingCommit;
}

/** The parts of a commit stored for offline use. */
export type StandingCommit = Pick<Commit, 'id' | 'tree' | 'timestampMs'>;

/** A revision with an open document; it must not change under its reader. */
export interface HeldRevision {
	readonly ref: RepositoryRef;
	readonly revision: string;
}

/** More than anybody has open at once; at most some 200 kB. */
const mostKept = 500;
const mostPaths = 1000;

const objectId = v.pipe(v.string(), v.check(isObjectId));

const standing = v.pipe(
	v.tuple([v.tuple([v.string(), v.string(), v.string(), objectId, v.string()]), time]),
	v.transform(([[owner, name, revision, id, tree], timestampMs]): Standing & HeldRevision => ({
		ref: { owner, name },
		revision,
		commit: { id, tree, timestampMs },
	})),
);

const standingsAndPaths = v.object({ kept: goodOf(standing), paths: goodOf(v.tuple([v.string(), objectId])) });

/**
 * Pinned revisions of one account. Held revisions survive a restart, so open documents come back unchanged, signed in
 * or not, online or not.
 */
export class PinnedRevisions {
	readonly #kept: KeptText;
	readonly #pinned = new Map<string, Standing & HeldRevision>();
	/** Ids of trees read by path without their parent folders; key: root tree and path. */
	readonly #treeIds = new LRUCache<string, string>({ max: mostPaths });
	/** Until the first `hold`: the revisions open when the window closed. */
	#held: ReadonlySet<string>;
	#isTold = false;
	#lastText: string | undefined;

	constructor(kept: KeptText) {
		this.#kept = kept;
		const { kept: pinned, paths } = keptIn(kept.read(), standingsAndPaths, { kept: [], paths: [] });
		for (const standing of pinned) {
			this.#pinned.set(keyOf(standing.ref, standing.revision), standing);
		}
		this.#held = new Set(this.#pinned.keys());
		for (const [path, id] of paths) {
			this.#treeIds.set(path, id);
		}
	}

	of(ref: RepositoryRef, revision: string): Standing | undefined {
		return this.#pinned.get(keyOf(ref, revision));
	}

	/** True when any revision of the repository is pinned. */
	has(ref: RepositoryRef): boolean {
		return [...this.#pinned.values()].some((standing) => isOf(ref, standing));
	}

	keep(ref: RepositoryRef, standing: Standing): void {
		this.#pinned.set(keyOf(ref, standing.revision), { ...standing, ref });
		this.#write();
	}

	/** Id of the tree at a path, if `keepTreeId` stored it. */
	treeId(root: string, path: string): string | undefined {
		return path === '' ? root : this.#treeIds.get(`${root} ${path}`);
	}

	keepTreeId(root: string, path: string, id: string): void {
		this.#treeIds.set(`${root} ${path}`, id);
		this.#write();
	}

	/** Replaces the held revisions. */
	hold(revisions: readonly HeldRevision[]): void {
		const held = new Set(revisions.map(({ ref, revision }) => keyOf(ref, revision)));
		if (!this.#isTold) {
			// Not reopened after the restart, so it may move on.
			this.#dropUnless((key) => held.has(key) || !this.#held.has(key));
		}
		this.#held = held;
		this.#isTold = true;
		this.#write();
	}

	/** True for an open revision, which must not change under its reader. */
	isHeld(ref: RepositoryRef, revision: string): boolean {
		return this.#held.has(keyOf(ref, revision));
	}

	/** Forgets the pins of one repository, or all, except held revisions. */
	forget(ref?: RepositoryRef): void {
		this.#dropUnless((key, standing) => (ref !== undefined && !isOf(ref, standing)) || this.#held.has(key));
	}

	/** For a deleted repository: also drops held revisions. */
	remove(ref: RepositoryRef): void {
		this.#dropUnless((_, standing) => !isOf(ref, standing));
		this.#write();
	}

	rename(from: RepositoryRef, to: RepositoryRef): void {
		for (const standing of Array.from(this.#pinned.values())) {
			if (isOf(from, standing)) {
				this.#pinned.set(keyOf(to, standing.revision), { ...standing, ref: to });
			}
		}
		this.#write();
	}

	#dropUnless(stays: (key: string, standing: HeldRevision) => boolean): void {
		for (const [key, standing] of Array.from(this.#pinned)) {
			if (!stays(key, standing)) {
				this.#pinned.delete(key);
			}
		}
	}

	/** Stores the held revisions, after the first `hold`. */
	#write(): void {
		if (!this.#isTold) {
			return;
		}
		const kept = Array.from(this.#pinned)
			.filter(([key]) => this.#held.has(key))
			.slice(-mostKept)
			.map(
				([
					,
					{
						ref,
						revision,
						commit: { id, tree, timestampMs },
					},
				]) => [[ref.owner, ref.name, revision, id, tree], timestampMs] as const,
			);
		const roots = new Set(kept.map(([[, , , , tree]]) => tree));
		const paths = Array.from(this.#treeIds.entries()).filter(([key]) => roots.has(key.split(' ', 1)[0] ?? ''));
		const text = JSON.stringify({ kept, paths });
		if (text !== this.#lastText) {
			this.#lastText = text;
			// A failed write only loses the pin on restart.
			this.#kept.write(text).catch(() => undefined);
		}
	}
}

function isOf({ owner, name }: RepositoryRef, { ref }: HeldRevision): boolean {
	return ref.owner === owner && ref.name === name;
}

function keyOf(ref: RepositoryRef, revision: string): string {
	return JSON.stringify([refText(ref), revision]);
}
